//! The parameters of the search for xiangqi.

use crate::game::SearchParams;

/// The values of chess before they were fitted to its network, with larger margins where a match was won with them: a centipawn of
/// xiangqi is worth a third of one of chess (docs/strength.md).
pub const PARAMS: SearchParams = SearchParams {
    aspiration_delta: 30,
    rfp_margin: 116,
    rfp_opponent_worsening: 19,
    hindsight_margin: 120,
    razor_margin: 600,
    nmp_margin: 91,
    nmp_eval_divisor: 128,
    probcut_margin: 123,
    singular_double: 13,
    fp_base: 71,
    fp_margin: 62,
    see_quiet: 61,
    see_noisy_square: 52,
    history_pruning_margin: -3710,
    lmr_base: 87,
    lmr_divisor: 213,
    lmr_history: 11200,
    lmr_tt_pv: 60,
    lmr_cut: 152,
    lmr_not_improving: 73,
    deeper_margin: 37,
    delta_margin: 230,
    correction_weight: 59,
    cont_correction_weight: 60,
    ..SearchParams::OTHER_GAMES
};
