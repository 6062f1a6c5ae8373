import Batching
package import Foundation
import Postgres

extension Ledger {
    /// What the user has now.
    ///
    /// Look-ups at the same time share one query.
    package func balance(of user: UserID) async throws(LedgerError) -> Balance {
        try await reading { try await balances.submit(user) }
    }

    /// What each of the users has now, in their order.
    package func balances(of users: [UserID]) async throws(LedgerError) -> [Balance] {
        try await reading { Balance.assemble(users, from: try await pool.run(Balance.of(users))) }
    }

    /// What the user had when everything recorded by that moment was counted, and nothing later.
    package func balance(of user: UserID, at moment: Date) async throws(LedgerError) -> Balance {
        try await reading {
            let rows = try await pool.run(Balance.of([user], at: moment))
            return Balance.assemble([user], from: rows)[0]
        }
    }

    /// The purchase that this payment became, whoever's it is.
    ///
    /// Look-ups at the same time share one query.
    package func purchase(of payment: PaymentIdentity) async throws(LedgerError) -> Purchase? {
        try await reading { try await purchases.submit(payment) }
    }

    /// The purchase with this id, whoever's it is.
    package func purchase(_ id: Int64) async throws(LedgerError) -> Purchase? {
        try await reading { try await pool.run(Purchase.find([id], ofRefunds: [])).first }
    }

    /// The user's own purchase with this id; nil when there is none or it is another's.
    package func purchase(_ id: Int64, of user: UserID) async throws(LedgerError) -> Purchase? {
        try await reading { try await pool.run(Purchase.find(id, of: user)).first }
    }

    /// The user's purchases that were credited in the period, newest first.
    ///
    /// Pages that are asked for at the same time share one query, unless they are of a status: to find those of a rare one,
    /// many others may have to be passed over.
    ///
    /// - Parameter status: only those that stand so.
    package func purchases(
        of user: UserID, in period: Period = .always, _ status: Purchase.Status? = nil,
        after cursor: PurchaseCursor? = nil, limit: Int
    ) async throws(LedgerError) -> Page<RefundablePurchase, PurchaseCursor> {
        let question = PurchaseQuestion(user: user, period: period, status: status, cursor: cursor, limit: limit)
        return try await reading {
            if status == nil { return try await purchasePages.submit(question, in: .user(user)) }
            return try await RefundablePurchase.pages([question], from: pool)[0]
        }
    }

    /// The movements of the user's coins that were recorded in the period, newest first.
    ///
    /// Pages that are asked for at the same time share one query, unless they are of a kind.
    ///
    /// - Parameter kind: only acts of this kind. Others are passed over, so many at most: a page may hold fewer entries
    ///   than `limit`, or none, and not be the last.
    package func statement(
        of user: UserID, in period: Period = .always, _ kind: String? = nil, after cursor: StatementCursor? = nil,
        limit: Int
    ) async throws(LedgerError) -> Page<StatementEntry, StatementCursor> {
        try await reading {
            var walk = StatementWalk(period: period, kind: kind, cursor: cursor, limit: limit)
            repeat {
                let question = StatementQuestion(user: user, end: period.to, cursor: walk.cursor, limit: walk.step)
                walk.take(
                    kind == nil
                        ? try await statementPages.submit(question, in: .user(user))
                        : try await StatementLine.newest([question], from: pool)[0])
            } while walk.goesOn
            return walk.page
        }
    }

    /// The journal entry with this id and its postings.
    package func journalRecord(_ id: Int64) async throws(LedgerError) -> JournalRecord? {
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
    /// - Parameters:
    ///   - kind: only those of this kind.
    ///   - end: only those that expire before it.
    package func lots(
        of user: UserID, _ kind: LotKind? = nil, expiringBefore end: Date? = nil, after cursor: LotCursor? = nil,
        limit: Int
    ) async throws(LedgerError) -> Page<Lot, LotCursor> {
        try await reading {
            let found = try await pool.run(Lot.open(of: user, kind, expiringBefore: end, after: cursor, limit: limit))
            return Page(found, limit: limit) { shown in shown.last.map(LotCursor.init(after:)) }
        }
    }

    /// Lots of all users that expire before the moment and have coins in the wallet, the earliest first.
    ///
    /// - Parameter kind: only those of this kind.
    package func expiringLots(
        before end: Date, _ kind: LotKind? = nil, after cursor: LotCursor? = nil, limit: Int
    ) async throws(LedgerError) -> Page<Lot, LotCursor> {
        try await reading {
            let found = try await pool.run(Lot.expiring(before: end, kind, after: cursor, limit: limit))
            return Page(found, limit: limit) { shown in shown.last.map(LotCursor.init(after:)) }
        }
    }

    /// The hold with this id, whoever's it is.
    package func hold(_ id: Int64) async throws(LedgerError) -> Hold? {
        try await reading { try await pool.run(Hold.find([id])).first }
    }

    /// The user's holds that were placed in the period, newest first.
    ///
    /// - Parameter status: only those that stand so.
    package func holds(
        of user: UserID, in period: Period = .always, _ status: Hold.Status? = nil, after cursor: HoldCursor? = nil,
        limit: Int
    ) async throws(LedgerError) -> Page<Hold, HoldCursor> {
        try await reading {
            let found = try await pool.run(
                Hold.history(of: user, in: period, status, before: cursor?.id, limit: limit))
            return Page(found, limit: limit) { shown in shown.last.map { HoldCursor(id: $0.id) } }
        }
    }

    /// Open holds whose time is up, the earliest first.
    ///
    /// - Parameter unreadable: told the id of each that is left out because its row can't be read, and why.
    package func dueHolds(
        limit: Int, unreadable: (Int64, LedgerError) -> Void = { _, _ in }
    ) async throws(LedgerError) -> [Hold] {
        try await reading { try await pool.run(Hold.due(limit: limit)) }.values(unreadable)
    }

    /// Lots whose time is up and that have coins in the wallet, the earliest first.
    ///
    /// - Parameter unreadable: told the id of each that is left out because its row can't be read, and why.
    package func dueLots(
        limit: Int, unreadable: (Int64, LedgerError) -> Void = { _, _ in }
    ) async throws(LedgerError) -> [Lot] {
        try await reading { try await pool.run(Lot.due(limit: limit)) }.values(unreadable)
    }

    /// Users who owe coins and have some that they can use, as only books from before debts were paid at once have them.
    package func debtorsWithCoins(limit: Int) async throws(LedgerError) -> [UserID] {
        try await reading { try await pool.run(Balance.debtorsWithCoins(limit: limit)) }
    }

    /// The coins that a provider has earned, of the users of all stripes.
    package func earnings(of provider: UserID) async throws(LedgerError) -> Int64 {
        let codes = (0..<stripes).map { AccountCode.earnings(of: provider, Stripe(number: $0)) }
        return try await reading { try await pool.run(Account.balances(codes)).reduce(0, +) }
    }
}

extension Lane {
    /// A user's own: whoever turns many pages at once takes turns with the others.
    fileprivate static func user(_ user: UserID) -> Lane { Lane(share: "users", caller: user.rawValue) }
}
