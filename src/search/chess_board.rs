//! Chess and its variants as a [`Searchable`].

use super::correction::KINDS;
use super::evaluation::evaluate;
use super::naturalness::unnaturalness;
use super::searchable::Searchable;
use super::see::{SEE_VALUES, explosion, see_ge, worth_at};
use crate::chess::{
    Bitboard, Checks, Color, Fairy, Goal, Move, MoveKind, MoveList, NoMoves, Outcome, Position, Role, Royal,
    Ruleset, Stage,
};

/// Value of a check in variants won by checks, in centipawns.
const WORTH_OF_A_CHECK: i32 = 200;

/// Maximum value of an explosion, more than a king and all that can surround it in a game: any
/// number of queens would overflow move ranks.
const MAX_EXPLOSION: i32 = 12_000;

impl<R: Ruleset> Position<R> {
    /// Returns true if a move gives check and that is worth more than the move loses.
    #[inline]
    fn counts_as_check(&self, mv: Move) -> bool {
        self.fairy().is_some_and(|fairy| fairy.rules().checks_to_win > 0)
            && self.gives_check(mv, &self.checks())
    }
}

/// Implements methods by the inherent ones of the same names.
macro_rules! by_inherent_methods {
    ($(fn $name:ident(&$self:ident $(, $argument:ident: $type:ty)?) -> $result:ty;)+) => {
        $(#[inline]
        fn $name(&$self $(, $argument: $type)?) -> $result {
            $self.$name($($argument)?)
        })+
    };
}

impl<R: Ruleset> Searchable for Position<R> {
    type Checks = Checks;
    const BUTTERFLY: usize = 2 * R::ORIGINS * 64;

    by_inherent_methods! {
        fn turn(&self) -> Color;
        fn key(&self) -> u64;
        fn in_check(&self) -> bool;
        fn winning_move(&self) -> Option<Move>;
        fn waits(&self) -> bool;
        fn outcome_without_moves(&self) -> Outcome;
        fn has_legal_move(&self) -> bool;
        fn is_legal(&self, mv: Move) -> bool;
        fn checks(&self) -> Checks;
        fn is_capture(&self, mv: Move) -> bool;
        fn likely_key_after(&self, mv: Move) -> u64;
    }

    #[inline]
    fn reversible_plies(&self) -> u32 {
        self.halfmove_clock()
    }

    #[inline]
    fn decided(&self) -> Option<Outcome> {
        let drawn = || self.insufficient_material().then_some(Outcome::Draw);
        self.fairy_outcome().or_else(|| self.level_race()).or_else(drawn)
    }

    #[inline]
    fn is_threatened(&self) -> bool {
        self.fairy().is_some() && self.loses_by_passing()
    }

    #[inline]
    fn margin(&self, in_chess: i32) -> i32 {
        match self.fairy().map(Fairy::rules) {
            Some(rules) if rules.checks_to_win > 0 || rules.goal == Goal::LastRank => 2 * in_chess,
            // Losers: a quiet move that forces captures can change the evaluation a lot.
            Some(rules) if rules.must_capture && rules.royal == Royal::King => in_chess * 5 / 2,
            _ => in_chess,
        }
    }

    #[inline]
    fn survives_the_count(&self) -> bool {
        match self.no_moves() {
            NoMoves::MateOrDraw | NoMoves::MateOrWait => !self.in_check() || self.has_legal_move(),
            NoMoves::Wins | NoMoves::Loses | NoMoves::FewerPiecesWin => self.has_legal_move(),
        }
    }

    #[inline]
    fn may_be_drawn(&self) -> bool {
        !self.has_partner()
    }

    #[inline]
    fn may_win_without_moves(&self) -> bool {
        matches!(self.no_moves(), NoMoves::Wins | NoMoves::FewerPiecesWin)
    }

    #[inline]
    fn generate(&self, stage: Stage, moves: &mut MoveList) {
        self.generate(stage, Bitboard::ALL, moves);
    }

    #[inline]
    fn play(&mut self, mv: Move) {
        self.play(mv);
    }

    #[inline]
    fn pass(&mut self) {
        self.pass();
    }

    #[inline]
    fn can_pass(&self) -> bool {
        if self.fairy().is_some_and(|fairy| fairy.rules().must_capture) {
            return false;
        }
        // A side with a partner may wait in any position.
        if self.has_partner() {
            return true;
        }
        (self.color(self.turn()) & !self.role(Role::Pawn) & !self.role(Role::King)).any()
    }

    #[inline]
    fn may_stand_pat(&self) -> bool {
        if self.in_check() {
            return false;
        }
        // Where captures are compulsory a side without a move has often won.
        !self.fairy().is_some_and(|fairy| fairy.rules().must_capture)
            || !self.must_capture() && (self.can_push() || self.has_legal_move())
    }

