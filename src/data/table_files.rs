//! Finds the files of endgame tables in directories.

use super::open_file;
use crate::game::TableFiles;
use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::path::Path;

/// Lists the regular files in the directories of `list`, which the system's separator divides: `:` on Unix, `;` on
/// Windows. Of two files with the same name the first counts. Returns one line for each directory that cannot be read.
pub fn table_files(list: &str) -> (TableFiles, Vec<String>) {
    let (mut paths, mut problems) = (BTreeMap::new(), Vec::new());
    for directory in std::env::split_paths(list).filter(|path| !path.as_os_str().is_empty()) {
        let entries = match std::fs::read_dir(&directory) {
            Ok(entries) => entries,
            Err(error) => {
                let directory = directory.display();
                problems.push(format!("cannot read the directory {directory}: {error}, directory ignored"));
                continue;
            }
        };
        for entry in entries.flatten() {
            if let Ok(name) = entry.file_name().into_string()
                && entry.path().is_file()
            {
                paths.entry(name).or_insert_with(|| entry.path());
            }
        }
    }
    let open = |path: &Path| open_file(path, OpenOptions::new().read(true));
    (TableFiles { paths, open }, problems)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_files_of_two_directories_prefer_the_first_and_report_a_missing_one() {
        let root = std::env::temp_dir().join(format!("duiyi-table-files-{}", std::process::id()));
        let [one, two] = ["one", "two"].map(|name| root.join(name));
        for (directory, files) in [(&one, &["a", "b"][..]), (&two, &["b", "c"][..])] {
            std::fs::create_dir_all(directory.join("directory")).unwrap();
            files.iter().for_each(|file| std::fs::write(directory.join(file), b"").unwrap());
        }
        let missing = root.join("missing");
        let list = std::env::join_paths([&one, &missing, &two]).unwrap();
        let (files, problems) = table_files(list.to_str().unwrap());
        let expected = [("a", &one), ("b", &one), ("c", &two)];
        assert!(
            files
                .paths
                .iter()
                .map(|(name, path)| (name.as_str(), path.clone()))
                .eq(expected.map(|(name, directory)| (name, directory.join(name))))
        );
        assert_eq!(problems.len(), 1);
        let expected = format!("cannot read the directory {}: ", missing.display());
        assert!(problems[0].starts_with(&expected) && problems[0].ends_with(", directory ignored"));
        assert!((files.open)(&one.join("directory")).is_err());
        std::fs::remove_dir_all(root).unwrap();
    }
}
