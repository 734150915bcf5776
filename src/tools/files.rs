//! The files that a command reads and writes, and the rule for both: no output is an input or another output, and an output
//! replaces only what Duiyi has made.

use super::sgf;
use crate::data::{check_is_plain_file, open_file};
use crate::game::WEIGHTS_FILE_HEADING;
use anyhow::{Context, ensure};
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// Bytes at the beginning of a file in which a mark stands.
const MARK_BYTES: u64 = 16 << 10;

/// The first bytes of the checkpoint of a training run.
pub const CHECKPOINT_MAGIC: &[u8] = b"Duiyi training checkpoint 1\n";

/// The value of the tag Event of a game that was played at the terminal and saved.
pub const SAVED_GAME: &str = "Game against Duiyi";

/// The existing files that an output may replace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(target_family = "wasm", expect(dead_code, reason = "the tools that write those need threads"))]
pub enum Replaces {
    Nothing,
    /// Pages for a browser.
    Pages,
    /// Annotated games.
    AnnotatedGames,
    /// Games that were played at the terminal or by GTP.
    SavedGames,
    /// States of training runs.
    Checkpoints,
    /// Weights of evaluations.
    Weights,
    /// Any: the command has checked that the file belongs to the run that it continues.
    Anything,
}

impl Replaces {
    /// Whether a file that begins with these bytes may be replaced.
    fn allows(self, begin: &[u8]) -> bool {
        let contains = |mark: &[u8]| begin.windows(mark.len()).any(|bytes| bytes == mark);
        match self {
            Replaces::Nothing => false,
            Replaces::Pages => contains(b"<meta name=\"generator\" content=\"Duiyi"),
            Replaces::AnnotatedGames => {
                let mut lines = begin.split(|&byte| byte == b'\n');
                lines.any(|line| line.starts_with(b"[Annotator \"Duiyi"))
            }
            Replaces::SavedGames => {
                begin.starts_with(format!("[Event \"{SAVED_GAME}\"]").as_bytes())
                    || begin.starts_with(sgf::MARK.as_bytes())
            }
            Replaces::Checkpoints => begin.starts_with(CHECKPOINT_MAGIC),
            Replaces::Weights => begin.starts_with(WEIGHTS_FILE_HEADING.as_bytes()),
            Replaces::Anything => true,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Replaces::Nothing | Replaces::Anything => "",
            Replaces::Pages => " or a page by Duiyi",
            Replaces::AnnotatedGames => " or games annotated by Duiyi",
            Replaces::SavedGames => " or a game saved by Duiyi",
            Replaces::Checkpoints => " or a checkpoint by Duiyi",
            Replaces::Weights => " or weights by Duiyi",
        }
    }
}

/// What makes two paths those of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Identity {
    /// Device and inode of a file that exists.
    #[cfg(unix)]
    Inode(u64, u64),
    /// The path without links, of a file that does not exist or has no inode.
    Path(PathBuf),
}

/// All files of a command. The methods add them, [`Files::check`] applies the rule before the command begins.
#[derive(Clone, Debug, Default)]
pub struct Files<'a> {
    inputs: Vec<&'a Path>,
    outputs: Vec<(&'static str, &'a Path, Replaces)>,
}

impl<'a> Files<'a> {
    pub fn reads(mut self, paths: impl IntoIterator<Item = &'a PathBuf>) -> Self {
        self.inputs.extend(paths.into_iter().map(PathBuf::as_path));
        self
    }

    /// Adds an output that replaces a file. `option` names it in messages.
    pub fn writes(mut self, option: &'static str, path: Option<&'a Path>, replaces: Replaces) -> Self {
        self.outputs.extend(path.map(|path| (option, path, replaces)));
        self
    }

    /// Adds an output that the command creates, or continues after a check of its own.
    pub fn continues(self, option: &'static str, path: Option<&'a Path>) -> Self {
        self.writes(option, path, Replaces::Anything)
    }

    /// Checks that no output is an input or another output, and that each may replace what is at its path; with `force` it
    /// may replace every file.
    ///
    /// # Errors
    /// If one breaks the rule.
    pub fn check(&self, force: bool) -> anyhow::Result<()> {
        self.check_with(force, " (--force replaces it)")
    }

    /// [`Files::check`] where there is no option `--force`.
    ///
    /// # Errors
    /// If an output breaks the rule.
    pub fn check_without_force(&self) -> anyhow::Result<()> {
        self.check_with(false, "")
    }

