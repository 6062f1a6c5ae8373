package import Foundation
import Postgres

/// Where a list of lots, by when they expire, goes on: after this lot.
package struct LotCursor: Sendable, Codable, Equatable {
    /// The last lot's expiry; that of a lot which never expires is beyond any other.
    package let expiresAt: CursorMoment
    /// The last lot's id.
    package let id: Int64

    init(after lot: Lot) {
        expiresAt = CursorMoment(lot.expiresAt ?? .endOfHistory)
        id = lot.id
    }

    var date: Date { expiresAt.date }
}

/// Coins that came together and leave in order.
package struct Lots: Sendable {
    private let pools: Pools

    init(_ pools: Pools) { self.pools = pools }

    /// The user's lots of which coins are left, by when they expire; those that never do come last.
    ///
    /// - Parameters:
    ///   - kind: only those of this kind.
    ///   - end: only those that expire before it.
    package func list(
        of user: UserID, _ kind: LotKind? = nil, expiringBefore end: Date? = nil, after cursor: LotCursor? = nil,
        limit: Int
    ) async throws(LedgerError) -> Page<Lot, LotCursor> {
        try await reading {
            let found = try await pools.reads.run(
                Lot.open(of: user, kind, expiringBefore: end, after: cursor, limit: limit))
            return Page(found, limit: limit) { shown in shown.last.map(LotCursor.init(after:)) }
        }
    }

    /// Lots of all users that expire before the moment and have coins in the wallet, the earliest first.
    ///
    /// - Parameter kind: only those of this kind.
    package func list(
        expiringBefore end: Date, _ kind: LotKind? = nil, after cursor: LotCursor? = nil, limit: Int
    ) async throws(LedgerError) -> Page<Lot, LotCursor> {
        try await reading {
            let found = try await pools.reads.run(Lot.expiring(before: end, kind, after: cursor, limit: limit))
            return Page(found, limit: limit) { shown in shown.last.map(LotCursor.init(after:)) }
        }
    }

    /// Lots whose time is up and that have coins in the wallet, the earliest first.
    ///
    /// - Parameter unreadable: told the id of each that is left out because its row can't be read, and why.
    package func listDue(
        limit: Int, unreadable: (Int64, LedgerError) -> Void = { _, _ in }
    ) async throws(LedgerError) -> [Lot] {
        try await reading { try await pools.reads.run(Lot.due(limit: limit)) }.values(unreadable)
    }
}
