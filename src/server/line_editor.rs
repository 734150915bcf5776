//! Line editing at a terminal: history, completion, and replies that appear above the line being typed.

use super::completion::Completion;
use super::interrupts::Interrupt;
use super::stdio;
use crate::data::open_file;
use crossbeam_channel::{Receiver, Sender};
use rustyline::config::{CompletionType, Config};
use rustyline::error::ReadlineError;
use rustyline::history::MemHistory;
use rustyline::{
    Cmd, ConditionalEventHandler, Editor, Event, EventContext, EventHandler, ExternalPrinter, KeyEvent,
    Movement, RepeatCount,
};
use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io::{Error, Read, Result, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

const PROMPT: &str = "> ";
/// The number of lines in the history, which is kept in a file.
const HISTORY_LINES: usize = 1000;
/// The most bytes that are read of its file.
const MAX_HISTORY_BYTES: u64 = 1 << 20;
/// How long the next prompt waits for the replies before it. Only a terminal that takes no output needs it.
const REPLY_WAIT: Duration = Duration::from_millis(50);

/// An editor of lines at the terminal on standard input and output.
pub struct LineEditor {
    editor: Editor<Completion, MemHistory>,
    typed_ahead: Arc<AtomicBool>,
    /// The file of the history; `None` if there is none or it cannot be written.
    history_file: Option<File>,
}

/// The file of the history: `DUIYI_HISTORY`, or the place that the XDG specification has for such files. `None` if the variable is
/// empty or there is no home.
fn history_path() -> Option<PathBuf> {
    let path = |name| std::env::var_os(name).filter(|path: &OsString| !path.is_empty()).map(PathBuf::from);
    match std::env::var_os("DUIYI_HISTORY") {
        Some(chosen) => (!chosen.is_empty()).then(|| chosen.into()),
        None => {
            let state = path("XDG_STATE_HOME").or_else(|| Some(path("HOME")?.join(".local/state")))?;
            Some(state.join("duiyi").join("history"))
        }
    }
}

/// The lines of former runs, oldest first, and the file to append to. A file that has grown long is cut.
fn open_history() -> Option<(Vec<String>, File)> {
    let path = history_path()?;
    std::fs::create_dir_all(path.parent()?).ok()?;
    let mut file = open_file(&path, OpenOptions::new().read(true).append(true).create(true)).ok()?;
    let mut bytes = Vec::new();
    (&file).take(MAX_HISTORY_BYTES).read_to_end(&mut bytes).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let all: Vec<&str> = text.lines().collect();
    let lines: Vec<String> =
        all[all.len().saturating_sub(HISTORY_LINES)..].iter().map(ToString::to_string).collect();
    if all.len() > 2 * HISTORY_LINES {
        file.set_len(0).ok()?;
        file.write_all((lines.join("\n") + "\n").as_bytes()).ok()?;
    }
    Some((lines, file))
}

impl LineEditor {
    /// Returns an editor, and two writers that print above its line: for replies and for log messages. `None` if the
    /// terminal cannot move its cursor (`TERM=dumb`), or does not echo: a program is then at its other end.
    pub fn open() -> Option<(LineEditor, [impl Write + Send + 'static; 2])> {
        let config = Config::builder()
            .completion_type(CompletionType::List)
            .auto_add_history(true)
            .max_history_size(HISTORY_LINES)
            .ok()?
            .build();
        let history = MemHistory::with_config(&config);
        let mut editor = stdio::echoes().then(|| Editor::with_history(config, history))?.ok()?;
        editor.set_helper(Some(Completion));
        let (lines, history_file) = open_history().unzip();
        for line in lines.iter().flatten() {
            // A line that is refused is missing in the history, and nothing else.
            let _ = editor.add_history_entry(line);
        }
        let typed_ahead = Arc::new(AtomicBool::new(false));
        let handler = EventHandler::Conditional(Box::new(EndTypedAhead(typed_ahead.clone())));
        editor.bind_sequence(KeyEvent::ctrl('@'), handler);
        let clear_line = EventHandler::Conditional(Box::new(ClearLine));
        editor.bind_sequence(KeyEvent::ctrl('C'), clear_line);
        let printers = [editor.create_external_printer().ok()?, editor.create_external_printer().ok()?];
        Some((LineEditor { editor, typed_ahead, history_file }, printers.map(AboveLine)))
    }

    /// Reads a line for each of the `requests` and gives it to `send`, which returns whether a next one can be used. A
    /// request carries the number of replies before it; `written` counts those on the screen. Ctrl-C at an empty line sends
    /// to `interrupts` instead of a line. Ends after Ctrl-D.
    pub fn read(
        mut self,
        requests: &Receiver<usize>,
        written: &AtomicUsize,
        interrupts: &Sender<Interrupt>,
        mut send: impl FnMut(&str) -> bool,
    ) {
        // The lines of a pasted text, the last one first.
        let mut pending = Vec::<String>::new();
        for replies in requests {
            if pending.is_empty() {
                wait_for_replies(replies, written);
                if stdio::has_input() {
                    self.typed_ahead.store(true, Ordering::Relaxed);
                }
                match self.editor.readline(PROMPT) {
                    Ok(text) => {
                        self.keep(&text);
                        pending.extend(text.split('\n').rev().map(str::to_owned));
                    }
                    Err(ReadlineError::Interrupted) => drop(interrupts.try_send(Interrupt::Key)),
                    Err(_) => return,
                }
            }
            if let Some(line) = pending.pop()
                && !send(&line)
            {
                return;
            }
        }
    }

    /// Appends a typed line to the file of the history. After an error none is appended.
    fn keep(&mut self, text: &str) {
        if text.trim().is_empty() {
            return;
        }
        if let Some(file) = &mut self.history_file
            && file.write_all(format!("{text}\n").as_bytes()).is_err()
        {
            self.history_file = None;
        }
    }
}

/// Ends the input at a Ctrl-D that was typed before the prompt. The terminal has made the character 0 (Ctrl-@) of it, which
/// a person may also type (Ctrl-Space), so this holds only after something was typed ahead.
struct EndTypedAhead(Arc<AtomicBool>);

impl ConditionalEventHandler for EndTypedAhead {
    fn handle(&self, _: &Event, _: RepeatCount, _: bool, context: &EventContext<'_>) -> Option<Cmd> {
        (self.0.load(Ordering::Relaxed) && context.line().is_empty()).then_some(Cmd::EndOfFile)
    }
}

/// Clears the line being typed at a Ctrl-C. At an empty one the key has its usual meaning.
struct ClearLine;

impl ConditionalEventHandler for ClearLine {
    fn handle(&self, _: &Event, _: RepeatCount, _: bool, context: &EventContext<'_>) -> Option<Cmd> {
        (!context.line().is_empty()).then_some(Cmd::Kill(Movement::WholeBuffer))
    }
}

/// Waits until `replies` replies are written, so that they are not printed above the next prompt, up to [`REPLY_WAIT`].
/// The writer may wait for an open line itself.
fn wait_for_replies(replies: usize, written: &AtomicUsize) {
    let start = Instant::now();
    while written.load(Ordering::Acquire) < replies && start.elapsed() < REPLY_WAIT {
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Prints above the line being typed, or at the cursor if there is none.
struct AboveLine<P>(P);

impl<P: ExternalPrinter> Write for AboveLine<P> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        let text = String::from_utf8_lossy(bytes).into_owned();
        // The editor is gone after Ctrl-D and `quit`.
        self.0.print(text).or_else(|_| std::io::stdout().write_all(bytes)).map_err(Error::other)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> Result<()> {
        std::io::stdout().flush()
    }
}
