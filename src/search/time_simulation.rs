//! Plays games on a simulated clock. The GUI's delays, the computer's load and the durations of iterations are random
//! numbers from fixed seeds, so thousands of games take seconds and every failure repeats.

use super::limits::{Limits, Settings};
use super::move_latency::{ClockState, TimedSearch, TimedSearches};
use super::time::{IterationStats, TimeManager};
use crate::game::SplitMix64;
use std::time::Duration;

/// Random numbers from a seed.
struct Random(SplitMix64);

impl Random {
    fn new(seed: u64) -> Random {
        Random(SplitMix64::new(seed))
    }

    /// A number in `low..high`.
    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.0.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    fn chance(&mut self, probability: f64) -> bool {
        self.between(0.0, 1.0) < probability
    }
}

/// A computer and its load. Times are in seconds.
#[derive(Clone, Copy, Debug)]
struct Machine {
    /// Longest delay of a message between GUI and engine if both have a core at once.
    delay: f64,
    /// The share of messages whose receiver waits for a core.
    waits: f64,
    /// Longest time that a thread waits for a core.
    longest_wait: f64,
    /// Mean time that a search runs before it waits.
    run: f64,
}

/// Each program has a core.
const IDLE: Machine = Machine { delay: 0.0005, waits: 0.0, longest_wait: 0.0, run: f64::INFINITY };
/// Two cores, one game and two other programs.
const LOADED: Machine = Machine { delay: 0.0005, waits: 0.25, longest_wait: 0.016, run: 0.004 };
/// Two cores and sixteen games.
const OVERLOADED: Machine = Machine { delay: 0.0005, waits: 0.25, longest_wait: 0.050, run: 0.004 };

impl Machine {
    /// The delay of a message between two processes.
    fn message(self, random: &mut Random) -> f64 {
        let wait = if random.chance(self.waits) { self.wait(random) } else { 0.0 };
        random.between(0.0, self.delay) + wait
    }

    /// The time that a thread waits for a core: seldom long.
    fn wait(self, random: &mut Random) -> f64 {
        self.longest_wait * random.between(0.0, 1.0).powi(3)
    }

    /// Runs `work` seconds of a search from `now` on. Returns the time at which it is done, or at which the search
    /// notices that `hard_limit` has passed.
    fn search(self, now: f64, work: f64, hard_limit: f64, random: &mut Random) -> (f64, bool) {
        /// Longest time between two looks at the clock.
        const CHECK_INTERVAL: f64 = 0.0001;
        let (mut now, mut work) = (now, work);
        loop {
            let slice = self.run * random.between(0.2, 1.8);
            let check = (hard_limit - now).max(0.0) + random.between(0.0, CHECK_INTERVAL);
            if work <= slice.min(check) {
                return (now + work, true);
            }
            if check <= slice {
                return (now + check, false);
            }
            now += slice + self.wait(random);
            work -= slice;
        }
    }
}

/// One simulated search.
#[derive(Clone, Debug, PartialEq)]
struct Search {
    clock: ClockState,
    /// The time manager at the start.
    plan: TimeManager,
    /// Finished iterations.
    depth: u32,
    seconds: f64,
}

