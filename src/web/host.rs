//! The functions that the page calls, and those of the page that the engine calls. `scripts/tests/test_play.py` checks the list.

use super::answer;
use crate::clock::{Instant, set_host_clock};
use crate::protocol::Uci;
use crate::search::{Signal, Signals, panic_message};
use crate::server::InlineServer;
use std::cell::{Cell, RefCell};
use std::time::Duration;

#[link(wasm_import_module = "host")]
unsafe extern "C" {
    /// The time in milliseconds since any fixed moment.
    safe fn now() -> f64;
    /// Whether the running search should stop: not 0.
    safe fn poll() -> i32;
    /// Takes a reply: UTF-8 text that is valid during the call.
    safe fn reply(text: *const u8, bytes: usize);
    /// Takes the message of a panic, in the same form. The instance is of no use afterwards.
    safe fn failed(text: *const u8, bytes: usize);
}

/// How often a search asks for a stop. Each call may return to the page's event loop.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

thread_local! {
    /// The text of the next call.
    static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static SERVER: RefCell<Option<InlineServer>> = const { RefCell::new(None) };
}

/// Prepares the instance: the page calls it once, first.
#[unsafe(no_mangle)]
pub extern "C" fn duiyi_start() {
    set_host_clock(|| Duration::from_secs_f64(now() / 1000.0));
    std::panic::set_hook(Box::new(|panic| {
        let message = format!("{} ({})", panic_message(panic.payload()), place(panic));
        failed(message.as_ptr(), message.len());
    }));
}

fn place(panic: &std::panic::PanicHookInfo<'_>) -> String {
    panic.location().map_or("no place".into(), |place| place.to_string())
}

/// Returns the address for the `bytes` bytes of text of the next call.
#[unsafe(no_mangle)]
pub extern "C" fn duiyi_text(bytes: usize) -> *mut u8 {
    INPUT.with_borrow_mut(|input| {
        input.clear();
        input.resize(bytes, 0);
        input.as_mut_ptr()
    })
}

/// Executes the text as a line of UCI, with its search, and replies with the lines of the server.
#[unsafe(no_mangle)]
pub extern "C" fn duiyi_line() {
    let line = input_text();
    SERVER.with_borrow_mut(|server| {
        if server.is_none() {
            match InlineServer::new(Box::new(Uci), Box::<HostSignals>::default()) {
                Ok(started) => *server = Some(started),
                Err(error) => return send(&format!("info string error: {error}\n")),
            }
        }
        server.iter_mut().for_each(|server| server.line(&line, &send));
    });
}

/// Replies to the text as a question about rules: see [`answer`].
#[unsafe(no_mangle)]
pub extern "C" fn duiyi_ask() {
    send(&answer(&input_text()));
}

fn input_text() -> String {
    INPUT.with_borrow_mut(|input| String::from_utf8_lossy(&std::mem::take(input)).into_owned())
}

fn send(text: &str) {
    reply(text.as_ptr(), text.len());
}

/// The stop of the page.
#[derive(Default)]
struct HostSignals {
    /// When the page was last asked; `None` before the first time.
    asked: Cell<Option<Instant>>,
}

impl Signals for HostSignals {
    fn poll(&self) -> Option<Signal> {
        let now = Instant::now();
        if self.asked.get().is_some_and(|asked| now - asked < POLL_INTERVAL) {
            return None;
        }
        self.asked.set(Some(now));
        (poll() != 0).then_some(Signal::Stop)
    }

    fn wait(&self) -> Signal {
        while poll() == 0 {}
        Signal::Stop
    }

    fn handle(&self) -> Box<dyn Signals> {
        Box::<HostSignals>::default()
    }
}
