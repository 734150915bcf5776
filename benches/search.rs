//! Search speed in nodes per second: `cargo bench --bench search`.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use duiyi::game::Notation;
use duiyi::games::chess::{Classical, Position};
use duiyi::search::{Limits, SearchRequest, SearchState};

const NODES: u64 = 200_000;

const POSITIONS: [(&str, &str); 3] = [
    ("start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
    ("kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"),
    ("rook ending", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"),
];

fn nodes(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("search");
    group.sample_size(10).throughput(Throughput::Elements(NODES));
    let (_signal_sender, signals) = crossbeam_channel::bounded(1);
    let mut state = SearchState::new(16).expect("16 MB");
    for (name, fen) in POSITIONS {
        let root = Position::start().parse_position(fen).expect(fen).game;
        group.bench_function(BenchmarkId::from_parameter(name), |bencher| {
            bencher.iter_custom(|times| {
                let mut search_once = || {
                    // Each search starts with empty tables; clearing them is not measured.
                    state.clear();
                    let (root, limits) = (root.clone(), Limits::nodes(NODES));
                    let request = SearchRequest::new(root, limits);
                    duiyi::search::run::<_, Classical>(request, &mut state, &signals, &mut |_| {}).elapsed
                };
                (0..times).map(|_| search_once()).sum()
            });
        });
    }
    group.finish();
}

criterion_group!(benches, nodes);
criterion_main!(benches);
