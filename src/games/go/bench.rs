//! The positions of `bench`.

/// From games of the engine with itself, on 9x9, 7x7, 5x5 and 13x13 points.
pub const POSITIONS: &[&str] = &[
    "3P5/Pp2pP1Pp/1pP3p2/1P7/5p1P1/p2p2P2/1P7/1p1P1p1pP/4pP3 b - 0 7 13",
    "1p2p2P1/1PppP1p1P/PPPp3Pp/1Pp2P3/ppP1P1Pp1/PPPp1P2P/1p2p1Pp1/1Ppp1p3/1p2p2P1 b - 0 7 23",
    "1P2p2/1PpP1P1/1p3pp/2PpP2/p2p2P/Pp2Pp1/2P4 b - 0 7 11",
    "5/1p2p/2PpP/1P1P1/5 w - 0 7 4",
    "1PP1p3pp1p1/PP1P2P1PpP2/pPpPP1pP1P2P/pPPP1P4Pp1/ppP1P2P1p3/1pP3p1p1pP1/1p1p2PPppp1p/p1P1PP3p1p1/p2Ppp1pP1p1p/\
     1p2P1P1P2P1/p1Pp1p3p1P1/1p1p1P1Pp1P1P/p1p1p1pP1p1P1 b - 0 7 51",
];

/// On small boards, for the exact search.
pub const SMALL_POSITIONS: &[&str] = &["3/3/3 b", "4/4/4/4 b", "1p3/Pp1pp/PPpP1/1PP1P/2P2 b - 0 0 8"];
