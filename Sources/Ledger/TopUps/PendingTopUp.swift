package import Foundation
package import Postgres

/// A charge of automatic top-up that waits: for its turn, or for the gateway's final answer.
package struct PendingTopUp: WorkItem, Equatable {
    /// The end of a charge, which the database's functions store.
    package enum Decision: String, Sendable {
        /// The payment was credited.
        case credited
        /// The gateway did not charge.
        case failed
        /// The gateway was not asked.
        case dropped
    }

    /// How long a charge is reserved for the process that took it: longer than its requests to the gateway and its
    /// commits take.
    package static let lease = Duration.seconds(120)
    /// How long an order can be paid: longer than a charge can be under way, or be asked for again.
    package static let orderLifetime = Duration.seconds(24 * 3600)
    /// The time after which a gateway has carried out a request or never will.
    ///
    /// Until then its "not found" proves nothing.
    private static let longestCharge = "interval '15 minutes'"

    package let id: Int64
    package let user: UserID
    /// The gateway that charges.
    package let gateway: String
    /// The order that is charged; nil: the gateway was never asked.
    package let merchantUID: String?
    /// How often the work list returned it.
    package let attempts: Int64
    /// Why it waits.
    package let reason: String
    /// When the gateway was asked to charge; nil: never, or no request reached it.
    package let askedAt: Date?
    /// Whether the request may still be carried out.
    package let mayBeUnderWay: Bool

    /// What the gateway is asked to charge, and since when it is so stored.
    package struct Asking: Sendable, Equatable {
        package let merchantUID: String
        /// Won.
        package let amount: Int64
        /// The product's title.
        package let title: String
        /// The gateway's name of the card.
        package let billingKey: String
        package let at: Date
        /// The order's rule.
        package let vat: VATRule

        package init(
            merchantUID: String, amount: Int64, title: String, billingKey: String, at: Date, vat: VATRule
        ) {
            self.merchantUID = merchantUID
            self.amount = amount
            self.title = title
            self.billingKey = billingKey
            self.at = at
            self.vat = vat
        }
    }

    package init(
        id: Int64, user: UserID, gateway: String, merchantUID: String?, attempts: Int64, reason: String,
        askedAt: Date?, mayBeUnderWay: Bool
    ) {
        self.id = id
        self.user = user
        self.gateway = gateway
        self.merchantUID = merchantUID
        self.attempts = attempts
        self.reason = reason
        self.askedAt = askedAt
        self.mayBeUnderWay = mayBeUnderWay
    }
}

extension PendingTopUp: StoredWorkItem {
    static let table = "top_up_charge"
    static let columns = """
        top_up_charge.id, top_up_charge.user_id,
        (SELECT gateway FROM top_up WHERE top_up.id = top_up_charge.top_up_id),
        top_up_charge.merchant_uid, top_up_charge.attempts, top_up_charge.reason, top_up_charge.asked_at,
        coalesce(top_up_charge.asked_at > now() - \(longestCharge), false)
        """

    package static func read(_ row: borrowing PostgresRow, at column: inout Int) throws -> PendingTopUp {
        try row.make(
            at: &column,
            PendingTopUp.init(id:user:gateway:merchantUID:attempts:reason:askedAt:mayBeUnderWay:))
    }
}

/// The charges that wait.
package typealias PendingTopUps = WorkList<PendingTopUp>

extension PendingTopUps {
    /// Stores that the gateway is about to be asked to charge, before it is asked, with the order that is charged.
    ///
    /// So every process knows that a charge may be under way, and only one asks.
    ///
    /// - Parameters:
    ///   - zone: the zone of days and months.
    ///   - mostADay: the most credited charges of a user in a day.
    /// - Returns: nil: the gateway must not be asked. The charge is dropped, or another process has asked.
    package func beginAsking(
        _ pending: PendingTopUp, in zone: TimeZone, mostADay: Int
    ) async throws(LedgerError) -> PendingTopUp.Asking? {
        try await reading { try await pools.work.run(pending.askingBegins(zone, mostADay)) }
    }

    /// Stores that a request which ``beginAsking(_:in:mostADay:)`` announced at this time did not reach the
    /// gateway.
    package func wasNotAsked(_ pending: PendingTopUp, at time: Date) async throws(LedgerError) {
        try await reading {
            _ = try await pools.work.run(
                PostgresQuery<Int>.affected("SELECT withdraw_top_up($1, $2)", [pending.id, time]))
        }
    }

    /// Ends a charge that the gateway did not carry out; the consent rests, and is paused after `most` failures in a row.
    package func fail(
        _ pending: PendingTopUp, because reason: String, rest: Duration, most: Int
    ) async throws(LedgerError) {
        try await reading {
            _ = try await pools.work.run(
                PostgresQuery<Int>.affected(
                    "SELECT fail_top_up($1, $2, $3 * interval '1 millisecond', $4)",
                    [pending.id, reason, rest.milliseconds, Int64(most)]))
        }
    }

    /// The order that is charged; nil: the gateway was never asked.
    package func order(of pending: PendingTopUp) async throws(LedgerError) -> String? {
        try await reading {
            try await pools.work.run(
                PostgresQuery<String??>.first(
                    "SELECT merchant_uid FROM top_up_charge WHERE id = $1", [pending.id]
                ) { row in try row.decode(0, as: String?.self) })
        }
        .flatMap(\.self)
    }

    /// What became of a charge; nil: it waits.
    package func decision(of pending: PendingTopUp) async throws(LedgerError) -> PendingTopUp.Decision? {
        let status = try await reading {
            try await pools.work.run(
                PostgresQuery<String?>.first("SELECT status FROM top_up_charge WHERE id = $1", [pending.id]) { row in
                    try row.decode(0, as: String.self)
                })
        }
        return status.flatMap(PendingTopUp.Decision.init(rawValue:))
    }
}

extension PendingTopUp {
    fileprivate func askingBegins(_ zone: TimeZone, _ mostADay: Int) -> PostgresQuery<Asking?> {
        .first(
            """
            SELECT merchant_uid, amount, title, billing_key, asked_at, vat
            FROM ask_for_top_up($1, $2 * interval '1 millisecond', $3, $4) WHERE merchant_uid IS NOT NULL
            """,
            [id, Self.orderLifetime.milliseconds, zone.identifier, Int64(mostADay)]
        ) { row in try row.make(Asking.init) }
    }
}
