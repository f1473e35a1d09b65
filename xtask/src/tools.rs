//! The commands of the crates in `tools/`. Each crate is built when one of its commands runs, so that `lint` and `test` do not wait
//! for it.

use std::{
    env,
    ffi::OsString,
    fmt::Write as _,
    path::{Path, PathBuf},
    process::{self, Command},
};

use anyhow::{Context as _, Result};
use project::root;

use crate::schedule;

/// A crate in `tools/`.
struct Tool {
    /// The name of its folder and package.
    name: &'static str,
    /// What its commands are about.
    about: &'static str,
    commands: &'static [&'static str],
}

const TOOLS: [Tool; 4] = [
    Tool { name: "c", about: "the libraries for C: build, install and test them", commands: &["c"] },
    Tool {
        name: "data",
        about: "what is generated: the standard's indexes, tables, code pages, names of encodings",
        commands: &["import", "import-names", "import-pages", "tables"],
    },
    Tool {
        name: "packages",
        about: "what is published: packages, their public API and examples, programs that use them",
        commands: &["api", "dropin", "examples", "msrv", "package", "release"],
    },
    Tool {
        name: "reports",
        about: "measurements: speed, size, memory, and the program with large texts",
        commands: &["bench", "bench-program", "bench-wasm", "instructions", "large", "roundtrip", "size"],
    },
];

/// Runs a command of a tool, and ends this program if it fails.
pub(crate) fn run(arguments: &[OsString]) -> Result<()> {
    let name = arguments.first().map(|name| name.to_string_lossy()).unwrap_or_default();
    let tool = of(&name).with_context(|| format!("there is no command {name:?}; cargo xtask --help lists all"))?;
    let program = env::current_exe()?;
    // A step of CI runs the copy next to this program. Cargo would wait for other steps.
    let mut command = if program.parent().is_some_and(|folder| folder.ends_with(schedule::FOLDER)) {
        Command::new(tool.next_to(&program))
    } else {
        let mut cargo = Command::new("cargo");
        cargo.args(["run", "--quiet", "--package", tool.name, "--manifest-path"]).arg(root().join("Cargo.toml"));
        cargo.arg("--");
        cargo
    };
    let status = command.args(arguments).status().with_context(|| format!("cannot start {command:?}"))?;
    if !status.success() {
        process::exit(status.code().unwrap_or(1));
    }
    Ok(())
}

/// Builds the tools that have some of these commands. Returns their programs.
pub(crate) fn build(commands: &[&str]) -> Result<Vec<PathBuf>> {
    let is_needed = |tool: &&Tool| commands.iter().any(|command| tool.commands.contains(command));
    let tools: Vec<&Tool> = TOOLS.iter().filter(is_needed).collect();
    if !tools.is_empty() {
        let packages = tools.iter().flat_map(|tool| ["--package", tool.name]);
        project::finish(project::command("cargo", &["build", "--quiet"]).args(packages))?;
    }
    let program = env::current_exe()?;
    Ok(tools.iter().map(|tool| tool.next_to(&program)).collect())
}

impl Tool {
    /// Returns the path of the tool in the folder of `program`.
    fn next_to(&self, program: &Path) -> PathBuf {
        program.with_file_name(self.name).with_extension(env::consts::EXE_EXTENSION)
    }
}

/// Returns whether a tool has a command.
pub(crate) fn has(command: &str) -> bool {
    of(command).is_some()
}

fn of(command: &str) -> Option<&'static Tool> {
    TOOLS.iter().find(|tool| tool.commands.contains(&command))
}

/// Returns the list of commands for `--help`.
pub(crate) fn help() -> String {
    let mut text = "Commands in tools/, each with its own --help:".to_owned();
    for Tool { about, commands, .. } in TOOLS {
        // A `String` accepts everything.
        let _ = write!(text, "\n  {}\n      {about}", commands.join(", "));
    }
    text
}

#[cfg(test)]
mod tests {
    use std::fs;

    use clap::CommandFactory as _;

    use super::*;
    use crate::Arguments;

    #[test]
    fn the_table_has_the_commands_of_each_tool() {
        for Tool { name, commands, .. } in TOOLS {
            let main = fs::read_to_string(root().join(format!("tools/{name}/src/main.rs"))).unwrap();
            let (_, list) = main.split_once("\nenum Command {\n").unwrap();
            let (list, _) = list.split_once("\n}\n").unwrap();
            let variants = list
                .lines()
                .filter_map(|line| line.strip_prefix("    "))
                .filter(|line| line.starts_with(char::is_uppercase));
            let mut found: Vec<String> =
                variants.map(|line| kebab_case(line.split(|c: char| !c.is_alphanumeric()).next().unwrap())).collect();
            found.sort();
            assert_eq!(found, commands, "{name}");
        }
    }

    /// The name that clap gives to the command of a variant.
    fn kebab_case(variant: &str) -> String {
        let name: String =
            variant.chars().flat_map(|c| c.is_uppercase().then_some('-').into_iter().chain(c.to_lowercase())).collect();
        name.trim_start_matches('-').to_owned()
    }

    #[test]
    fn no_command_is_in_two_crates() {
        let own = Arguments::command();
        let names: Vec<&str> = TOOLS
            .iter()
            .flat_map(|tool| tool.commands)
            .copied()
            .chain(own.get_subcommands().map(clap::Command::get_name))
            .collect();
        for name in &names {
            assert_eq!(names.iter().filter(|other| *other == name).count(), 1, "{name}");
        }
    }
}
