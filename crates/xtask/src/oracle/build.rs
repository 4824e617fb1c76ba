//! Builds the programs of the oracle: the walker out of the source of bash, the interposer and the cell.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use super::{Error, edit};

/// The C files of our own, apart from those that the source of bash includes.
const PROGRAMS: [(&str, &str); 6] = [
    ("record.h", include_str!("c/record.h")),
    ("shared.h", include_str!("c/shared.h")),
    ("serve.c", include_str!("c/serve.c")),
    ("record.c", include_str!("c/record.c")),
    ("interpose.c", include_str!("c/interpose.c")),
    ("cell.c", include_str!("c/cell.c")),
];

/// How the distribution configures its bash, less the parts that a shell without a terminal never reaches.
const CONFIGURE: [&str; 6] = [
    "--enable-largefile", "--prefix=/usr", "--without-bash-malloc", "--disable-nls", "--disable-readline",
    "CFLAGS=-O1 -w",
];

/// Builtins that stay on where the others are off: the parser asks for them (assignments), or loops would not end.
const KEPT_BUILTINS: [&str; 10] =
    ["declare", "typeset", "local", "export", "readonly", "unset", "break", "continue", "return", "exit"];

/// What is built: the launcher and the root that it confines shells to.
pub(super) struct Programs {
    /// The launcher.
    pub(super) cell: PathBuf,
    /// The root directory of every cell.
    pub(super) root: PathBuf,
    /// The unpacked source of bash, unedited; it holds bash's own tests.
    pub(super) source: PathBuf,
}

impl Programs {
    /// Builds what `cache` does not hold yet.
    ///
    /// # Errors
    /// A tool that is missing or fails, or a source that the edits do not fit.
    pub(super) fn build(cache: &Path) -> Result<Self, Error> {
        fs::create_dir_all(cache).map_err(Error::io(cache))?;
        let lock_path = cache.join("lock");
        let lock = fs::File::create(&lock_path).map_err(Error::io(&lock_path))?;
        lock.lock().map_err(Error::io(&lock_path))?;

        let source = fetch_source(cache)?;
        let build = cache.join(format!("build-{:016x}", fingerprint()));
        let programs = Self { cell: build.join("cell"), root: build.join("root"), source };
        let done = build.join("done");
        if !done.exists() {
            remove_builds(cache);
            fs::create_dir_all(&build).map_err(Error::io(&build))?;
            programs.compile(&build)?;
            write(&done, "")?;
        }
        Ok(programs)
    }

    fn compile(&self, build: &Path) -> Result<(), Error> {
        for (name, text) in PROGRAMS {
            write(&build.join(name), text)?;
        }
        compiler(build, &["-o", "cell", "cell.c"])?;
        compiler(
            build,
            &[
                "-shared",
                "-fPIC",
                "-Wl,-soname,/lib/interpose.so",
                "-o",
                "interpose.so",
                "serve.c",
                "record.c",
                "interpose.c",
            ],
        )?;
        let walker = build_walker(&self.source, build)?;
        assemble_root(&self.root, build, &walker)
    }
}

