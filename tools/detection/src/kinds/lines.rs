//! Short lines: subtitles and logs.

use std::fmt::Write as _;

use super::{Maker, usual_pairs};
use crate::source::{Random, Source};

/// Time stamps and short lines of speech.
pub(super) fn subtitles(maker: &mut Maker<'_>) {
    maker.one(&usual_pairs(), |random, source, _| {
        let (count, form) = (random.size(1, 60), random.below(3));
        let mut text = String::new();
        let mut time = random.below(100_000);
        for n in 1..=count {
            let mut lines = Vec::new();
            for _ in 0..random.between(1, 2) {
                let len = random.between(6, 38);
                let dash = if random.chance(20) { "- " } else { "" };
                lines.push(format!("{dash}{}", source.line(random, len)));
            }
            let end = time + random.between(800, 4000);
            let _ = match form {
                0 => write!(text, "{{{}}}{{{}}}{}\r\n", time / 40, end / 40, lines.join("|")),
                1 => write!(text, "{n}\r\n{} --> {}\r\n{}\r\n\r\n", stamp(time), stamp(end), lines.join("\r\n")),
                _ => write!(text, "{n}\n{} --> {}\n{}\n\n", stamp(time), stamp(end), lines.join("\n")),
            };
            time = end + random.below(5000);
        }
        text
    });
}

fn stamp(time: usize) -> String {
    let seconds = time / 1000;
    format!("{:02}:{:02}:{:02},{:03}", seconds / 3600, seconds / 60 % 60, seconds % 60, time % 1000)
}

/// Lines of a log in ASCII, in which one word is repeated: the name of a user, of a folder, or of a month.
pub(super) fn logs(maker: &mut Maker<'_>) {
    maker.one(&usual_pairs(), |random, source, _| {
        let (word, lines, form) = (source.special_word(random), random.size(3, 300), random.below(4));
        let percent = if random.chance(50) { 100 } else { random.between(5, 90) };
        let messages: Vec<String> = (0..random.between(1, 6)).map(|_| message(random)).collect();
        let mut text = String::new();
        for n in 0..lines {
            let name = if n == lines / 2 || random.chance(percent) { &*word } else { "admin" };
            let message = &messages[random.below(messages.len())];
            let (day, time) = (n / 40 % 28 + 1, n * 37 % 86_400);
            let (hour, minute, second) = (time / 3600, time / 60 % 60, time % 60);
            let number = random.size(1, 60_000);
            let _ = match form {
                0 => writeln!(
                    text,
                    "2004-03-{day:02} {hour:02}:{minute:02}:{second:02} INFO {message} user={name} id={number}"
                ),
                1 => writeln!(
                    text,
                    "Mar {day:2} {hour:02}:{minute:02}:{second:02} host smbd[{number}]: {message}: /home/{name}/doc.txt"
                ),
                2 => write!(text, "{day:02}.03.2004 {hour:02}:{minute:02};{name};{message};{number}\r\n"),
                _ => writeln!(text, "10.0.0.{} - {name} [{day:02}/Mar/2004] \"GET /{message}\" 200 {number}", day * 7),
            };
        }
        text
    });
}

fn message(random: &mut Random) -> String {
    let verbs = ["opened", "closed", "failed to read", "connected", "login", "wrote", "timeout on", "removed"];
    let objects = ["session", "file", "connection", "index", "printer", "share", "document", "queue"];
    format!("{} {}", random.pick(&verbs), random.pick(&objects))
}

/// Returns a few words with at least one character other than ASCII, if the language has some.
pub(super) fn phrase(random: &mut Random, source: &Source<'_>, words: usize) -> String {
    let mut words = source.words(random, words);
    words.push(source.special_word(random));
    words.join(" ")
}