/// Searches the position with key `root`, whose low half is the number of the move; one move later the key is `root + 1`. An
/// iteration takes 1.5 to 2.5 times as long as the iteration before.
fn go(
    searches: &mut TimedSearches,
    clock: ClockState,
    root: u64,
    machine: Machine,
    random: &mut Random,
) -> Search {
    let latency = searches.estimate(root, clock);
    let plies_played = 2 * (root as u32) as usize;
    let limits = Limits { clock: Some(clock), move_latency: latency, plies_played, ..Limits::none() };
    let mut time = TimeManager::new(&limits, &Settings::default());
    let plan = time.clone();
    let hard_limit = time.hard_limit().expect("a search with a clock has a hard limit");
    // The first iteration is finished in spite of the limits.
    let mut work = random.between(0.00002, 0.0001);
    let (mut now, mut finished) = machine.search(0.0, work, f64::INFINITY, random);
    let (mut depth, mut best_move_stability) = (1, 0);
    let (instability, best_move_share) = (random.between(0.02, 0.2), random.between(0.5, 0.98));
    loop {
        let elapsed = Duration::from_secs_f64(now);
        let changed = random.chance(instability);
        best_move_stability = if changed { 0 } else { best_move_stability + 1 };
        let best_move_nodes_fraction = best_move_share * if changed { 0.5 } else { 1.0 };
        let score_drop = random.between(-20.0, 20.0) as i32;
        let stats = IterationStats { best_move_stability, best_move_nodes_fraction, score_drop };
        if !finished || elapsed >= hard_limit || time.soft_limit_reached(elapsed, stats) {
            break;
        }
        work *= random.between(1.5, 2.5);
        (now, finished) = machine.search(now, work, hard_limit.as_secs_f64(), random);
        depth += u32::from(finished);
    }
    let used = time.own_time_used(Duration::from_secs_f64(now)).expect("the clock runs");
    // Some other replies, then the one that is played.
    let next_roots = vec![root ^ 1 << 40, root ^ 2 << 40, root + 1];
    searches.push(TimedSearch { clock, used, latency, next_roots });
    Search { clock, plan, depth, seconds: now }
}

/// A time control, and what the GUI does with its clocks. Times are in seconds.
#[derive(Clone, Copy, Debug)]
struct Gui {
    /// The clock at the start of the game, and added after every `moves_per_period` moves.
    base: f64,
    increment: f64,
    moves_per_period: Option<u32>,
    /// The GUI sends the clock rounded down to multiples of this.
    step: f64,
    /// The share of moves before which the clock is set by hand.
    set: f64,
    /// Clocks of the process: both sides of a game, games in turn.
    clocks: usize,
    /// Moves at the start in which all games have the same positions.
    opening: u32,
    /// Moves of each side.
    moves: u32,
}

const GUI: Gui = Gui {
    base: 10.0,
    increment: 0.0,
    moves_per_period: None,
    step: 0.001,
    set: 0.0,
    clocks: 1,
    opening: 0,
    moves: 60,
};

/// The clock of one side of a game.
#[derive(Debug)]
struct Clock {
    remaining: f64,
    /// What would remain if the engine answered at once.
    remaining_without_search: f64,
    /// The smallest `remaining_without_search`, as a share of `Gui::base`.
    least: f64,
    searches: Vec<Search>,
    is_over: bool,
}

/// Plays the games of one process and returns the clocks of the sides that it plays.
fn play(gui: Gui, machine: Machine, seed: u64) -> Vec<Clock> {
    let mut searches = TimedSearches::default();
    let mut sides: Vec<(Clock, Random)> = (0..gui.clocks)
        .map(|n| {
            // Each clock differs a little from the one before.
            let remaining = gui.base * 0.92f64.powi(n as i32);
            let clock = Clock {
                remaining,
                remaining_without_search: remaining,
                least: 1.0,
                searches: Vec::new(),
                is_over: false,
            };
            (clock, Random::new(seed << 8 | n as u64))
        })
        .collect();
    for number in 0..gui.moves {
        for (n, (clock, random)) in sides.iter_mut().enumerate().filter(|(_, (clock, _))| !clock.is_over) {
            if random.chance(gui.set) {
                clock.remaining = gui.base * random.between(0.1, 2.0);
                clock.remaining_without_search = clock.remaining;
            }
            let shown = (clock.remaining / gui.step + 1e-6).floor() * gui.step;
            let state = ClockState {
                remaining: Duration::from_millis((shown * 1000.0).round() as u64),
                increment: Duration::from_secs_f64(gui.increment),
                moves_to_go: gui.moves_per_period.map(|moves| moves - number % moves),
            };
            let delay = machine.message(random) + machine.message(random);
            let game = if number < gui.opening { 0 } else { n as u64 };
            let search = go(&mut searches, state, game << 32 | u64::from(number), machine, random);
            clock.remaining -= search.seconds + delay;
            clock.remaining_without_search -= delay + 0.0001;
            clock.least = clock.least.min(clock.remaining_without_search / gui.base);
            clock.is_over = clock.remaining < 0.0;
            let added = gui.increment + if state.moves_to_go == Some(1) { gui.base } else { 0.0 };
            clock.remaining += added;
            clock.remaining_without_search += added;
            clock.searches.push(search);
        }
    }
    sides.into_iter().map(|(clock, _)| clock).collect()
}

