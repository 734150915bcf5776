//! Line editing at a terminal: history, completion, and replies that appear above the line being typed.

use super::completion::Completion;
use super::interrupts::Interrupt;
use super::stdio;
use crossbeam_channel::{Receiver, Sender};
use rustyline::config::{CompletionType, Config};
use rustyline::error::ReadlineError;
use rustyline::history::MemHistory;
use rustyline::{
    Cmd, ConditionalEventHandler, Editor, Event, EventContext, EventHandler, ExternalPrinter, KeyEvent,
    Movement, RepeatCount,
};
use std::io::{Error, Result, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

const PROMPT: &str = "> ";
/// The number of lines in the history. It lasts as long as the program.
const HISTORY_LINES: usize = 1000;
/// How long the next prompt waits for the replies before it. Only a terminal that takes no output needs it.
const REPLY_WAIT: Duration = Duration::from_millis(50);

/// An editor of lines at the terminal on standard input and output.
pub struct LineEditor {
    editor: Editor<Completion, MemHistory>,
    typed_ahead: Arc<AtomicBool>,
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
        let typed_ahead = Arc::new(AtomicBool::new(false));
        let handler = EventHandler::Conditional(Box::new(EndTypedAhead(typed_ahead.clone())));
        editor.bind_sequence(KeyEvent::ctrl('@'), handler);
        let clear_line = EventHandler::Conditional(Box::new(ClearLine));
        editor.bind_sequence(KeyEvent::ctrl('C'), clear_line);
        let printers = [editor.create_external_printer().ok()?, editor.create_external_printer().ok()?];
        Some((LineEditor { editor, typed_ahead }, printers.map(AboveLine)))
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
                    Ok(text) => pending.extend(text.split('\n').rev().map(str::to_owned)),
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
