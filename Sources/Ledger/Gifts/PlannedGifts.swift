import Foundation
import Postgres

/// What a gift touches besides its giver.
struct GiftTouch: Sendable {
    let receiver: UserID
    let rules: GiftRules

    /// The accounts of the stripes of both users.
    static let accounts: Set<SystemAccount> = [
        .clearingCoins, .clearingWon, .deferredRevenue, .revenue, .vatPayable, .vatDeferred,
    ]
}

/// Coins that went from one user to another.
struct GivenCoins: Sendable {
    let id: Int64
    let giver: UserID
    let receiver: UserID
    let coins: Int64
    /// The won that went along.
    let amount: Int64
    let sentEntryID: Int64
    let receivedEntryID: Int64
    /// The purchase for which the coins came back to its buyer; nil: they were given.
    let purchaseID: Int64?
    let recordedAt: Date

    /// What its journal entries refer to.
    var reference: String { Self.reference(of: id) }

    static func reference(of id: Int64) -> String { "gift:\(id)" }

    static let insert = BulkInsert<GivenCoins>(
        into: "gift",
        [
            .init("id", \.id), .init("from_user", \.giver), .init("to_user", \.receiver), .init("coins", \.coins),
            .init("amount", \.amount), .init("sent_entry_id", \.sentEntryID),
            .init("received_entry_id", \.receivedEntryID), .init("purchase_id", \.purchaseID),
            .init("recorded_at", \.recordedAt),
        ])
}

/// The coins that a gift moved from one lot to another.
struct GivenLot: Sendable {
    let giftID: Int64
    let fromLotID: Int64
    let toLotID: Int64
    let coins: Int64
    /// The deferred won of the coins.
    let amount: Int64
    /// The won that were recognised for used coins whose money goes back.
    var recognised: Int64 = 0

    static let insert = BulkInsert<GivenLot>(
        into: "gift_lot",
        [
            .init("gift_id", \.giftID), .init("from_lot_id", \.fromLotID), .init("to_lot_id", \.toLotID),
            .init("coins", \.coins), .init("amount", \.amount), .init("recognised", \.recognised),
        ])
}

/// A plan's gifts.
struct PlannedGifts: Sendable {
    private let giveable: [UserID: [Int64]]
    private var givenLots: [Int64: Int64]
    private var given: [UserID: Int64]
    private var received: [UserID: Int64]
    private var new: [GivenCoins] = []
    private var lots: [GivenLot] = []

    init(_ snapshot: Snapshot) {
        giveable = snapshot.giveable
        givenLots = snapshot.givenLots
        given = snapshot.givenToday
        received = snapshot.receivedToday
    }

    /// The lots whose coins the user may give away.
    func giveable(by user: UserID) -> [Int64] { giveable[user] ?? [] }

    /// Leaves out lots that would make more given lots of their purchase than a refund takes back at once.
    func withinLimit(_ lots: [Lot]) -> [Lot] {
        var counts = givenLots
        return lots.filter { lot in
            guard let purchase = lot.purchaseOfCoins else { return true }
            counts[purchase, default: 0] += 1
            return counts[purchase, default: 0] <= Gift.mostGivenLots
        }
    }

    /// Notes a new lot with given coins.
    mutating func note(_ lot: Lot) {
        if let purchase = lot.purchaseOfCoins { givenLots[purchase, default: 0] += 1 }
    }

    /// Why a gift is refused by the limits of a day; nil: it is not.
    func refusal(of gift: Gift) -> Refusal? {
        let coins = gift.coins.count
        for (most, before) in [
            (gift.rules.mostGiven, given[gift.user]), (gift.rules.mostReceived, received[gift.receiver]),
        ] {
            guard let most else { continue }
            let left = max(0, most - (before ?? 0))
            if coins > left { return .giftLimitExceeded(required: coins, available: left) }
        }
        return nil
    }

    mutating func insert(_ moved: GivenCoins, _ moves: [GivenLot]) {
        new.append(moved)
        lots += moves
        guard moved.purchaseID == nil else { return }
        given[moved.giver, default: 0] += moved.coins
        received[moved.receiver, default: 0] += moved.coins
    }
}

extension PlannedGifts {
    static func lookUps(for touches: BatchTouches, in order: LotOrdering) -> [PostgresQuery<SnapshotPart>] {
        touches.gifts.flatMap { giver, touch in
            var lookUps = [
                Lot.giveable(by: giver, touch.rules.coins, in: order).into { snapshot, found in
                    snapshot.lots += found.map(\.lot)
                    snapshot.giveable[giver] = found.map(\.lot.id)
                    for (lot, given) in found {
                        if let purchase = lot.purchaseOfCoins { snapshot.givenLots[purchase] = given }
                    }
                }
            ]
            if touch.rules.mostGiven != nil {
                lookUps.append(
                    coins("from_user", giver, since: touch.rules.since).into { $0.givenToday[giver] = $1 })
            }
            if touch.rules.mostReceived != nil {
                lookUps.append(
                    coins("to_user", touch.receiver, since: touch.rules.since)
                        .into { $0.receivedToday[touch.receiver] = $1 })
            }
            return lookUps
        }
    }

    /// The coins of a user's gifts, under all ids of the user.
    ///
    /// Only the index of this column has the order (decision 0002).
    static func coins(_ column: StaticString, _ user: UserID, since: Date) -> PostgresQuery<Int64> {
        PostgresQuery.one(
            """
            SELECT coalesce(sum(coins), 0)::int8
            FROM unnest(\(UserAliases.names(of: "$1::text"))) AS called (name)
            CROSS JOIN LATERAL (
                SELECT coins FROM gift WHERE \(column) = called.name AND recorded_at >= $2 AND purchase_id IS NULL
                ORDER BY recorded_at OFFSET 0
            ) AS gift
            """, [user.rawValue, since])
    }

    var facts: [PostgresQuery<Int>] {
        PostgresQuery.facts(new, GivenCoins.insert) + PostgresQuery.facts(lots, GivenLot.insert)
    }
}
