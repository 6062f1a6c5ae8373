public import Foundation
import Postgres

extension Ledger {
    /// What the user has now.
    ///
    /// Look-ups at the same time share one query.
    public func balance(of user: UserID) async throws(LedgerError) -> Balance {
        try await reading { try await balances.submit(user) }
    }

    /// What each of the users has now, in their order.
    public func balances(of users: [UserID]) async throws(LedgerError) -> [Balance] {
        try await reading { Balance.assemble(users, from: try await pool.run(Balance.of(users))) }
    }

    /// What the user had when everything recorded by that moment was counted, and nothing later.
    public func balance(of user: UserID, at moment: Date) async throws(LedgerError) -> Balance {
        try await reading {
            let rows = try await pool.run(Balance.of([user], at: moment))
            return Balance.assemble([user], from: rows)[0]
        }
    }

    /// The purchase that this payment became, whoever's it is.
    ///
    /// Look-ups at the same time share one query.
    public func purchase(of payment: PaymentIdentity) async throws(LedgerError) -> Purchase? {
        try await reading { try await purchases.submit(payment) }
    }

    /// The purchase with this id, whoever's it is.
    public func purchase(_ id: Int64) async throws(LedgerError) -> Purchase? {
        try await reading { try await pool.run(Purchase.find([id], ofRefunds: [])).first }
    }

    /// The user's own purchase with this id; nil when there is none or it is another's.
    public func purchase(_ id: Int64, of user: UserID) async throws(LedgerError) -> Purchase? {
        try await reading { try await pool.run(Purchase.find(id, of: user)).first }
    }

    /// The user's purchases, newest first.
    public func purchases(
        of user: UserID, after cursor: PurchaseCursor? = nil, limit: Int
    ) async throws(LedgerError) -> Page<Purchase, PurchaseCursor> {
        try await reading {
            let found = try await pool.run(Purchase.history(of: user, after: cursor, limit: limit))
            return Page(found, limit: limit) { shown in shown.last.map(PurchaseCursor.init(after:)) }
        }
    }

    /// The movements of the user's coins, newest first.
    public func statement(
        of user: UserID, after cursor: StatementCursor? = nil, limit: Int
    ) async throws(LedgerError) -> Page<StatementEntry, StatementCursor> {
        try await reading {
            let lines = try await pool.run(StatementLine.newest(of: user, after: cursor, limit: limit))
            return Page(StatementEntry.assemble(lines), limit: limit) { shown in
                StatementCursor(after: shown, following: cursor)
            }
        }
    }

    /// The journal entry with this id and its postings.
    public func journalRecord(_ id: Int64) async throws(LedgerError) -> JournalRecord? {
        try await reading {
            try await pool.withConnection { connection in
                let (heads, lines) = try await connection.pipeline(JournalRecord.head(id), JournalRecord.lines(of: id))
                guard var record = heads.first else { return nil }
                record.lines = lines
                return record
            }
        }
    }

    /// The user's lots of which coins are left, by when they expire; those that never do come last.
    ///
    /// - Parameter end: only those that expire before it.
    public func lots(
        of user: UserID, expiringBefore end: Date? = nil, after cursor: LotCursor? = nil, limit: Int
    ) async throws(LedgerError) -> Page<Lot, LotCursor> {
        try await reading {
            let found = try await pool.run(Lot.open(of: user, expiringBefore: end, after: cursor, limit: limit))
            return Page(found, limit: limit) { shown in shown.last.map(LotCursor.init(after:)) }
        }
    }

    /// Lots of all users that expire before the moment and have coins in the wallet, the earliest first.
    public func expiringLots(
        before end: Date, after cursor: LotCursor? = nil, limit: Int
    ) async throws(LedgerError) -> Page<Lot, LotCursor> {
        try await reading {
            let found = try await pool.run(Lot.expiring(before: end, after: cursor, limit: limit))
            return Page(found, limit: limit) { shown in shown.last.map(LotCursor.init(after:)) }
        }
    }

    /// The hold with this id, whoever's it is.
    public func hold(_ id: Int64) async throws(LedgerError) -> Hold? {
        try await reading { try await pool.run(Hold.find([id])).first }
    }

    /// The user's holds, newest first.
    public func holds(
        of user: UserID, after cursor: HoldCursor? = nil, limit: Int
    ) async throws(LedgerError) -> Page<Hold, HoldCursor> {
        try await reading {
            let found = try await pool.run(Hold.history(of: user, before: cursor?.id, limit: limit))
            return Page(found, limit: limit) { shown in shown.last.map { HoldCursor(id: $0.id) } }
        }
    }

    /// Open holds whose time is up, the earliest first.
    public func dueHolds(limit: Int) async throws(LedgerError) -> [Hold] {
        try await reading { try await pool.run(Hold.due(limit: limit)) }
    }

    /// Lots whose time is up and that have coins in the wallet, the earliest first.
    public func dueLots(limit: Int) async throws(LedgerError) -> [Lot] {
        try await reading { try await pool.run(Lot.due(limit: limit)) }
    }

    /// The coins that a provider has earned, of the users of all stripes.
    public func earnings(of provider: UserID) async throws(LedgerError) -> Int64 {
        let codes = (0..<stripes).map { AccountCode.earnings(of: provider, Stripe(number: $0)) }
        return try await reading { try await pool.run(Account.balances(codes)).reduce(0, +) }
    }
}
