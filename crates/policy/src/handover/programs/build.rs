//! Compilers, build tools and package managers.

use super::{Program, judges};

const APT: &str = "t|default-release|target-release: a|host-architecture: q:: o|option:! c|config-file:!";

#[rustfmt::skip]
pub(super) static PROGRAMS: &[Program] = &[
    Program::clusters(&["make", "gmake"], "GNU make manual, 9.8 and 9.5",
        "C|directory: f|file|makefile:? I|include-dir: j|jobs:: l|load-average:: o|old-file|assume-old: O|output-sync:: \
         W|what-if|new-file|assume-new: debug:: shuffle:: E|eval:!").judged(judges::makefile).operands(judges::make),
    Program::in_full(&["just"], "just --help",
        "f|justfile: d|working-directory: set: dotenv-filename: dotenv-path: E: list-heading: list-prefix: tempdir: \
         c|command! shell:! shell-arg:! chooser:! cygpath:!"),
    Program::in_full(&["cargo"], "The Cargo Book",
        "p|package: j|jobs: F|features: bin: example: test: bench: target: target-dir: manifest-path: profile: message-format: \
         color: exclude: C: Z:! config:!").reads(judges::cargo),
    Program::in_full(&["rustc", "rustdoc", "clippy-driver"], "The rustc book, Command-line Arguments",
        "o: L: l: A: W: D: F: out-dir: edition: crate-type: crate-name: emit: print: target: extern: cfg: check-cfg: sysroot: \
         error-format: color: remap-path-prefix: C|codegen:? Z:! test-runtool:! runtool:! test-builder:! output-format:")
        .judged(judges::rustc).operands(|text| text.starts_with('@')),
    Program::words(&["go"], "go help build, go help testflag",
        "o: p: run: bench: count: timeout: tags: coverprofile: covermode: coverpkg: cpu: cpuprofile: memprofile: mod: modfile: \
         buildmode: C: f: asmflags: gcflags: gccgoflags:! ldflags:? compiler:! exec:! toolexec:! vettool:! overlay:! \
         fixtool:!").judged(judges::go_linker).reads(judges::go_env).until(judges::go_run),
    Program::words_cut(&["npm", "pnpm", "yarn"], "npm-config(7)",
        "g D P O E S y s d q v h l B p f a w|workspace: prefix|C|dir|cwd: filter|F: loglevel: tag: registry: cache: omit: include: reporter: script-shell:! shell:! \
         node-options:! userconfig:! globalconfig:! editor:! viewer:! browser:! git:! init-module:! use-yarnrc:!")
        .operands(judges::script_shell).until(judges::before_dashes),
    Program::words(&["gcc", "g++", "cc", "c++", "clang", "clang++", "clang-cl", "gfortran", "tcc"], "gcc(1), clang(1)",
        "o: I: L: D: U: include: isystem: x: std: wrapper:! B:! specs:! load:! fplugin:! fpass-plugin:! iplugindir:! Xclang! \
         ld-path:! fuse-ld? config:! Wl,-plugin! Wl,--plugin!").judged(judges::linker).reads(judges::compiler)
        .operands(|text| text.starts_with('@')),
    Program::words_cut(&["tex", "latex", "pdftex", "pdflatex", "xelatex", "lualatex", "luatex", "xetex"], "pdftex(1)",
        "output-directory: jobname: interaction: fmt: progname: shell-escape! enable-write18! cnf-line:! lua:! \
         lualibs").operands(judges::tex),
    Program::words(&["latexmk"], "latexmk(1)",
        "output-directory: outdir: auxdir: jobname: e:! r:! latex:! pdflatex:! xelatex:! lualatex:! shell-escape! \
         usepretex:! pretex:! print-command:! view-command:! use-make!"),
    Program::clusters(&["pandoc"], "pandoc(1)",
        "o|output: data-dir: M|metadata: metadata-file: template: V|variable: H|include-in-header: B|include-before-body: \
         A|include-after-body: c|css: bibliography: csl: toc-depth: F|filter:! L|lua-filter:! pdf-engine:! d|defaults:! \
         f|from|r|read:? t|to|w|write:?").judged(judges::lua),
    Program::clusters(&["rpm", "rpmbuild", "rpmspec"], "rpm(8)",
        "r|root: dbpath: qf|queryformat: E|eval:! D|define:! pipe:! macros:! rcfile:! load:!"),
    Program::clusters(&["apt", "apt-get", "apt-cache", "aptitude"], "apt.conf(5)", APT),
    Program::clusters(&["dpkg", "dpkg-deb"], "dpkg(1)", "root: admindir: instdir: pre-invoke:! post-invoke:! status-logger:!"),
    Program::clusters(&["pip", "pip3"], "pip(1)", "python:!"),
    Program::clusters(&["hg", "chg"], "hg(1)", "R|repository: cwd: r|rev: m|message: l|logfile: u|user: d|date: config:! ssh|e:! remotecmd:!"),
    Program::in_full(&["svn"], "svn help",
        "m|message: F|file: r|revision: c|change: username: password: depth: encoding: diff-cmd:! diff3-cmd:! editor-cmd:! \
         config-option:! config-dir:!"),
    Program::clusters(&["iptables", "ip6tables"], "iptables(8)",
        "t|table: A|append: D|delete: I|insert: p|protocol: s|source: d|destination: j|jump: i: o: m|match: M|modprobe:!"),
];
