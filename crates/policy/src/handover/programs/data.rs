//! Clients of data bases.

use super::{Program, judges};

#[rustfmt::skip]
pub(super) static PROGRAMS: &[Program] = &[
    Program::clusters(&["psql"], "psql(1)",
        "d|dbname: F|field-separator: h|host: L|log-file: o|output:? p|port: P|pset:? R|record-separator: T|table-attr: \
         U|username: v|set|variable: f|file: c|command:?").judged(judges::psql),
    Program::clusters(&["mysql", "mariadb"], "mysql(1)",
        "h|host: P|port: u|user: p|password:: D|database: S|socket: protocol: e|execute:? init-command:? pager::! \
         plugin-dir:! defaults-file:! defaults-extra-file:!").judged(judges::mysql),
    Program::words(&["sqlite", "sqlite3"], "sqlite3, dot-commands and functions", "").reads(judges::sqlite_arguments),
];
