//! What a new file has of the file that it replaces, and messages about what it has not.

use std::{
    fs::{self, File, Permissions},
    os::unix::{
        fs::{MetadataExt as _, PermissionsExt as _, chown},
        process::CommandExt as _,
    },
    process::{Command, Stdio},
    time::{Duration, SystemTime},
};

use crate::{
    common::{Dir, RunResult},
    safety::{is_root, unprivileged},
};

/// Returns the attributes of a file that a new file should have, each with its name in messages.
fn attributes(path: &std::path::Path) -> Vec<(String, Vec<u8>)> {
    let metadata = fs::metadata(path).unwrap();
    let mut all = vec![
        ("the owner".to_owned(), metadata.uid().to_le_bytes().to_vec()),
        ("the group".to_owned(), metadata.gid().to_le_bytes().to_vec()),
        ("set-user-ID".to_owned(), (metadata.mode() & 0o6000).to_le_bytes().to_vec()),
    ];
    let mut names = [0; 4096];
    let len = rustix::fs::listxattr(path, &mut names[..]).unwrap_or(0);
    for name in names[..len].split(|&byte| byte == 0).filter(|name| !name.is_empty()) {
        let name = String::from_utf8(name.to_vec()).unwrap();
        let mut value = [0; 4096];
        let len = rustix::fs::getxattr(path, &*name, &mut value[..]).unwrap();
        let shown =
            if name == "system.posix_acl_access" { "the access list".to_owned() } else { format!("attribute {name}") };
        all.push((shown, value[..len].to_vec()));
    }
    all
}

#[test]
fn what_the_new_file_lacks_of_the_old_one_is_said() {
    if !is_root() {
        return;
    }
    let entry = |kind: u16, rights: u16, who: u32| {
        [&kind.to_le_bytes()[..], &rights.to_le_bytes(), &who.to_le_bytes()].concat()
    };
    let (all, everybody) = (2_u32.to_le_bytes().to_vec(), u32::MAX);
    let access_list = [
        all,
        entry(1, 6, everybody),
        entry(2, 6, 1005),
        entry(4, 6, everybody),
        entry(16, 6, everybody),
        entry(32, 6, everybody),
    ];
    let capability = [2 << 24, 1 << 10, 0, 0, 0_u32].map(u32::to_le_bytes).concat();
    let mut said = std::collections::BTreeSet::new();
    for (uid, gid, mode) in
        [(65534, 65534, 0o666), (65534, 3000, 0o666), (1001, 65534, 0o666), (1001, 3000, 0o6777), (65534, 3000, 0o2676)]
    {
        for arguments in [
            "convert -f windows-1252 --in-place old",
            "convert -f windows-1252 --in-place=.bak old",
            "convert -f windows-1252 in -o old",
            "convert -f windows-1252 in/old --output-dir .",
            "iconv -f latin1 in/old -o old",
        ] {
            let dir = Dir::with([("old", b"\xE9"), ("in", b"")]);
            fs::remove_file(dir.path("in")).unwrap();
            fs::create_dir(dir.path("in")).unwrap();
            fs::write(dir.path("in/old"), b"\xE9").unwrap();
            let arguments = arguments.replace("in -o", "in/old -o");
            chown(dir.path("old"), Some(uid), Some(gid)).unwrap();
            let flags = rustix::fs::XattrFlags::empty();
            let list = access_list.concat();
            for (name, value) in
                [("user.note", &b"kept"[..]), ("system.posix_acl_access", &list), ("security.capability", &capability)]
            {
                let _ = rustix::fs::setxattr(dir.path("old"), name, value, flags);
            }
            fs::set_permissions(dir.path("old"), Permissions::from_mode(mode)).unwrap();
            let before = attributes(&dir.path("old"));
            let program = unprivileged(&dir, "").get_program().to_owned();
            fs::set_permissions(dir.path(""), Permissions::from_mode(0o777)).unwrap();
            let mut command = Command::new(program);
            command.current_dir(dir.path("")).args(arguments.split(' ')).stdin(Stdio::null()).uid(65534).gid(65534);
            let result = RunResult::of(&mut command);
            assert_eq!((result.status, dir.read("old")), (0, "é".into()), "{arguments}: {}", result.stderr);
            let after = attributes(&dir.path("old"));
            for (name, value) in before {
                let is_kept = after.contains(&(name.clone(), value));
                let is_said = result.stderr.contains(&format!("old: {name}"))
                    || result.stderr.contains(&format!("old: the extended {name}"));
                assert_eq!(!is_kept, is_said, "{name}, {arguments} {uid} {gid} {mode:o}: {}", result.stderr);
                said.extend(is_said.then_some(name));
            }
        }
    }
    println!("said: {said:?}");
    assert!(["the owner", "the group", "set-user-ID"].iter().all(|name| said.contains(*name)), "{said:?}");
}

#[test]
fn times_are_kept_without_a_sync() {
    let dir = Dir::with([("a", b"\xE9")]);
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    File::options().write(true).open(dir.path("a")).unwrap().set_modified(time).unwrap();
    dir.convert("-f windows-1252 --no-sync --in-place a").assert_clean("");
    assert_eq!((dir.read("a"), fs::metadata(dir.path("a")).unwrap().modified().unwrap()), ("é".into(), time));
}
