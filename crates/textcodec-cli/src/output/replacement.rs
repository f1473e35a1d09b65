//! A new file that replaces its target atomically when it is complete.

use std::{
    collections::BTreeSet,
    fs::{self, File, FileTimes, Metadata},
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use super::{
    background_sync::{self, BackgroundSync},
    directory,
    temporary::{self, TemporaryFile},
};
use crate::{errors::reason, screen::shown};

/// A new file that will replace its target. If it is dropped before [`persist`](Self::persist), it is removed.
pub(crate) struct Replacement {
    file: TemporaryFile,
    target: PathBuf,
    /// The metadata of the target, if it must not change before it is replaced.
    original: Option<Metadata>,
    /// The target did not exist, and must not exist when the file is renamed.
    is_new: bool,
    /// What the target has and the new file does not, as messages.
    not_kept: Vec<String>,
    written: u64,
    /// Used for large files.
    background_sync: Option<BackgroundSync>,
}

/// The state of the target before it is replaced.
pub(crate) enum Existing {
    /// It exists. The new file gets its mode, its extended attributes and, if that is allowed, its owner.
    File(Metadata),
    /// It does not exist. The new file gets this mode, minus the umask.
    None(u32),
}

impl Replacement {
    /// Creates an empty file for a target, which must not be a symbolic link.
    pub(crate) fn new(target: PathBuf, existing: &Existing) -> io::Result<Self> {
        let mode = match existing {
            // Private until it has its final owner and mode.
            Existing::File(_) => 0o600,
            Existing::None(mode) => *mode,
        };
        let file = TemporaryFile::create(directory(&target), mode)?;
        let (is_new, not_kept) = match existing {
            Existing::File(metadata) => (false, copy_attributes(file.file(), metadata, &target)?),
            Existing::None(_) => (true, Vec::new()),
        };
        Ok(Self { file, target, original: None, is_new, not_kept, written: 0, background_sync: None })
    }

    /// Creates an empty file for a target that is converted in place.
    ///
    /// The new file gets the target's times, and replaces it only if it has not changed since `original` was read.
    pub(crate) fn in_place(target: PathBuf, original: Metadata) -> io::Result<Self> {
        let existing = Existing::File(original);
        let replacement = Self::new(target, &existing)?;
        let Existing::File(original) = existing else { unreachable!("it is a file") };
        Ok(Self { original: Some(original), ..replacement })
    }

    /// Returns messages about what the target has and the new file does not: an owner, a group, attributes.
    pub(crate) fn not_kept(&self) -> &[String] {
        &self.not_kept
    }

    /// Returns the directory of the target.
    pub(crate) fn directory(&self) -> &Path {
        directory(&self.target)
    }

    pub(crate) fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.file_mut().write_all(bytes)?;
        self.written += bytes.len() as u64;
        if self.background_sync.is_none() && self.written >= background_sync::INTERVAL {
            // Without the thread, the final sync takes longer.
            self.background_sync = BackgroundSync::new(self.file.file()).ok();
        }
        if let Some(background_sync) = &mut self.background_sync {
            background_sync.advance(bytes.len());
        }
        Ok(())
    }

    /// Forces the file to the disk.
    pub(crate) fn sync(&mut self) -> io::Result<()> {
        self.prepare().and_then(|()| self.file.file().sync_all()).map_err(|error| not_on_disk(&error))
    }

    /// Sets the times and stops the background sync. Called when all bytes are written, before the final sync.
    fn prepare(&mut self) -> io::Result<()> {
        self.copy_times();
        self.background_sync.take().map_or(Ok(()), BackgroundSync::finish)
    }

    /// Replaces the target atomically. The file must have been [synced](sync_all). The original goes to `backup`, which
    /// must not exist.
    pub(crate) fn persist(mut self, backup: Option<&Path>) -> io::Result<()> {
        self.file.assign_name(directory(&self.target))?;
        // Without a sync, nothing else has set them.
        self.copy_times();
        if let Some(original) = &self.original
            && !is_unchanged(original, &fs::metadata(&self.target)?)
        {
            return Err(io::Error::other("was changed by another program during the conversion, and is not replaced"));
        }
        if self.is_new {
            return self.file.persist(&self.target, false).map_err(|error| match error.kind() {
                io::ErrorKind::AlreadyExists => {
                    io::Error::other("was created by another program during the conversion, and is not replaced")
                }
                _ => error,
            });
        }
        replace(&self.target, backup, || self.file.persist(&self.target, true))
    }

    fn copy_times(&self) {
        let Some(original) = &self.original else { return };
        let mut times = FileTimes::new();
        if let Ok(accessed) = original.accessed() {
            times = times.set_accessed(accessed);
        }
        if let Ok(modified) = original.modified() {
            times = times.set_modified(modified);
        }
        // The owner of a file may set its times.
        let _ = self.file.file().set_times(times);
    }
}

