//! Files that get their final name when they are complete.
//!
//! On Linux, a file has no name until just before it is renamed, so nothing remains if the process is killed. On other
//! systems, and on file systems without unnamed files, it is a hidden file in the target's directory. If one remains, the
//! next run that writes to that directory removes it: a file that is in use is locked. A name contains a check value, so that
//! a similar name that somebody made up is not taken for a temporary one.

#[cfg(unix)]
use std::ffi::CString;
use std::{
    collections::HashSet,
    env,
    ffi::OsStr,
    fs::{self, File, OpenOptions, TryLockError},
    hash::{BuildHasher as _, Hasher as _, RandomState},
    io, mem,
    path::{Path, PathBuf},
    sync::{self, LazyLock, Mutex, MutexGuard, PoisonError, RwLock, TryLockResult},
    thread,
    time::Duration,
};

use tempfile::{PathPersistError, TempPath};

use super::cannot_create;
use crate::walk::identity;

const PREFIX: &str = ".textcodec-";
const SUFFIX: &str = ".tmp";

/// A new file. It is removed if it is dropped before [`persist`](Self::persist).
pub(super) struct TemporaryFile {
    file: File,
    /// `None` while the file has no name.
    name: Option<Name>,
}

impl TemporaryFile {
    /// Creates a file, and first removes those that a killed process left in the directory.
    pub(super) fn create(directory: &Path, mode: u32) -> io::Result<Self> {
        remove_stale(directory);
        #[cfg(target_os = "linux")]
        if let Some(file) = unnamed(directory, mode) {
            let _ = lock(&file);
            return Ok(Self { file, name: None });
        }
        loop {
            let (file, name) = named(directory, mode)?;
            // Another process may have taken the file for one that is left, and removed it.
            if lock(&file) && name.path().exists() {
                return Ok(Self { file, name: Some(name) });
            }
        }
    }

    pub(super) fn file(&self) -> &File {
        &self.file
    }

    pub(super) fn file_mut(&mut self) -> &mut File {
        &mut self.file
    }

    /// Gives the file a temporary name, if it has none, so that only renaming it is left.
    pub(super) fn assign_name(&mut self, directory: &Path) -> io::Result<()> {
        if self.name.is_none() {
            self.name = Some(link(&self.file, directory)?);
        }
        Ok(())
    }

    /// Renames the file. If `replace` is false, fails if the target exists.
    pub(super) fn persist(mut self, target: &Path, replace: bool) -> io::Result<()> {
        self.assign_name(super::directory(target))?;
        self.name.take().map_or(Ok(()), |name| name.persist(target, replace))
    }
}

/// Replaces a file by a hard link to another one.
pub(super) fn replace_by_link(target: &Path, linked: &Path) -> io::Result<()> {
    let directory = super::directory(target);
    // Another process must not take the link for a file that is left.
    let file = File::open(linked)?;
    let _ = lock(&file);
    let ((), name) = Name::create(directory, |name| fs::hard_link(linked, name))?;
    name.persist(target, true)
}

/// Removes the temporary files of this process, which must end immediately after this.
pub(crate) fn remove_temporary_files() {
    let ended = GATE.write().unwrap_or_else(PoisonError::into_inner);
    lock_names().iter().for_each(Registered::remove);
    // From here on, no thread creates a temporary file, or finds that it is missing.
    mem::forget(ended);
}

/// Like [`remove_temporary_files`], but allocates nothing on Unix. Waits at most two seconds for locks, because the calling
/// thread may hold them, or another one that waits for memory.
pub(crate) fn remove_temporary_files_without_memory() {
    let ended = within_a_second(|| GATE.try_write());
    if let Some(names) = within_a_second(|| NAMES.try_lock()) {
        names.iter().for_each(Registered::remove);
    }
    mem::forget(ended);
}

fn within_a_second<T>(mut lock: impl FnMut() -> TryLockResult<T>) -> Option<T> {
    for _ in 0..1000 {
        match lock() {
            Ok(locked) => return Some(locked),
            Err(sync::TryLockError::Poisoned(locked)) => return Some(locked.into_inner()),
            Err(sync::TryLockError::WouldBlock) => thread::sleep(Duration::from_millis(1)),
        }
    }
    None
}

/// Returns whether a file name is one of a temporary file.
pub(crate) fn is_temporary(name: &[u8]) -> bool {
    let random = name.get(PREFIX.len()..PREFIX.len() + RANDOM_LEN);
    let random = random.and_then(|random| u32::from_str_radix(std::str::from_utf8(random).ok()?, 16).ok());
    random.is_some_and(|random| temporary_name(random).as_bytes() == name)
}

