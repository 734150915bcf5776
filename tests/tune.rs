//! The tuner on data whose best weights are known: results computed from a given set of weights.

use crate::common::process::{TempDir, run};
use duiyi::game::{Game, SplitMix64, Tunable};
use duiyi::games::chess::{Classical, Position};
use duiyi::tools::tune::{Example, TuneSettings, fit};

/// Positions of random games with their results and scores according to `weights`.
fn examples(
    weights: &[f32],
    games: u64,
    plies: usize,
) -> Vec<Example<<Classical as Tunable<Position>>::Trace>> {
    let mut random = SplitMix64::new(4);
    let mut found = Vec::new();
    for game in 0..games {
        let mut position = Position::start();
        for _ in 0..plies {
            let Some(&mv) = random.choose(&position.moves()) else { break };
            position.play(mv);
            if let Some(trace) = Classical::trace(&position) {
                let score = Classical::value(&trace, weights);
                let result = 1.0 / (1.0 + (-score / 150.0).exp());
                found.push(Example { trace, result, score, game });
            }
        }
    }
    found
}

#[test]
fn known_weights_are_recovered_reproducibly() {
    let weights = Classical::WEIGHTS.numbers();
    let before: Vec<f32> = weights.iter().map(|(_, value)| *value).collect();
    let at = |name: &str| weights.iter().position(|(known, _)| known == name).unwrap();
    let changes = [("MATERIAL[1] mg", 60.0), ("MATERIAL[4] mg", -80.0), ("TEMPO mg", 25.0)]
        .map(|(name, by)| (at(name), by));
    let mut expected = before.clone();
    for (at, by) in changes {
        expected[at] += by;
    }
    let settings = TuneSettings {
        epochs: 60,
        batch: 256,
        rate: 2.0,
        result_share: 1.0,
        prior_sd: 1000.0,
        min_count: 100,
        seed: 1,
    };
    let mut messages = Vec::new();
    let mut run = || {
        let examples = examples(&expected, 150, 80);
        let fitted = fit::<Position, Classical>(examples, &settings, &mut |message| {
            messages.push(message);
            Ok(())
        });
        fitted.unwrap()
    };
    let found = run();
    assert_eq!(found, run());
    let rms_error = |weights: &[f32]| {
        let difference = examples(&expected, 30, 80).into_iter().map(|example| {
            let error = Classical::value(&example.trace, weights) - example.score;
            error * error
        });
        let (count, sum) = difference.fold((0, 0.0), |(count, sum), square| (count + 1, sum + square));
        (sum / count as f32).sqrt()
    };
    let (before, after) = (rms_error(&before), rms_error(&found));
    assert!(after < 0.3 * before, "{before} {after}\n{}", messages.join("\n"));
    assert!((found[changes[2].0] - expected[changes[2].0]).abs() < 8.0, "{}", found[changes[2].0]);
}

#[test]
fn too_few_games_are_an_error() {
    let weights: Vec<f32> = Classical::WEIGHTS.numbers().into_iter().map(|(_, value)| value).collect();
    let settings = TuneSettings {
        epochs: 1,
        batch: 256,
        rate: 1.0,
        result_share: 1.0,
        prior_sd: 40.0,
        min_count: 1,
        seed: 1,
    };
    let error =
        fit::<Position, Classical>(examples(&weights, 1, 40), &settings, &mut |_| Ok(())).unwrap_err();
    assert!(error.to_string().contains("at least 20 games"), "{error}");
}

#[test]
fn file_of_write_that_duiyi_has_not_made_is_kept() {
    let folder = TempDir::new("tune");
    let [games, other] = ["games.bin", "weights.in"].map(|name| folder.file(name, b"mine"));
    let (code, out, err) = run(&["tune", &games, "--write", &other], b"");
    assert_eq!((code, out.as_str(), err.lines().count()), (1, "", 1));
    assert!(err.contains("or weights by Duiyi, found another one") && err.contains("--force"), "{err}");
    assert_eq!(std::fs::read(&other).unwrap(), b"mine");
}
