//! The two log files: the protocol log, and the search log as JSON lines.
//!
//! Both append, and only to a file that is new, empty or begins with the log's own first line. A mistyped path never
//! damages another file.

use crate::data::open_file;
use crate::protocol::{Info, Score};
use crate::search::{Counters, GoTimes};
use jiff::Timestamp;
use serde::Serialize;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

const PROTOCOL_HEADER: &str = "# duiyi protocol log 1";
const SEARCH_HEADER: &str = r#"{"log":"duiyi search","version":1}"#;

/// What stands before a line from the client in the protocol log, and before a line to it.
pub const RECEIVED: &str = ">>";
pub const SENT: &str = "<<";

/// A log of the protocol in both directions, each line with its time.
#[derive(Debug)]
pub struct ProtocolLog(File);

impl ProtocolLog {
    /// Opens or creates the log at `path`.
    pub fn open(path: &Path) -> io::Result<ProtocolLog> {
        open(path, PROTOCOL_HEADER).map(ProtocolLog)
    }

    /// Adds the lines of `text`. `arrow` is [`RECEIVED`] or [`SENT`].
    pub fn write(&mut self, arrow: &str, text: &str) -> io::Result<()> {
        let time = time_text(Timestamp::now());
        let lines: String = text.trim_end_matches('\n').split('\n').fold(String::new(), |lines, line| {
            lines + &format!("{time} {arrow} {}\n", line.trim_end_matches('\r'))
        });
        self.0.write_all(lines.as_bytes())
    }
}

#[derive(Clone, Debug, Default, Serialize)]
pub struct SearchId {
    /// When the log was opened, in milliseconds since 1970. It tells runs of the program apart.
    pub session: i64,
    /// The number of the search in its session, from 1.
    pub search: u64,
    pub variant: &'static str,
    pub position: String,
}

#[derive(Serialize)]
struct LogRecord<'a, T: Serialize> {
    time: String,
    #[serde(flatten)]
    id: &'a SearchId,
    #[serde(flatten)]
    data: T,
}

const ENGINE: &str = concat!("Duiyi ", env!("CARGO_PKG_VERSION"), " (", env!("DUIYI_COMMIT"), ")");

#[derive(Serialize)]
struct Begin<'a> {
    engine: &'static str,
    go: String,
    options: &'a serde_json::Value,
}

#[derive(Serialize)]
struct BestMoveRecord<'a> {
    bestmove: Option<&'a str>,
    ponder: Option<&'a str>,
    nodes: u64,
    time_ms: u64,
    #[serde(flatten)]
    counted: Option<Counted<'a>>,
}

/// What the record of a move has with the option `Search Counters`.
#[derive(Serialize)]
pub struct Counted<'a> {
    pub times_us: GoTimes,
    pub counters: &'a Counters,
}

/// A log of searches as JSON lines: a record for the beginning of each search, for each PV line of each iteration, and for
/// each `bestmove`.
#[derive(Debug)]
pub struct SearchLog {
    file: File,
    id: SearchId,
}

impl SearchLog {
    /// Opens or creates the log at `path`.
    ///
    /// # Errors
    /// If the file cannot be opened or is no such log.
    pub fn open(path: &Path) -> io::Result<SearchLog> {
        let session = Timestamp::now().as_millisecond();
        Ok(SearchLog { file: open(path, SEARCH_HEADER)?, id: SearchId { session, ..SearchId::default() } })
    }

    /// Starts a new search: the records that follow belong to it. Adds what it depends on: `go` is its command, `options` are
    /// the values of the options that can change it.
    pub fn begin(
        &mut self,
        variant: &'static str,
        position: String,
        go: String,
        options: &serde_json::Value,
    ) -> io::Result<()> {
        self.id = SearchId { search: self.id.search + 1, variant, position, session: self.id.session };
        self.write(Begin { engine: ENGINE, go, options })
    }

    /// Adds a PV line of an iteration.
    pub fn line(&mut self, info: &Info) -> io::Result<()> {
        self.write(info)
    }