/// The number of hexadecimal digits of the random number in a name. As many digits of the check value follow.
const RANDOM_LEN: usize = 8;

/// Returns a temporary name: a random number and its check value, FNV-1a. Later versions must make the same names.
fn temporary_name(random: u32) -> String {
    let mut check = 0x811C_9DC5_u32;
    for byte in format!("textcodec-{random:08x}").bytes() {
        check = (check ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    }
    format!("{PREFIX}{random:08x}{check:08x}{SUFFIX}")
}

/// Held for reading while a temporary file is created or renamed. Nothing is allocated then on Unix, unless a path is long.
static GATE: RwLock<()> = RwLock::new(());

/// The names of all temporary files of this process, and of some that do not exist. Nothing is allocated while it is locked.
static NAMES: Mutex<Vec<Registered>> = Mutex::new(Vec::new());

fn lock_names() -> MutexGuard<'static, Vec<Registered>> {
    NAMES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A path in the form in which the file can be removed without memory, on Unix.
#[derive(Clone, Debug, PartialEq)]
struct Registered {
    #[cfg(unix)]
    path: CString,
    #[cfg(not(unix))]
    path: PathBuf,
}

#[cfg(unix)]
impl Registered {
    fn new(path: &Path) -> io::Result<Self> {
        use std::os::unix::ffi::OsStrExt as _;

        Ok(Self { path: CString::new(path.as_os_str().as_bytes())? })
    }

    fn remove(&self) {
        let _ = rustix::fs::unlink(&self.path);
    }
}

#[cfg(not(unix))]
impl Registered {
    #[expect(clippy::unnecessary_wraps, reason = "as on Unix")]
    fn new(path: &Path) -> io::Result<Self> {
        Ok(Self { path: path.to_owned() })
    }

    fn remove(&self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// Registers a name, so that the file is removed if the process ends early.
fn register(name: &Registered) {
    let name = name.clone();
    // The list is replaced by a longer one, which is allocated while it is not locked.
    let mut longer = Vec::new();
    loop {
        let mut names = lock_names();
        if names.len() == names.capacity() {
            if longer.capacity() <= names.len() {
                let len = 2 * names.len() + 8;
                drop(names);
                longer = Vec::with_capacity(len);
                continue;
            }
            longer.append(&mut names);
            mem::swap(&mut longer, &mut names);
        }
        names.push(name);
        return;
    }
}

/// A temporary name. The file is removed when this is dropped.
struct Name {
    /// `None` after the file was renamed or removed.
    path: Option<TempPath>,
    registered: Registered,
}

impl Drop for Name {
    fn drop(&mut self) {
        drop(self.path.take());
        // Only then, because the process may end in between.
        let mut names = lock_names();
        if let Some(at) = names.iter().rposition(|name| *name == self.registered) {
            names.swap_remove(at);
        }
    }
}

impl Name {
    /// Creates a file with a temporary name that no other file has.
    ///
    /// The name is registered before the file exists: if memory is lacking in between, nothing is left.
    fn create<T>(directory: &Path, mut create: impl FnMut(&Path) -> io::Result<T>) -> io::Result<(T, Self)> {
        let mut make_once = || -> io::Result<(T, Self)> {
            let mut name = Self::new(directory)?;
            let gate = GATE.read().unwrap_or_else(PoisonError::into_inner);
            let created = create(name.path());
            drop(gate);
            if created.is_err()
                && let Some(path) = &mut name.path
            {
                // A file of this name is another one.
                path.disable_cleanup(true);
            }
            Ok((created?, name))
        };
        for _ in 0..1000 {
            match make_once() {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                made => return made.map_err(|error| cannot_create(directory, &error)),
            }
        }
        make_once().map_err(|error| cannot_create(directory, &error))
    }

    /// Makes a temporary name at random, and registers it.
    fn new(directory: &Path) -> io::Result<Self> {
        #[cfg(windows)]
        let directory = &verbatim(directory);
        // Each state has other random keys.
        let random = RandomState::new().build_hasher().finish() as u32;
        let path = TempPath::try_from_path(directory.join(temporary_name(random)))?;
        let registered = Registered::new(&path)?;
        register(&registered);
        Ok(Self { path: Some(path), registered })
    }

    fn path(&self) -> &Path {
        self.path.as_deref().unwrap_or(Path::new(""))
    }

    fn persist(mut self, target: &Path, replace: bool) -> io::Result<()> {
        let _open = GATE.read().unwrap_or_else(PoisonError::into_inner);
        let Some(path) = self.path.take() else { return Ok(()) };
        // `persist` cannot replace a file that is open, or one with a long path.
        #[cfg(windows)]
        if replace {
            return rename(&path, target);
        }
        #[cfg(windows)]
        let target = &verbatim(super::directory(target)).join(target.file_name().unwrap_or_default());
        let renamed = if replace { path.persist(target) } else { path.persist_noclobber(target) };
        // Removes the file if it could not be renamed.
        renamed.map_err(|PathPersistError { error, .. }| error)
    }
}

/// Renames a file, and tries again for half a second if the target is open, perhaps in a virus scanner.
#[cfg(windows)]
fn rename(file: &Path, target: &Path) -> io::Result<()> {
    const ERROR_SHARING_VIOLATION: i32 = 32;

    let is_open = |error: &io::Error| {
        error.kind() == io::ErrorKind::PermissionDenied || error.raw_os_error() == Some(ERROR_SHARING_VIOLATION)
    };
    for milliseconds in [5, 20, 75, 150, 250] {
        match fs::rename(file, target) {
            Err(error) if is_open(&error) => thread::sleep(Duration::from_millis(milliseconds)),
            renamed => return renamed,
        }
    }
    fs::rename(file, target)
}

/// Returns a path of a directory for functions that need a special form of long paths.
#[cfg(windows)]
fn verbatim(directory: &Path) -> PathBuf {
    directory.canonicalize().unwrap_or_else(|_| directory.to_owned())
}

/// Creates a file with a temporary name.
fn named(directory: &Path, mode: u32) -> io::Result<(File, Name)> {
    Name::create(directory, |name| options(mode).open(name))
}

/// Returns the options with which a new file is created.
fn options(mode: u32) -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, mode);
    #[cfg(not(unix))]
    let _ = mode;
    options
}

/// Creates a file without a name, if the file system has such files.
#[cfg(target_os = "linux")]
fn unnamed(directory: &Path, mode: u32) -> Option<File> {
    use rustix::fs::{CWD, Mode, OFlags, openat};

    let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
    let file = File::from(openat(CWD, directory, flags, Mode::from_raw_mode(mode)).ok()?);
    // `link` needs this path.
    descriptor_path(&file).exists().then_some(file)
}

/// Gives an unnamed file a temporary name.
#[cfg(target_os = "linux")]
fn link(file: &File, directory: &Path) -> io::Result<Name> {
    use rustix::fs::{AtFlags, CWD, linkat};

    let path = descriptor_path(file);
    let link = |name: &Path| Ok(linkat(CWD, &path, CWD, name, AtFlags::SYMLINK_FOLLOW)?);
    Ok(Name::create(directory, link)?.1)
}

#[cfg(not(target_os = "linux"))]
fn link(_: &File, _: &Path) -> io::Result<Name> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(target_os = "linux")]
fn descriptor_path(file: &File) -> PathBuf {
    use std::os::fd::AsRawFd as _;

    format!("/proc/self/fd/{}", file.as_raw_fd()).into()
}

