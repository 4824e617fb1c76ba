//! Option tables.
//!
//! The grammar is that of GNU `getopt_long`: clusters of short options, a value attached or in the next word, long options with
//! `=` or a word, unambiguous beginnings of long names, `--`.

/// The options of a program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Options {
    /// The options, blank-separated: names joined by `|`, and then `:` for a value, `::` for an optional attached one, `:?` for
    /// one that is attached or perhaps the next word, `:2` or `:3` for that many words. One-letter names are short. `#` stands for any number (`nice -10`).
    pub(crate) table: &'static str,
    /// What an operand means for the options behind it.
    pub(crate) order: Order,
    /// What an option is that the table does not hold.
    pub(crate) unlisted: Unlisted,
}

/// Where options may stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// Before the first operand only.
    First,
    /// Before the first operand that is no assignment (`sudo`).
    FirstButAssignments,
    /// Anywhere before `--`.
    Anywhere,
}

/// What is known of an option that is not in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unlisted {
    /// Nothing: it may take the next word as its value.
    Unsure,
    /// The program's options never take the next word, and none can be cut short.
    NoValue,
}

/// An option of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Known {
    /// Its first name there.
    pub(crate) name: &'static str,
    pub(crate) takes: Takes,
}

/// What an option takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Takes {
    Nothing,
    /// A value, attached or in the next word.
    Value,
    /// A value perhaps, attached.
    Attached,
    /// A value perhaps, attached or in the next word.
    Perhaps,
    /// So many words.
    Words(usize),
}

impl Options {
    /// Options that end at the first operand.
    pub(crate) const fn first(table: &'static str) -> Self {
        Self { table, order: Order::First, unlisted: Unlisted::Unsure }
    }

    /// Options that may stand anywhere.
    pub(crate) const fn anywhere(table: &'static str) -> Self {
        Self { table, order: Order::Anywhere, unlisted: Unlisted::Unsure }
    }

    /// Options that never take the next word, listed or not.
    pub(crate) const fn attached(table: &'static str) -> Self {
        Self { table, order: Order::First, unlisted: Unlisted::NoValue }
    }

    /// The short option of this letter.
    pub(crate) fn short(&self, letter: char) -> Option<Known> {
        let mut buffer = [0; 4];
        let wanted: &str = letter.encode_utf8(&mut buffer);
        let found = self.entries().find(|(names, _)| names.split('|').any(|name| name == wanted));
        found.map(known).or_else(|| self.unlisted())
    }

    /// The long option of this name, or the only one that begins with it.
    pub(crate) fn long(&self, wanted: &str) -> Option<Known> {
        let named =
            |names: &str, test: &dyn Fn(&str) -> bool| names.split('|').any(|name| name.len() > 1 && test(name));
        let exact = self.entries().find(|(names, _)| named(names, &|name| name == wanted));
        if let Some(known) = exact.map(known).or_else(|| self.unlisted()) {
            return Some(known);
        }
        let mut starting = self.entries().filter(|(names, _)| named(names, &|name| name.starts_with(wanted)));
        match (starting.next(), starting.next()) {
            (Some(only), None) => Some(known(only)),
            (Some(_) | None, _) => None,
        }
    }

    /// Whether the text is an option that is a number.
    pub(crate) fn is_number(&self, text: &str) -> bool {
        let digits = text.strip_prefix('-').map(|rest| rest.strip_prefix(['-', '+']).unwrap_or(rest));
        digits.is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
            && self.entries().any(|(names, _)| names == "#")
    }

    /// How many words an option is with its value, where the table tells.
    pub(crate) fn length(&self, text: &str) -> Option<usize> {
        let takes = match text.strip_prefix("--") {
            Some(long) if long.contains('=') => Takes::Nothing,
            Some(long) => self.long(long)?.takes,
            None => self.cluster_takes(text.strip_prefix('-')?)?,
        };
        Some(match takes {
            Takes::Nothing | Takes::Attached => 1,
            Takes::Value => 2,
            Takes::Perhaps => return None,
            Takes::Words(words) => 1 + words,
        })
    }

    /// Whether an option that is computed may take the next word.
    pub(crate) fn may_take_a_word(&self) -> bool {
        self.unlisted == Unlisted::Unsure && self.table.contains(':')
    }

    /// What a cluster of short options takes beyond itself.
    fn cluster_takes(&self, cluster: &str) -> Option<Takes> {
        let mut letters = cluster.chars();
        while let Some(letter) = letters.next() {
            match self.short(letter)?.takes {
                Takes::Nothing => {}
                Takes::Attached => return Some(Takes::Nothing),
                Takes::Value | Takes::Perhaps if !letters.as_str().is_empty() => return Some(Takes::Nothing),
                takes @ (Takes::Value | Takes::Perhaps | Takes::Words(_)) => return Some(takes),
            }
        }
        Some(Takes::Nothing)
    }

    fn unlisted(&self) -> Option<Known> {
        (self.unlisted == Unlisted::NoValue).then_some(Known { name: "", takes: Takes::Nothing })
    }

    fn entries(&self) -> impl Iterator<Item = (&'static str, Takes)> + use<> {
        self.table.split_ascii_whitespace().map(|entry| match entry.split_once(':') {
            None => (entry, Takes::Nothing),
            Some((names, "")) => (names, Takes::Value),
            Some((names, ":")) => (names, Takes::Attached),
            Some((names, "?")) => (names, Takes::Perhaps),
            Some((names, count)) => (names, Takes::Words(count.parse().unwrap_or(1))),
        })
    }
}

fn known((names, takes): (&'static str, Takes)) -> Known {
    Known { name: names.split('|').next().unwrap_or(names), takes }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    const OPTIONS: Options = Options::first("a b: c:: d|delta e|epsilon: z|zeta:: w|why:? two:2 delta-two # help");

    #[rstest]
    #[case("-a", Some(1))]
    #[case("-b", Some(2))]
    #[case("-bx", Some(1))]
    #[case("-ab", Some(2))]
    #[case("-abx", Some(1))]
    #[case("-c", Some(1))]
    #[case("-cb", Some(1))]
    #[case("-ad", Some(1))]
    #[case("-x", None)]
    #[case("-ax", None)]
    #[case("--delta", Some(1))]
    #[case("--delta-", Some(1))]
    #[case("--delt", None)]
    #[case("--epsilon", Some(2))]
    #[case("--eps", Some(2))]
    #[case("--eps=x", Some(1))]
    #[case("--zeta", Some(1))]
    #[case("--why", None)]
    #[case("--why=x", Some(1))]
    #[case("-w", None)]
    #[case("-wx", Some(1))]
    #[case("--two", Some(3))]
    #[case("--a", None)]
    #[case("--other", None)]
    fn the_table_tells_how_long_an_option_is(#[case] text: &str, #[case] length: Option<usize>) {
        assert_eq!(OPTIONS.length(text), length);
    }

    #[rstest]
    #[case("-10", true)]
    #[case("--10", true)]
    #[case("-+10", true)]
    #[case("-", false)]
    #[case("-1x", false)]
    #[case("10", false)]
    fn a_number_is_an_option_where_the_table_says_so(#[case] text: &str, #[case] number: bool) {
        assert_eq!(OPTIONS.is_number(text), number);
        assert!(!Options::first("a").is_number(text));
    }
}
