#!/usr/bin/env bash
# Builds two revisions of this repository and plays an SPRT match: is the new revision stronger than the base?
# A second run with the same arguments resumes the match. A run without arguments of match.py resumes the latest match of
# the two revisions.
#
#   scripts/sprt.sh [BASE [NEW [ARGUMENTS OF match.py ...]]]
#
# The default of BASE is main. The default of NEW is the working tree without untracked files. Arguments of match.py override
# those below, e.g. --openings file=book.epd order=random --variant chess. By default the games are Chess960 games, because
# its 960 start positions replace an opening book.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

fail() {
    printf 'sprt.sh: %s\n' "$*" >&2
    exit 2
}

base=${1:-main}
new=${2:-}
shift $(($# < 2 ? $# : 2))
[[ -n $new ]] || new=$(git stash create)
new=${new:-HEAD}

target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
work_dir=$target/sprt
mkdir -p "$work_dir"

tree_of() {
    git rev-parse --verify --quiet "$1^{tree}" || fail "expected a revision of this repository, got '$1'; no program is built"
}

# Builds the program of a tree as $work_dir/duiyi-TREE. All trees share one cargo target directory, so libraries build once.
build() {
    local program=$work_dir/duiyi-$1 source=$work_dir/source-$1
    [[ -x $program ]] && return
    rm -rf "$source"
    mkdir "$source"
    git archive "$1" | tar -x -C "$source"
    RUSTFLAGS="${RUSTFLAGS:-} -C target-cpu=native" CARGO_TARGET_DIR=$work_dir/build \
        "${CARGO:-cargo}" build --release --locked --bin duiyi --manifest-path "$source/Cargo.toml"
    cp "$work_dir/build/release/duiyi" "$program.new"
    mv "$program.new" "$program"
    rm -rf "$source"
}

base_tree=$(tree_of "$base")
new_tree=$(tree_of "$new")
[[ $base_tree != "$new_tree" ]] || fail "expected two revisions that differ, got '$base' and '$new' with equal files; no program is built"
build "$base_tree"
build "$new_tree"
make --silent scripts
python=$target/scripts-venv/bin/python
# Each list of arguments has its own journal. Without arguments, the latest journal of these two trees is used.
prefix=$work_dir/${base_tree:0:12}-${new_tree:0:12}
journal=$prefix-$(printf '%s\n' "$@" | cksum | cut -d ' ' -f 1).jsonl
if (($# == 0)); then
    for candidate in "$prefix"-*.jsonl; do
        [[ $candidate -nt $journal ]] && journal=$candidate
    done
fi
if [[ -e $journal ]]; then
    exec "$python" scripts/match.py --resume "$journal"
fi
exec "$python" scripts/match.py --journal "$journal" \
    --engine cmd="'$work_dir/duiyi-$new_tree'" name=new --engine cmd="'$work_dir/duiyi-$base_tree'" name=base \
    --each tc=8+0.08 option.Hash=16 --variant chess960 --rounds 20000 --draw --resign \
    --concurrency "$((($(nproc) + 1) / 2))" --sprt elo0=0 elo1=5 "$@"
