package import Foundation
import Postgres

/// An act in the console, before it is done.
package struct AuditDraft: Sendable {
    /// Of the form: one that is sent twice is one act.
    package let key: String
    package let person: Person
    /// Such as `refund`.
    package let act: String
    /// What it is done to, such as `purchase:17`.
    package let target: String
    /// The customer; nil: it concerns none.
    package let user: UserID?
    package let reason: String
    /// What was asked for, and what the person saw before: a JSON object.
    package let seen: String
    /// The proposal that it makes or decides.
    package let approval: Int64?

    package init(
        key: String, person: Person, act: String, target: String, user: UserID? = nil, reason: String = "",
        seen: String = "{}", approval: Int64? = nil
    ) {
        self.key = key
        self.person = person
        self.act = act
        self.target = target
        self.user = user
        self.reason = reason
        self.seen = seen
        self.approval = approval
    }
}

/// An act in the console, with its outcome.
package struct AuditRecord: Sendable, Equatable, Identifiable {
    /// How an act ended.
    package enum Outcome: String, Sendable, CaseIterable {
        case done
        /// It waits for a second person.
        case proposed
        /// It was refused, and changed nothing.
        case refused
        /// It may have been done: the database or the gateway did not answer.
        case unknown
    }

    package let id: Int64
    package let actedAt: Date
    package let subject: String
    package let name: String
    package let role: String
    package let act: String
    package let target: String
    package let user: UserID?
    package let reason: String
    /// A JSON object.
    package let seen: String
    package let approval: Int64?
    /// The name of the other person of the proposal, if there is one: who decided it, or who made it.
    package let secondPerson: String?
    /// Nil while it is done, or if the process ended in between.
    package let outcome: Outcome?
    /// A JSON object: what was made, or the code of the refusal.
    package let detail: String?
}

/// Which acts are listed.
package struct AuditFilter: Sendable {
    package var period = Period.always
    /// The subject of the person.
    package var subject: String?
    package var act: String?
    package var user: UserID?

    package init(
        period: Period = .always, subject: String? = nil, act: String? = nil, user: UserID? = nil
    ) {
        self.period = period
        self.subject = subject
        self.act = act
        self.user = user
    }
}

/// What was done in the console; rows are only added.
package struct AuditRecords: Sendable {
    private let pools: Pools

    init(_ pools: Pools) { self.pools = pools }

    /// Records an act before it is done.
    ///
    /// - Returns: its id; that of the first one when the form was sent before; nil when the key is another act's.
    package func begin(_ draft: AuditDraft) async throws(LedgerError) -> Int64? {
        try await reading {
            if let id = try await pools.writes.run(Self.insert(draft)) { return id }
            return try await pools.writes.run(
                .first(
                    "SELECT id FROM audit WHERE key = $1 AND subject = $2 AND act = $3 AND target = $4 AND reason = $5",
                    [draft.key, draft.person.subject, draft.act, draft.target, draft.reason]))
        }
    }

    /// Records how an act ended, unless that is known.
    ///
    /// - Parameter detail: a JSON object.
    package func end(
        _ id: Int64, _ outcome: AuditRecord.Outcome, detail: String = "{}"
    ) async throws(LedgerError) {
        try await reading {
            _ = try await pools.writes.run(
                PostgresQuery<Int>.affected(
                    """
                    INSERT INTO audit_outcome (audit_id, outcome, detail) VALUES ($1, $2, $3)
                    ON CONFLICT (audit_id) DO NOTHING
                    """, [id, outcome.rawValue, PostgresJSON(detail)]))
        }
    }

    /// The acts, newest first.
    package func list(
        _ filter: AuditFilter, after cursor: After<Int64>? = nil, limit: Int
    ) async throws(LedgerError) -> Page<AuditRecord, After<Int64>> {
        try await reading {
            let found = try await pools.reads.run(Self.list(filter, before: cursor?.id, limit: limit))
            return Page(found, limit: limit)
        }
    }

    private static func insert(_ draft: AuditDraft) -> PostgresQuery<Int64?> {
        .first(
            """
            INSERT INTO audit (key, subject, name, role, act, target, user_id, reason, seen, approval_id)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
            ON CONFLICT (key) DO NOTHING RETURNING id
            """,
            [
                draft.key, draft.person.subject, draft.person.name, draft.person.role.rawValue, draft.act, draft.target,
                draft.user?.rawValue, draft.reason, PostgresJSON(draft.seen), draft.approval,
            ])
    }

    private static func list(
        _ filter: AuditFilter, before id: Int64?, limit: Int
    ) -> PostgresQuery<[AuditRecord]> {
        PostgresQuery(
            """
            SELECT audit.id, acted_at, subject, name, role, audit.act, audit.target, audit.user_id, audit.reason,
                audit.seen, approval_id,
                CASE WHEN subject = proposed_by THEN decided_name ELSE proposed_name END,
                audit_outcome.outcome, detail
            FROM audit
            LEFT JOIN audit_outcome ON audit_id = audit.id
            LEFT JOIN approval ON approval.id = approval_id
            WHERE audit.id < $1 AND acted_at >= $2 AND acted_at < $3
                AND ($4::text IS NULL OR subject = $4) AND ($5::text IS NULL OR audit.act = $5)
                AND ($6::text IS NULL OR audit.user_id = $6)
            ORDER BY audit.id DESC
            LIMIT $7
            """,
            [
                id ?? .max, filter.period.from, filter.period.to, filter.subject, filter.act, filter.user?.rawValue,
                Int64(limit + 1),
            ]
        ) { row in
            AuditRecord(
                id: try row[0], actedAt: try row[1], subject: try row[2], name: try row[3], role: try row[4],
                act: try row[5], target: try row[6],
                user: try row.decode(7, as: String?.self).flatMap(UserID.init(rawValue:)), reason: try row[8],
                seen: try row.decode(9, as: PostgresJSON.self).text, approval: try row[10],
                secondPerson: try row[11],
                outcome: try row.decode(12, as: String?.self).flatMap(AuditRecord.Outcome.init(rawValue:)),
                detail: try row.decode(13, as: PostgresJSON?.self)?.text)
        }
    }
}
