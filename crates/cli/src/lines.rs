//! Streams lines through a function on all cores, in order.

use std::io::{self, BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use rayon::prelude::*;

/// The longest line that is read, in bytes; more than the longest command and its policy need.
const LONGEST: usize = 8 << 20;
/// How many lines, and how many bytes, are worked on at once; with the lines on their way that bounds the memory.
const BATCH_LINES: usize = 512;
const BATCH_BYTES: usize = 8 << 20;
/// How many lines may wait between the reader and the workers.
const WAITING: usize = 32;

/// The answer to a line that could not be answered by the fault of this program.
const INTERNAL: &str = r#"{"error":"internal error"}"#;

/// A line without its end, or the fact that it is too long to be read.
pub(crate) type Line = Result<Vec<u8>, TooLong>;

/// A line is longer than what is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the line is longer than {LONGEST} bytes")]
pub(crate) struct TooLong;

/// Writes `answer` of every line of `input` to `output`, in the order of the input; what is answered `None` is left out.
///
/// A line is answered as soon as its turn comes: nothing waits for more input while an answer is due. Where answering one unwinds,
/// [`INTERNAL`] is its answer, and the rest goes on.
///
/// # Errors
/// Reading or writing failed.
pub(crate) fn stream(
    input: impl BufRead + Send,
    mut output: impl Write,
    answer: impl Fn(Line) -> Option<String> + Sync,
) -> io::Result<()> {
    let (sender, receiver) = sync_channel(WAITING);
    let answer = &answer;
    std::thread::scope(move |scope| {
        // Owned here, so that the reader is not left waiting for a taker when writing fails.
        let receiver = receiver;
        let reader = scope.spawn(move || read_lines(input, &sender));
        while let Some(batch) = next_batch(&receiver) {
            let answers: Vec<Option<String>> = batch.into_par_iter().map(|line| caught(answer, line)).collect();
            for answer in answers.into_iter().flatten() {
                output.write_all(answer.as_bytes())?;
                output.write_all(b"\n")?;
            }
            output.flush()?;
        }
        reader.join().unwrap_or_else(|_| Err(io::Error::other("the reader ended early")))
    })
}

fn caught(answer: &impl Fn(Line) -> Option<String>, line: Line) -> Option<String> {
    // What `answer` shares between lines are policies, and those are whole or not there.
    catch_unwind(AssertUnwindSafe(|| answer(line))).unwrap_or_else(|_| Some(INTERNAL.to_owned()))
}

/// Waits for one line and takes whatever else is there already.
fn next_batch(receiver: &Receiver<Line>) -> Option<Vec<Line>> {
    let size = |line: &Line| line.as_ref().map_or(0, Vec::len);
    let first = receiver.recv().ok()?;
    let mut bytes = size(&first);
    let mut batch = vec![first];
    while batch.len() < BATCH_LINES && bytes < BATCH_BYTES {
        let Ok(line) = receiver.try_recv() else { break };
        bytes += size(&line);
        batch.push(line);
    }
    Some(batch)
}

fn read_lines(mut input: impl BufRead, sender: &SyncSender<Line>) -> io::Result<()> {
    while let Some(line) = read_line(&mut input)? {
        // The other end is gone when writing failed, and then that failure is what is reported.
        if sender.send(line).is_err() {
            break;
        }
    }
    Ok(())
}

/// The next line, where there is one.
///
/// # Errors
/// Reading failed.
pub(crate) fn read_line(input: &mut impl BufRead) -> io::Result<Option<Line>> {
    let mut line = Vec::new();
    let mut too_long = false;
    loop {
        let buffer = input.fill_buf()?;
        if buffer.is_empty() {
            return Ok(match (too_long, line.is_empty()) {
                (true, _) => Some(Err(TooLong)),
                (false, false) => Some(Ok(line)),
                (false, true) => None,
            });
        }
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let piece = end.and_then(|end| buffer.get(..end)).unwrap_or(buffer);
        if line.len() + piece.len() > LONGEST {
            too_long = true;
            line = Vec::new();
        }
        if !too_long {
            line.extend_from_slice(piece);
        }
        let used = piece.len() + usize::from(end.is_some());
        input.consume(used);
        if end.is_some() {
            return Ok(Some(if too_long { Err(TooLong) } else { Ok(line) }));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn streamed(input: &[u8], answer: impl Fn(Line) -> Option<String> + Sync) -> String {
        let mut output = Vec::new();
        stream(input, &mut output, answer).unwrap();
        String::from_utf8(output).unwrap()
    }

    #[test]
    fn answers_come_in_the_order_of_the_lines() {
        let input: String = (0..5_000).map(|number| format!("{number}\n")).collect();
        assert_eq!(streamed(input.as_bytes(), |line| String::from_utf8(line.unwrap()).ok()), input);
    }

    #[test]
    fn a_last_line_without_an_end_counts_and_a_line_without_an_answer_is_left_out() {
        let echo = |line: Line| Some(String::from_utf8(line.unwrap()).unwrap()).filter(|line| !line.is_empty());
        assert_eq!(streamed(b"a\n\nb", echo), "a\nb\n");
        assert_eq!(streamed(b"", echo), "");
    }

    #[test]
    fn a_bug_that_unwinds_costs_its_own_line_alone() {
        let answer = |line: Line| match line.unwrap().as_slice() {
            b"bug" => panic!("on purpose"),
            line => Some(String::from_utf8(line.to_vec()).unwrap()),
        };
        assert_eq!(streamed(b"a\nbug\nb\n", answer), format!("a\n{INTERNAL}\nb\n"));
    }

    #[test]
    fn a_line_that_is_too_long_does_not_stop_the_next() {
        let input = [vec![b'x'; LONGEST + 1], b"\nshort\n".to_vec()].concat();
        let lengths = streamed(&input, |line| Some(line.map_or("long".into(), |line| line.len().to_string())));
        assert_eq!(lengths, "long\n5\n");
    }

    #[test]
    fn an_answer_is_written_before_more_input_is_there() {
        let (input, mut to_input) = io::pipe().unwrap();
        let (from_output, output) = io::pipe().unwrap();
        let worker = std::thread::spawn(move || {
            stream(io::BufReader::new(input), output, |line| String::from_utf8(line.unwrap()).ok()).unwrap();
        });
        let mut from_output = io::BufReader::new(from_output);
        for number in 0..3 {
            writeln!(to_input, "{number}").unwrap();
            let mut line = String::new();
            from_output.read_line(&mut line).unwrap();
            assert_eq!(line, format!("{number}\n"));
        }
        drop(to_input);
        worker.join().unwrap();
    }
}
