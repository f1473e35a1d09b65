//! Conversion of each file to its own output, several files at a time.
//!
//! New files are forced to the disk in batches, because each such call is slow, and are then renamed one by one. No
//! existing file is touched before its batch is on the disk.

use std::{
    collections::BTreeSet,
    fs::{self, Metadata},
    io::{self, Read as _},
    sync::atomic::{AtomicUsize, Ordering},
    thread,
    time::Duration,
};

use textcodec_detect::Evidence;

use super::{
    Settings, already,
    arguments::Binary,
    mail::{self, Mail},
    outside,
    plan::{Item, Name, Target},
    report::{Done, Report},
    reports::{Reports, interrupted},
    second_run::SecondRun,
};
use crate::{
    engine::{ConvertError, Engine, Recipe, Source},
    errors::reason,
    input::{Input, Stream},
    interrupt,
    output::{
        Existing, Output, Replacement, check_directory, check_writable, directory, other_names, replace_by_link,
        sync_all, sync_directories,
    },
    sample::Reading,
    screen::shown,
    source::{self, InputEncoding, Opened},
    terminal::{self, Progress},
    walk::identity,
};

pub(super) fn run(settings: &Settings, items: &[Item], reports: &Reports<'_>) {
    let (done, planned) = (reports.count(), reports.planned());
    interrupt::handle(GRACE, move || interrupted(done.load(Ordering::Relaxed), planned));
    let bytes = items.iter().map(|item| item.bytes).sum();
    let progress = if settings.quiet { Progress::none() } else { Progress::new(Some(bytes)) };
    let threads = settings.threads.min(items.len()).min(open_file_limit() / 4).max(1);
    let work = Work { settings, items, reports, next: AtomicUsize::new(0), threads };
    thread::scope(|scope| {
        for _ in 1..threads {
            // If no further thread can be created, the existing ones do the work.
            let _ = thread::Builder::new().spawn_scoped(scope, || work.run());
        }
        work.run();
    });
    drop(progress);
}

struct Work<'a> {
    settings: &'a Settings,
    items: &'a [Item],
    reports: &'a Reports<'a>,
    /// The index of the next item that no thread has taken.
    next: AtomicUsize,
    threads: usize,
}

/// A file that is converted, but has not replaced its target yet.
struct Ready<'a> {
    item: &'a Item,
    report: Report,
    file: Box<Replacement>,
}

impl<'a> Work<'a> {
    fn run(&self) {
        let limit = max_batch_len(self.threads);
        let (mut batch, mut bytes) = (Vec::new(), 0);
        while let Some(item) = self.items.get(self.next.fetch_add(1, Ordering::Relaxed)) {
            if interrupt::is_requested() {
                // New files that have not replaced their targets are removed.
                return;
            }
            if let Some(ready) = self.convert(item) {
                bytes += item.bytes;
                batch.push(ready);
            }
            if batch.len() >= limit || bytes >= MAX_BATCH_BYTES {
                self.persist(&mut batch);
                bytes = 0;
            }
        }
        self.persist(&mut batch);
    }

