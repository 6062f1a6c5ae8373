import Foundation

/// How many given coins of a purchase come back to its buyer, because their money goes back.
///
/// ```
/// Dr wallet:<holder>:paid    coins / Cr clearing:coins           coins   (and so on: see ``Gift``)
/// Dr clearing:coins          coins / Cr wallet:<buyer>:paid      coins
/// ```
/// They come back from whoever has them, into the lot that was bought, and are taken from there like others. Only what is in
/// wallets and has not expired comes back. The rest is the buyer's debt after a claw-back, and never the holder's.
struct Recall: Sendable, Equatable {
    private(set) var paid: Int64
    private(set) var bonus: Int64

    static let none = Recall(paid: 0, bonus: 0)

    subscript(kind: LotKind) -> Int64 { kind == .paid ? paid : bonus }

    /// The coins that each lot with given coins loses: those first that were given last.
    func choices(from given: [Lot], at moment: Date) -> [Plan.Choice] {
        LotKind.allCases.flatMap { kind in
            var missing = self[kind]
            return given.sorted { $0.id > $1.id }.compactMap { lot in
                guard missing > 0, lot.kind == kind, lot.canComeBack(at: moment) else { return nil as Plan.Choice? }
                let coins = min(missing, lot.remaining)
                missing -= coins
                return Plan.Choice(lotID: lot.id, coins: coins)
            }
        }
    }

    /// The purchase's own lots afterwards.
    func applied(to own: [Lot], from given: [Lot], at moment: Date) -> [Lot] {
        var own = own
        for choice in choices(from: given, at: moment) {
            guard var lot = given.first(where: { $0.id == choice.lotID }),
                let place = own.firstIndex(where: { $0.id == lot.originID })
            else { continue }
            own[place].regain(choice.coins, lot.give(choice.coins), at: moment)
        }
        return own
    }
}

/// A lot with given coins of a purchase that an act may refund, and the users whose accounts that needs.
///
/// A merge can make either another user, of another stripe.
struct RecallableLot: Sendable, Hashable {
    let lotID: Int64
    let holder: UserID
    let buyer: UserID

    /// Those among lots that were read with the ones that were bought.
    static func among(_ lots: [Lot]) -> [RecallableLot] {
        let users = Dictionary(lots.map { ($0.id, $0.user) }) { user, _ in user }
        return lots.compactMap { lot in
            lot.originID.flatMap { users[$0] }.map { RecallableLot(lotID: lot.id, holder: lot.user, buyer: $0) }
        }
    }
}

extension Lot {
    /// Whether its coins in the wallet, which were given, come back when their purchase is refunded.
    fileprivate func canComeBack(at moment: Date) -> Bool { remaining > 0 && !isExpired(at: moment) }
}

extension [Lot] {
    /// The given coins of a kind that can come back.
    func recallable(_ kind: LotKind, at moment: Date) -> Int64 {
        reduce(0) { $0 + ($1.kind == kind && $1.canComeBack(at: moment) ? $1.remaining : 0) }
    }
}
