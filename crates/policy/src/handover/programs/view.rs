//! Programs that search, show and edit text.

use super::{Program, judges};

const EDITORS: &[&str] = &[
    "vi", "vim", "nvim", "view", "gvim", "rvim", "vimdiff", "gview", "rview", "vim.basic", "vim.tiny", "vim.nox",
    "vim.gtk3",
];
const FUZZY: &str = "q|query: f|filter: d|delimiter: n|nth: with-nth: m|multi:: tiebreak: algo: height:: layout: prompt: \
    header: color: expect: tac history: preview-window: preview:! bind:! with-shell:! listen:! listen-unsafe:! c|cmd:! \
    i";

#[rustfmt::skip]
pub(super) static PROGRAMS: &[Program] = &[
    Program::in_full(&["rg"], "rg(1)",
        "A|after-context: B|before-context: C|context: E|encoding: d|max-depth: e|regexp: f|file: g|glob: iglob: j|threads: \
         m|max-count: M|max-columns: r|replace: t|type: T|type-not: type-add: type-clear: color: colors: context-separator: \
         dfa-size-limit: engine: field-context-separator: field-match-separator: generate: hyperlink-format: ignore-file: \
         max-filesize: path-separator: pre-glob: regex-size-limit: sort: sortr: pre:! hostname-bin:!"),
    Program::clusters(&["ack"], "ack(1)", "A: B: C:: m: g output: pager:! ackrc:!"),
    Program::clusters(&["ag"], "ag(1)", "A:: B:: C:: m: G: W: p: ignore: depth: workers: pager:!"),
    Program::in_full(&["bat", "batcat"], "bat(1)",
        "l|language: H|highlight-line: file-name: tabs: wrap: color: italic-text: decorations: paging: m|map-syntax: theme: \
         style: r|line-range: terminal-width: diff-context: pager:?").judged(judges::pager),
    Program::in_full(&["delta"], "delta, manual", "pager:? paging: config:! features:").judged(judges::pager),
    Program::clusters(&["less"], "less(1)",
        "b|buffers: D|color: h|max-back-scroll: j|jump-target: k|lesskey-file:! lesskey-src:! lesskey-content:! o|log-file: \
         O|LOG-FILE: p|pattern: P|prompt: t|tag: T|tag-file: x|tabs: y|max-forw-scroll: z|window: #|shift: \"|quotes:")
        .operands(judges::less),
    Program::clusters(&["man"], "man(1)",
        "R|recode: L|locale: m|systems: M|manpath: S|s|sections: e|extension: r|prompt: E|encoding: p|preprocessor: \
         T|troff-device:: P|pager:? H|html::! X|gxditview::! C|config-file:!").judged(judges::pager),
    Program::in_full(EDITORS, "vim(1)",
        "c:! S:! s! e! E! u:? U:? i: w:! W:! t: T: V:: l! q:: p:: o:: O:: cmd:! remote-expr:! remote-send:! startuptime: \
         servername: listen: server:").judged(judges::vimrc).operands(|text| text.starts_with('+') && text != "+"),
    Program::in_full(&["ex"], "vim(1): ex reads its commands from the input", "").reads(|_| true),
    Program::words_cut(&["emacs", "emacs-nox"], "emacs(1)",
        "eval:! execute:! script:! x:! load:! l:! f:! funcall:! L:! directory:! init-directory:! u|user:! insert: \
         chdir: t|terminal: visit: file:"),
    Program::clusters(&["nano", "pico", "rnano"], "nano(1)",
        "C|backupdir: o|operatingdir: r|fill: T|tabsize: Y|syntax: Q|quotestr: X|wordchars: f|rcfile:! s|speller:!"),
    Program::in_full(&["fzf", "sk"], "fzf(1), sk(1)", FUZZY),
    Program::clusters(&["dc"], "dc(1)", "e|expression:? f|file: S|scale: I|ibase: O|obase:").judged(judges::bang),
];
