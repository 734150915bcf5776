//! The tunable numbers of the selective search: each game may have its own.

/// A tunable parameter and its range.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Its name, also the name of its option in builds with the feature `spsa`.
    pub name: &'static str,
    /// Default value.
    pub default: i32,
    /// Smallest value.
    pub min: i32,
    /// Largest value.
    pub max: i32,
}

/// Declares a struct of parameters: name, default, range, meaning. A long meaning stands above the name.
macro_rules! parameters {
    (
        $(#[$struct_doc:meta])* $struct:ident
        $($(#[$doc:meta])* $name:ident = $default:literal, $min:literal..=$max:literal $(, $text:literal)?;)*
    ) => {
        $(#[$struct_doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $struct {
            $($(#[$doc])* $(#[doc = $text])? pub $name: i32,)*
        }

        impl $struct {
            /// The default values.
            pub const DEFAULT: $struct = $struct { $($name: $default),* };

            /// All parameters with their ranges.
            pub const ALL: &'static [$crate::game::Parameter] = &[
                $($crate::game::Parameter { name: stringify!($name), default: $default, min: $min, max: $max }),*
            ];

            /// Whether each value lies in its range.
            pub const fn is_valid(&self) -> bool {
                true $(&& self.$name >= $min && self.$name <= $max)*
            }

            /// The parameter `name`; `None` if there is none of this name.
            pub fn get_mut(&mut self, name: &str) -> Option<&mut i32> {
                match name {
                    $(stringify!($name) => Some(&mut self.$name),)*
                    _ => None,
                }
            }
        }
    };
}

pub(crate) use parameters;

parameters! {
    /// The parameters of the search. They change only with a match result.
    ///
    /// The defaults are those of chess, fitted to its network by SPSA and by matches (docs/strength.md); margins are in centipawns.
    SearchParams

    aspiration_delta = 16, 5..=60, "Half-width of the first aspiration window, in centipawns";
    aspiration_min_depth = 5, 1..=20, "Lowest iteration depth with an aspiration window, in plies";
    aspiration_reduction = 3, 0..=6, "Largest depth reduction of an iteration that fails high, in plies";

    killer_moves = 2, 0..=2, "Killer moves searched before the other quiet moves";

    /// Addition to the history score of a quiet check that loses no material, for the order of moves only.
    order_check = 5000, 0..=40000;

    check_extension = 1, 0..=1, "Extension of positions in check, in plies";

    rfp_max_depth = 9, 0..=16, "RFP: largest depth, in plies";
    rfp_margin = 49, 30..=200, "RFP: margin above beta, in centipawns per ply of depth";

    /// RFP: reduction of the margin if the opponent is worsening, in centipawns.
    rfp_opponent_worsening = 17, 0..=100;

    /// Hindsight: smallest parent reduction that is corrected by +1 ply, in plies.
    hindsight_deeper = 3, 1..=100;
    /// Hindsight: smallest parent reduction that is corrected by -1 ply, in plies.
    hindsight_shallower = 2, 1..=100;
    /// Hindsight: evaluation delta above which the depth is reduced, in centipawns.
    hindsight_margin = 77, 0..=400;

    razor_max_depth = 3, 0..=8, "Razoring: largest depth, in plies";
    razor_margin = 389, 100..=600, "Razoring: margin below alpha, in centipawns per ply of depth";
    razor_tt = 1, 0..=1, "Razoring: whether a quiet TT move or a lower bound of the TT prevents it";

    nmp_min_depth = 3, 1..=100, "NMP: lowest depth, in plies";
    nmp_cut_only = 0, 0..=1, "NMP: whether it is limited to nodes that are expected to fail high";
    nmp_margin = 68, -100..=400, "NMP: margin of the static evaluation above beta at depth 0, in centipawns";
    nmp_margin_per_ply = 56, 0..=400, "NMP: decrease of that margin, in tenths of a centipawn per ply of depth";
    nmp_tt = 1, 0..=1, "NMP: whether an upper bound of the TT below the static evaluation prevents it";
    nmp_base = 4, 1..=8, "NMP: base reduction, in plies";
    nmp_depth_divisor = 3, 1..=12, "NMP: plies of depth per additional ply of reduction";
    /// NMP: centipawns of evaluation above beta per additional ply of reduction.
    nmp_eval_divisor = 47, 30..=400;
    nmp_eval_max = 7, 0..=8, "NMP: largest additional reduction for the evaluation, in plies";
    /// NMP: it is tried only after a move whose history score is at most this; noisy moves count as 0.
    nmp_prior_history = 15_700, 0..=1_000_000;
    nmp_verify_min_depth = 12, 5..=100, "NMP: lowest depth at which a fail high is verified, in plies";

    probcut_min_depth = 5, 3..=100, "ProbCut: lowest depth, in plies";
    probcut_margin = 121, 60..=400, "ProbCut: margin above beta, in centipawns";
    probcut_reduction = 4, 2..=6, "ProbCut: depth reduction of its search, in plies";

    /// Whether a side whose static evaluation is at least beta counts as improving after the pruning of the node.
    improving_at_beta = 1, 0..=1;

    iir_min_depth = 4, 2..=100, "IIR: lowest depth, in plies";

    singular_min_depth = 6, 4..=100, "Singular extension: lowest depth, in plies";
    /// Singular extension: the TT entry may be at most this many plies shallower than the node.
    singular_entry = 3, 1..=5;
    /// Singular extension: margin of singular beta below the TT score, in tenths of a centipawn per ply of depth.
    singular_margin = 12, 5..=60;
    singular_double = 7, 0..=100, "Double extension: margin below singular beta, in centipawns";
    /// Double extension in a PV node: margin below singular beta, in centipawns.
    singular_double_pv = 86, 0..=100000;
    singular_doubles_max = 8, 0..=30, "Double extension: largest number on the path from the root";
    singular_negative = 2, 0..=3, "Negative extension, in plies";

    lmp_max_depth = 14, 0..=16, "LMP: largest depth, in plies";
    lmp_keeps_checks = 1, 0..=1, "LMP: whether quiet moves that give check are kept";
    lmp_base = 5, 1..=12, "LMP: number of moves before quiet moves are skipped, at depth 0";

    fp_max_depth = 12, -1..=16, "Futility pruning: largest depth after the reduction, in plies";
    fp_base = 30, 20..=300, "Futility pruning: margin at depth 0, in centipawns";
    /// Futility pruning: additional margin, in centipawns per ply of the depth after the LMR reduction.
    fp_margin = 41, 20..=250;
    /// Futility pruning: history score of the move per centipawn of additional margin; 0 for none, and then all later quiet moves
    /// that do not give check are skipped too.
    fp_history = 135, 0..=1000;
    /// Futility pruning of noisy moves: largest depth after the reduction, in plies.
    fp_noisy_max_depth = 6, -1..=16;
    fp_noisy_base = 50, 0..=300, "Futility pruning of noisy moves: margin at depth 0, in centipawns";
    /// Futility pruning of noisy moves: additional margin, in centipawns per ply of the depth after the LMR reduction.
    fp_noisy_margin = 56, 0..=250;
    /// Futility pruning of noisy moves: capture history per centipawn of additional margin.
    fp_noisy_history = 33, 1..=1000;

    see_max_depth = 8, 0..=16, "SEE pruning of quiet moves: largest depth, in plies";
    see_noisy_max_depth = 100, 0..=100, "SEE pruning of noisy moves and checks: largest depth, in plies";
    /// SEE pruning: material that a quiet move may lose, in centipawns per ply of depth.
    see_quiet = 54, 10..=150;
    /// SEE pruning: material that a noisy move or a check may lose, in centipawns per ply of depth.
    see_noisy = 100, 0..=400;
    /// SEE pruning: what it may lose beyond that, in centipawns per squared ply of depth.
    see_noisy_square = 0, 0..=100;

    history_pruning_max_depth = 4, -1..=12, "History pruning: largest depth after the reduction, in plies";
    /// History pruning: history score below which a quiet move is skipped, per ply of depth.
    history_pruning_margin = -3600, -12000..=-500;

    lmr_moves = 3, 2..=400, "LMR: first move that is reduced, counted from 1";
    /// LMR: plies of reduction from which a move before `lmr_moves` loses a ply in a null-window node, unless it is the TT
    /// move; from one more ply on it loses two.
    lmr_early = 3, 2..=100;
    lmr_min_depth = 2, 1..=6, "LMR: lowest depth, in plies";
    lmr_base = 98, 0..=200, "LMR: base reduction, in hundredths of a ply";
    lmr_divisor = 215, 120..=400, "LMR: divisor of ln(depth) * ln(move count), in hundredths";
    lmr_history = 11469, 3000..=40000, "LMR: history score of a quiet move per ply less reduction";
    lmr_capture_history = 8800, 3000..=40000, "LMR: capture history of a noisy move per ply less reduction";
    lmr_noisy = 103, 0..=300, "LMR: decrease for a noisy move, in hundredths of a ply";
    lmr_pv = 150, 0..=250, "LMR: decrease in a PV node, in hundredths of a ply";
    lmr_tt_pv = 73, 0..=250, "LMR: decrease in a node that is or was a PV node, in hundredths of a ply";
    lmr_check = 75, 0..=250, "LMR: decrease for a move that gives check, in hundredths of a ply";
    lmr_killer = 68, 0..=250, "LMR: decrease for a killer, in hundredths of a ply";
    lmr_cut = 156, 0..=350, "LMR: increase in a cut node, in hundredths of a ply";
    /// LMR: increase if the side to move is not improving, in hundredths of a ply.
    lmr_not_improving = 91, 0..=250;
    lmr_tt_noisy = 60, 0..=250, "LMR: increase if the TT move is noisy, in hundredths of a ply";
    /// LMR: number of fail highs one ply below above which the next parameter applies.
    lmr_cutoffs_min = 3, 0..=10;
    lmr_cutoffs = 69, 0..=250, "LMR: increase after many fail highs one ply below, in hundredths of a ply";
    /// LMR: margin above the best score for a re-search one ply deeper, in centipawns.
    deeper_margin = 20, 10..=200;

    delta_margin = 91, 30..=400, "Quiescence: margin of delta pruning, in centipawns";

    /// Quiescence: number of moves tried; the search goes on only as long as the following moves give check.
    qs_move_limit = 3, 1..=200;
    /// Quiescence: whether delta pruning and the limit of moves leave all noisy moves that give check.
    qs_keeps_checks = 1, 0..=1;
    /// Quiescence in check, once a move does not lose by force: number of quiet moves after which the others are skipped. Above 0,
    /// moves that lose material are skipped too, and quiet moves that were bad replies before.
    qs_quiet_evasions = 2, 0..=100;

    /// Weight of the butterfly counter in the history score of a quiet move, in sixteenths; the others have 16.
    butterfly_weight = 10, 0..=64;
    /// Butterfly bonus of the previous quiet move, in tenths per centipawn of evaluation delta.
    eval_history_scale = 68, 0..=200;
    /// Subtracted from the evaluation delta for this bonus, in centipawns: both sides' tempo.
    eval_history_offset = 16, -100..=100;
    eval_history_max = 1240, 0..=4000, "Largest absolute bonus for the evaluation delta";
    /// History: plies of depth more for a fail high to a score that the static evaluation did not reach.
    history_unexpected = 1, 0..=1;
    history_bonus = 251, 30..=600, "History bonus per ply of depth";
    history_bonus_offset = 267, 0..=600, "Subtracted from the history bonus";
    history_bonus_max = 2418, 500..=4000, "Largest history bonus";
    history_bonus_min_depth = 3, 1..=6, "Lowest depth at which the cutoff move gets a bonus, in plies";
    history_malus = 532, 30..=800, "History malus per ply of depth";
    history_malus_offset = 163, 0..=600, "Subtracted from the history malus";
    history_malus_max = 1500, 300..=4000, "Largest history malus";
    /// The malus of the move with index i among those tried is divided by the square of 1 plus i times this, in thousandths.
    history_malus_index = 0, 0..=500;
    /// Whether a null move, and what was before the root, has a continuation history, one row for all.
    null_move_history = 0, 0..=1;
    /// Bonus of a quiet TT move whose score fails high, in percent of the history bonus.
    tt_history_bonus = 55, 0..=200;
    /// Bonus of the previous quiet move after a fail low, in percent of the history bonus.
    prior_quiet_bonus = 48, 0..=200;

    correction_weight = 40, 0..=200, "Correction by a full counter of one correction key, in centipawns";
    cont_correction_weight = 26, 0..=200, "Correction by a full counter of one pair of moves, in centipawns";
    /// Bonus of the correction history, in 64ths per centipawn of error and ply of depth.
    correction_bonus = 8, 1..=64;
    correction_bonus_max = 256, 32..=1024, "Largest absolute bonus of the correction history";

    /// Fifty-move scaling: each reversible ply shrinks the evaluation by one part in this number.
    rule50_scale = 256, 110..=2000;
}

impl SearchParams {
    /// [`SearchParams::DEFAULT`] without the changes that matches accepted for chess only (docs/strength.md).
    pub const OTHER_GAMES: SearchParams = SearchParams {
        nmp_margin: 69,
        nmp_margin_per_ply: 110,
        nmp_tt: 0,
        nmp_depth_divisor: 4,
        nmp_eval_divisor: 130,
        nmp_eval_max: 3,
        nmp_prior_history: 1_000_000,
        order_check: 0,
        razor_tt: 0,
        singular_double: 14,
        singular_double_pv: 100_000,
        lmp_max_depth: 8,
        see_noisy_max_depth: 8,
        see_noisy: 0,
        see_noisy_square: 24,
        fp_max_depth: 8,
        fp_base: 46,
        fp_margin: 53,
        fp_history: 0,
        fp_noisy_max_depth: -1,
        qs_keeps_checks: 0,
        qs_quiet_evasions: 0,
        lmp_keeps_checks: 0,
        lmr_early: 100,
        lmr_pv: 72,
        deeper_margin: 35,
        improving_at_beta: 0,
        history_pruning_max_depth: 5,
        history_pruning_margin: -4018,
        butterfly_weight: 16,
        eval_history_scale: 59,
        eval_history_offset: 0,
        history_unexpected: 0,
        history_malus_max: 693,
        tt_history_bonus: 62,
        correction_weight: 58,
        ..SearchParams::DEFAULT
    };
}
