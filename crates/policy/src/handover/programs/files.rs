//! Programs that find, sort, pack and copy files.

use super::{Program, judges};

const ARCHIVE: &str = "f|file: C|directory: b|blocking-factor: g|listed-incremental: H|format: K|starting-file: \
    L|tape-length: N|newer|after-date: newer-mtime: T|files-from: V|label: X|exclude-from: exclude: exclude-ignore: \
    exclude-tag: mtime: owner: group: owner-map: group-map: mode: strip-components: transform|xform: suffix: sort: \
    one-top-level:: checkpoint:: occurrence:: warning: level: pax-option: record-size: volno-file: index-file: add-file: \
    hole-detection: sparse-version: totals:: backup:: I|use-compress-program:! F|info-script:! new-volume-script:! \
    to-command:! checkpoint-action:! rsh-command:! rmt-command:!";

#[rustfmt::skip]
pub(super) static PROGRAMS: &[Program] = &[
    Program::clusters(&["sort", "gsort"], "GNU coreutils manual, sort",
        "k|key: o|output: S|buffer-size: t|field-separator: T|temporary-directory: parallel: files0-from: batch-size: \
         random-source: sort: check:: compress-program:!"),
    Program::clusters(&["split", "gsplit"], "GNU coreutils manual, split",
        "a|suffix-length: b|bytes: C|line-bytes: l|lines: n|number: t|separator: additional-suffix: numeric-suffixes:: \
         hex-suffixes:: filter:!"),
    Program::clusters(&["install", "ginstall"], "GNU coreutils manual, install",
        "g|group: m|mode: o|owner: t|target-directory: S|suffix: backup:: context:: strip-program:!"),
    Program::clusters(&["tar", "gtar", "bsdtar"], "GNU tar manual; bsdtar(1)", ARCHIVE).bundled(),
    Program::clusters(&["cpio"], "GNU cpio manual",
        "F|file: H|format: I: O: E|pattern-file: D|directory: M|message: R|owner: C|io-size: block-size: rsh-command:!"),
    Program::clusters(&["zip"], "zip(1)",
        "b|temp-path: n|suffixes: t|from-date: P|password: O|output-file: s|split-size: x|exclude: i|include: \
         unzip-command:!").reads(judges::zip),
    Program::primaries(&["find", "gfind"], "GNU findutils manual, find",
        "name: iname: path: ipath: wholename: iwholename: lname: ilname: regex: iregex: regextype: type: xtype: size: mtime: \
         atime: ctime: mmin: amin: cmin: perm: user: group: uid: gid: newer: anewer: cnewer: samefile: inum: links: maxdepth: \
         mindepth: fstype: printf: used: fprint:! fprint0:! fprintf:! fls:! exec:! execdir:! ok:! okdir:! files0-from:"),
    Program::clusters(&["rsync"], "rsync(1)",
        "f|filter: B|block-size: T|temp-dir: M|remote-option: exclude: include: exclude-from: include-from: files-from: \
         log-file: log-file-format: out-format: backup-dir: suffix: compare-dest: copy-dest: link-dest: chmod: chown: \
         usermap: groupmap: timeout: contimeout: bwlimit: port: sockopts: password-file: partial-dir: max-size: min-size: \
         max-delete: modify-window: compress-level: compress-choice: checksum-choice: info: debug: write-batch: \
         read-batch: protocol: iconv: address: e|rsh:! rsync-path:! config:! early-input:"),
    Program::clusters(&["patch", "gpatch"], "GNU patch manual",
        "p|strip: i|input: d|directory: D|ifdef: F|fuzz: o|output: r|reject-file: B|prefix: Y|basename-prefix: z|suffix: \
         V|version-control: g|get: e|ed!"),
    Program::clusters(&["sdiff", "diff3"], "GNU diffutils manual", "o|output: w|width: I|ignore-matching-lines: L|label: diff-program:!"),
    Program::clusters(&["gpg", "gpg2"], "gpg(1)",
        "o|output: r|recipient: u|local-user: homedir: passphrase-file: passphrase-fd: passphrase: keyserver: \
         status-fd: logger-fd: log-file: pinentry-mode: options:! photo-viewer:! exec-path:! agent-program:! \
         dirmngr-program:! keyboxd-program:! keyserver-options:!"),
    Program::words(&["openssl"], "openssl(1)", "engine:! provider-path:! config:! loader:! in: out: key: subj: days: newkey: keyout: passin: passout:"),
    Program::words(&["exiftool"], "exiftool(1)", "if:! config:! execute"),
    Program::words(&["convert", "magick", "mogrify", "identify", "montage", "composite"], "ImageMagick, Command-line Processing",
        "write:").operands(judges::image),
    Program::clusters(&["restic", "rclone"], "restic(1), rclone(1)", "password-command:! sftp-ssh:! o|option:! sftp-server-command:!"),
    Program::clusters(&["borg"], "borg(1)", "rsh:! remote-path:!"),
];
