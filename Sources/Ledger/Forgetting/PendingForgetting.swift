package import Postgres

/// A user who is to be forgotten, when the time has come.
package struct PendingForgetting: WorkItem, Equatable {
    /// The end of a request, which the database's functions store.
    package enum Decision: String, Sendable {
        case forgotten
        case cancelled
    }

    /// Longer than it may take to forget a user: tables of texts are read whole, for ten minutes at most.
    package static let lease = Duration.seconds(660)

    package let id: Int64
    package let user: UserID
    package let attempts: Int64
}

extension PendingForgetting: StoredWorkItem {
    static let table = "forgetting"
    static let columns = "forgetting.id, forgetting.user_id, forgetting.attempts"

    package static func read(_ row: borrowing PostgresRow, at column: inout Int) throws -> PendingForgetting {
        try row.make(at: &column, PendingForgetting.init(id:user:attempts:))
    }
}

/// How long the id of a forgotten user is kept, encrypted, for records of what they did.
package struct KeepingPeriods: Sendable, Equatable {
    /// After the last payment.
    package let payments: Int
    /// After the last refund or dispute.
    package let complaints: Int

    /// In years, as the E-Commerce Act counts.
    package init(yearsOfPayments payments: Int, ofComplaints complaints: Int) {
        self.payments = payments
        self.complaints = complaints
    }
}

/// The requests that wait.
package typealias PendingForgettings = WorkList<PendingForgetting>

extension PendingForgettings {
    /// Forgets the user, in one transaction, unless something is open.
    ///
    /// - Returns: what the request waits for; nil: it is decided.
    /// - Throws: ``LedgerError``; nothing is changed then.
    package func forget(
        _ pending: PendingForgetting, key: ForgettingKey, keeping periods: KeepingPeriods
    ) async throws -> String? {
        let user = try await reading {
            try await pools.work.run(PostgresQuery<String>.one("SELECT user_behind($1)", [pending.user.rawValue]))
        }
        let encrypted = try key.encrypted(user)
        return try await reading {
            // It reads tables of texts whole, and so has the time of what reads all purchases.
            try await pools.adjusting.run(
                PostgresQuery<String??>.first(
                    """
                    SELECT forget_user($1, $2, $3, $4, make_interval(years => $5::int), make_interval(years => $6::int))
                    """,
                    [
                        pending.id, PostgresBytes(encrypted), key.name, PostgresBytes(key.ofPayments),
                        Int64(periods.payments), Int64(periods.complaints),
                    ]
                ) { row in try row.decode(0, as: String?.self) })?.flatMap(\.self)
        }
    }

    /// What became of a request; nil: it waits.
    package func decision(of pending: PendingForgetting) async throws(LedgerError) -> PendingForgetting.Decision? {
        let status = try await reading {
            try await pools.work.run(
                PostgresQuery<String?>.first("SELECT status FROM forgetting WHERE id = $1", [pending.id]) { row in
                    try row.decode(0, as: String.self)
                })
        }
        return status.flatMap(PendingForgetting.Decision.init(rawValue:))
    }
}
