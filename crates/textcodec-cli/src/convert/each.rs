//! Conversion of each file to its own output, several files at a time.
//!
//! New files are forced to the disk in batches, because each such call is slow, and are then renamed one by one. No
//! existing file is touched before its batch is on the disk.

use std::{
    collections::BTreeSet,
    fs::{self, OpenOptions},
    io,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use super::{
    Settings,
    plan::{Item, Target},
    report::{Report, Reports},
};
use crate::{
    detect::Confidence,
    engine::{ConvertError, Engine},
    input::Input,
    output::{Existing, Output, Replacement, other_names, sync_all, sync_directory},
    source::{self, Opened},
    terminal::Progress,
};

pub(super) fn run(settings: &Settings, items: &[Item], reports: &Reports<'_>) {
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
        let mut report = Report::new(item.order, item.path.display().to_string(), item.output().display().to_string());
        let after = match &item.target {
            Target::InPlace { .. } => "the file is unchanged".to_owned(),
            Target::OutputDir { path, .. } => format!("nothing was written to {}", path.display()),
        };
        match self.try_convert(item, &mut report) {
            Ok(Output::File(file)) if !report.unchanged => return Some(Ready { item, report, file }),
            Ok(_) => {}
            Err(error) => report.fail(self.settings, &error, &after),
        }
        self.reports.add(report);
        None
    }

    fn try_convert(&self, item: &Item, report: &mut Report) -> Result<Output, ConvertError> {
        let opened = source::open(&Input::File(item.path.clone()), self.settings.from).map_err(ConvertError::Read)?;
        report.opened(&opened);
        let is_only_copy = matches!(item.target, Target::InPlace { backup: None, .. });
        if let Some(detection) = opened.detection.as_ref().filter(|detection| detection.confidence <= Confidence::Low)
            && is_only_copy
        {
            return Err(ConvertError::Read(io::Error::other(format!(
                "the detected encoding, {}, is uncertain ({}); give the encoding with -f, or keep a backup with \
                 --in-place=.bak",
                detection.encoding,
                detection.why()
            ))));
        }
        let output = self.output(item, &opened, report).map_err(ConvertError::Write)?;
        let mut engine = Engine::new(self.settings.recipe, output, self.settings.threads / self.threads)
            .map_err(|error| ConvertError::Write(io::Error::other(error)))?;
        let (from, had_bom) = (opened.source.encoding, opened.bom > 0);
        let writes_bom = self.settings.writes_bom(had_bom);
        if writes_bom {
            report.tally.written += engine.write_bom()?;
        }
        engine.convert(opened.source, &mut report.tally)?;
        let (output, more) = engine.finish()?;
        report.tally.written += more;
        report.tally.same &= more == 0;
        let same_bom = had_bom == writes_bom && (!writes_bom || from == self.settings.recipe.to);
        report.unchanged = matches!(item.target, Target::InPlace { .. }) && report.tally.same && same_bom;
        Ok(output)
    }

    fn output(&self, item: &Item, opened: &Opened, report: &mut Report) -> io::Result<Output> {
        if let Target::InPlace { resolved, backup } = &item.target {
            // A user who may not write the file must not replace it either.
            OpenOptions::new().write(true).open(resolved)?;
            if let Some(backup) = backup.as_ref().filter(|backup| backup.symlink_metadata().is_ok()) {
                let backup = backup.display();
                return Err(io::Error::other(format!(
                    "the backup {backup} already exists and is never overwritten; choose another suffix"
                )));
            }
            if let Some(warning) = opened.metadata.as_ref().and_then(other_names) {
                report.warn(&warning);
            }
        }
        if let Target::OutputDir { resolved, existing: Existing::File(_), .. } = &item.target {
            OpenOptions::new().write(true).open(resolved)?;
        }
        if self.settings.dry_run {
            return Ok(Output::Discard);
        }
        let file = match (&item.target, &opened.metadata) {
            (Target::InPlace { resolved, .. }, Some(metadata)) => {
                Replacement::in_place(resolved.clone(), metadata.clone())?
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
        let synced = sync_all(batch.iter_mut().map(|ready| &mut *ready.file));
        let mut directories = BTreeSet::new();
        for Ready { item, mut report, file } in batch.drain(..) {
            directories.insert(file.directory().to_owned());
            if !file.owner_is_kept() {
                report.warn("the owner could not be kept; the file now belongs to you");
            }
            let backup = match &item.target {
                Target::InPlace { backup, .. } => backup.as_deref(),
                Target::OutputDir { .. } => None,
            };
            let persisted = match &synced {
                Ok(()) => file.persist(backup),
                Err(error) => Err(io::Error::new(error.kind(), error.to_string())),
            };
            if let Err(error) = persisted {
                report.fail(self.settings, &ConvertError::Write(error), "");
            }
            self.reports.add(report);
        }
        for directory in &directories {
            sync_directory(directory);
        }
    }
}

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
    let limit = 1024;
    limit as usize
}