/// Forces many files to the disk, on Linux with one call for each file system.
pub(crate) fn sync_all<'a>(files: impl ExactSizeIterator<Item = &'a mut Replacement>) -> io::Result<()> {
    let mut files: Vec<_> = files.collect();
    #[cfg(target_os = "linux")]
    if files.len() > 1 {
        let prepared = files.iter_mut().try_for_each(|replacement| replacement.prepare());
        return prepared
            .and_then(|()| sync_file_systems(files.iter().map(|replacement| replacement.file.file())))
            .map_err(|error| not_on_disk(&error));
    }
    files.iter_mut().try_for_each(|replacement| replacement.sync())
}

/// Forces the entries of directories to the disk, on systems that support it, on Linux with one call for each file system.
/// The new files have already replaced their targets.
#[cfg_attr(not(unix), expect(clippy::unnecessary_wraps, reason = "as on Unix"))]
pub(crate) fn sync_directories(directories: &BTreeSet<PathBuf>) -> io::Result<()> {
    #[cfg(unix)]
    {
        // A directory in which one may create files need not be readable.
        let mut open = directories.iter().filter_map(|directory| File::open(directory).ok());
        #[cfg(target_os = "linux")]
        let synced = if directories.len() > 1 {
            let open: Vec<_> = open.collect();
            sync_file_systems(open.iter())
        } else {
            open.try_for_each(|directory| directory.sync_all())
        };
        #[cfg(not(target_os = "linux"))]
        let synced = open.try_for_each(|directory| directory.sync_all());
        match synced {
            // The file system cannot do this for directories.
            Err(error) if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) => Ok(()),
            synced => synced.map_err(|error| directory_not_on_disk(&error, directories)),
        }
    }
    #[cfg(not(unix))]
    {
        let _ = directories;
        Ok(())
    }
}

fn not_on_disk(error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("cannot be forced to the disk: {}", reason(error)))
}

#[cfg(unix)]
fn directory_not_on_disk(error: &io::Error, directories: &BTreeSet<PathBuf>) -> io::Error {
    let first = directories.first().map(|directory| shown(directory)).unwrap_or_default();
    let which = match directories.len() {
        0 | 1 => format!("the directory {first}"),
        n => format!("{n} directories, the first of which is {first},"),
    };
    let message = format!(
        "the new files are complete, but {which} cannot be forced to the disk: {}; \
         if the power fails now, the old files may be there again",
        reason(error)
    );
    io::Error::new(error.kind(), message)
}

/// Forces everything on the file systems of these files to the disk.
#[cfg(target_os = "linux")]
fn sync_file_systems<'a>(files: impl Iterator<Item = &'a File>) -> io::Result<()> {
    use std::{collections::BTreeMap, os::unix::fs::MetadataExt as _};

    let mut systems = BTreeMap::new();
    for file in files {
        systems.entry(file.metadata()?.dev()).or_insert(file);
    }
    systems.values().try_for_each(|file| Ok(rustix::fs::syncfs(file)?))
}

/// Replaces another name of a file by a link to the new file. The original goes to `backup`.
pub(crate) fn replace_by_link(name: &Path, new: &Path, backup: Option<&Path>) -> io::Result<()> {
    replace(name, backup, || temporary::replace_by_link(name, new))
}

/// Replaces a target after a backup. If that fails, the target still is the original, so the backup is removed.
fn replace(target: &Path, backup: Option<&Path>, replace: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
    if let Some(backup) = backup {
        back_up(target, backup)?;
    }
    replace().map_err(|error| {
        let Some(left) = backup.filter(|backup| fs::remove_file(backup).is_err()) else { return error };
        let (what, left) = (reason(&error), shown(left));
        io::Error::new(error.kind(), format!("{what}; {left} is left over, and may be another name of the file"))
    })
}

/// Makes a hard link to the target, or a copy of it. It may be there already, if an earlier run was interrupted.
fn back_up(target: &Path, backup: &Path) -> io::Result<()> {
    match fs::hard_link(target, backup) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
            // The file system has no hard links, or the file belongs to another user.
            let mut original = File::open(target)?;
            let mut file = TemporaryFile::create(directory(backup), 0o600)?;
            copy_attributes(file.file(), &original.metadata()?, target)?;
            io::copy(&mut original, file.file_mut())?;
            file.file().sync_all()?;
            file.persist(backup, false)
        }
        Err(_) if same_file::is_same_file(target, backup).unwrap_or(false) => Ok(()),
        linked => linked,
    }
}

/// Returns whether this is the same file and has not been written.
fn is_unchanged(before: &Metadata, now: &Metadata) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;

        if (before.dev(), before.ino(), before.ctime(), before.ctime_nsec())
            != (now.dev(), now.ino(), now.ctime(), now.ctime_nsec())
        {
            return false;
        }
    }
    before.len() == now.len() && before.modified().ok() == now.modified().ok()
}