    /// `way_out` ends the message about a file that stays as it is.
    fn check_with(&self, force: bool, way_out: &str) -> anyhow::Result<()> {
        let inputs: Vec<_> = self.inputs.iter().filter_map(|path| identity(path)).collect();
        let outputs: Vec<_> = self.outputs.iter().map(|(_, path, _)| identity(path)).collect();
        for (number, ((option, path, replaces), output)) in self.outputs.iter().zip(&outputs).enumerate() {
            let name = path.display();
            let Some(output) = output else { continue };
            ensure!(
                !inputs.contains(output),
                "{option} {name}: expected a file to write, got one that is read; nothing is written"
            );
            if let Some(other) = outputs[..number].iter().position(|other| other.as_ref() == Some(output)) {
                let other = self.outputs[other].0;
                anyhow::bail!("{option}, {other}: expected two files, got one; nothing is written");
            }
            // A file of another type is refused when it is opened.
            let has_text = path.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.len() > 0);
            ensure!(
                force || !has_text || replaces.allows(&begin(path).with_context(|| name.to_string())?),
                "{option} {name}: expected no file{}, found another one; nothing is written{way_out}",
                replaces.name()
            );
        }
        Ok(())
    }
}

/// The identity of the file at `path`, which need not exist; `None` for a pipe or a device, which several may share.
fn identity(path: &Path) -> Option<Identity> {
    let path = if path == Path::new("-") { Path::new("/dev/stdin") } else { path };
    match path.metadata() {
        Ok(metadata) if !metadata.is_file() && !metadata.is_dir() => None,
        #[cfg(unix)]
        Ok(metadata) => {
            use std::os::unix::fs::MetadataExt;
            Some(Identity::Inode(metadata.dev(), metadata.ino()))
        }
        _ => Some(Identity::Path(real_path(path))),
    }
}

fn begin(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open_file(path, OpenOptions::new().read(true))?.take(MARK_BYTES).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The path of a file without links, or where it would be if it does not exist.
fn real_path(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    path.canonicalize()
        .or_else(|_| Ok::<_, io::Error>(folder.canonicalize()?.join(path.file_name().unwrap_or_default())))
        .unwrap_or_else(|_| path.to_path_buf())
}

/// A file that replaces the one at a path when it is complete. Until then it lies beside that one, with `.duiyi-new` after its
/// name, so that a full disk or an interruption leaves the former file. What an interrupted run has left there is used again.
#[derive(Debug)]
pub struct NewFile<'a> {
    path: &'a Path,
    /// The path that it replaces: that of the file at the end of a link.
    target: PathBuf,
    new_path: PathBuf,
    file: File,
    is_complete: bool,
}

impl<'a> NewFile<'a> {
    /// Creates the file beside `path`.
    ///
    /// # Errors
    /// If `path` is that of a pipe, a device, a directory or a file that may not be written, if another run is writing it, or
    /// if the file cannot be created; with its name.
    pub fn begin(path: &'a Path) -> anyhow::Result<NewFile<'a>> {
        let target = real_path(path);
        let new_path = target.with_added_extension("duiyi-new");
        let create = || {
            check_is_plain_file(&target)?;
            if target.metadata().is_ok_and(|metadata| metadata.permissions().readonly()) {
                return Err(io::ErrorKind::PermissionDenied.into());
            }
            let file = open_file(&new_path, OpenOptions::new().write(true).create(true).truncate(false))?;
            if file.try_lock().is_err() {
                return Err(io::Error::other("expected no other run that writes this file, found one"));
            }
            file.set_len(0)?;
            Ok(file)
        };
        let file = create().with_context(|| path.display().to_string())?;
        Ok(NewFile { path, target, new_path, file, is_complete: false })
    }

    /// Writes the file and puts it in its place, with the permissions of the former one.
    ///
    /// # Errors
    /// If it cannot be written. The former file then stays.
    pub fn finish(mut self, bytes: &[u8]) -> anyhow::Result<()> {
        let mut write = || {
            self.file.write_all(bytes)?;
            if let Ok(former) = self.target.metadata() {
                self.file.set_permissions(former.permissions())?;
            }
            self.file.sync_all()?;
            std::fs::rename(&self.new_path, &self.target)
        };
        write().with_context(|| self.path.display().to_string())?;
        self.is_complete = true;
        Ok(())
    }
}

impl Drop for NewFile<'_> {
    fn drop(&mut self) {
        if !self.is_complete {
            let _ = std::fs::remove_file(&self.new_path);
        }
    }
}

