//! The positions of the command `bench`.

/// The start position and the two other positions of the perft tests; then positions from games of the engine against itself.
pub(super) const POSITIONS: &[&str] = &[
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
    "1rbaka2R/5r3/6n2/2p1p1p2/4P1bP1/PpC3Bc1/1nPR2P2/2N2AN2/1c2K1p2/2BAC4 w - - 0 1",
    "4kcP1N/8n/3rb4/9/9/9/9/3p1A3/4K4/5CB2 w - - 0 1",
    "3rka2r/4a4/2n1b1n1b/p1p1p1p1p/2c6/6P2/P1P1P3P/Nc2C1NC1/8R/R1BAKAB2 w - - 18 10",
    "r1bakab1C/9/8c/p3p3p/2p2n3/3R2p2/P3nNc1P/4C1N2/9/2BAKABR1 w - - 2 15",
    "3akab2/8r/1c2bn3/2p1p4/9/P3P1p2/2P5P/NC2B1N2/4A2R1/3AK1c2 w - - 0 20",
    "4ka3/4a4/2R1b1n2/2p6/p5b1p/2P1rN3/P7P/4B4/4A4/4KAB2 w - - 0 26",
    "3ak4/4a4/8b/9/8p/2R1nrB2/8r/9/4A4/3CKA3 w - - 2 32",
    "3akab2/1n7/R8/2p3P1n/p3r4/2P6/P8/2N1B4/9/2BAKA3 w - - 0 39",
    "5k1r1/3R5/5R2n/r5p1p/2p6/4C1P2/c8/2C1B1N2/4A4/2BAK3c b - - 4 32",
    "2bak4/4a4/2N6/4R4/2P6/9/p3P4/2r6/9/5K3 w - - 12 56",
    "2bak4/4a4/9/p3p4/3r5/9/4P4/3C5/3KA2n1/5A2c w - - 4 35",
];
