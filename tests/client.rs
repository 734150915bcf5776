//! The client of `examples/client.rs` with the real program. `scripts/tests/test_client.py` tests the client in Python.

#[allow(dead_code, reason = "the example's main function")]
#[path = "../examples/client.rs"]
mod example;

#[test]
fn client_plays_games_of_both_kinds_of_turns_to_the_end() {
    let (moves, result) = example::play(env!("CARGO_BIN_EXE_duiyi"), "tictactoe", 1.0).unwrap();
    assert_eq!((moves.len(), result.as_str()), (9, "draw"), "perfect play is a draw on a full board");
    let (moves, result) = example::play(env!("CARGO_BIN_EXE_duiyi"), "trianglewar", 1.0).unwrap();
    // Nine triangles: one side has more.
    let is_won = [" points for White", " points for Black"].iter().any(|end| result.ends_with(end));
    assert!(moves.len() == 18 && is_won, "{moves:?} {result}");
}

#[cfg(unix)]
#[test]
fn client_of_a_program_that_ends_returns_an_error() {
    let error = example::play("true", "chess", 1.0).unwrap_err();
    // The pipe may break before the end of the output is seen.
    assert!(
        error.kind() == std::io::ErrorKind::BrokenPipe
            || error.to_string().contains("got the end of its output")
    );
}
