//! What is printed about a wrong command line, in clap's format.

use std::ffi::OsString;

use clap::{
    Arg, ArgAction, Command,
    error::{ContextKind, ContextValue, Error, ErrorKind},
};

use crate::screen;

/// Returns the error about a command line that clap accepts but the program does not, with the usage of the subcommand.
pub(crate) fn error(command: &mut Command, message: &str) -> Error {
    command.error(ErrorKind::ValueValidation, screen::escaped(message))
}

/// Makes an error of clap fit to be printed. Words of the command line are escaped, because control characters in them would be
/// commands to the terminal. Advice that would not help is corrected or removed.
pub(crate) fn corrected(mut error: Error, command: &Command, words: &[OsString]) -> Error {
    correct_advice(&mut error, command, words);
    let context: Vec<_> = error.context().map(|(kind, value)| (kind, value.clone())).collect();
    for (kind, value) in context {
        let value = match value {
            ContextValue::String(text) => ContextValue::String(screen::escaped(&text)),
            ContextValue::Strings(texts) => {
                ContextValue::Strings(texts.iter().map(|text| screen::escaped(text)).collect())
            }
            // Usage and tips, which have escape sequences for colours.
            other => other,
        };
        error.insert(kind, value);
    }
    error
}

fn correct_advice(error: &mut Error, command: &Command, words: &[OsString]) {
    if let (Some(invalid), Some(similar)) =
        (string(error, ContextKind::InvalidValue), string(error, ContextKind::SuggestedValue))
        && strsim::damerau_levenshtein(&invalid, &similar) * 3 > similar.len()
    {
        error.remove(ContextKind::SuggestedValue);
    }
    let Some(invalid) = string(error, ContextKind::InvalidArg).filter(|_| error.kind() == ErrorKind::UnknownArgument)
    else {
        return;
    };
    if screen::escaped(&invalid) != invalid {
        // A tip would have to quote the word for a shell.
        error.remove(ContextKind::Suggested);
    } else if let Some((option, value)) = meant_as_value(&invalid, command, words) {
        let (wrong, valid) = (command.get_styles().get_invalid(), command.get_styles().get_valid());
        let tip = format!(
            "to pass '{wrong}{value}{wrong:#}' as the value of '{option}', use '{valid}{option}={value}{valid:#}'"
        );
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
}

fn string(error: &Error, kind: ContextKind) -> Option<String> {
    match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        _ => None,
    }
}

/// Returns the option before an unknown one, and the unknown one, if the first takes a value.
fn meant_as_value(unknown: &str, command: &Command, words: &[OsString]) -> Option<(String, String)> {
    let words: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
    let subcommand = words.iter().find_map(|word| command.find_subcommand(&**word))?;
    let options = words.iter().take_while(|word| **word != "--");
    let mut pairs = options.zip(words.iter().skip(1));
    pairs
        .find(|(option, word)| word.starts_with(unknown) && takes_value(subcommand, option))
        .filter(|(_, word)| screen::escaped(word) == **word)
        .map(|(option, word)| (option.to_string(), word.to_string()))
}

/// Returns whether the word is an option that takes the next word as its value.
fn takes_value(command: &Command, word: &str) -> bool {
    let takes_value = |option: &Arg| {
        matches!(option.get_action(), ArgAction::Set | ArgAction::Append) && !option.is_require_equals_set()
    };
    if let Some(long) = word.strip_prefix("--") {
        return command.get_opts().any(|option| option.get_long() == Some(long) && takes_value(option));
    }
    // Several short options may be combined. What follows the first one with a value is its value.
    let Some(letters) = word.strip_prefix('-') else { return false };
    let has_value = |letter| command.get_opts().any(|option| option.get_short() == Some(letter) && takes_value(option));
    letters.chars().position(has_value).is_some_and(|at| at + 1 == letters.chars().count())
}