    /// Adds that the root has no legal moves.
    pub fn no_legal_moves(&mut self, score: Score) -> io::Result<()> {
        self.write(serde_json::json!({"depth": 0, "score": score}))
    }

    /// Adds the move of the search.
    pub fn best(
        &mut self,
        bestmove: Option<&str>,
        ponder: Option<&str>,
        nodes: u64,
        time_ms: u64,
        counted: Option<Counted>,
    ) -> io::Result<()> {
        self.write(BestMoveRecord { bestmove, ponder, nodes, time_ms, counted })
    }

    fn write(&mut self, data: impl Serialize) -> io::Result<()> {
        let record = LogRecord { time: time_text(Timestamp::now()), id: &self.id, data };
        let mut line = serde_json::to_vec(&record)?;
        line.push(b'\n');
        self.file.write_all(&line)
    }
}

/// Opens `path` for appending if it is new, empty or begins with `header`.
fn open(path: &Path, header: &str) -> io::Result<File> {
    ignore_sigxfsz();
    let mut file = open_file(path, OpenOptions::new().create(true).append(true).read(true))?;
    let expected = format!("{header}\n");
    let mut start = Vec::new();
    Read::by_ref(&mut file).take(expected.len() as u64).read_to_end(&mut start)?;
    if start.is_empty() {
        file.write_all(expected.as_bytes())?;
    } else if start != expected.as_bytes() {
        return Err(io::Error::other(format!(
            "expected a file that begins with {header:?}, found another one"
        )));
    } else if !ends_a_line(&mut file)? {
        // A full disk has cut the last line.
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

/// Ignores the signal for a limit on file sizes, so that reaching it is a write error and does not kill the process.
fn ignore_sigxfsz() {
    #[cfg(target_os = "linux")]
    // SAFETY: the signal is ignored, so no handler runs; nothing else in the program handles it.
    unsafe {
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
    }
}

/// A time as RFC 3339 in UTC with milliseconds.
fn time_text(time: Timestamp) -> String {
    format!("{time:.3}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Bound;
    use std::path::PathBuf;

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
    fn time_is_written_in_utc_with_three_digits() {
        let text = |milliseconds| time_text(Timestamp::from_millisecond(milliseconds).unwrap());
        assert_eq!(text(951_782_400_007), "2000-02-29T00:00:00.007Z");
        assert_eq!(text(951_782_400_000), "2000-02-29T00:00:00.000Z");
    }

    #[test]
    fn a_log_appends_to_itself_and_to_nothing_else() {
        let scratch = Scratch::new("log");
        let (mine, other) = (scratch.path("a b.log"), scratch.path("other"));
        for _ in 0..2 {
            let mut log = ProtocolLog::open(&mine).unwrap();
            log.write(RECEIVED, "uci\r").unwrap();
            log.write(SENT, "id name x\nuciok\n").unwrap();
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
        log.begin("chess", "a \"b\"".into(), "go depth 3".into(), &serde_json::json!({"Hash": 16})).unwrap();
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
        log.no_legal_moves(Score::Mate(0)).unwrap();
        let (counters, times_us) = (&Counters::default(), GoTimes { start: 7, ..GoTimes::default() });
        log.best(Some("e2e4"), None, 10, 100, Some(Counted { times_us, counters })).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let records: Vec<serde_json::Value> =
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(records.len(), 5);
        assert!(records[1]["engine"].as_str().unwrap().starts_with("Duiyi "));
        assert_eq!((&records[1]["go"], &records[1]["options"]["Hash"]), (&"go depth 3".into(), &16.into()));
        assert_eq!(records[2]["score"]["mate"], -2);
        assert_eq!(records[2]["position"], "a \"b\"");
        assert_eq!((&records[2]["search"], &records[2]["bound"]), (&1.into(), &"upper".into()));
        assert_eq!(records[3]["depth"], 0);
        assert_eq!(records[4]["bestmove"], "e2e4");
        assert_eq!(records[4]["counters"]["cutoffs"], serde_json::json!([0, 0, 0, 0]));
        assert_eq!(records[4]["times_us"]["start"], 7);
    }
}
