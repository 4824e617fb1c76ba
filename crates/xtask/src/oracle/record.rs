//! Reads the records that a shell leaves (`c/record.h`).

use std::collections::HashMap;

use super::reading::{Ended, Redirected, Walk, Walked, unique};

/// One record.
struct Record<'a> {
    kind: u8,
    fields: Vec<&'a [u8]>,
}

/// The records in `bytes`; what a killed process left half-written is skipped.
fn records(mut bytes: &[u8]) -> impl Iterator<Item = Record<'_>> {
    std::iter::from_fn(move || {
        loop {
            let size = number(bytes, 0)?;
            let (record, rest) = bytes.split_at_checked(size).filter(|_| size >= 12)?;
            bytes = rest;
            if let Some(kind) = number(record, 4).and_then(|kind| u8::try_from(kind).ok()).filter(|kind| *kind != 0) {
                return Some(Record { kind, fields: fields(record) });
            }
        }
    })
}

fn fields(record: &[u8]) -> Vec<&[u8]> {
    let count = number(record, 8).unwrap_or(0);
    let mut rest = record.get(12..).unwrap_or_default();
    (0..count)
        .map_while(|_| {
            let (length, after) = (number(rest, 0)?, rest.get(4..)?);
            let (field, next) = after.split_at_checked(length)?;
            rest = next;
            Some(field)
        })
        .collect()
}

fn number(bytes: &[u8], at: usize) -> Option<usize> {
    let bytes = bytes.get(at..at.checked_add(4)?)?.try_into().ok()?;
    usize::try_from(u32::from_ne_bytes(bytes)).ok()
}

fn text(field: &[u8]) -> String {
    String::from_utf8_lossy(field).into_owned()
}

/// A word as written: bash's parser puts `\\1` before each byte 1 and 127.
fn unescape(word: &[u8]) -> Vec<u8> {
    let mut bytes = word.iter().copied().peekable();
    let mut written = Vec::with_capacity(word.len());
    while let Some(byte) = bytes.next() {
        let escaped = bytes.next_if(|next| byte == 1 && matches!(next, 1 | 127));
        written.push(escaped.unwrap_or(byte));
    }
    written
}

fn texts(fields: &[&[u8]]) -> Vec<String> {
    fields.iter().map(|field| text(field)).collect()
}

fn decimal(field: &[u8]) -> usize {
    text(field).parse().unwrap_or(0)
}

/// What a run of unmodified bash started.
pub(super) fn execs(bytes: &[u8]) -> Vec<Vec<String>> {
    unique(
        records(bytes)
            .filter(|record| record.kind == b'X')
            .map(|record| texts(record.fields.get(1..).unwrap_or_default())),
    )
}

/// What the walker met.
pub(super) fn walk(bytes: &[u8], ended: Ended) -> Walk {
    let mut walk = Walk { valid: true, ended: ended.and(Ended::SHORT), ..Walk::default() };
    let mut places: HashMap<usize, usize> = HashMap::new();
    for Record { kind, fields } in records(bytes) {
        match (kind, fields.as_slice()) {
            (b'C', [id, assignments, words @ ..]) => {
                places.insert(decimal(id), walk.commands.len());
                walk.commands.push(Walked {
                    assignments: decimal(assignments),
                    words: words.iter().map(|word| text(&unescape(word))).collect(),
                    argv: None,
                });
            }
            (b'A', [id, words @ ..]) => {
                let place = places.get(&decimal(id)).and_then(|place| walk.commands.get_mut(*place));
                if let Some(command) = place {
                    command.argv = Some(texts(words));
                }
            }
            (b'V', [word]) => walk.assignments.push(text(&unescape(word))),
            (b'R', [operator, target, rest @ ..]) => walk.redirects.push(Redirected {
                operator: text(operator),
                target: text(&unescape(target)),
                body: rest.first().map(|body| text(&unescape(body))),
            }),
            (b'P', [offset]) => walk.cuts.push(decimal(offset)),
            (b'S', _) => walk.valid = false,
            (b'e', _) => walk.nested_errors += 1,
            (b'H', _) => walk.open_heredoc = true,
            (b'Z', _) => walk.ended = ended,
            _ => {}
        }
    }
    walk
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A record as `c/record.c` writes it.
    fn record(kind: u32, fields: &[&str]) -> Vec<u8> {
        let length = |text: &str| u32::try_from(text.len()).unwrap().to_ne_bytes();
        let body: Vec<u8> = fields.iter().flat_map(|field| [&length(field), field.as_bytes()].concat()).collect();
        let padded = (12 + body.len()).next_multiple_of(4);
        let head = [u32::try_from(padded).unwrap(), kind, u32::try_from(fields.len()).unwrap()];
        let mut bytes = [&head.map(u32::to_ne_bytes).concat()[..], &body].concat();
        bytes.resize(padded, 0);
        bytes
    }

    fn kind(letter: char) -> u32 {
        u32::from(letter)
    }

    #[test]
    fn an_expansion_is_joined_with_its_command_wherever_it_arrives() {
        let bytes = [
            record(kind('C'), &["0", "1", "A=1", "ok", "$(evil)"]),
            record(kind('C'), &["1", "0", "evil"]),
            record(kind('A'), &["1", "evil"]),
            record(kind('A'), &["0", "ok"]),
            record(kind('P'), &["15"]),
            record(kind('Z'), &[]),
        ];
        let walk = walk(&bytes.concat(), Ended::WELL);
        assert_eq!(walk.words(), [vec!["A=1", "ok", "$(evil)"], vec!["evil"]]);
        assert_eq!(walk.commands[0].argv.as_deref(), Some(&["ok".to_owned()][..]));
        assert_eq!((walk.cuts, walk.valid, walk.ended), (vec![15], true, Ended::WELL));
    }

    #[test]
    fn a_walk_without_its_last_record_is_short() {
        let walk = walk(&record(kind('C'), &["0", "0", "ok"]), Ended::WELL);
        assert_eq!(walk.ended, Ended::SHORT);
    }

    #[test]
    fn a_record_whose_writer_died_is_skipped() {
        let bytes = [record(0, &["/bin/a", "lost"]), record(kind('X'), &["/bin/evil", "evil", "x"])].concat();
        assert_eq!(execs(&bytes), [["evil", "x"]]);
    }

    #[test]
    fn bytes_that_are_no_records_end_the_list() {
        for bytes in [&b"\x05\0\0\0"[..], &[0xff; 40], &record(kind('X'), &["a"])[..14], b""] {
            assert!(execs(bytes).is_empty(), "{bytes:?}");
        }
    }

    #[test]
    fn the_escapes_of_the_parser_are_taken_off() {
        assert_eq!(unescape(b"a\x01\x01b\x01\x7fc\x01d"), b"a\x01b\x7fc\x01d");
    }
}
