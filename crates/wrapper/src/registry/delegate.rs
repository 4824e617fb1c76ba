//! Programs with an option, or a subcommand, that names a command. Without it they are no wrappers. Opaque where its value is computed.

use innercmd_bash_units::Word;

use super::{Grammar, Kind, Prefix, Read, Wrapper};
use crate::Influence;
use crate::options::Options;
use crate::reading::{Dialect, Reading};
use crate::scan::{Item, Scan};
use crate::shape::{Shape, suffix};

const fn wrapper(name: &'static str, manual: &'static str, read: Read) -> Wrapper {
    Wrapper { name, manual, kind: Kind::NonTransparent, grammar: Grammar::Own(read) }
}

pub(super) static SORT: Wrapper = wrapper("sort", "GNU coreutils manual, sort invocation", |words, reading| {
    let table = "b|ignore-leading-blanks d f g i M h n R r V c C m o|output: s S|buffer-size: t|field-separator: \
                 T|temporary-directory: u z k|key: batch-size: parallel: compress-program: files0-from: random-source: \
                 sort: debug check::";
    read_options(words, table, &[("compress-program", Names::Program)], reading);
});

pub(super) static RG: Wrapper = wrapper("rg", "ripgrep, rg(1)", |words, reading| {
    let table = "A|after-context: B|before-context: C|context: E|encoding: M|max-columns: T|type-not: d|max-depth: \
                 e|regexp: f|file: g|glob: j|threads: m|max-count: r|replace: t|type: iglob: ignore-file: pre-glob: color: \
                 colors: sort: sortr: type-add: type-clear: engine: pre: hostname-bin: max-filesize: path-separator: \
                 context-separator: field-context-separator: field-match-separator: dfa-size-limit: regex-size-limit: \
                 hyperlink-format: generate: stop-on-nonmatch a b c F H I L N P S U V h i l n o p q s u v w x z 0";
    read_options(words, table, &[("pre", Names::Program), ("hostname-bin", Names::Program)], reading);
});

pub(super) static TAR: Wrapper = wrapper("tar", "GNU tar manual", |words, reading| {
    let table = "A c d r t u x f|file: C|directory: T|files-from: X|exclude-from: b|blocking-factor: g|listed-incremental: \
                 H|format: K|starting-file: L|tape-length: N|newer|after-date: V|label: I|use-compress-program: \
                 F|info-script|new-volume-script: to-command: checkpoint:: checkpoint-action: rsh-command: rmt-command: \
                 exclude: owner: group: mode: mtime: transform|xform: strip-components: one-top-level:: a j J z Z k l m M \
                 n O o p P R s S U v w W B G h i";
    let names = [
        ("I", Names::Text),
        ("F", Names::Text),
        ("to-command", Names::Text),
        ("rsh-command", Names::Text),
        ("rmt-command", Names::Text),
        ("checkpoint-action", Names::Action),
    ];
    read_options(words, table, &names, reading);
    // The old way to write options: `tar xIf PROGRAM FILE`.
    let old = words
        .get(1)
        .map(Shape::of)
        .is_some_and(|shape| !shape.lead.starts_with('-') && shape.lead.contains(['I', 'F']));
    let letters = |text: &str| text.chars().all(|letter| letter.is_ascii_alphabetic());
    if old && words.get(1).and_then(Word::literal).is_some_and(|text| letters(&text)) {
        reading.opaque();
    }
});

pub(super) static RSYNC: Wrapper = wrapper("rsync", "rsync(1)", |words, reading| {
    let table = "e|rsh: rsync-path: f|filter: T|temp-dir: B|block-size: M|remote-option: exclude: include: exclude-from: \
                 include-from: files-from: password-file: log-file: out-format: partial-dir: backup-dir: suffix: port: \
                 timeout: bwlimit: chmod: chown: max-size: min-size: compare-dest: copy-dest: link-dest: a v z r l p t g o D \
                 n u c h P S H A X R x b d q i 0 8 4 6 C F I J K L N O U W k m s y";
    read_options(words, table, &[("e", Names::Text), ("rsync-path", Names::Text)], reading);
});

pub(super) static SPLIT: Wrapper = wrapper("split", "GNU coreutils manual, split invocation", |words, reading| {
    let table = "a|suffix-length: additional-suffix: b|bytes: C|line-bytes: d e|elide-empty-files x filter: \
                 hex-suffixes:: l|lines: n|number: numeric-suffixes:: t|separator: u|unbuffered verbose help version";
    read_options(words, table, &[("filter", Names::Text)], reading);
});

pub(super) static MAN: Wrapper = wrapper("man", "man-db, man(1)", |words, reading| {
    let table = "P|pager: H|html:: C|config-file: M|manpath: S|s|sections: L|locale: m|systems: e|extension: r|prompt: \
                 R|recode: E|encoding: p|preprocessor: X|gxditview:: T|troff-device:: a d D f I i k K l t u w W Z 7";
    read_options(words, table, &[("P", Names::Text), ("H", Names::Text)], reading);
});

