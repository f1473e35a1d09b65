//! `textcodec completions`: completion scripts for shells.

use clap::{
    Args, Command, CommandFactory as _,
    builder::{PossibleValuesParser, Str},
};
use clap_complete::Shell;
use textcodec::{Encoding, oem};
use textcodec_detect::Language;

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
    let mut command = without_question_mark(with_values(arguments::Arguments::command()));
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

/// Adds possible values: the encodings' names for the options that take a label, because all 228 labels would be too many, and those of
/// the options about detection.
fn with_values(command: Command) -> Command {
    // Each name, ignoring case, is also a label.
    let label =
        |encoding: &Encoding| encoding.labels().iter().find(|label| label.eq_ignore_ascii_case(encoding.name()));
    let outside = || oem::ALL.iter().map(|encoding| encoding.name());
    let labels = || Encoding::ALL.iter().filter_map(label).copied().chain(outside());
    command.mut_subcommands(|command| {
        let name = command.get_name().to_owned();
        command.mut_args(|argument| {
            let takes_auto = argument.get_id() == "from" && ["convert", "check"].contains(&&*name);
            let value = argument.get_value_names().and_then(|names| names.first()).map(Str::as_str);
            let values: Vec<_> = match value {
                Some("LABEL" | "NAME") if takes_auto => labels().chain(["auto", "table"]).collect(),
                Some("LABEL" | "LABELS" | "NAME") => labels().collect(),
                Some("TAG") => Language::all().map(Language::tag).collect(),
                Some("LEVEL") => vec!["low", "medium", "high"],
                _ => return argument,
            };
            argument.value_parser(PossibleValuesParser::new(values))
        })
    })
}
