//! A server without threads: a line is executed to its end, and its search runs in the calling thread. It serves a browser's
//! page.

use super::connection::Line;
use super::job::SearchResources;
use super::{Activity, Server};
use crate::protocol::Dialect;
use crate::search::{Signals, TtError};
use crossbeam_channel::bounded;
use std::cell::RefCell;

/// A server whose jobs run in place. Signals reach a running job from outside.
pub struct InlineServer {
    server: Server,
    signals: Box<dyn Signals>,
}

impl InlineServer {
    /// A server that speaks `dialect`. A running job polls `signals`.
    ///
    /// # Errors
    /// If there is no memory for the transposition table.
    pub fn new(dialect: Box<dyn Dialect>, signals: Box<dyn Signals>) -> Result<InlineServer, TtError> {
        // The loop of `line` passes replies on, so the writer gets none.
        let (writer, _) = bounded(0);
        let mut server = Server::new(writer, dialect)?;
        server.activity = match server.activity {
            Activity::Idle(SearchResources { state, .. }) => Activity::Idle(SearchResources::inline(state)),
            activity => activity,
        };
        Ok(InlineServer { server, signals })
    }

    /// Executes `line` and the jobs that it starts to their end. `reply` gets each reply, with its line ends.
    pub fn line(&mut self, line: &str, reply: &dyn Fn(&str)) {
        self.server.catch_panic(|server| server.handle_line(Line::now(line)));
        loop {
            self.server.run_queued();
            write(&mut self.server, reply);
            let Activity::Running(job) = &mut self.server.activity else { return };
            let Some(task) = job.take_inline() else { return };
            let server = RefCell::new(&mut self.server);
            task(&*self.signals, &|event| {
                let server: &mut Server = &mut server.borrow_mut();
                server.catch_panic(|server| server.handle_event(event));
                write(server, reply);
            });
        }
    }
}

/// Passes the replies that wait to `reply`.
fn write(server: &mut Server, reply: &dyn Fn(&str)) {
    while let Some(text) = server.out.pop() {
        reply(&text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Uci;
    use crate::search::Signal;
    use crossbeam_channel::{Receiver, never, unbounded};

    fn replies(signals: Receiver<Signal>, lines: &[&str]) -> Vec<String> {
        let mut server = InlineServer::new(Box::new(Uci), Box::new(signals)).unwrap();
        let replies = RefCell::new(Vec::new());
        for line in lines {
            server.line(line, &|text| replies.borrow_mut().extend(text.lines().map(str::to_string)));
        }
        replies.into_inner()
    }

    #[test]
    fn searches_in_place_answer_before_the_next_line() {
        let lines = ["setoption name UCI_Variant value tictactoe", "go depth 3", "isready", "go perft 2"];
        let found = replies(never(), &lines);
        let at = |text: &str| found.iter().position(|line| line.starts_with(text)).expect(text);
        assert!(at("info depth 3") < at("bestmove") && at("bestmove") < at("readyok"), "{found:?}");
        assert!(found.iter().any(|line| line == "Nodes searched: 72"), "{found:?}");
    }

    #[test]
    fn stop_from_outside_ends_an_infinite_search() {
        let (stop, signals) = unbounded();
        stop.send(Signal::Stop).unwrap();
        let found = replies(signals, &["go infinite"]);
        assert!(found.last().is_some_and(|line| line.starts_with("bestmove ")), "{found:?}");
    }
}
