//! The searches of the analysis, each in one of several threads.

use super::{Analysis, Iteration, SearchArgs, SearchStats};
use crate::game::{Tablebase, Variant};
use crate::nnue::Network;
use crate::search::worker_thread::search_thread;
use crate::search::{self, FinishedSearch, Report, SearchRequest, SearchState, Settings, Signal};
use crate::tools::search_failed;
use crossbeam_channel::{Receiver, Sender, bounded};
use std::sync::Arc;

/// The answer to a search; `None` if it was stopped.
pub type Answer = anyhow::Result<Option<Analysis>>;

type Task<G> = (G, Sender<Answer>);

/// Threads that search positions. They end when this is dropped.
pub struct Searchers<G> {
    tasks: Sender<Task<G>>,
}

impl<G: Variant> Searchers<G> {
    /// Starts `jobs` threads. Each ends when it gets a [`Signal::Stop`].
    pub fn start(
        jobs: usize,
        search: &SearchArgs,
        network: Option<Arc<Network>>,
        tablebase: Option<Arc<dyn Tablebase<G>>>,
        signals: &Receiver<Signal>,
    ) -> anyhow::Result<Searchers<G>> {
        let (tasks_tx, tasks) = bounded::<Task<G>>(jobs);
        for _ in 0..jobs {
            let mut searcher = Searcher::new(search, network.clone(), tablebase.clone(), signals.clone())?;
            let tasks = tasks.clone();
            search_thread("analyse").spawn(move || {
                for (position, answer) in tasks {
                    let analysis = searcher.search(&position);
                    let stopped = matches!(analysis, Ok(None));
                    // Without a receiver the run has failed.
                    if answer.send(analysis).is_err() || stopped {
                        return;
                    }
                }
            })?;
        }
        Ok(Searchers { tasks: tasks_tx })
    }

    /// Has `position` searched and returns the channel of its answer. It is disconnected if no thread runs any more.
    pub fn submit(&self, position: G) -> Receiver<Answer> {
        let (answer, receiver) = bounded(1);
        let _ = self.tasks.send((position, answer));
        receiver
    }
}

struct Searcher<G> {
    search: SearchArgs,
    settings: Settings,
    tablebase: Option<Arc<dyn Tablebase<G>>>,
    state: SearchState,
    signals: Receiver<Signal>,
}

impl<G: Variant> Searcher<G> {
    fn new(
        search: &SearchArgs,
        network: Option<Arc<Network>>,
        tablebase: Option<Arc<dyn Tablebase<G>>>,
        signals: Receiver<Signal>,
    ) -> anyhow::Result<Searcher<G>> {
        let settings = Settings {
            threads: search.threads.into(),
            multipv: search.multipv.into(),
            network,
            ..Settings::default()
        };
        let state = SearchState::new(search.hash as usize)?;
        Ok(Searcher { search: search.clone(), settings, tablebase, state, signals })
    }

    /// Searches `position` with an empty table; `None` if the search was stopped.
    fn search(&mut self, position: &G) -> Answer {
        self.state.clear();
        let request = SearchRequest {
            root: position.clone(),
            limits: self.search.limits(),
            settings: self.settings.clone(),
            tablebase: self.tablebase.clone(),
        };
        let mut iterations = Vec::new();
        let mut on_report = |report: &Report| match report {
            Report::Iteration(iteration) => {
                let line = &iteration.lines[0];
                let stats = SearchStats {
                    depth: line.depth.plies(),
                    nodes: iteration.nodes,
                    ms: iteration.elapsed.as_millis() as u64,
                };
                iterations.push(Iteration { best: line.pv.first().copied(), score: line.score, stats });
            }
            Report::FewerThreads { running, reason } => log::warn!("{running} threads only: {reason}"),
            Report::CurrMove { .. } => {}
        };
        let search =
            search::run_to_end::<G, G::Evaluator>(request, &mut self.state, &self.signals, &mut on_report)
                .map_err(|error| search_failed(position, error))?;
        let FinishedSearch { result, last } = search;
        let problems = self.tablebase.iter().flat_map(|tablebase| tablebase.take_problems());
        problems.for_each(|problem| log::warn!("--syzygy: {problem}"));
        if let Some(Iteration { stats, .. }) = iterations.last_mut() {
            (stats.nodes, stats.ms) = (result.nodes, result.elapsed.as_millis() as u64);
        }
        let analysis =
            Analysis { iterations, lines: last.map_or_else(Vec::new, |last| last.lines), best: result.best };
        Ok((!result.stopped).then_some(analysis))
    }
}
