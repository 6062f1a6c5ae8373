package import Foundation
import Postgres

/// Where the next page of lots begins: after this lot.
package struct LotCursor: Sendable, Codable, Equatable {
    /// The last lot's expiry.
    ///
    /// A lot that never expires comes after all others.
    package let expiresAt: CursorMoment
    /// The last lot's id.
    package let id: Int64

    init(after lot: Lot) {
        expiresAt = CursorMoment(lot.expiresAt ?? .endOfHistory)
        id = lot.id
    }

    var date: Date { expiresAt.date }
}

/// Reads lots.
package struct Lots: Sendable {
    private let pools: Pools

    init(_ pools: Pools) { self.pools = pools }

    /// The user's lots with coins left, by expiry; lots that never expire come last.
    ///
    /// - Parameters:
    ///   - kind: only lots of this kind; nil: both kinds.
    ///   - end: only lots that expire before this moment.
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

    /// The lot of the grant with this journal entry, of any user; nil: there is no such grant.
    package func ofGrant(_ id: Int64) async throws(LedgerError) -> Lot? {
        try await reading { try await pools.lookups.run(Lot.ofGrant(id)).first }
    }

    /// The same with what of it can be voided.
    package func voidable(_ id: Int64) async throws(LedgerError) -> VoidableGrant? {
        try await reading { try await pools.lookups.run(Lot.voidable(id)).first }
    }

    /// The user's grants of which coins are left, newest first.
    package func listVoidable(of user: UserID, limit: Int) async throws(LedgerError) -> [VoidableGrant] {
        try await reading { try await pools.reads.run(Lot.voidable(of: user, limit: limit)) }
    }

    /// The lots of a spend or capture that belong to voided grants: what comes back into them is voided, too.
    package func voided(of redemption: Redemption) async throws(LedgerError) -> Set<Int64> {
        try await reading { Set(try await pools.lookups.run(Lot.voided(among: redemption.left.map(\.lotID)))) }
    }

    /// Lots of all users that expire before the moment and have coins in the wallet, earliest expiry first.
    ///
    /// - Parameter kind: only lots of this kind; nil: both kinds.
    package func list(
        expiringBefore end: Date, _ kind: LotKind? = nil, after cursor: LotCursor? = nil, limit: Int
    ) async throws(LedgerError) -> Page<Lot, LotCursor> {
        try await reading {
            let found = try await pools.reads.run(Lot.expiring(before: end, kind, after: cursor, limit: limit))
            return Page(found, limit: limit) { shown in shown.last.map(LotCursor.init(after:)) }
        }
    }

    /// Expired lots with coins in the wallet, earliest expiry first.
    ///
    /// - Parameter unreadable: called for each row that can't be read, with its id and the error. The row is left out.
    package func listDue(
        limit: Int, unreadable: (Int64, LedgerError) -> Void = { _, _ in }
    ) async throws(LedgerError) -> [Lot] {
        try await reading { try await pools.reads.run(Lot.due(limit: limit)) }.values(unreadable)
    }
}