/// Copies the owner, the mode and the extended attributes, such as access lists, of the target as far as that is allowed.
///
/// Nobody gets more rights than before. Returns messages about what could not be copied.
#[cfg(unix)]
fn copy_attributes(file: &File, existing: &Metadata, path: &Path) -> io::Result<Vec<String>> {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, fchown};

    let (uid, gid) = (existing.uid(), existing.gid());
    if fchown(file, Some(uid), Some(gid)).is_err() {
        // Only root can change the owner, but the owner can change the group to one of their own groups.
        let _ = fchown(file, None, Some(gid));
    }
    let new = file.metadata()?;
    let (owner_is_kept, group_is_kept) = (new.uid() == uid, new.gid() == gid);
    let mut mode = existing.mode() & 0o7777;
    if !owner_is_kept {
        mode &= !0o4000;
    }
    if !group_is_kept {
        // A different group gets only the rights of others.
        mode = mode & !0o2070 | (mode & 0o007) << 3;
    }
    // The directory may have an access list for new files, which must not apply to this one.
    #[cfg(target_os = "linux")]
    let _ = rustix::fs::fremovexattr(file, ACCESS_LIST);
    file.set_permissions(fs::Permissions::from_mode(mode))?;
    let mut not_kept = Vec::new();
    if !owner_is_kept {
        not_kept.push("the owner could not be kept; the file now belongs to you".to_owned());
    }
    if !group_is_kept {
        not_kept.push("the group could not be kept; the file now has yours, with the rights of all others".to_owned());
    }
    if existing.mode() & !file.metadata()?.mode() & 0o6000 != 0 {
        not_kept.push("set-user-ID and set-group-ID could not be kept".to_owned());
    }
    #[cfg(target_os = "linux")]
    copy_extended_attributes(file, path, owner_is_kept && group_is_kept, &mut not_kept);
    #[cfg(not(target_os = "linux"))]
    let _ = path;
    Ok(not_kept)
}

#[cfg(not(unix))]
fn copy_attributes(file: &File, existing: &Metadata, _: &Path) -> io::Result<Vec<String>> {
    file.set_permissions(existing.permissions())?;
    Ok(Vec::new())
}

#[cfg(target_os = "linux")]
const ACCESS_LIST: &str = "system.posix_acl_access";

/// Copies extended attributes as far as that is allowed, and adds messages about the others. An access list has the same meaning
/// only with the same owner and group.
#[cfg(target_os = "linux")]
fn copy_extended_attributes(file: &File, path: &Path, access_list: bool, not_kept: &mut Vec<String>) {
    use std::ffi::CStr;

    use rustix::{
        fs::{XattrFlags, fgetxattr, fsetxattr, getxattr, listxattr},
        io::Errno,
    };

    /// The limit of Linux for lists of names and for values.
    const MAX_LEN: usize = 64 * 1024;
    /// The kernel itself writes these, from the content of a file.
    const OF_THE_KERNEL: [&[u8]; 2] = [b"security.ima", b"security.evm"];

    let mut names = vec![0; MAX_LEN];
    let len = match listxattr(path, &mut names) {
        Ok(len) => len,
        Err(Errno::NOTSUP) => return,
        Err(error) => {
            let error = reason(&error.into());
            return not_kept.push(format!("the extended attributes could not be read, and are not kept: {error}"));
        }
    };
    for name in names[..len].split_inclusive(|&byte| byte == 0) {
        let Ok(name) = CStr::from_bytes_with_nul(name) else { continue };
        let is_access_list = name.to_bytes() == ACCESS_LIST.as_bytes();
        let (mut value, mut new) = (vec![0; MAX_LEN], vec![0; MAX_LEN]);
        let copied = getxattr(path, name, &mut value).and_then(|len| {
            value.truncate(len);
            if is_access_list && !access_list {
                return Err(Errno::PERM);
            }
            fsetxattr(file, name, &value, XattrFlags::empty())
        });
        // A label of SELinux may be the same although it cannot be set.
        let is_kept = copied.is_ok()
            || copied == Err(Errno::NODATA)
            || OF_THE_KERNEL.contains(&name.to_bytes())
            || fgetxattr(file, name, &mut new).is_ok_and(|len| new[..len] == *value);
        if !is_kept && is_access_list {
            not_kept.push("the access list could not be kept".to_owned());
        } else if !is_kept {
            let name = crate::screen::escaped(&name.to_string_lossy());
            not_kept.push(format!("the extended attribute {name} could not be kept"));
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn errors_of_the_disk_say_what_failed() {
        let error = io::Error::from_raw_os_error(5);
        assert_eq!(not_on_disk(&error).to_string(), "cannot be forced to the disk: Input/output error");
        let message = |names: &[&str]| {
            let directories = names.iter().map(PathBuf::from).collect();
            directory_not_on_disk(&error, &directories).to_string()
        };
        let end = "cannot be forced to the disk: Input/output error; if the power fails now, the old files may be there again";
        assert_eq!(message(&["d"]), format!("the new files are complete, but the directory d {end}"));
        assert_eq!(
            message(&["d", "e"]),
            format!("the new files are complete, but 2 directories, the first of which is d, {end}")
        );
    }
}
