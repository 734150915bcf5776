//! The stones on a board, with their chains and liberties kept move by move.

use super::points::Points;
use super::symmetry;
use crate::game::{Side, SplitMix64, const_for};

/// The most numbers of points, see [`Points`]: 19 ranks of 20.
const MAX_POINTS: usize = 384;

const STONE_KEYS: [[u64; MAX_POINTS]; 2] = {
    let mut random = SplitMix64::new(0x60);
    [random.array(), random.array()]
};

/// The most ranks and files of the boards whose images are kept, see [`Board::IMAGES`].
const MAX_SIZE_WITH_IMAGES: usize = 7;

/// The hash keys of a stone in each image of the board, by the size of the board, the side and the point.
static IMAGE_KEYS: [[[[u64; symmetry::IMAGES]; 64]; 2]; MAX_SIZE_WITH_IMAGES + 1] = {
    let mut keys = [[[[0; symmetry::IMAGES]; 64]; 2]; MAX_SIZE_WITH_IMAGES + 1];
    const_for!(size, 1..MAX_SIZE_WITH_IMAGES + 1, {
        const_for!(point, 0..size * (size + 1), {
            if point % (size + 1) < size {
                const_for!(image, 0..symmetry::IMAGES, {
                    let shown = symmetry::image_of(point, image, size);
                    keys[size][0][point][image] = STONE_KEYS[0][shown];
                    keys[size][1][point][image] = STONE_KEYS[1][shown];
                });
            }
        });
    });
    keys
};

/// Returns the hash key of a stone.
pub fn stone_key(side: Side, point: usize) -> u64 {
    STONE_KEYS[side.index()][point]
}

/// Stones of one side that are joined along ranks and files, and so are captured together.
#[derive(Clone, Copy, Debug)]
pub struct Chain<const WORDS: usize> {
    /// The owner.
    pub side: Side,
    pub stones: Points<WORDS>,
    /// The free points beside the stones.
    pub liberties: Points<WORDS>,
    /// The hash of the stones.
    key: u64,
}

/// A chain as it was before a move, with what the move did to it.
#[derive(Clone, Copy, Debug)]
struct Change<const WORDS: usize> {
    head: u16,
    chain: Chain<WORDS>,
    kind: ChangeKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ChangeKind {
    Liberties,
    Merged,
    Captured,
}

/// What a stone would do, see [`Board::effect`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effect {
    /// The hash of all stones afterwards.
    pub key: u64,
    /// Whether it captures nothing and leaves its own chain without a liberty, so that this chain is removed.
    pub is_suicide: bool,
}

/// The stones of a position. Every chain has a liberty.
///
/// Each chain is stored under its head, the point of its last stone. A move saves the chains that it changes in a log, from
/// which [`Board::take_back`] restores them.
#[derive(Clone, Debug)]
pub struct Board<const WORDS: usize> {
    size: usize,
    area: Points<WORDS>,
    stones: [Points<WORDS>; 2],
    /// The head of the chain of each stone.
    heads: Vec<u16>,
    /// The chain of each head.
    chains: Vec<Chain<WORDS>>,
    log: Vec<Change<WORDS>>,
    /// The hash of the stones in each symmetric image of the board that is kept; the first is the board itself.
    keys: [u64; symmetry::IMAGES],
}

impl<const WORDS: usize> Board<WORDS> {
    /// The most ranks and files that the words have room for.
    pub const MAX_SIZE: usize = if WORDS == 1 { MAX_SIZE_WITH_IMAGES } else { 19 };
    /// The symmetric images whose hash is kept.
    pub const IMAGES: usize = if WORDS == 1 { symmetry::IMAGES } else { 1 };

    /// An empty board of `size` ranks and files.
    pub fn new(size: usize) -> Self {
        assert!((1..=Self::MAX_SIZE).contains(&size), "a board of this size does not fit");
        let none = Chain { side: Side::White, stones: Points::EMPTY, liberties: Points::EMPTY, key: 0 };
        Board {
            size,
            area: Points::board(size),
            stones: [Points::EMPTY; 2],
            heads: vec![0; 64 * WORDS],
            chains: vec![none; 64 * WORDS],
            log: Vec::new(),
            keys: [0; symmetry::IMAGES],
        }
    }

