//! Two logs on disk: the protocol as it was spoken, and the searches as records to be read by programs.
//!
//! Both append, and only to a file that is new, empty or begins with the log's own first line, so that a
//! mistyped path never damages another file.

use crate::game::Bound;
use crate::protocol::{Info, Score};
use serde::Serialize;
use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// First line of a log of the protocol.
const PROTOCOL_HEADER: &str = "# duiyi protocol log 1";
/// First line of a log of searches.
const SEARCH_HEADER: &str = r#"{"log":"duiyi search","version":1}"#;

/// Which way a line went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From the client.
    In,
    /// To the client.
    Out,
}

/// The protocol, both ways, each line with its time.
#[derive(Debug)]
pub struct ProtocolLog(File);

impl ProtocolLog {
    /// Opens or creates it.
    pub fn open(path: &Path) -> io::Result<ProtocolLog> {
        open(path, PROTOCOL_HEADER).map(ProtocolLog)
    }

    /// Adds `text`, which may be several lines.
    pub fn write(&mut self, way: Direction, text: &str) -> io::Result<()> {
        let (time, arrow) = (Timestamp(SystemTime::now()), if way == Direction::In { ">>" } else { "<<" });
        let lines: String = text.trim_end_matches('\n').split('\n').fold(String::new(), |lines, line| {
            lines + &format!("{time} {arrow} {}\n", line.trim_end_matches('\r'))
        });
        self.0.write_all(lines.as_bytes())
    }
}

/// One search: which one, of what.
#[derive(Clone, Debug, Default, Serialize)]
pub struct SearchId {
    /// Milliseconds since 1970 when the log was opened: tells runs of the program apart.
    pub session: u64,
    /// Counts the searches of a session from 1.
    pub search: u64,
    /// The game.
    pub variant: &'static str,
    /// The root.
    pub position: String,
}

#[derive(Serialize)]
struct Record<'a, T: Serialize> {
    time: Timestamp,
    #[serde(flatten)]
    id: &'a SearchId,
    #[serde(flatten)]
    data: T,
}

#[derive(Serialize)]
struct Line<'a> {
    depth: i32,
    seldepth: usize,
    multipv: usize,
    score: Score,
    bound: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    wdl: Option<[u16; 3]>,
    nodes: u64,
    nps: u64,
    hashfull: u16,
    time_ms: u64,
    pv: &'a [String],
}

#[derive(Serialize)]
struct GameOver {
    depth: i32,
    score: Score,
}

#[derive(Serialize)]
struct Best<'a> {
    bestmove: Option<&'a str>,
    ponder: Option<&'a str>,
    nodes: u64,
    time_ms: u64,
}

/// The searches as JSON lines: a record for each line of each iteration, and one for each move chosen.
#[derive(Debug)]
pub struct SearchLog {
    file: File,
    id: SearchId,
}

impl SearchLog {
    /// Opens or creates it.
    pub fn open(path: &Path) -> io::Result<SearchLog> {
        let session = Timestamp(SystemTime::now()).millis();
        Ok(SearchLog { file: open(path, SEARCH_HEADER)?, id: SearchId { session, ..SearchId::default() } })
    }

    /// A search begins; what follows belongs to it.
    pub fn begin(&mut self, variant: &'static str, position: String) {
        self.id = SearchId { search: self.id.search + 1, variant, position, session: self.id.session };
    }

    /// Adds a line of an iteration.
    pub fn line(&mut self, info: &Info) -> io::Result<()> {
        self.write(Line {
            depth: info.depth,
            seldepth: info.seldepth,
            multipv: info.multipv,
            score: info.score.into(),
            bound: match info.bound {
                Bound::Exact => "exact",
                Bound::Lower => "lower",
                Bound::Upper => "upper",
            },
            wdl: info.wdl,
            nodes: info.nodes,
            nps: info.nps,
            hashfull: info.hashfull,
            time_ms: info.time,
            pv: &info.pv,
        })
    }

    /// Adds that the root has no moves.
    pub fn ended(&mut self, score: Score) -> io::Result<()> {
        self.write(GameOver { depth: 0, score: score.into() })
    }

    /// Adds the end of the search.
    pub fn best(
        &mut self,
        bestmove: Option<&str>,
        ponder: Option<&str>,
        nodes: u64,
        time_ms: u64,
    ) -> io::Result<()> {
        self.write(Best { bestmove, ponder, nodes, time_ms })
    }

    fn write(&mut self, data: impl Serialize) -> io::Result<()> {
        let record = Record { time: Timestamp(SystemTime::now()), id: &self.id, data };
        let mut line = serde_json::to_vec(&record)?;
        line.push(b'\n');
        self.file.write_all(&line)
    }
}

