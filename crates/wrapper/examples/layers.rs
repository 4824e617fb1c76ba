//! Prints what each argument's units run through wrappers: `cargo run --example layers -- 'sudo env rm -rf build'`.
//!
//! For each wrapper: its name, why it is not removed (or that it can be), and then each layer, indented by its depth.

use innercmd_bash_units::{BashProgram, Limits, Part, Word};
use innercmd_wrapper::{DEPTH_LIMIT, Found, Layer, layers, recognize, strip};

fn main() {
    let limits = Limits::default();
    for command in std::env::args().skip(1) {
        let program = BashProgram::parse(&command, &limits);
        for unit in program.commands() {
            let Some(wrapped) = recognize(&unit.words) else { continue };
            println!("{} ({}): {}", unit.text, wrapped.manual, wrapped.refusal.map_or("licensed", |code| code.code()));
            for found in layers(&unit.words, DEPTH_LIMIT) {
                match found {
                    Found::Layer { depth, layer, .. } => println!("{}{}", "  ".repeat(depth), text(&layer)),
                    Found::TooDeep => println!("  nests too deep"),
                }
            }
            match strip(&program, &unit.text, &limits) {
                Ok(stripped) => println!("  without it: {}", stripped.program().source()),
                Err(refusal) => println!("  stays: {}", refusal.code.description()),
            }
        }
    }
}

fn text(layer: &Layer<'_>) -> String {
    match layer {
        Layer::Command(words) => words.iter().map(word).collect::<Vec<_>>().join(" "),
        Layer::Script(text) => format!("text for a shell: {text}"),
        Layer::Opaque => "something that is not visible here".to_owned(),
    }
}

fn word(word: &Word) -> String {
    let parts = word.parts.iter().map(|part| match part {
        Part::Literal { text, .. } => text.as_str(),
        Part::Hole { .. } => "…",
    });
    parts.collect()
}