/// Locks a file for as long as it is open, so that [`remove_stale`] of other processes leaves it alone. Returns false if
/// another process has locked it, and is about to remove it.
fn lock(file: &File) -> bool {
    // On file systems without locks, no process removes it.
    !matches!(file.try_lock(), Err(TryLockError::WouldBlock))
}

/// Removes temporary files that no process has open. Does this once for each directory.
fn remove_stale(directory: &Path) {
    static SEEN: LazyLock<Mutex<HashSet<PathBuf>>> = LazyLock::new(Mutex::default);

    if !SEEN.lock().unwrap_or_else(PoisonError::into_inner).insert(directory.to_owned()) {
        return;
    }
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let is_file = || entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_temporary(entry.file_name().as_encoded_bytes()) && is_file() && is_own(&entry) {
            let is_unused = || File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok());
            if !is_named_by_user(&entry) && is_unused() {
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

/// Returns whether a file is named on the command line, perhaps by another name, or as in `--output=FILE`.
fn is_named_by_user(entry: &fs::DirEntry) -> bool {
    let (path, name) = (entry.path(), entry.file_name());
    let found = entry.metadata().ok().map(|metadata| identity(&path, &metadata));
    let is_same = |argument: &OsStr| {
        let argument = Path::new(argument);
        argument.metadata().is_ok_and(|metadata| Some(identity(argument, &metadata)) == found)
    };
    env::args_os()
        .skip(1)
        .any(|argument| argument.as_encoded_bytes().ends_with(name.as_encoded_bytes()) || is_same(&argument))
}

#[cfg(unix)]
fn is_own(entry: &fs::DirEntry) -> bool {
    use std::os::unix::fs::MetadataExt as _;

    entry.metadata().is_ok_and(|metadata| metadata.uid() == rustix::process::geteuid().as_raw())
}

#[cfg(not(unix))]
fn is_own(_: &fs::DirEntry) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    fn names(directory: &Path) -> Vec<String> {
        let mut names: Vec<_> =
            fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// The files of systems and file systems without unnamed files.
    fn with_name(directory: &Path) -> TemporaryFile {
        let (file, name) = named(directory, 0o600).unwrap();
        assert!(lock(&file));
        TemporaryFile { file, name: Some(name) }
    }

    #[test]
    fn a_file_with_a_temporary_name_is_locked_renamed_or_removed() {
        let directory = tempfile::tempdir().unwrap();
        let directory = directory.path();
        let mut file = with_name(directory);
        file.file_mut().write_all(b"new").unwrap();
        let found = names(directory);
        let [name] = &found[..] else { panic!("{found:?}") };
        assert!(is_temporary(name.as_bytes()), "{name}");
        // Another process leaves it alone.
        assert!(matches!(File::open(directory.join(name)).unwrap().try_lock(), Err(TryLockError::WouldBlock)));
        remove_stale(directory);
        assert_eq!(names(directory), found);
        file.persist(&directory.join("target"), false).unwrap();
        assert_eq!(
            (names(directory), fs::read(directory.join("target")).unwrap()),
            (vec!["target".to_owned()], b"new".to_vec())
        );

        // A target that must not exist is not replaced, and the new file is removed. So is a file that is dropped.
        with_name(directory).persist(&directory.join("target"), false).unwrap_err();
        drop(with_name(directory));
        assert_eq!(names(directory), ["target"]);
        with_name(directory).persist(&directory.join("target"), true).unwrap();
        assert_eq!(fs::read(directory.join("target")).unwrap(), b"");
        let registered = format!("{:?}", lock_names());
        assert!(!registered.contains(directory.to_str().unwrap()), "{registered}");
    }

    #[test]
    fn a_registered_file_can_be_removed_without_memory() {
        let directory = tempfile::tempdir().unwrap();
        let (file, name) = named(directory.path(), 0o600).unwrap();
        let is_registered = || lock_names().contains(&name.registered);
        assert!(is_registered() && names(directory.path()).len() == 1);
        name.registered.remove();
        // Windows may remove the name only when the file is closed, at the latest by the end of the process.
        drop(file);
        assert!(names(directory.path()).is_empty());
        let registered = name.registered.clone();
        drop(name);
        assert!(!lock_names().contains(&registered));
    }

    #[test]
    fn a_link_replaces_a_file() {
        let directory = tempfile::tempdir().unwrap();
        let [one, other] = ["one", "other"].map(|name| directory.path().join(name));
        fs::write(&one, "new").unwrap();
        fs::write(&other, "old").unwrap();
        replace_by_link(&other, &one).unwrap();
        assert!(same_file::is_same_file(&one, &other).unwrap());
        assert_eq!(names(directory.path()), ["one", "other"]);
    }

    #[test]
    fn only_names_of_the_right_form_are_temporary() {
        assert_eq!(temporary_name(0x0123_ABCD), ".textcodec-0123abcd9ba63d53.tmp");
        assert!(is_temporary(b".textcodec-0123abcd9ba63d53.tmp"));
        for name in [
            "",
            ".textcodec-",
            ".textcodec-aB3dE6.tmp",
            ".textcodec-0123abcd9ba63d54.tmp",
            ".textcodec-0123abce9ba63d53.tmp",
            ".textcodec-0123ABCD9BA63D53.tmp",
            ".textcodec-+123abcd9ba63d53.tmp",
            ".textcodec-0123abcd9ba63d53.tmp.tmp",
            ".textcodec-0123abcd9ba63d53",
            "xtextcodec-0123abcd9ba63d53.tmp",
            ".textcodec-0123abc\u{e9}ba63d53.tmp",
        ] {
            assert!(!is_temporary(name.as_bytes()), "{name}");
        }
    }

    #[test]
    fn errors_do_not_contain_temporary_names() {
        let missing = tempfile::tempdir().unwrap().path().join("missing");
        let error = named(&missing, 0o600).err().unwrap();
        assert!(!error.to_string().contains(".tmp\"") && !error.to_string().contains("os error"), "{error}");
        assert!(error.to_string().starts_with("cannot create a file in "), "{error}");
    }
}
