//! Time of one evaluation along a game, by hand and by a network: `cargo bench --bench evaluate`.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use duiyi::game::{Evaluator, Game, Notation};
use duiyi::games::chess::{Evaluation, Position};
use duiyi::nnue::Network;
use std::hint::black_box;
use std::sync::Arc;

/// Morphy against the Duke of Brunswick and Count Isouard, Paris 1858.
const GAME: &str = "e2e4 e7e5 g1f3 d7d6 d2d4 c8g4 d4e5 g4f3 d1f3 d6e5 f1c4 g8f6 f3b3 d8e7 b1c3 c7c6 c1g5 b7b5 \
                    c3b5 c6b5 c4b5 b8d7 e1c1 a8d8 d1d7 d8d7 h1d1 e7e6 b5d7 f6d7 b3b8 d7b8";

fn evaluate(criterion: &mut Criterion) {
    let (mut position, mut line) = (Position::start(), Vec::new());
    for text in GAME.split(' ') {
        let mv = position.parse_move(text).expect(text);
        position.play(mv);
        line.push((mv, position.clone()));
    }
    let start = Position::start();
    let mut group = criterion.benchmark_group("evaluate");
    group.throughput(Throughput::Elements(line.len() as u64));
    let network = Arc::new(Network::random::<Position, 64>(Position::start().variant(), 256, 1));
    for (name, network) in [("classical", None), ("network", Some(&network))] {
        let mut evaluation = Evaluation::new(network);
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                evaluation.reset(&start);
                for (mv, position) in &line {
                    evaluation.before_move(&start, *mv);
                    black_box(evaluation.evaluate(black_box(position)));
                }
            });
        });
    }
    group.finish();
}

criterion_group!(benches, evaluate);
criterion_main!(benches);