/// `npx -c TEXT` and `npm exec -c TEXT`; a package that they run by name is an ordinary program.
pub(super) static NPX: Wrapper = wrapper("npx", "npm, npm-exec(1)", |words, reading| {
    let table =
        "c|call: p|package: y|yes n|no w|workspace: workspaces include-workspace-root prefix: shell: registry: q|quiet";
    let first = words.get(1..).unwrap_or_default();
    let npm = words.first().and_then(Word::literal).is_some_and(|name| name.ends_with("npm"));
    match npm {
        true if first.first().is_some_and(|word| matches!(Shape::of(word).known(), Some("exec" | "x"))) => {
            read_options(first, table, &[("c", Names::Text)], reading);
        }
        true => {}
        false => read_items(Scan::new(words, Options::first(table)), &[("c", Names::Text)], reading),
    }
});

/// `ip netns exec NAME CMD…` and `ip vrf exec NAME CMD…`; `ip -all netns exec CMD…`.
pub(super) static IP: Wrapper = wrapper("ip", "iproute2, ip-netns(8) and ip-vrf(8)", |words, reading| {
    let known = |word: &Word, names: &[&str]| Shape::of(word).known().is_some_and(|text| names.contains(&text));
    let Some(at) = words.iter().position(|word| known(word, &["netns", "vrf", "net", "netn", "vr"])) else { return };
    if !words.get(at + 1).is_some_and(|word| known(word, &["exec", "exe", "ex", "e"])) {
        return;
    }
    let all = words
        .iter()
        .take(at)
        .any(|word| Shape::of(word).lead.starts_with("-a") || Shape::of(word).lead.starts_with("--a"));
    reading.influence(Influence::Place);
    Prefix::new(Options::first("")).operands(usize::from(!all)).read(words.get(at + 1..).unwrap_or_default(), reading);
});

/// What the value of an option is.
#[derive(Clone, Copy)]
enum Names {
    /// The name of a program.
    Program,
    /// A command line.
    Text,
    /// A command line behind `exec=`, or something else.
    Action,
}

fn read_options(words: &[Word], table: &'static str, names: &[(&str, Names)], reading: &mut Reading<'_>) {
    read_items(Scan::new(words, Options::anywhere(table)), names, reading);
}

fn read_items(scan: Scan<'_>, names: &[(&str, Names)], reading: &mut Reading<'_>) {
    for item in scan {
        let Item::Flag { name, value: Some(value) } = item else { continue };
        let lead = Shape::of(&value).lead.into_owned();
        match names.iter().find(|(option, _)| *option == name).map(|(_, kind)| *kind) {
            Some(Names::Program) => reading.command_of(vec![value.into_owned()]),
            Some(Names::Text) => reading.script_word(&value, Dialect::Posix),
            Some(Names::Action) if lead.starts_with("exec=") => {
                reading.script_word(&suffix(&value, "exec=".len()), Dialect::Posix);
            }
            Some(Names::Action) if value.literal().is_none() => reading.opaque(),
            Some(Names::Action) | None => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::testing::check;

    #[rstest]
    #[case("sort --compress-program=rm f", "rm")]
    #[case("sort --compress-prog=rm f", "rm")]
    #[case("sort f --compress-program rm", "rm")]
    #[case("sort --compress-program=\"$x\" f", "<x>")]
    #[case("rg --pre rm x", "rm")]
    #[case("rg x --pre=rm", "rm")]
    #[case("rg --hostname-bin=rm x", "rm")]
    #[case("tar xf a.tar --to-command='rm x'", "$ rm x")]
    #[case("tar -xf a.tar --checkpoint=1 --checkpoint-action=exec='rm x'", "$ rm x")]
    #[case("tar -I 'rm x' -xf a.tar", "$ rm x")]
    #[case("tar xIf rm a.tar", "?")]
    #[case("rsync -e 'ssh -p 22' a b", "$ ssh -p 22")]
    #[case("rsync -ave ssh a b", "$ ssh")]
    #[case("split --filter='rm x' f", "$ rm x")]
    #[case("man -P 'rm x' ls", "$ rm x")]
    #[case("npx -c 'rm x'", "$ rm x")]
    #[case("npm exec -c 'rm x'", "$ rm x")]
    #[case("npm x --call='rm x'", "$ rm x")]
    #[case("ip netns exec a rm x", "rm x")]
    #[case("ip -all netns exec rm x", "rm x")]
    #[case("ip vrf exec a rm x", "rm x")]
    fn an_option_may_name_a_command(#[case] line: &str, #[case] layers: &str) {
        check(line, layers);
    }

    #[rstest]
    #[case("sort -u -k 2 f")]
    #[case("sort -- --compress-program=rm")]
    #[case("sort -t --compress-program=rm f")]
    #[case("rg -e --pre x")]
    #[case("rg --pre-glob '*.pdf' x")]
    #[case("rg -n pattern src")]
    #[case("tar xzf a.tar")]
    #[case("tar -czf a.tar --checkpoint-action=dot b")]
    #[case("tar -xf If")]
    #[case("rsync -av a b")]
    #[case("split -l 10 f")]
    #[case("man ls")]
    #[case("npx tsc --noEmit -c x")]
    #[case("npm run test -c x")]
    #[case("npm exec tsc")]
    #[case("ip netns list")]
    #[case("ip addr")]
    fn without_it_they_are_no_wrappers(#[case] line: &str) {
        check(line, "-");
    }
}