    #[inline]
    fn has_only_capture(&self) -> bool {
        self.fairy().is_some() && self.compulsory_captures() == 1
    }

    #[inline]
    fn gives_check(&self, mv: Move, checks: &Checks) -> bool {
        if self.fairy().is_some_and(|fairy| fairy.rules().must_capture) {
            let after = self.after(mv);
            return after.in_check() || after.must_capture();
        }
        self.gives_check(mv, checks) || self.approaches_goal(mv)
    }

    #[inline]
    fn is_promotion(&self, mv: Move) -> bool {
        mv.promotion().is_some()
    }

    #[inline]
    fn is_underpromotion(&self, mv: Move) -> bool {
        matches!(mv.promotion(), Some(Role::Knight | Role::Bishop | Role::Rook))
    }

    #[inline]
    fn gain(&self, mv: Move) -> i32 {
        if self.fairy().is_some_and(|fairy| fairy.rules().explodes) && self.is_capture(mv) {
            return explosion(self, mv).clamp(-MAX_EXPLOSION, MAX_EXPLOSION);
        }
        let victim = worth_at(self, mv.to());
        let en_passant = if mv.kind() == MoveKind::EnPassant { SEE_VALUES[0] } else { 0 };
        let promotion = if mv.promotion() == Some(Role::Queen) { SEE_VALUES[4] } else { 0 };
        let check = if self.counts_as_check(mv) { WORTH_OF_A_CHECK } else { 0 };
        victim + en_passant + promotion + check
    }

    #[inline]
    fn see_ge(&self, mv: Move, threshold: i32) -> bool {
        match self.fairy().map(Fairy::rules) {
            // A sacrifice may win.
            Some(rules) if rules.must_capture => true,
            Some(rules) if rules.explodes => !self.is_capture(mv) || explosion(self, mv) >= threshold,
            _ => see_ge(self, mv, threshold) || self.counts_as_check(mv),
        }
    }

    #[inline]
    fn butterfly(&self, mv: Move) -> usize {
        let origin = if self.fairy().is_some() { mv.origin() } else { mv.from().index() };
        (self.turn().index() * R::ORIGINS + origin) * 64 + mv.to().index()
    }

    #[inline]
    fn piece_to(&self, mv: Move) -> usize {
        let role = match mv.kind() {
            MoveKind::Drop(role) if self.fairy().is_some() => role,
            _ => self.role_at(mv.from()).unwrap_or(Role::Pawn),
        };
        role.index() * 64 + mv.to().index()
    }

    #[inline]
    fn victim(&self, mv: Move) -> usize {
        self.role_at(mv.to()).unwrap_or(Role::Pawn).index()
    }

    fn unnaturalness(&self, mv: Move) -> i32 {
        unnaturalness(self, mv)
    }

    fn supply(&self) -> [[u8; 6]; 2] {
        Color::ALL.map(|color| {
            Role::ALL.map(|role| {
                let in_hand = self.fairy().map_or(0, |fairy| fairy.in_hand(color, role));
                self.pieces(color, role).count() as u8 + in_hand
            })
        })
    }

    /// Hashes of the pawns and of each side's pieces.
    #[inline]
    fn structures(&self) -> Option<[u64; KINDS]> {
        // Odd constants; the upper bits of a product depend on all bits.
        const ODD: [u64; 4] =
            [0x9e37_79b9_7f4a_7c15, 0xc2b2_ae3d_27d4_eb4f, 0xd6e8_feb8_6659_fd93, 0xa076_1d64_78bd_642f];
        let pawns = self.role(Role::Pawn);
        let [white, black] = [self.color(Color::White), self.color(Color::Black)];
        let mixed = |a: Bitboard, b: Bitboard| {
            let product = (a.0.wrapping_mul(ODD[0]) ^ b.0.rotate_left(32)).wrapping_mul(ODD[1]);
            (product ^ product >> 29).wrapping_mul(ODD[2]) >> 32
        };
        let pieces = |own: Bitboard| {
            let light = mixed(own & self.role(Role::Knight), own & self.role(Role::Bishop));
            let heavy =
                mixed(own & self.straight_sliders(), own & (self.role(Role::King) | self.role(Role::Queen)));
            light.wrapping_mul(ODD[3]) >> 7 ^ heavy
        };
        let checks = self.fairy().filter(|fairy| fairy.rules().checks_to_win > 0).map_or(0, |fairy| {
            let [white, black] = Color::ALL.map(|color| u64::from(fairy.checks(color)));
            (white << 8 | black).wrapping_mul(ODD[0])
        });
        Some([mixed(pawns & white, pawns & black), pieces(white), pieces(black)].map(|key| key ^ checks))
    }

    #[inline]
    fn evaluate(&self) -> i32 {
        evaluate(self)
    }
}
