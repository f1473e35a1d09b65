//! `textcodec man`: manual pages, generated from the same definitions as `--help`.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use clap::{Args, Command, CommandFactory as _, builder::Resettable};
use clap_mangen::{
    Man,
    roff::{Roff, roman},
};

use crate::{Outcome, Stop, arguments, print, screen::shown};

/// Print a manual page, or write all of them
#[derive(Debug, Args)]
#[command(after_help = "Examples: textcodec man --help", after_long_help = AFTER)]
#[command(override_usage = USAGE)]
pub(crate) struct Arguments {
    /// Write all pages to this directory, which is created if necessary: textcodec.1, textcodec-convert.1, …
    #[arg(short, long, value_name = "DIR", conflicts_with = "command")]
    output_dir: Option<PathBuf>,

    /// Print the page of this command instead of the main one
    #[arg(value_name = "COMMAND")]
    command: Option<String>,
}

const USAGE: &str = "\
textcodec man [COMMAND]
       textcodec man --output-dir <DIR>";

const AFTER: &str = "\
Examples:
  Read a page:
      textcodec man check | man -l -
  Install all pages for the current user:
      textcodec man --output-dir ~/.local/share/man/man1";

pub(crate) fn run(arguments: &Arguments) -> Result<Outcome, Stop> {
    let mut main = arguments::Arguments::command()
        .disable_help_subcommand(true)
        .mut_subcommand("iconv", |iconv| iconv.display_name("textcodec-iconv"));
    // Gives subcommands their full names.
    main.build();
    if let Some(directory) = &arguments.output_dir {
        for command in [&main].into_iter().chain(main.get_subcommands()) {
            write(directory, command).with_context(|| shown(directory))?;
        }
        return Ok(Outcome::Clean);
    }
    let command = match &arguments.command {
        None => &main,
        Some(name) => main.find_subcommand(name).ok_or_else(|| {
            let names: Vec<_> = main.get_subcommands().map(Command::get_name).collect();
            Stop::Usage(format!("'{name}' is not a command; the commands are: {}", names.join(", ")))
        })?,
    };
    let page = page(command).context("manual page")?;
    print(|out| out.write_all(&page))?;
    Ok(Outcome::Clean)
}

fn write(directory: &Path, command: &Command) -> anyhow::Result<()> {
    fs::create_dir_all(directory).context("cannot create this directory")?;
    let name = format!("{}.1", full_name(command));
    fs::write(directory.join(&name), page(command)?).context(name)
}

/// Returns the name of a command's page, such as `textcodec-convert`.
fn full_name(command: &Command) -> &str {
    command.get_display_name().unwrap_or_else(|| command.get_name())
}

fn page(command: &Command) -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    // The text after the options is a list of sections, which clap_mangen would join into one paragraph.
    let without = command.clone().after_help(Resettable::Reset).after_long_help(Resettable::Reset);
    // clap_mangen would list all options in the synopsis, without their values. Subcommands have their own usage.
    let without = if command.has_subcommands() { without.override_usage("textcodec <COMMAND>") } else { without };
    let source = concat!("textcodec ", env!("CARGO_PKG_VERSION"));
    Man::new(without).title(full_name(command)).source(source).manual("User Commands").render(&mut page)?;
    let mut more = Roff::new();
    if let Some(text) = command.get_after_long_help().or(command.get_after_help()) {
        sections(&text.to_string(), &mut more);
    }
    let main = full_name(command) == "textcodec";
    more.control("SH", ["SEE ALSO"]);
    if main {
        let pages: Vec<_> = command.get_subcommands().map(|command| format!("{}(1)", full_name(command))).collect();
        more.text([roman(pages.join(", "))]);
    } else {
        more.text([roman("textcodec(1)")]);
    }
    page.extend_from_slice(more.to_roff().as_bytes());
    Ok(in_ascii(&String::from_utf8_lossy(&page)).into_bytes())
}

/// Replaces each non-ASCII character by its roff escape, because not every formatter assumes that a page is UTF-8.
fn in_ascii(page: &str) -> String {
    let name = |c: char| if c.is_ascii() { c.to_string() } else { format!("\\[u{:04X}]", u32::from(c)) };
    page.chars().map(name).collect()
}

/// Writes a help text as sections of a page.
///
/// An unindented line that ends with a colon is a section title. Indented lines keep their line breaks, other lines are filled.
fn sections(text: &str, roff: &mut Roff) {
    let (mut titled, mut preformatted, mut after_blank) = (false, false, false);
    for line in text.lines() {
        let title = line.strip_suffix(':').filter(|_| !line.starts_with(' '));
        if preformatted && (title.is_some() || !line.starts_with(' ')) {
            roff.control("fi", []);
            preformatted = false;
        }
        if let Some(title) = title {
            roff.control("SH", [title.to_uppercase().as_str()]);
            (titled, after_blank) = (true, false);
            continue;
        }
        if line.is_empty() {
            after_blank = true;
            continue;
        }
        if !titled {
            roff.control("SH", ["NOTES"]);
            titled = true;
        } else if after_blank {
            roff.control("PP", []);
        }
        after_blank = false;
        if line.starts_with(' ') && !preformatted {
            roff.control("nf", []);
            preformatted = true;
        }
        roff.text([roman(line.strip_prefix("  ").unwrap_or(line))]);
    }
    if preformatted {
        roff.control("fi", []);
    }
}