/// Replaces the file at `path` by `bytes`: see [`NewFile`].
pub fn replace_file(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    NewFile::begin(path)?.finish(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// A directory that goes with the value.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Folder {
            let path = std::env::temp_dir().join(format!("duiyi-files-{name}-{}", std::process::id()));
            fs::create_dir_all(&path).unwrap();
            Folder(path)
        }

        fn file(&self, name: &str, text: &str) -> PathBuf {
            let path = self.0.join(name);
            fs::write(&path, text).unwrap();
            path
        }

        fn names(&self) -> Vec<String> {
            let entries = fs::read_dir(&self.0).unwrap();
            let mut names: Vec<String> =
                entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
            names.sort();
            names
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn output_replaces_only_files_with_the_mark_unless_forced() {
        let folder = Folder::new("marks");
        let page = folder
            .file("page", "<html><meta charset=\"utf-8\"><meta name=\"generator\" content=\"Duiyi 1\">");
        let pgn = folder.file("pgn", "[Event \"x\"]\n[Annotator \"Duiyi 0.1.0\"]\n\n*\n");
        let checkpoint = folder.file("checkpoint", "Duiyi training checkpoint 1\nx");
        let own = folder.file("own", "[Event \"x\"]\n[Annotator \"Steinitz\"]\n\n{by Duiyi} *\n");
        let (empty, missing) = (folder.file("empty", ""), folder.0.join("missing"));
        let marks = [Replaces::Pages, Replaces::AnnotatedGames, Replaces::Checkpoints, Replaces::Nothing];
        for (index, replaces) in marks.into_iter().enumerate() {
            for (number, path) in [&page, &pgn, &checkpoint, &own].into_iter().enumerate() {
                let files = Files::default().writes("--x", Some(path), replaces);
                let is_allowed = index == number && replaces != Replaces::Nothing;
                assert_eq!(files.check(false).is_ok(), is_allowed, "{replaces:?} {path:?}");
                assert!(files.check(true).is_ok());
            }
            for path in [&empty, &missing] {
                assert!(Files::default().writes("--x", Some(path), replaces).check(false).is_ok());
            }
        }
        let error = Files::default().writes("--pgn", Some(&own), Replaces::AnnotatedGames).check(false);
        let expected = format!(
            "--pgn {}: expected no file or games annotated by Duiyi, found another one; nothing is written \
             (--force replaces it)",
            own.display()
        );
        assert_eq!(error.unwrap_err().to_string(), expected);
    }

    #[cfg(unix)]
    #[test]
    fn output_that_is_an_input_or_another_output_is_refused_also_by_a_link() {
        let folder = Folder::new("links");
        let input = folder.file("input", "text");
        let [hard, soft, missing] = ["hard", "soft", "missing"].map(|name| folder.0.join(name));
        fs::hard_link(&input, &hard).unwrap();
        std::os::unix::fs::symlink(&input, &soft).unwrap();
        for output in [&input, &hard, &soft] {
            let files = Files::default().reads([&input]).continues("--out", Some(output));
            let error = files.check(true).unwrap_err().to_string();
            assert!(error.contains("expected a file to write, got one that is read"), "{error}");
        }
        let around = folder.0.join("..").join(folder.0.file_name().unwrap()).join("missing");
        let files = Files::default().continues("--a", Some(&missing)).continues("--b", Some(&around));
        let error = files.check(true).unwrap_err().to_string();
        assert_eq!(error, "--b, --a: expected two files, got one; nothing is written");
    }

    #[test]
    fn new_file_takes_the_place_of_the_former_only_when_it_is_complete() {
        let folder = Folder::new("new");
        let path = folder.file("page", "old");
        // A run that was killed has left this.
        folder.file("page.duiyi-new", "a part of something longer");
        let new_file = NewFile::begin(&path).unwrap();
        let second = NewFile::begin(&path).unwrap_err();
        assert!(format!("{second:#}").contains("expected no other run that writes this file"), "{second:#}");
        drop(new_file);
        assert_eq!((folder.names(), fs::read_to_string(&path).unwrap()), (vec!["page".into()], "old".into()));
        replace_file(&path, b"new").unwrap();
        assert_eq!((folder.names(), fs::read_to_string(&path).unwrap()), (vec!["page".into()], "new".into()));
    }

    #[cfg(unix)]
    #[test]
    fn new_file_has_the_permissions_of_the_former() {
        use std::os::unix::fs::PermissionsExt;
        let folder = Folder::new("mode");
        let path = folder.file("page", "old");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        replace_file(&path, b"new").unwrap();
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o640);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o440)).unwrap();
        assert!(replace_file(&path, b"newer").is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
    }
}