/// Removes the builds of other versions, and what is left of one that was cut short.
fn remove_builds(cache: &Path) {
    for entry in fs::read_dir(cache).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with("build-") {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Changes with everything that the build depends on.
fn fingerprint() -> u64 {
    let programs = PROGRAMS.iter().chain(&edit::INCLUDED).flat_map(|(name, text)| [*name, *text]);
    let rules = [include_str!("edit.rs"), include_str!("build.rs"), include_str!("c/cuts.c")];
    programs
        .chain(rules)
        .flat_map(str::bytes)
        .fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Fetches and unpacks the source package of the bash that this machine runs.
fn fetch_source(cache: &Path) -> Result<PathBuf, Error> {
    let version = output(Command::new("dpkg-query").args(["-W", "-f", "${source:Version}", "bash"]))?;
    let version = version.trim();
    let unpacked = cache.join(format!("bash-{version}"));
    if unpacked.join("configure").exists() {
        return Ok(unpacked);
    }
    let apt = cache.join("apt");
    let parts = apt.join("sources");
    for directory in [&parts, &apt.join("lists/partial"), &apt.join("cache/archives/partial")] {
        fs::create_dir_all(directory).map_err(Error::io(directory))?;
    }
    copy_sources(&parts)?;
    let mut update = apt_get(&apt);
    output(update.arg("update"))?;
    let mut download = apt_get(&apt);
    output(download.current_dir(&apt).args(["source", "--download-only", &format!("bash={version}")]))?;
    let description = apt.join(format!("bash_{version}.dsc"));
    let _ = fs::remove_dir_all(&unpacked);
    output(Command::new("dpkg-source").arg("-x").args([&description, &unpacked]))?;
    Ok(unpacked)
}

/// An `apt-get` whose sources, lists and cache are all in `apt`, so that the machine's own stay as they are.
fn apt_get(apt: &Path) -> Command {
    let mut command = Command::new("apt-get");
    command
        .args(["-q", "-o", "Dir::Etc::SourceList=/dev/null", "-o", "APT::Sandbox::User=root"])
        .arg("-o")
        .arg(format!("Dir::Etc::SourceParts={}", apt.join("sources").display()))
        .arg("-o")
        .arg(format!("Dir::State::Lists={}", apt.join("lists").display()))
        .arg("-o")
        .arg(format!("Dir::Cache={}", apt.join("cache").display()));
    command
}

/// Copies the machine's package sources into `parts`, asking for source packages where they ask for binary ones.
fn copy_sources(parts: &Path) -> Result<(), Error> {
    let directory = Path::new("/etc/apt/sources.list.d");
    let mut files: Vec<PathBuf> =
        fs::read_dir(directory).map_err(Error::io(directory))?.flatten().map(|entry| entry.path()).collect();
    files.push("/etc/apt/sources.list".into());
    for file in files {
        let (Ok(text), Some(name)) = (fs::read_to_string(&file), file.file_name()) else { continue };
        let source_packages = match file.extension().and_then(|extension| extension.to_str()) {
            Some("sources") => map_lines(&text, |line| match line.strip_prefix("Types:") {
                Some(types) if types.split_whitespace().any(|kind| kind == "deb") => "Types: deb-src".to_owned(),
                _ => line.to_owned(),
            }),
            Some("list") => map_lines(&text, |line| match line.strip_prefix("deb ") {
                Some(rest) => format!("deb-src {rest}"),
                None => line.to_owned(),
            }),
            _ => continue,
        };
        write(&parts.join(name), &source_packages)?;
    }
    Ok(())
}

fn map_lines(text: &str, change: impl Fn(&str) -> String) -> String {
    text.lines().map(|line| change(line) + "\n").collect()
}

/// Edits a copy of the source and compiles it.
fn build_walker(source: &Path, build: &Path) -> Result<PathBuf, Error> {
    let copy = build.join("bash");
    output(Command::new("cp").arg("-a").args([source, &copy]))?;
    for file in edit::files() {
        let path = copy.join(file);
        let text = fs::read_to_string(&path).map_err(Error::io(&path))?;
        write(&path, &edit::apply(file, &text)?)?;
    }
    for (name, text) in edit::INCLUDED {
        write(&copy.join(name), text)?;
    }
    output(Command::new("./configure").current_dir(&copy).args(CONFIGURE))?;
    let library = build.join("interpose.so");
    output(Command::new("make").current_dir(&copy).arg("-j4").arg(format!("LOCAL_LIBS={}", library.display())))?;
    Ok(copy.join("bash"))
}

/// Puts both shells, the libraries they load and the files that start them into the root of the cells.
fn assemble_root(root: &Path, build: &Path, walker: &Path) -> Result<(), Error> {
    for directory in ["bin", "dev", "lib", "oracle", "w"] {
        let path = root.join(directory);
        fs::create_dir_all(&path).map_err(Error::io(&path))?;
    }
    let mut libraries = Vec::new();
    for (program, name) in [(Path::new("/bin/bash"), "bin/bash"), (walker, "bin/walker")] {
        copy(program, &root.join(name))?;
        let listed = output(Command::new("ldd").arg(program))?;
        libraries.extend(
            listed
                .split_whitespace()
                .filter(|word| word.starts_with("/lib") && !word.contains("interpose"))
                .map(PathBuf::from),
        );
    }
    for library in libraries {
        let target = root.join(library.strip_prefix("/").unwrap_or(&library));
        if let Some(parent) = target.parent() {
            fs::create_dir_all(parent).map_err(Error::io(parent))?;
        }
        copy(&library, &target)?;
    }
    copy(&build.join("interpose.so"), &root.join("lib/interpose.so"))?;
    write(&root.join("dev/null"), "")?;
    // Sourcing `/oracle/serve` is what the interposer waits for; what it then reads runs once for each text.
    write(&root.join("oracle/serve"), "")?;
    write(&root.join("oracle/env-on"), "unset BASH_ENV LD_PRELOAD LD_BIND_NOW\n. /oracle/serve\n: /bin/bash\n")?;
    let keep = KEPT_BUILTINS.join("|");
    write(
        &root.join("oracle/env-off"),
        &format!(
            "unset BASH_ENV LD_PRELOAD LD_BIND_NOW\nfor name in $(compgen -b); do case $name in {keep}|enable|.) ;; *) enable -n \"$name\";; esac; \
             done\nunset name\n. /oracle/serve\nenable -n . enable\n"
        ),
    )
}

fn compiler(directory: &Path, arguments: &[&str]) -> Result<(), Error> {
    output(Command::new("cc").current_dir(directory).args(["-O2", "-Wall", "-Wextra"]).args(arguments)).map(|_| ())
}

fn copy(from: &Path, to: &Path) -> Result<(), Error> {
    fs::copy(from, to).map_err(Error::io(from))?;
    fs::set_permissions(to, fs::Permissions::from_mode(0o755)).map_err(Error::io(to))
}

fn write(path: &Path, text: &str) -> Result<(), Error> {
    fs::write(path, text).map_err(Error::io(path))
}

/// Runs `command` and returns what it prints.
pub(super) fn output(command: &mut Command) -> Result<String, Error> {
    let name = command.get_program().to_string_lossy().into_owned();
    let Output { status, stdout, stderr } =
        command.output().map_err(|source| Error::Start { program: name.clone(), source })?;
    if status.success() {
        return Ok(String::from_utf8_lossy(&stdout).into_owned());
    }
    let tail = String::from_utf8_lossy(&stderr);
    let skipped = tail.lines().count().saturating_sub(20);
    Err(Error::Failed {
        program: name,
        status: status.to_string(),
        tail: tail.lines().skip(skipped).collect::<Vec<_>>().join("\n"),
    })
}
