//! `textcodec completions`: completion scripts for shells.

use clap::{Args, Command, CommandFactory as _, builder::PossibleValuesParser};
use clap_complete::Shell;
use textcodec::{Encoding, oem};

use crate::{Outcome, Stop, arguments, print};

/// Print a script that completes commands, options and encodings in a shell
#[derive(Debug, Args)]
#[command(after_help = "Where to install it: textcodec completions --help", after_long_help = AFTER)]
#[command(override_usage = "textcodec completions <SHELL>")]
pub(crate) struct Arguments {
    /// Shell to complete for
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

const AFTER: &str = "\
Examples:
  Install for bash:
      mkdir -p ~/.local/share/bash-completion/completions
      textcodec completions bash > ~/.local/share/bash-completion/completions/textcodec
  Install for zsh, if ~/.zfunc is in $fpath:
      mkdir -p ~/.zfunc
      textcodec completions zsh > ~/.zfunc/_textcodec
  Install for fish:
      mkdir -p ~/.config/fish/completions
      textcodec completions fish > ~/.config/fish/completions/textcodec.fish";

pub(crate) fn run(arguments: &Arguments) -> Result<Outcome, Stop> {
    let mut command = without_question_mark(with_encodings(arguments::Arguments::command()));
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "textcodec", &mut script);
    print(|out| out.write_all(&script))?;
    Ok(Outcome::Clean)
}

/// Removes the option `-?`, which is a pattern for shells: fish reports that no file matches it. `--help` remains.
fn without_question_mark(command: Command) -> Command {
    command.mut_subcommands(|command| {
        command.mut_args(|argument| if argument.get_short() == Some('?') { argument.short(None) } else { argument })
    })
}

/// Adds the encodings' names as possible values of the options that take a label. All 228 labels would be too many.
fn with_encodings(command: Command) -> Command {
    // Each name, ignoring case, is also a label.
    let label =
        |encoding: &Encoding| encoding.labels().iter().find(|label| label.eq_ignore_ascii_case(encoding.name()));
    let outside = || oem::ALL.iter().map(|encoding| encoding.name());
    let labels = || Encoding::ALL.iter().filter_map(label).copied().chain(outside());
    command.mut_subcommands(|command| {
        let name = command.get_name().to_owned();
        command.mut_args(|argument| {
            let takes_auto = argument.get_id() == "from" && ["convert", "check"].contains(&&*name);
            let takes_label = argument
                .get_value_names()
                .is_some_and(|names| names.iter().any(|name| name == "LABEL" || name == "NAME"));
            match (takes_label, takes_auto) {
                (true, true) => argument.value_parser(PossibleValuesParser::new(labels().chain(["auto", "table"]))),
                (true, false) => argument.value_parser(PossibleValuesParser::new(labels())),
                (false, _) => argument,
            }
        })
    })
}