/// The clocks of 20 processes.
fn play_all(gui: Gui, machine: Machine) -> Vec<Clock> {
    (0..20).flat_map(|seed| play(gui, machine, seed)).collect()
}

/// A random GUI with a clock of at least `base` seconds.
fn any_gui(base: f64, seed: u64) -> Gui {
    let random = &mut Random::new(seed);
    let mut pick = |values: &[f64]| values[random.between(0.0, values.len() as f64) as usize];
    Gui {
        base: base * pick(&[1.0, 2.0, 10.0, 60.0, 300.0]),
        increment: pick(&[0.0, 0.0, 0.001, 0.01, 0.1, 5.0]),
        moves_per_period: Some(pick(&[0.0, 0.0, 1.0, 2.0, 5.0, 40.0, 1000.0]) as u32)
            .filter(|&moves| moves > 0),
        step: pick(&[0.001, 0.001, 0.01, 0.1, 1.0]),
        set: pick(&[0.0, 0.0, 0.03]),
        clocks: pick(&[1.0, 2.0, 3.0, 16.0]) as usize,
        opening: pick(&[0.0, 10.0, 40.0]) as u32,
        moves: pick(&[20.0, 60.0, 80.0]) as u32,
    }
}

#[test]
fn clock_of_idle_machine_is_never_overstepped() {
    for seed in 0..500 {
        let gui = any_gui(0.1, seed);
        for clock in play(gui, IDLE, seed) {
            // An engine that answers at once keeps half of the clock.
            let is_allowed = clock.least > 0.5;
            assert!(!clock.is_over || !is_allowed, "{gui:?}: {:?}", clock.searches.last());
        }
    }
}

#[test]
fn clock_of_loaded_machine_is_seldom_overstepped() {
    for (base, increment) in [(0.1, 0.01), (1.0, 0.01), (1.0, 0.0), (2.0, 0.0), (10.0, 0.0)] {
        let clocks = play_all(Gui { base, increment, clocks: 5, moves: 70, ..GUI }, LOADED);
        let over = clocks.iter().filter(|clock| clock.is_over).count();
        assert!(over * 20 <= clocks.len(), "{base}+{increment}: {over} of {}", clocks.len());
    }
}

#[test]
fn sudden_death_clock_is_used_by_move_60() {
    for machine in [IDLE, LOADED, OVERLOADED] {
        // Rounded down to seconds, a clock of 1 second soon shows 0.
        for (base, step) in
            [(1.0, 0.001), (1.0, 0.01), (2.0, 0.001), (10.0, 0.1), (15.0, 1.0), (60.0, 1.0), (300.0, 0.001)]
        {
            for clocks in 1..=3 {
                let gui = Gui { base, step, clocks, ..GUI };
                let clocks = play_all(gui, machine);
                let left = clocks.iter().map(|clock| clock.remaining.max(0.0) / base).sum::<f64>()
                    / clocks.len() as f64;
                assert!(left < 0.15, "{gui:?}: {left} left, {machine:?}");
            }
        }
    }
}

#[test]
fn search_with_a_second_left_is_deeper_than_one_iteration() {
    for (machine, seeds) in [(IDLE, 0..300), (LOADED, 300..500), (OVERLOADED, 500..600)] {
        for seed in seeds {
            let gui = any_gui(1.0, seed);
            for search in play(gui, machine, seed).into_iter().flat_map(|clock| clock.searches) {
                let has_time = search.clock.remaining >= Duration::from_secs(1);
                assert!(search.depth > 1 || !has_time, "{gui:?} {machine:?} {search:?}");
            }
        }
    }
}

#[test]
fn plan_does_not_depend_on_other_clocks_of_the_process() {
    for machine in [IDLE, LOADED, OVERLOADED] {
        for seed in 0..10 {
            let alone = play(GUI, machine, seed);
            for clocks in [2, 3, 16] {
                let together = play(Gui { clocks, ..GUI }, machine, seed);
                assert_eq!(together[0].searches, alone[0].searches, "{machine:?}, {clocks} clocks");
            }
        }
    }
}