    /// Converts one file. If its target is not to be replaced, reports the result and returns `None`.
    fn convert(&self, item: &'a Item) -> Option<Ready<'a>> {
        let input = Input::File(item.path.clone());
        let mut report = Report::new(item.order, input, item.output().display().to_string());
        let after = match &item.target {
            Target::InPlace { .. } => "the file is unchanged".to_owned(),
            Target::OutputDir { path, .. } => format!("nothing was written to {}", shown(path)),
        };
        match self.try_convert(item, &mut report) {
            Ok(Output::File(file)) if matches!(report.done, Done::Converted | Done::Copied) => {
                return Some(Ready { item, report, file });
            }
            Ok(_) => {}
            Err(ConvertError::Interrupted) => return None,
            Err(ConvertError::Read(error)) if self.skips(&error) => {
                report.why = source::why_not_text(&error).map(str::to_owned);
                report.done = Done::NotText;
                report.is_unexpected = item.is_named && self.settings.binary.is_none();
            }
            Err(error) => {
                let is_about_text = !matches!(error, ConvertError::Read(_) | ConvertError::Write(_));
                match report.doubt.take_if(|_| item.is_in_place() && is_about_text) {
                    // In the right encoding, the text may have no error.
                    Some(doubt) => report.is_refused(doubt),
                    None => report.fail(self.settings, &error, &after),
                }
            }
        }
        self.report(item, report);
        None
    }

    /// Returns whether a file is skipped because it is not text.
    fn skips(&self, error: &io::Error) -> bool {
        self.settings.binary.unwrap_or(Binary::Skip) == Binary::Skip && source::why_not_text(error).is_some()
    }

    fn try_convert(&self, item: &Item, report: &mut Report) -> Result<Output, ConvertError> {
        if self.settings.mail {
            return self.try_convert_mail(item, report);
        }
        let recipe = self.settings.recipe;
        let Settings { from, input_bom, .. } = *self.settings;
        let mut opened =
            source::open_to_convert(&report.input, from, input_bom, recipe.to).map_err(ConvertError::Read)?;
        report.opened(self.settings, &opened);
        if let Some(why) = mail::why_not_one_text(self.settings, &opened) {
            report.is_undecided(why);
            terminal::advance(item.bytes as usize);
            return Ok(Output::Discard);
        }
        outside::check_bom(self.settings, &opened, report)?;
        self.check_binary(&mut opened).map_err(ConvertError::Read)?;
        let mut writes_bom = self.settings.writes_bom(opened.bom > 0);
        let reading = self.reading(&mut opened).map_err(ConvertError::Read)?;
        if reading == Reading::Undecided {
            report.is_undecided(format!("may be {}, or {} already", opened.source.encoding, recipe.to));
            terminal::advance(item.bytes as usize);
            return Ok(Output::Discard);
        }
        let is_already = reading == Reading::To;
        if is_already {
            report.is_already(recipe.to);
            opened.source.encoding = recipe.to;
        }
        if writes_bom && opened.bom == 0 {
            // One that is text is not doubled.
            writes_bom = !starts_with_mark(&mut opened.source).map_err(ConvertError::Read)?;
        }
        if is_already && item.is_in_place() && !writes_bom && !recipe.changes_text() {
            terminal::advance(item.bytes as usize);
            return Ok(Output::Discard);
        }
        let metadata = opened.metadata;
        let is_refused = item.is_in_place() && report.doubt.is_some();
        let mut output = if is_refused {
            // To find out whether anything would change.
            Output::Discard
        } else {
            self.output(item, metadata.as_ref()).map_err(ConvertError::Write)?
        };
        // If the original remains, in a directory of its own, nothing can be lost.
        if item.is_in_place() && !is_refused && !self.settings.force {
            let second_run = SecondRun::new(self.settings, opened.detection.as_ref());
            output = Output::Judged(output.into(), second_run.into());
        }
        let mut engine = Engine::new(recipe, output, self.settings.threads / self.threads)
            .map_err(|error| ConvertError::Write(io::Error::other(error)))?;
        if writes_bom {
            report.tally.written += engine.write_bom()?;
        }
        let from = opened.source.encoding;
        if is_already && !recipe.changes_text() {
            engine.copy(opened.source.reader, &mut report.tally)?;
        } else {
            engine.convert(opened.source, &mut report.tally)?;
        }
        let (mut output, more) = engine.finish()?;
        let mut could_change = None;
        if let Output::Judged(inner, second_run) = output {
            (output, could_change) = (*inner, second_run.could_change());
        }
        report.tally.written += more;
        report.tally.same &= more == 0;
        let had_bom = opened.bom > 0;
        let is_same = report.tally.same && had_bom == writes_bom && (!writes_bom || from == recipe.to);
        report.done = match (item.is_in_place(), is_same, is_already) {
            (true, true, true) => Done::Already,
            (true, true, false) => Done::Unchanged,
            (false, true, true) => Done::Copied,
            _ => Done::Converted,
        };
        if report.done == Done::Converted {
            if let Some(doubt) = report.doubt.take_if(|_| is_refused) {
                report.is_refused(doubt);
                return Ok(Output::Discard);
            }
            if let Some(why) = could_change {
                report.is_undecided(why);
                return Ok(Output::Discard);
            }
            check_backups(item).map_err(ConvertError::Write)?;
            report.warnings.extend(metadata.as_ref().and_then(|metadata| unnamed_links(item, metadata)));
            report.warn_of_declarations(self.settings);
        }
        Ok(output)
    }

    /// Like [`try_convert`](Self::try_convert), with `--mail`.
    fn try_convert_mail(&self, item: &Item, report: &mut Report) -> Result<Output, ConvertError> {
        let mail = Mail::open(self.settings, &report.input)?;
        mail.describe(report);
        if let Some(why) = mail.why_refused() {
            report.is_undecided(why);
            terminal::advance(item.bytes as usize);
            return Ok(Output::Discard);
        }
        if mail.is_unchanged() && item.is_in_place() {
            report.done = Done::Unchanged;
            terminal::advance(item.bytes as usize);
            return Ok(Output::Discard);
        }
        let metadata = mail.metadata();
        let output = self.output(item, metadata.as_ref()).map_err(ConvertError::Write)?;
        let mut engine = Engine::new(self.settings.recipe, output, 1)
            .map_err(|error| ConvertError::Write(io::Error::other(error)))?;
        mail.convert(self.settings, &mut engine, report)?;
        let (output, more) = engine.finish()?;
        report.tally.written += more;
        check_backups(item).map_err(ConvertError::Write)?;
        report.warnings.extend(metadata.as_ref().and_then(|metadata| unnamed_links(item, metadata)));
        Ok(output)
    }

    /// Fails if a file is not text, although the user gave its encoding.
    fn check_binary(&self, opened: &mut Opened) -> io::Result<()> {
        let is_checked = self.settings.binary != Some(Binary::Convert);
        match (&mut opened.source.reader, self.settings.from) {
            (Stream::File(file), InputEncoding::Fixed(_)) if is_checked => {
                let Recipe { to, mix, .. } = self.settings.recipe;
                source::require_text(file, opened.bom, [opened.source.encoding, to], mix)
            }
            _ => Ok(()),
        }
    }

    /// Returns the encoding that a file is in, although the user or the file may name another one.
    ///
    /// Fails if it is in neither of the two.
    fn reading(&self, opened: &mut Opened) -> io::Result<Reading> {
        // In mixed text, what was converted is the text that it is: see `SecondRun`.
        if self.settings.recipe.mix.is_some() {
            return Ok(Reading::From);
        }
        let to = self.settings.recipe.to;
        let from = match &opened.detection {
            None => opened.source.encoding,
            Some(detection) if detection.evidence == Evidence::Declaration => detection.encoding.into(),
            Some(_) => return Ok(Reading::From),
        };
        let Stream::File(file) = &mut opened.source.reader else { return Ok(Reading::From) };
        if opened.bom > 0 || self.settings.force {
            return Ok(Reading::From);
        }
        match already::reading(file, from, to, opened.examined.take())? {
            // Detection has considered UTF-8.
            Reading::Utf8 if opened.detection.is_some() => Ok(Reading::From),
            Reading::Utf8 => {
                Err(io::Error::other(format!("is UTF-8, not {from}; use -f UTF-8 or -f auto, or --force")))
            }
            reading => Ok(reading),
        }
    }

    fn output(&self, item: &Item, metadata: Option<&Metadata>) -> io::Result<Output> {
        if let Target::InPlace { name: Name { resolved, .. }, .. }
        | Target::OutputDir { resolved, existing: Existing::File(_), .. } = &item.target
        {
            check_writable(resolved)?;
        }
        if self.settings.dry_run {
            if let Target::InPlace { name, .. } = &item.target {
                check_directory(&name.resolved)?;
            }
            return Ok(Output::Discard);
        }
        let file = match (&item.target, metadata) {
            (Target::InPlace { name, .. }, Some(metadata)) => {
                Replacement::in_place(name.resolved.clone(), metadata.clone())?
            }
            (Target::InPlace { .. }, None) => return Err(io::Error::other("is no longer a regular file")),
            (Target::OutputDir { path, resolved, existing }, _) => {
                // The parent of `path`, not of `resolved`: no directory is created for a dangling link.
                if let Some(directory) = path.parent() {
                    fs::create_dir_all(directory)?;
                }
                Replacement::new(resolved.clone(), existing)?
            }
        };
        Ok(Output::File(file.into()))
    }

    /// Forces the new files to the disk and renames them to their targets.
    fn persist(&self, batch: &mut Vec<Ready<'a>>) {
        let synced = if self.settings.sync { sync_all(batch.iter_mut().map(|ready| &mut *ready.file)) } else { Ok(()) };
        let mut directories = BTreeSet::new();
        for Ready { item, mut report, file } in batch.drain(..) {
            directories.insert(file.directory().to_owned());
            if let Target::InPlace { links, .. } = &item.target {
                directories.extend(links.iter().map(|link| directory(&link.resolved).to_owned()));
            }
            let not_kept = file.not_kept().to_vec();
            let persisted = match (&synced, &item.target) {
                (Ok(()), Target::InPlace { name, .. }) => file.persist(name.backup.as_deref()),
                (Ok(()), Target::OutputDir { .. }) => file.persist(None),
                (Err(error), _) => Err(io::Error::new(error.kind(), reason(error))),
            };
            match persisted {
                Err(error) => report.fail(self.settings, &ConvertError::Write(error), ""),
                Ok(()) => report.warnings.extend(not_kept),
            }
            self.report(item, report);
        }
        if self.settings.sync
            && let Err(error) = sync_directories(&directories)
        {
            self.reports.fail_run(reason(&error));
        }
    }

    /// Reports the result for a file. If it was replaced, its other names become links to the new file.
    fn report(&self, item: &Item, report: Report) {
        let (done, failed, has_losses) = (report.done, report.has_failed(), report.has_losses());
        let (why, is_unexpected) = (report.why.clone().filter(|_| done == Done::NotText), report.is_unexpected);
        self.reports.add(report);
        let Target::InPlace { name, links } = &item.target else { return };
        for link in links {
            let mut report = Report::in_place(link.order, &link.path);
            report.is_same_file_as(&item.path, done);
            (report.why, report.is_unexpected) = (why.clone(), is_unexpected);
            if has_losses {
                report.shares_losses();
            }
            if failed {
                report.fail_with(format!("is the same file as {}, and is unchanged", shown(&item.path)));
            } else if done == Done::Converted
                && !self.settings.dry_run
                && let Err(error) = replace_name(item, link, name)
            {
                report.fail_with(format!("{}; this name still has the original content", reason(&error)));
            }
            self.reports.add(report);
        }
    }
}

/// Makes another name of a file a link to the new file, unless another program has replaced it.
fn replace_name(item: &Item, link: &Name, name: &Name) -> io::Result<()> {
    if identity(&link.resolved, &fs::symlink_metadata(&link.resolved)?) != item.identity {
        return Err(io::Error::other("was changed by another program during the conversion, and is not replaced"));
    }
    replace_by_link(&link.resolved, &name.resolved, link.backup.as_deref())
}

/// Returns whether a file begins with U+FEFF, after the byte order mark that was removed, if any.
fn starts_with_mark(source: &mut Source) -> io::Result<bool> {
    let (Stream::File(file), Ok(mark)) = (&mut source.reader, source.encoding.encode("\u{FEFF}")) else {
        return Ok(false);
    };
    let (start, mut head) = (file.position(), Vec::new());
    (&mut *file).take(mark.len() as u64).read_to_end(&mut head)?;
    file.seek(start)?;
    Ok(head == *mark)
}

/// Returns a warning if a file that is replaced has hard links that were not named.
fn unnamed_links(item: &Item, metadata: &Metadata) -> Option<String> {
    match &item.target {
        Target::InPlace { name, links } => other_names(&name.resolved, metadata, 1 + links.len() as u64),
        Target::OutputDir { .. } => None,
    }
}

/// Fails if a backup exists. After an interrupted run, it may be another name of the file itself, which is accepted.
fn check_backups(item: &Item) -> io::Result<()> {
    let Target::InPlace { name, links } = &item.target else { return Ok(()) };
    for Name { resolved, backup, .. } in links.iter().chain([name]) {
        if let Some(backup) = backup
            && backup.symlink_metadata().is_ok()
            && !same_file::is_same_file(backup, resolved).unwrap_or(false)
        {
            let backup = shown(backup);
            return Err(io::Error::other(format!(
                "the backup {backup} already exists and is never overwritten; choose another suffix"
            )));
        }
    }
    Ok(())
}

/// The time that an interrupted run may take to force a batch to the disk.
const GRACE: Duration = Duration::from_secs(3);

/// A batch is forced to the disk after this many bytes of input.
const MAX_BATCH_BYTES: u64 = 64 * 1024 * 1024;

/// Returns the number of new files that each thread may have open. All threads together use half of the process's limit.
fn max_batch_len(threads: usize) -> usize {
    (open_file_limit() / (2 * threads)).saturating_sub(4).clamp(1, 256)
}

/// Returns the number of files that the process may have open.
fn open_file_limit() -> usize {
    #[cfg(unix)]
    let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile).current.unwrap_or(1024);
    #[cfg(not(unix))]
    let limit = 1024_u64;
    limit as usize
}
