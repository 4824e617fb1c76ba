//! The oracle itself: cells for every core, and texts dealt out to them.

use std::path::Path;
use std::sync::Mutex;

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use super::Error;
use super::build::Programs;
use super::cell::{Answer, Cell, Conditions, Shell};
use super::reading::{Ended, Reading, Runs, unique};
use super::record;

/// The limits of the static reading.
const WALK: Conditions = Conditions { exit_code: 0, milliseconds: 3000, max_processes: 3000 };
/// The limits of each run of the dynamic reading.
const RUN: Conditions = Conditions { exit_code: 0, milliseconds: 1000, max_processes: 400 };
/// The exit codes that programs end with in the dynamic reading.
const EXIT_CODES: [u32; 2] = [0, 1];

/// In place of an exit code, to the walker: `ORACLE_CUTS_ONLY` of `c/shared.h`.
const CUTS_ONLY: u32 = 0xffff;

/// Tells what bash executes for a text, without executing anything.
pub(crate) struct Oracle {
    programs: Programs,
    idle: Mutex<Vec<Cells>>,
}

/// Which readings are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// Where bash cuts the text, and the words of its commands as written; nothing is expanded.
    Cuts,
    /// Both, whole.
    Both,
}

/// The servers that one thread asks, in turn.
struct Cells {
    walker: Cell,
    builtins: Cell,
    no_builtins: Cell,
}

impl Oracle {
    /// Builds what is missing in `cache` and starts the first cells.
    ///
    /// # Errors
    /// A build that fails, or a sandbox that cannot be had: then nothing runs.
    pub(crate) fn build(cache: &Path) -> Result<Self, Error> {
        let cache = std::path::absolute(cache).map_err(Error::io(cache))?;
        let programs = Programs::build(&cache)?;
        let first = Cells::start(&programs)?;
        Ok(Self { programs, idle: Mutex::new(vec![first]) })
    }

    /// The unpacked source of bash.
    pub(crate) fn bash_source(&self) -> &Path {
        &self.programs.source
    }

    /// Both readings of each command, in the order of `commands`.
    ///
    /// # Errors
    /// Cells that cannot be started again.
    pub(crate) fn executes(&self, commands: &[&str]) -> Result<Vec<Reading>, Error> {
        self.read(commands, Wanted::Both)
    }

    /// The readings in `wanted` of each command, in the order of `commands`.
    ///
    /// # Errors
    /// Cells that cannot be started again.
    pub(crate) fn read(&self, commands: &[&str], wanted: Wanted) -> Result<Vec<Reading>, Error> {
        commands
            .par_iter()
            .map(|command| {
                let mut cells = match self.take() {
                    Some(cells) => cells,
                    None => Cells::start(&self.programs)?,
                };
                let reading = cells.read(&self.programs, command, wanted)?;
                self.give_back(cells);
                Ok(reading)
            })
            .collect()
    }

    fn take(&self) -> Option<Cells> {
        self.idle.lock().unwrap_or_else(std::sync::PoisonError::into_inner).pop()
    }

    fn give_back(&self, cells: Cells) {
        self.idle.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(cells);
    }
}

impl Cells {
    fn start(programs: &Programs) -> Result<Self, Error> {
        Ok(Self {
            walker: Cell::start(programs, Shell::Walker)?,
            builtins: Cell::start(programs, Shell::Builtins)?,
            no_builtins: Cell::start(programs, Shell::NoBuiltins)?,
        })
    }

    fn read(&mut self, programs: &Programs, text: &str, wanted: Wanted) -> Result<Reading, Error> {
        let conditions = match wanted {
            Wanted::Cuts => Conditions { exit_code: CUTS_ONLY, ..WALK },
            Wanted::Both => WALK,
        };
        let Answer { records, ended } = ask(&mut self.walker, programs, Shell::Walker, text, conditions)?;
        let walk = record::walk(&records, ended);
        let runs = match wanted {
            Wanted::Cuts => Runs::default(),
            Wanted::Both => self.run(programs, text)?,
        };
        Ok(Reading { walk, runs })
    }

    fn run(&mut self, programs: &Programs, text: &str) -> Result<Runs, Error> {
        let mut runs = Runs::default();
        for (cell, shell) in [(&mut self.no_builtins, Shell::NoBuiltins), (&mut self.builtins, Shell::Builtins)] {
            for exit_code in EXIT_CODES {
                let Answer { records, ended } = ask(cell, programs, shell, text, Conditions { exit_code, ..RUN })?;
                runs.execs.extend(record::execs(&records));
                runs.ended = runs.ended.and(ended);
            }
        }
        runs.execs = unique(runs.execs);
        Ok(runs)
    }
}

/// Asks, and starts a lost server again.
fn ask(
    cell: &mut Cell,
    programs: &Programs,
    shell: Shell,
    text: &str,
    conditions: Conditions,
) -> Result<Answer, Error> {
    if let Some(answer) = cell.ask(text, conditions) {
        return Ok(answer);
    }
    *cell = Cell::start(programs, shell)?;
    Ok(Answer { records: vec![], ended: Ended::LOST })
}
