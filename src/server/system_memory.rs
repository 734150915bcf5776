//! The memory that the system grants the process: that of the computer, and the limits of the containers (control groups)
//! around the process. Linux only; elsewhere nothing is known.

use std::path::Path;

/// Memory in bytes; `u64::MAX` where the system does not say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SystemMemory {
    /// What the process may use at most.
    total: u64,
    /// What it may use now, in addition to what it has.
    available: u64,
}

/// The names of the files of a control group, by the version of the interface.
struct GroupFiles {
    /// The folders at which the groups may be mounted.
    mounts: &'static [&'static str],
    limit: &'static str,
    usage: &'static str,
    /// The row of `memory.stat` with the memory of files that the system can take back.
    reclaimable: &'static str,
}

const VERSIONS: [GroupFiles; 2] = [
    GroupFiles {
        mounts: &["sys/fs/cgroup/memory"],
        limit: "memory.limit_in_bytes",
        usage: "memory.usage_in_bytes",
        reclaimable: "total_inactive_file",
    },
    GroupFiles {
        mounts: &["sys/fs/cgroup", "sys/fs/cgroup/unified"],
        limit: "memory.max",
        usage: "memory.current",
        reclaimable: "inactive_file",
    },
];

impl SystemMemory {
    pub fn now() -> SystemMemory {
        SystemMemory::read(Path::new("/"))
    }

    /// Whether a table of `megabytes` MiB is larger than all memory that the process may use.
    pub fn is_exceeded_by(self, megabytes: usize) -> bool {
        megabytes as u64 > self.total >> 20
    }

    /// The bytes of a table that can be brought into memory now. A part is left for everything else.
    pub fn free_for_table(self) -> u64 {
        const LEFT: u64 = 64 << 20;
        self.available - (self.available / 16).max(LEFT).min(self.available)
    }

    /// Reads the files of the system below `root`.
    fn read(root: &Path) -> SystemMemory {
        let text = |path: &Path| std::fs::read_to_string(path).ok();
        let computer = text(&root.join("proc/meminfo")).unwrap_or_default();
        let kilobytes = |name| row(&computer, name).map_or(u64::MAX, |count| count.saturating_mul(1 << 10));
        let mut memory =
            SystemMemory { total: kilobytes("MemTotal:"), available: kilobytes("MemAvailable:") };
        let groups = text(&root.join("proc/self/cgroup")).unwrap_or_default();
        for line in groups.lines() {
            let mut fields = line.splitn(3, ':').skip(1);
            let (Some(controllers), Some(group)) = (fields.next(), fields.next()) else { continue };
            let version = match controllers {
                "" => &VERSIONS[1],
                _ if controllers.split(',').any(|controller| controller == "memory") => &VERSIONS[0],
                _ => continue,
            };
            for mount in version.mounts {
                let mount = root.join(mount);
                // In a container, its own group may be mounted in place of the root, and its path not exist.
                let folders = Path::new(group.trim_start_matches('/')).ancestors();
                for folder in folders.map(|folder| mount.join(folder)) {
                    let number = |name| text(&folder.join(name))?.trim().parse::<u64>().ok();
                    let Some(limit) = number(version.limit) else { continue };
                    let statistics = text(&folder.join("memory.stat")).unwrap_or_default();
                    let reclaimable = row(&statistics, version.reclaimable).unwrap_or(0);
                    let used = number(version.usage).unwrap_or(0).saturating_sub(reclaimable);
                    memory.total = memory.total.min(limit);
                    memory.available = memory.available.min(limit.saturating_sub(used));
                }
            }
        }
        memory
    }
}

/// The number in the row of `text` that begins with the word `name`.
fn row(text: &str, name: &str) -> Option<u64> {
    let mut rows = text.lines().map(str::split_ascii_whitespace);
    rows.find_map(|mut words| (words.next() == Some(name)).then(|| words.next()?.parse().ok())?)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: u64 = 1 << 20;
    const MEMINFO: (&str, &str) =
        ("proc/meminfo", "MemTotal:        8388608 kB\nMemAvailable:    4194304 kB\n");

    /// What is read from a system with these files.
    fn read(name: &str, files: &[(&str, &str)]) -> SystemMemory {
        let root = std::env::temp_dir().join(format!("duiyi-memory-{name}-{}", std::process::id()));
        for (path, text) in files {
            let path = root.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let memory = SystemMemory::read(&root);
        let _ = std::fs::remove_dir_all(root);
        memory
    }

    #[test]
    fn memory_without_control_groups_is_that_of_the_computer() {
        let expected = SystemMemory { total: 8192 * MIB, available: 4096 * MIB };
        assert_eq!(read("computer", &[MEMINFO]), expected);
        assert!(!expected.is_exceeded_by(8192) && expected.is_exceeded_by(8193));
        assert_eq!(expected.free_for_table(), (4096 - 256) * MIB);
        assert_eq!(SystemMemory { available: 50 * MIB, ..expected }.free_for_table(), 0);
    }

    #[test]
    fn memory_of_unknown_system_has_no_limit() {
        let memory = read("unknown", &[]);
        assert_eq!(memory, SystemMemory { total: u64::MAX, available: u64::MAX });
        assert!(!memory.is_exceeded_by(1 << 25));
    }

    #[test]
    fn limit_of_second_version_counts_at_each_level() {
        let files = [
            MEMINFO,
            ("proc/self/cgroup", "0::/a/b\n"),
            ("sys/fs/cgroup/a/memory.max", "1073741824\n"),
            ("sys/fs/cgroup/a/memory.current", "536870912\n"),
            ("sys/fs/cgroup/a/memory.stat", "anon 1\ninactive_file 104857600\n"),
            ("sys/fs/cgroup/a/b/memory.max", "max\n"),
            ("sys/fs/cgroup/a/b/memory.current", "1\n"),
        ];
        assert_eq!(read("second", &files), SystemMemory { total: 1024 * MIB, available: 612 * MIB });
    }

    #[test]
    fn limit_of_first_version_in_container_without_its_path_counts() {
        let files = [
            MEMINFO,
            ("proc/self/cgroup", "5:cpu:/x\n4:hugetlb,memory:/docker/0123\n0::/\nnonsense\n"),
            ("sys/fs/cgroup/memory/memory.limit_in_bytes", "536870912\n"),
            ("sys/fs/cgroup/memory/memory.usage_in_bytes", "1073741824\n"),
        ];
        assert_eq!(read("first", &files), SystemMemory { total: 512 * MIB, available: 0 });
    }

    #[test]
    fn memory_of_group_without_limit_is_that_of_the_computer() {
        let files = [
            MEMINFO,
            ("proc/self/cgroup", "4:memory:/x\n"),
            ("sys/fs/cgroup/memory/x/memory.limit_in_bytes", "9223372036854771712\n"),
            ("sys/fs/cgroup/memory/x/memory.usage_in_bytes", "1048576\n"),
        ];
        assert_eq!(read("free", &files), read("computer-2", &[MEMINFO]));
    }
}