    /// The number of ranks, and of files.
    #[inline]
    pub fn size(&self) -> usize {
        self.size
    }

    /// The distance of the numbers of a point and the point above.
    #[inline]
    pub fn stride(&self) -> usize {
        self.size + 1
    }

    /// All points of the board.
    #[inline]
    pub fn area(&self) -> Points<WORDS> {
        self.area
    }

    #[inline]
    pub fn stones(&self, side: Side) -> Points<WORDS> {
        self.stones[side.index()]
    }

    #[inline]
    pub fn free(&self) -> Points<WORDS> {
        self.area - self.stones[0] - self.stones[1]
    }

    /// The owner of the stone on `point`.
    #[inline]
    pub fn stone(&self, point: usize) -> Option<Side> {
        Side::ALL.into_iter().find(|side| self.stones[side.index()].contains(point))
    }

    /// The hash of all stones in each image, see [`Board::IMAGES`].
    #[inline]
    pub fn keys(&self) -> &[u64] {
        &self.keys[..Self::IMAGES]
    }

    #[inline]
    pub fn neighbours(&self, point: usize) -> impl Iterator<Item = usize> + use<WORDS> {
        let area = self.area;
        self.numbers_beside(point).into_iter().filter(move |&point| area.contains(point))
    }

    /// The neighbours of `point`, and numbers off the board.
    #[inline]
    fn numbers_beside(&self, point: usize) -> [usize; 4] {
        [point.wrapping_sub(self.stride()), point.wrapping_sub(1), point + 1, point + self.stride()]
    }

    /// The free points with a free neighbour.
    #[inline]
    pub fn open_points(&self) -> Points<WORDS> {
        self.free() & self.free().neighbours(self.stride())
    }

    #[inline]
    pub fn chain(&self, point: usize) -> &Chain<WORDS> {
        &self.chains[usize::from(self.heads[point])]
    }

    pub fn chains(&self, side: Side) -> impl Iterator<Item = &Chain<WORDS>> {
        let heads = self.stones(side).iter().filter(|&point| usize::from(self.heads[point]) == point);
        heads.map(|head| &self.chains[head])
    }

    /// The heads of the chains of `side` beside `point`, each once.
    #[inline]
    fn heads_beside(&self, point: usize, side: Side) -> impl Iterator<Item = usize> + use<WORDS> {
        let mut heads = [usize::MAX; 4];
        for (i, neighbour) in self.numbers_beside(point).into_iter().enumerate() {
            if self.stones[side.index()].contains(neighbour) {
                let head = usize::from(self.heads[neighbour]);
                heads[i] = if heads[..i].contains(&head) { usize::MAX } else { head };
            }
        }
        heads.into_iter().filter(|&head| head != usize::MAX)
    }

    #[inline]
    pub fn chains_beside(&self, point: usize, side: Side) -> impl Iterator<Item = &Chain<WORDS>> {
        self.heads_beside(point, side).map(|head| &self.chains[head])
    }

    /// The free points where a stone of `side` captures: the last liberties of the opponent's chains.
    pub fn captures(&self, side: Side) -> Points<WORDS> {
        self.chains(!side).filter_map(|chain| chain.liberties.only()).collect()
    }

    /// The chains that a stone of `side` on the free point `point` captures.
    #[inline]
    pub fn captured_chains(&self, point: usize, side: Side) -> impl Iterator<Item = &Chain<WORDS>> {
        self.chains_beside(point, !side).filter(|chain| chain.liberties.only().is_some())
    }

    /// What a stone of `side` on the free point `point` would do.
    #[inline]
    pub fn effect(&self, point: usize, side: Side) -> Effect {
        let key = self.key_with(side, point);
        let is_suicide = || {
            let free = self.free();
            self.neighbours(point).all(|neighbour| !free.contains(neighbour))
                && self.chains_beside(point, side).all(|chain| chain.liberties.only().is_some())
        };
        let mut captured = self.captured_chains(point, side).peekable();
        if captured.peek().is_none() && is_suicide() {
            let key = self.chains_beside(point, side).fold(self.keys[0], |key, chain| key ^ chain.key);
            return Effect { key, is_suicide: true };
        }
        Effect { key: captured.fold(key, |key, chain| key ^ chain.key), is_suicide: false }
    }

