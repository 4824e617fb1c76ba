//! Splits a byte stream into lines, whatever is in it.

use bytes::{Bytes, BytesMut};
use tokio_util::codec::{AnyDelimiterCodec, AnyDelimiterCodecError, Decoder};

/// What stands between two line ends.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Frame {
    /// A line, without its end.
    Line(Bytes),
    /// A line that was longer than the limit, and is discarded.
    TooLong,
}

/// The lines of a stream; only the stream itself can fail, never its content.
pub(crate) struct Lines(AnyDelimiterCodec);

impl Lines {
    pub(crate) fn new(longest: usize) -> Self {
        Self(AnyDelimiterCodec::new_with_max_length(b"\n".to_vec(), b"\n".to_vec(), longest))
    }
}

impl Decoder for Lines {
    type Item = Frame;
    type Error = std::io::Error;

    fn decode(&mut self, buffer: &mut BytesMut) -> Result<Option<Frame>, Self::Error> {
        frame(self.0.decode(buffer))
    }

    fn decode_eof(&mut self, buffer: &mut BytesMut) -> Result<Option<Frame>, Self::Error> {
        frame(self.0.decode_eof(buffer))
    }
}

fn frame(chunk: Result<Option<Bytes>, AnyDelimiterCodecError>) -> Result<Option<Frame>, std::io::Error> {
    match chunk {
        Ok(line) => Ok(line.map(Frame::Line)),
        Err(AnyDelimiterCodecError::MaxChunkLengthExceeded) => Ok(Some(Frame::TooLong)),
        Err(AnyDelimiterCodecError::Io(error)) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use futures_util::StreamExt;
    use tokio_util::codec::FramedRead;

    use super::*;

    #[track_caller]
    fn check(bytes: &[u8], expected: &[&str]) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let frames: Vec<String> = runtime.block_on(
            FramedRead::new(bytes, Lines::new(8))
                .map(|frame| match frame.unwrap() {
                    Frame::Line(line) => String::from_utf8_lossy(&line).into_owned(),
                    Frame::TooLong => "(too long)".to_owned(),
                })
                .collect(),
        );
        assert_eq!(frames, expected);
    }

    #[test]
    fn lines_end_at_lf_alone() {
        check(b"a\nb\r\n\xE2\x80\xA8c\n", &["a", "b\r", "\u{2028}c"]);
    }

    #[test]
    fn the_last_line_needs_no_end() {
        check(b"a\nb", &["a", "b"]);
    }

    #[test]
    fn bytes_that_are_no_text_are_a_line() {
        check(b"\xFF\n\0\n", &["\u{FFFD}", "\0"]);
    }

    #[test]
    fn a_long_line_is_discarded_and_the_next_is_read() {
        check(b"123456789abcdefghijklmnop\nb\n", &["(too long)", "b"]);
        check(b"12345678\nb\n", &["12345678", "b"]);
    }

    #[test]
    fn a_long_line_without_an_end_is_discarded() {
        check(b"a\n123456789", &["a", "(too long)"]);
    }
}
