//! Programs that talk to other machines.

use super::{Program, judges};

#[rustfmt::skip]
pub(super) static PROGRAMS: &[Program] = &[
    Program::clusters(&["ssh", "slogin", "autossh"], "ssh(1), ssh_config(5)",
        "B: b: c: D: E: e: i: J: L: l: m: O: P: p: Q: R: S: W: w: F:! I:! o:?").judged(judges::ssh),
    Program::clusters(&["scp"], "scp(1), ssh_config(5)", "c: i: J: l: P: X: F:! S:! D:! o:?").judged(judges::ssh),
    Program::clusters(&["sftp"], "sftp(1), ssh_config(5)", "B: c: i: J: l: P: R: X: F:! S:! D:! b:! s:! o:?").judged(judges::ssh),
    Program::clusters(&["sshfs"], "sshfs(1)", "p: F:! o:?").judged(judges::ssh),
    Program::clusters(&["ssh-keygen"], "ssh-keygen(1)",
        "a: b: C: E: F: f: I: i: J: j: K: M: m: N: n: O: P: R: r: S: s: T: t: V: W: Y: Z: z: D:! w:!"),
    Program::clusters(&["ssh-add"], "ssh-add(1)", "E: H: h: t: T: e:! s:! S:!"),
    Program::clusters(&["wget"], "GNU wget manual",
        "o|output-file: O|output-document: a|append-output: P|directory-prefix: D|domains: A|accept: R|reject: I|include-directories: \
         X|exclude-directories: U|user-agent: t|tries: T|timeout: w|wait: Q|quota: l|level: i|input-file: B|base: user: password: \
         header: referer: post-data: post-file: method: body-data: body-file: load-cookies: save-cookies: limit-rate: waitretry: \
         certificate: private-key: ca-certificate: ca-directory: use-askpass:! e|execute:! config:!"),
    Program::clusters(&["curl"], "curl(1)",
        "A|user-agent: b|cookie: c|cookie-jar: C|continue-at: d|data: data-raw: data-binary: data-urlencode: data-ascii: json: \
         D|dump-header: e|referer: E|cert: F|form: form-string: h:: H|header: K|config: m|max-time: o|output: output-dir: \
         P|ftp-port: Q|quote: r|range: t|telnet-option: T|upload-file: u|user: U|proxy-user: w|write-out: x|proxy: X|request: \
         y|speed-time: Y|speed-limit: z|time-cond: connect-timeout: retry: retry-delay: retry-max-time: max-redirs: cacert: \
         capath: key: url: resolve: interface: limit-rate: noproxy: stderr: trace: trace-ascii: unix-socket: aws-sigv4: \
         oauth2-bearer: engine:!"),
    Program::clusters(&["nc", "ncat", "netcat", "nc.openbsd", "nc.traditional"], "ncat(1), nc(1)",
        "p|source-port: s|source: w|wait: i|idle-timeout: q: X: x: I: O: T: V: M: m|max-conns: P: g: G: o|output: delay: \
         proxy: proxy-type: proxy-auth: allow: deny: c|sh-exec:! e|exec:! lua-exec:!"),
    Program::clusters(&["socat"], "socat(1)", "b: t: T: lf: lp: lm:: L: W: r: R: S:").operands(judges::socat),
    Program::clusters(&["tcpdump"], "tcpdump(1)",
        "B: c: C: E: F: G: i|interface: j: m: M: r: s|snapshot-length: T: V: w: W: y: Q: z:!"),
    Program::clusters(&["tshark", "wireshark"], "tshark(1)",
        "i: f: Y: r: w: c: T: e: E: o: d: z: b: a: s: S: R: X:!"),
    Program::clusters(&["lftp"], "lftp(1)", "u|user: p|port: c:! e:! f:!"),
    Program::clusters(&["nmap"], "nmap(1)", "p: oN: oX: oG: oA: iL: T: script:! datadir:! interactive!"),
    Program::words(&["gh", "glab"], "gh help", "").reads(judges::gh),
    Program::clusters(&["helm"], "helm help install", "n|namespace: f|values: set: set-string: version: post-renderer:! kubeconfig:!"),
];
