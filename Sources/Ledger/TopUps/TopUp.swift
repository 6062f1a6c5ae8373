package import Foundation
package import Postgres

/// A user's consent to automatic top-up: fewer available coins than the threshold charge a registered card.
///
/// The gateway's name of the card is not told: only who asks the gateway needs it.
package struct TopUp: Sendable, Equatable, Identifiable {
    package enum Status: String, Sendable {
        /// Spends and captures start charges.
        case active
        /// No charge starts until somebody resumes it.
        case paused
        /// It has ended for good.
        case revoked
    }

    package let id: Int64
    package let user: UserID
    package let status: Status
    package let gateway: String
    /// The code of the product that is sold.
    package let product: String
    /// Fewer available coins start a charge.
    package let threshold: Int64
    /// The most won a month, in the ledger's zone.
    package let monthlyLimit: Int64
    /// Failed charges in a row.
    package let failures: Int64
    /// Why it is paused or revoked; nil: it is active.
    package let reason: String?
    /// No charge starts before; nil: nothing has made it rest.
    package let restsUntil: Date?
    package let agreedAt: Date
    /// The caller who stored it.
    package let setBy: String
    /// Who last paused, resumed or revoked it; nil if nobody did, or if ledgerd paused it.
    package let changedBy: String?
    /// When it was revoked; nil: it is in force.
    package let endedAt: Date?
}

/// What a user agrees to.
package struct TopUpDraft: Sendable, Equatable {
    package let user: UserID
    package let gateway: String
    /// The gateway's name of the card.
    package let billingKey: String
    package let product: String
    package let threshold: Coins
    /// The most won a month.
    package let monthlyLimit: Int64
    /// The caller.
    package let setBy: String

    package init(
        user: UserID, gateway: String, billingKey: String, product: String, threshold: Coins, monthlyLimit: Int64,
        setBy: String
    ) {
        self.user = user
        self.gateway = gateway
        self.billingKey = billingKey
        self.product = product
        self.threshold = threshold
        self.monthlyLimit = monthlyLimit
        self.setBy = setBy
    }
}

/// A charge of automatic top-up.
package struct TopUpCharge: Sendable, Equatable, Identifiable {
    package enum Status: String, Sendable {
        /// It is not known yet what became of it.
        case waiting
        /// The payment was credited.
        case credited
        /// The gateway did not charge.
        case failed
        /// The gateway was not asked.
        case dropped
    }

    package let id: Int64
    package let status: Status
    /// Why it waits, or what came of it.
    package let reason: String
    /// The spend or capture that started it.
    package let journalEntryID: Int64
    /// The order that is charged; nil: the gateway was never asked.
    package let merchantUID: String?
    /// The order's won.
    package let amount: Int64?
    package let startedAt: Date
    /// When it was decided; nil: it waits.
    package let decidedAt: Date?
    /// The purchase that its payment became; nil: none.
    package let purchaseID: Int64?
}

/// Keeps consents to automatic top-up.
///
/// The database starts charges, with spends and captures (`start_top_ups`), and ends the paid ones (`credit_top_ups`).
package struct TopUps: Sendable {
    private let pools: Pools

    init(_ pools: Pools) { self.pools = pools }

    /// The user's consent in force, or else the last one; nil: the user never agreed to one.
    package func find(of user: UserID) async throws(LedgerError) -> TopUp? {
        try await reading { try await pools.reads.run(TopUp.find(of: user)) }
    }

    /// The user's latest charges, newest first.
    package func charges(of user: UserID, limit: Int) async throws(LedgerError) -> [TopUpCharge] {
        try await reading { try await pools.reads.run(TopUpCharge.latest(of: user, limit: limit)) }
    }

    /// Stores a consent, in place of the one in force, which ends.
    ///
    /// A repeat of the same changes nothing.
    package func agree(to draft: TopUpDraft) async throws(LedgerError) {
        try await reading { _ = try await pools.writes.run(TopUp.agree(draft)) }
    }

    /// Ends the user's consent at once: no charge is asked for after this returns, and one that was asked for goes on.
    ///
    /// - Returns: whether there was one in force.
    package func revoke(of user: UserID, by caller: String) async throws(LedgerError) -> Bool {
        try await reading { try await pools.writes.run(TopUp.revoke(of: user, by: caller)) }
    }

    /// Pauses an active consent.
    ///
    /// - Returns: whether there was one.
    package func pause(
        of user: UserID, because reason: String, by caller: String
    ) async throws(LedgerError) -> Bool {
        try await reading { try await pools.writes.run(TopUp.pause(of: user, because: reason, by: caller)) }
    }

    /// Resumes a paused consent, without failures and rest from before.
    ///
    /// - Returns: whether there was one.
    package func resume(of user: UserID, by caller: String) async throws(LedgerError) -> Bool {
        try await reading { try await pools.writes.run(TopUp.pause(of: user, because: nil, by: caller)) }
    }
}

extension TopUp: PostgresReadable {
    fileprivate static func find(of user: UserID) -> PostgresQuery<TopUp?> {
        .first(
            """
            SELECT id, user_id, status, gateway, product, threshold, monthly_limit, failures, reason, rests_until,
                agreed_at, set_by, changed_by, ended_at
            FROM top_up WHERE user_id = $1 ORDER BY status <> 'revoked' DESC, id DESC LIMIT 1
            """, [user.rawValue])
    }

    fileprivate static func agree(_ draft: TopUpDraft) -> PostgresQuery<Int64> {
        .one(
            "SELECT agree_to_top_up($1, $2, $3, $4, $5, $6, $7)",
            [
                draft.user.rawValue, draft.gateway, draft.billingKey, draft.product, draft.threshold.count,
                draft.monthlyLimit, draft.setBy,
            ])
    }

    fileprivate static func revoke(of user: UserID, by caller: String) -> PostgresQuery<Bool> {
        .one("SELECT revoke_top_up($1, 'revoked', $2)", [user.rawValue, caller])
    }

    /// - Parameter reason: nil: it is resumed.
    fileprivate static func pause(
        of user: UserID, because reason: String?, by caller: String
    ) -> PostgresQuery<Bool> {
        .one("SELECT pause_top_up($1, $2, $3) IS NOT NULL", [user.rawValue, reason, caller])
    }

    package static func read(_ row: borrowing PostgresRow, at column: inout Int) throws -> TopUp {
        try row.make(at: &column, TopUp.init)
    }
}

extension TopUpCharge: PostgresReadable {
    fileprivate static func latest(of user: UserID, limit: Int) -> PostgresQuery<[TopUpCharge]> {
        PostgresQuery(
            """
            SELECT id, status, reason, journal_entry_id, merchant_uid, amount, started_at, decided_at,
                (SELECT purchase.id FROM purchase WHERE purchase.merchant_uid = top_up_charge.merchant_uid)
            FROM top_up_charge WHERE user_id = $1 ORDER BY top_up_charge.id DESC LIMIT $2
            """, [user.rawValue, Int64(limit)]
        ) { row in try row.read() }
    }

    package static func read(_ row: borrowing PostgresRow, at column: inout Int) throws -> TopUpCharge {
        try row.make(at: &column, TopUpCharge.init)
    }
}