    /// The hash of the stones and one more.
    #[inline]
    pub fn key_with(&self, side: Side, point: usize) -> u64 {
        self.keys[0] ^ stone_key(side, point)
    }

    /// A mark for [`Board::take_back`], before a stone is put.
    pub fn mark(&self) -> usize {
        self.log.len()
    }

    /// Puts a stone of `side` on the free point `point` and removes the chains without a liberty, the opponent's first.
    pub fn place(&mut self, point: usize, side: Side) {
        let mut chain = Chain {
            side,
            stones: Points::of(point),
            liberties: self.neighbours(point).collect::<Points<WORDS>>() & self.free(),
            key: stone_key(side, point),
        };
        for head in self.heads_beside(point, side) {
            let merged = self.save(head, ChangeKind::Merged);
            chain.stones |= merged.stones;
            chain.liberties |= merged.liberties;
            chain.key ^= merged.key;
        }
        chain.liberties.remove(point);
        self.toggle(point, side);
        self.chains[point] = chain;
        self.set_heads(chain.stones, point);
        for head in self.heads_beside(point, !side) {
            self.save(head, ChangeKind::Liberties);
            self.chains[head].liberties.remove(point);
            if self.chains[head].liberties.is_empty() {
                self.capture(head);
            }
        }
        if self.chains[point].liberties.is_empty() {
            self.capture(point);
        }
    }

    /// Takes back the last stone, which [`Board::place`] put on `point` at `mark`.
    pub fn take_back(&mut self, point: usize, side: Side, mark: usize) {
        while self.log.len() > mark {
            let Some(Change { head, chain, kind }) = self.log.pop() else { break };
            self.chains[usize::from(head)] = chain;
            if kind == ChangeKind::Captured {
                chain.stones.iter().for_each(|stone| self.toggle(stone, chain.side));
            }
            if kind != ChangeKind::Liberties {
                self.set_heads(chain.stones, head.into());
            }
        }
        self.toggle(point, side);
    }

    fn capture(&mut self, head: usize) {
        let chain = self.save(head, ChangeKind::Captured);
        for stone in chain.stones.iter() {
            self.toggle(stone, chain.side);
        }
        for stone in chain.stones.iter() {
            for neighbour in self.heads_beside(stone, !chain.side) {
                self.save(neighbour, ChangeKind::Liberties);
                self.chains[neighbour].liberties.insert(stone);
            }
        }
    }

    fn save(&mut self, head: usize, kind: ChangeKind) -> Chain<WORDS> {
        let chain = self.chains[head];
        self.log.push(Change { head: head as u16, chain, kind });
        chain
    }

    fn set_heads(&mut self, stones: Points<WORDS>, head: usize) {
        stones.iter().for_each(|stone| self.heads[stone] = head as u16);
    }

    #[inline]
    fn toggle(&mut self, point: usize, side: Side) {
        let stones = &mut self.stones[side.index()];
        if stones.contains(point) {
            stones.remove(point)
        } else {
            stones.insert(point)
        }
        if Self::IMAGES == 1 {
            self.keys[0] ^= stone_key(side, point);
        } else {
            let stone_keys = &IMAGE_KEYS[self.size][side.index()][point];
            self.keys.iter_mut().zip(stone_keys).for_each(|(key, stone_key)| *key ^= stone_key);
        }
    }

    /// The area of `side`: its stones, and the free points from which only its stones are reached.
    pub fn area_of(&self, side: Side) -> Points<WORDS> {
        let (free, stride) = (self.free(), self.stride());
        let [own, other] = [side, !side].map(|side| self.stones(side).dilated(stride).flood(free, stride));
        self.stones(side) | (own - other)
    }

    /// The points of Black's area, minus those of White's. Black is [`Side::White`], who moves first.
    pub fn area_difference(&self) -> i32 {
        let [black, white] = Side::ALL.map(|side| self.area_of(side).count() as i32);
        black - white
    }
}
