package import Foundation
package import Postgres

/// A request to forget a user, and what became of it.
package struct Forgetting: Sendable, Equatable, Identifiable {
    package enum Status: String, Sendable {
        /// For its time, and then until nothing of the user is open.
        case waiting
        case cancelled
        /// For good.
        case forgotten
    }

    package let id: Int64
    /// Of a forgotten user: the id that took the place of theirs.
    package let user: UserID
    package let status: Status
    /// What it waits for: `asked` (its time), `chain`, or what is open, such as `coins,order`.
    package let reason: String
    /// Who asked for it.
    package let askedBy: String
    package let askedAt: Date
    /// Not before.
    package let dueAt: Date
    package let cancelledBy: String?
    /// When it was cancelled or done; nil: it waits.
    package let decidedAt: Date?
    /// Until when the id is kept encrypted for records of payments and complaints; nil: it is not.
    package let keptUntil: Date?
}

/// Keeps requests to forget users.
package struct Forgettings: Sendable {
    fileprivate let pools: Pools

    init(_ pools: Pools) { self.pools = pools }

    /// The request of the user that waits, or else the last one; by the id of now, which of a forgotten user is the replacement.
    package func find(of user: UserID) async throws(LedgerError) -> Forgetting? {
        try await reading { try await pools.reads.run(Forgetting.find(of: user)) }
    }

    package func find(_ id: Int64) async throws(LedgerError) -> Forgetting? {
        try await reading { try await pools.reads.run(Forgetting.find(id)) }
    }

    /// Asks that the user is forgotten after a time; a repeat changes nothing.
    ///
    /// - Parameter wait: a day or more.
    package func ask(
        of user: UserID, after wait: Duration, because note: String?, by caller: String
    ) async throws(LedgerError) {
        try await reading { _ = try await pools.writes.run(Forgetting.ask(user, wait, note, caller)) }
    }

    /// Ends the request of the user that waits.
    ///
    /// - Returns: whether there was one.
    package func cancel(of user: UserID, by caller: String) async throws(LedgerError) -> Bool {
        try await reading { try await pools.writes.run(Forgetting.cancel(user, caller)) }
    }

    /// What of the user is open, such as `coins`: as long as something is, the user is not forgotten.
    package func open(of user: UserID) async throws(LedgerError) -> [String] {
        try await reading {
            try await pools.reads.run(
                PostgresQuery<[String]>("SELECT unnest(open_of_user(user_behind($1)))", [user.rawValue]) { row in
                    try row[0]
                })
        }
    }

    /// The id that a forgotten user had, encrypted, with the name of its key; nil: nothing is kept.
    package func kept(of user: UserID) async throws(LedgerError) -> KeptID? {
        try await reading { try await pools.reads.run(KeptID.of(user)) }
    }

    /// The name of a key with which names of payments are hashed that users had who were forgotten, other than the given one; nil: none.
    ///
    /// Without that key such a payment could be credited again.
    package func otherKey(than key: ForgettingKey?) async throws(LedgerError) -> String? {
        try await reading {
            try await pools.writes.run(
                .first(
                    "SELECT hashed_with FROM forgotten_payment WHERE hashed_with IS DISTINCT FROM $1 LIMIT 1",
                    [key?.name]
                ) { row in try row[0] })
        }
    }

    /// Erases what was kept as long as it must.
    ///
    /// - Returns: of how many users.
    package func endKept() async throws(LedgerError) -> Int64 {
        try await reading { try await pools.work.run(.one("SELECT end_kept_ids()")) }
    }
}

extension Ledger {
    /// Credits a payment, unless it is one of a user who was forgotten, whose names it has no more.
    ///
    /// - Parameter key: nil: nobody was forgotten.
    package func credit(_ act: CreditPurchase, after key: ForgettingKey?) async throws(LedgerError) -> Answer<Credited>
    {
        var act = act
        act.digests = key?.digests(of: act.payment) ?? []
        return try await submit(act)
    }
}

/// The id that a forgotten user had, as the database has it.
package struct KeptID: Sendable, Equatable {
    package let encrypted: [UInt8]
    /// The name of the key (``ForgettingKey/name``).
    package let keyName: String

    fileprivate static func of(_ user: UserID) -> PostgresQuery<KeptID?> {
        .first(
            """
            SELECT kept_id, kept_with FROM forgetting
            WHERE user_id = user_behind($1) AND status = 'forgotten' AND kept_until > clock_timestamp()
            """, [user.rawValue]
        ) { row in KeptID(encrypted: try row.decode(0, as: PostgresBytes.self).bytes, keyName: try row[1]) }
    }
}

extension Forgetting: PostgresReadable {
    private static let columns = """
        id, user_id, status, reason, asked_by, asked_at, due_at, cancelled_by, decided_at, kept_until
        """

    // The ids are selected once, and not for each row.
    static func find(of user: UserID) -> PostgresQuery<Forgetting?> {
        .first(
            """
            SELECT \(columns) FROM forgetting
            WHERE user_id = ANY(ARRAY(SELECT unnest(\(UserAliases.names(of: "user_behind($1)")))))
            ORDER BY status = 'waiting' DESC, id DESC LIMIT 1
            """, [user.rawValue])
    }

    fileprivate static func find(_ id: Int64) -> PostgresQuery<Forgetting?> {
        .first("SELECT \(columns) FROM forgetting WHERE id = $1", [id])
    }

    fileprivate static func ask(
        _ user: UserID, _ wait: Duration, _ note: String?, _ caller: String
    ) -> PostgresQuery<Int64?> {
        .one(
            "SELECT ask_to_forget($1, $2 * interval '1 millisecond', $3, $4)",
            [user.rawValue, wait.milliseconds, note, caller]
        ) { row in try row[0] }
    }

    fileprivate static func cancel(_ user: UserID, _ caller: String) -> PostgresQuery<Bool> {
        .one("SELECT cancel_forgetting($1, $2) IS NOT NULL", [user.rawValue, caller])
    }

    package static func read(_ row: borrowing PostgresRow, at column: inout Int) throws -> Forgetting {
        try row.make(at: &column, Forgetting.init)
    }
}
