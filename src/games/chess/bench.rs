//! The positions of the command `bench`.

/// Positions of games between versions of this engine, from opening to endgame, and a few well-known test positions.
pub const POSITIONS: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "r1bqkbnr/pp1ppppp/2n5/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
    "rnbqk2r/ppp1bppp/4pn2/3p4/2PP4/2N2N2/PP2PPPP/R1BQKB1R w KQkq - 4 5",
    "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 4 8",
    "r2q1rk1/1b2bppp/ppn1pn2/8/2BN4/P1N1P3/1P2QPPP/R1BR2K1 w - - 0 13",
    "2rq1rk1/pb1n1ppp/1p2pn2/3p4/1b1P4/2NBPN2/PPQB1PPP/2R2RK1 b - - 5 12",
    "r1b2rk1/2q1bppp/p2p1n2/np2p3/3PP3/5N1P/PPBN1PP1/R1BQR1K1 b - - 0 13",
    "3r1rk1/p1q2pp1/1p2p2p/2p1P3/P1Pn4/3B3P/1P1Q1PP1/3RR1K1 w - - 2 22",
    "2r3k1/pp3pp1/4p2p/3pP3/3P4/1P1R2P1/P4PKP/2q1Q3 w - - 4 30",
    "4rrk1/1p1nq1pp/p1p3b1/3p1p2/1P1P4/P1NQP1P1/5PBP/2R2RK1 b - - 1 19",
    "8/1p3pk1/p2p2p1/3Pp2p/1PP1P2P/P4KP1/8/8 w - - 0 35",
    "8/5pk1/4p1p1/7p/R6P/1r4P1/5PK1/8 b - - 3 41",
    "8/8/4kp2/p5p1/P2K2P1/5P2/8/8 w - - 0 50",
    "5k2/1b3p2/4p1p1/1P2P2p/2B2P1P/6P1/5K2/8 w - - 1 44",
    "2k5/8/1K1P4/8/8/5r2/8/3R4 w - - 0 60",
    "8/8/1p1k4/5ppp/PPK1p3/6P1/5PP1/8 b - - 0 1",
    "r1bq1r1k/ppp1nbpp/3p4/3PpN2/1PP1Pp2/5P2/P3BBPP/R2Q1RK1 b - - 0 15",
    "1r3rk1/3bppbp/p2p2p1/1q1P4/1p2P3/4BP2/PP1Q2PP/1RR2BK1 w - - 0 20",
    "8/P5k1/6p1/5q1p/1Q5P/6P1/5PK1/8 w - - 0 55",
];
