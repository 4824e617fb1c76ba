//! Prints the units and gaps of a command, or of each `command` in a file of JSON lines.
fn main() {
    for command in std::env::args().skip(1) {
        let program = innercmd_bash_units::BashProgram::parse(&command, &innercmd_bash_units::Limits::default());
        for unit in program.commands() {
            println!("{}..{} {:?} {}", unit.span.start, unit.span.end, unit.context, unit.text);
        }
        for gap in program.gaps() {
            println!("{} at {}..{}: {}", gap.code.code(), gap.span.start, gap.span.end, gap.code.description());
        }
    }
}