/// Opens `path` to append to it, if it is a log that begins with `header` or could become one.
fn open(path: &Path, header: &str) -> io::Result<File> {
    ignore_sigxfsz();
    // Looked at before it is opened: opening a named pipe would wait for its reader.
    if let Ok(known) = path.metadata()
        && !known.is_file()
    {
        return Err(io::Error::other("not a regular file"));
    }
    let mut file = OpenOptions::new().create(true).append(true).read(true).open(path)?;
    let expected = format!("{header}\n");
    let mut start = Vec::new();
    Read::by_ref(&mut file).take(expected.len() as u64).read_to_end(&mut start)?;
    if start.is_empty() {
        file.write_all(expected.as_bytes())?;
    } else if start != expected.as_bytes() {
        return Err(io::Error::other("the file holds something else"));
    } else if !ends_a_line(&mut file)? {
        // A full disk has cut its last line off.
        file.write_all(b"\n")?;
    }
    Ok(file)
}

fn ends_a_line(file: &mut File) -> io::Result<bool> {
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    Ok(last == [b'\n'])
}

/// A limit on the size of files is an error of writing from now on, as a full disk is, and not the end of the program.
fn ignore_sigxfsz() {
    #[cfg(target_os = "linux")]
    // SAFETY: the signal is ignored, so no handler runs; nothing else in the program handles it.
    unsafe {
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
    }
}

/// A point in time, written as RFC 3339 in UTC with milliseconds.
#[derive(Clone, Copy)]
struct Timestamp(SystemTime);

impl Timestamp {
    fn millis(self) -> u64 {
        self.0.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (millis, seconds) = (self.millis() % 1000, self.millis() / 1000);
        let (day, second) = (seconds / 86_400, seconds % 86_400);
        // Howard Hinnant's civil_from_days: eras of 400 years that begin on 1 March.
        let shifted = day + 719_468;
        let (era, of_era) = (shifted / 146_097, shifted % 146_097);
        let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
        let day_of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let shifted_month = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
        let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
        let year = year_of_era + era * 400 + u64::from(month <= 2);
        let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
        write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millis:03}Z")
    }
}

impl Serialize for Timestamp {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;
    use std::time::Duration;

    /// A path in a directory of its own that goes with the value.
    struct Scratch(PathBuf);

    impl Scratch {
        fn new(name: &str) -> Scratch {
            let directory = std::env::temp_dir().join(format!("duiyi-{name}-{}", std::process::id()));
            std::fs::create_dir_all(&directory).unwrap();
            Scratch(directory)
        }

        fn path(&self, name: &str) -> PathBuf {
            self.0.join(name)
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn times_are_right() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00.007Z"),
            (951_782_399, "2000-02-28T23:59:59.007Z"),
            (951_782_400, "2000-02-29T00:00:00.007Z"),
            (1_709_210_096, "2024-02-29T12:34:56.007Z"),
            (4_107_542_400, "2100-03-01T00:00:00.007Z"),
        ] {
            let time = UNIX_EPOCH + Duration::from_millis(seconds * 1000 + 7);
            assert_eq!(Timestamp(time).to_string(), text);
        }
    }

    #[test]
    fn a_log_appends_to_itself_and_to_nothing_else() {
        let scratch = Scratch::new("log");
        let (mine, other) = (scratch.path("a b.log"), scratch.path("other"));
        for _ in 0..2 {
            let mut log = ProtocolLog::open(&mine).unwrap();
            log.write(Direction::In, "uci\r").unwrap();
            log.write(Direction::Out, "id name x\nuciok\n").unwrap();
        }
        let text = std::fs::read_to_string(&mine).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 7);
        assert_eq!(lines[0], PROTOCOL_HEADER);
        assert!(lines[1].ends_with("Z >> uci") && lines[6].ends_with("Z << uciok"));

        std::fs::write(&other, "# duiyi protocol log 12").unwrap();
        assert!(ProtocolLog::open(&other).is_err());
        assert_eq!(std::fs::read_to_string(&other).unwrap(), "# duiyi protocol log 12");
        assert!(SearchLog::open(&mine).is_err() && ProtocolLog::open(&scratch.0).is_err());
    }

    #[test]
    fn records_are_json() {
        let scratch = Scratch::new("records");
        let path = scratch.path("log.jsonl");
        let mut log = SearchLog::open(&path).unwrap();
        log.begin("chess", "a \"b\"".into());
        let info = Info {
            depth: 3,
            seldepth: 5,
            multipv: 1,
            score: Score::Mate(-2),
            bound: Bound::Upper,
            wdl: None,
            nodes: 10,
            nps: 100,
            hashfull: 1,
            tbhits: 0,
            time: 100,
            pv: vec!["e2e4".into()],
        };
        log.line(&info).unwrap();
        log.ended(Score::Mate(0)).unwrap();
        log.best(Some("e2e4"), None, 10, 100).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let records: Vec<serde_json::Value> =
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(records.len(), 4);
        assert_eq!(records[1]["score"]["mate"], -2);
        assert_eq!(records[1]["position"], "a \"b\"");
        assert_eq!((&records[1]["search"], &records[1]["bound"]), (&1.into(), &"upper".into()));
        assert_eq!(records[2]["depth"], 0);
        assert_eq!(records[3]["bestmove"], "e2e4");
    }
}
