package import Foundation
import Postgres

/// An act above a limit, which one person proposes and another one decides.
package struct Approval: Sendable, Equatable, Identifiable {
    /// How far a proposal is.
    package enum Status: String, Sendable, CaseIterable {
        /// A second person has to decide.
        case waiting
        /// Its author has withdrawn it.
        case withdrawn
        /// A second person has approved it, and it is being carried out.
        case approved
        /// A second person has declined it.
        case declined
        /// It was approved and carried out.
        case done
        /// It was approved, and the ledger or the gateway refused it.
        case refused
    }

    package let id: Int64
    package let act: String
    package let target: String
    /// The customer, as the id is now; nil: nobody knows whose the payment of a finding is.
    package let user: UserID?
    /// What it is carried out with: a JSON object.
    package let parameters: String
    /// The bank account of a refund; erased once the proposal is decided or carried out.
    package let account: BankAccount?
    /// What the proposer saw: a JSON object.
    package let seen: String
    package let reason: String
    package let proposedBy: String
    package let proposedName: String
    package let proposedAt: Date
    package let status: Status
    package let decidedName: String?
    package let decidedAt: Date?
    package let decisionReason: String?
    /// What the act made, or the code of its refusal: a JSON object.
    package let outcome: String?
    /// When its author withdrew it; nil: not withdrawn.
    package let withdrawnAt: Date?

    package var proposer: Identity { Identity(proposedBy, named: proposedName) }

    /// Whether it waits, or is approved and not carried out yet.
    package var isOpen: Bool { status == .waiting || status == .approved }
}

/// An act to propose.
package struct ApprovalDraft: Sendable {
    /// Of the form: one that is sent twice is one proposal.
    package let key: String
    package let act: String
    package let target: String
    /// The customer; nil: nobody knows whose the payment of a finding is.
    package let user: UserID?
    /// A JSON object.
    package let parameters: String
    package let account: BankAccount?
    /// A JSON object.
    package let seen: String
    package let reason: String
    package let proposer: Person
    /// The newest open proposal about the target that the proposer has seen; nil: none.
    package let beside: Int64?

    package init(
        key: String, act: String, target: String, user: UserID?, parameters: String, account: BankAccount?,
        seen: String, reason: String, proposer: Person, beside: Int64? = nil
    ) {
        self.key = key
        self.act = act
        self.target = target
        self.user = user
        self.parameters = parameters
        self.account = account
        self.seen = seen
        self.reason = reason
        self.proposer = proposer
        self.beside = beside
    }
}

/// Proposals of acts that need a second person.
package struct Approvals: Sendable {
    let pools: Pools

    init(_ pools: Pools) { self.pools = pools }

    /// What became of a draft.
    package enum Proposal: Sendable, Equatable {
        /// It is the proposal with this id, now or since the form was sent before.
        case proposed(Int64)
        /// The key is another proposal's.
        case keyReused
        /// Another proposal about the target waits, or is approved and not carried out yet, and the draft does not say that
        /// its proposer has seen it.
        case alreadyOpen
        /// What the draft names as seen (`beside`) is no proposal about the target.
        case besideAnother
    }

    /// Stores a proposal, unless one about the same target is open that its proposer has not seen.
    ///
    /// PostgreSQL decides it (`judge_proposal`), so of several proposals at once, also of several processes, one is stored.
    package func propose(_ draft: ApprovalDraft) async throws(LedgerError) -> Proposal {
        try await reading {
            var otherwise = Proposal.keyReused
            do {
                if let id = try await pools.writes.run(Self.insert(draft)) { return .proposed(id) }
            } catch let error as PostgresError where error.constraint == "approval_open_once" {
                // The form sent twice at the same time can fail here, too.
                otherwise = .alreadyOpen
            } catch let error as PostgresError where error.constraint == "approval_beside_of_object" {
                return .besideAnother
            }
            return try await pools.writes.run(Self.stored(draft)).map(Proposal.proposed) ?? otherwise
        }
    }

    /// The proposal with this id.
    package func find(_ id: Int64) async throws(LedgerError) -> Approval? {
        try await find(where: "id = $1", [id])
    }

    /// The proposal that was made under this key.
    package func find(key: String) async throws(LedgerError) -> Approval? {
        try await find(where: "key = $1", [key])
    }

    private func find(
        where condition: String, _ parameters: PostgresParameters
    ) async throws(LedgerError) -> Approval? {
        try await reading {
            try await pools.writes.run(
                PostgresQuery(
                    "SELECT \(Self.columns) FROM approval WHERE \(condition)", parameters, row: Self.decode)
            ).first
        }
    }

    /// Proposals that wait, or that are approved and not carried out yet, oldest first; at most 200.
    package func listOpen() async throws(LedgerError) -> [Approval] {
        try await reading {
            try await pools.reads.run(
                PostgresQuery(
                    """
                    SELECT \(Self.columns) FROM approval WHERE \(OpenWork.approvals.condition) ORDER BY id LIMIT 200
                    """, [], row: Self.decode))
        }
    }

    /// The other proposals, newest first.
    package func listClosed(
        after cursor: After<Int64>? = nil, limit: Int
    ) async throws(LedgerError) -> Page<Approval, After<Int64>> {
        try await reading {
            let found = try await pools.reads.run(
                PostgresQuery(
                    """
                    SELECT \(Self.columns) FROM approval
                    WHERE id < $1 AND NOT (\(OpenWork.approvals.condition)) ORDER BY id DESC LIMIT $2
                    """, [cursor?.id ?? .max, Int64(limit + 1)], row: Self.decode))
            return Page(found, limit: limit)
        }
    }

    /// Approves or declines a waiting proposal of another person.
    ///
    /// - Returns: false when it does not wait, or is the person's own.
    package func decide(
        _ id: Int64, _ status: Approval.Status, by person: Person, because reason: String
    ) async throws(LedgerError) -> Bool {
        try await reading {
            try await pools.writes.run(
                PostgresQuery<Int>.affected(
                    """
                    UPDATE approval SET status = $2, decided_by = $3, decided_name = $4, decided_at = clock_timestamp(),
                        decision_reason = $5, account = CASE $2 WHEN 'approved' THEN account END
                    WHERE id = $1 AND status = 'waiting' AND proposed_by <> $3
                    """, [id, status.rawValue, person.subject, person.name, reason])) == 1
        }
    }

    /// Withdraws a waiting proposal.
    ///
    /// - Returns: false when it does not wait, or is another person's.
    package func withdraw(_ id: Int64, by person: Person) async throws(LedgerError) -> Bool {
        try await reading {
            try await pools.writes.run(
                PostgresQuery<Int>.affected(
                    """
                    UPDATE approval SET status = 'withdrawn', withdrawn_by = $2, withdrawn_at = clock_timestamp(),
                        account = NULL
                    WHERE id = $1 AND status = 'waiting' AND proposed_by = $2
                    """, [id, person.subject])) == 1
        }
    }

    /// Stores how an approved act ended, unless that is known.
    ///
    /// - Parameter outcome: a JSON object.
    package func end(_ id: Int64, _ status: Approval.Status, outcome: String) async throws(LedgerError) {
        try await reading {
            _ = try await pools.writes.run(
                PostgresQuery<Int>.affected(
                    """
                    UPDATE approval SET status = $2, ended_at = clock_timestamp(), outcome = $3, account = NULL
                    WHERE id = $1 AND status = 'approved'
                    """, [id, status.rawValue, PostgresJSON(outcome)]))
        }
    }

    static let columns = """
        id, act, target, \(UserAliases.now("approval.user_id")), parameters, account, seen, reason, proposed_by, proposed_name, proposed_at, status,
        decided_name, decided_at, decision_reason, outcome, withdrawn_at
        """

    private static func insert(_ draft: ApprovalDraft) -> PostgresQuery<Int64?> {
        .first(
            """
            INSERT INTO approval (
                key, act, target, user_id, parameters, account, seen, reason, proposed_by, proposed_name, beside)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
            ON CONFLICT (key) DO NOTHING RETURNING id
            """,
            [
                draft.key, draft.act, draft.target, draft.user?.rawValue, PostgresJSON(draft.parameters),
                draft.account, PostgresJSON(draft.seen), draft.reason,
                draft.proposer.subject, draft.proposer.name, draft.beside,
            ])
    }

    /// The proposal that the form made when it was sent before.
    ///
    /// One with another reason is no repeat: the second person would decide about the first reason. Nor is one with another
    /// bank account, as long as the account is not erased.
    private static func stored(_ draft: ApprovalDraft) -> PostgresQuery<Int64?> {
        .first(
            """
            SELECT id FROM approval
            WHERE key = $1 AND proposed_by = $2 AND act = $3 AND target = $4 AND parameters = $5 AND reason = $6
                AND (NOT (\(OpenWork.approvals.condition)) OR account IS NOT DISTINCT FROM $7)
            """,
            [
                draft.key, draft.proposer.subject, draft.act, draft.target, PostgresJSON(draft.parameters),
                draft.reason, draft.account,
            ])
    }

    static func decode(_ row: borrowing PostgresRow) throws -> Approval {
        Approval(
            id: try row[0], act: try row[1], target: try row[2],
            user: try row.decode(3, as: String?.self).flatMap(UserID.init(rawValue:)),
            parameters: try row.decode(4, as: PostgresJSON.self).text,
            account: try row[5],
            seen: try row.decode(6, as: PostgresJSON.self).text, reason: try row[7], proposedBy: try row[8],
            proposedName: try row[9], proposedAt: try row[10], status: try row[11],
            decidedName: try row[12], decidedAt: try row[13], decisionReason: try row[14],
            outcome: try row.decode(15, as: PostgresJSON?.self)?.text, withdrawnAt: try row[16])
    }
}

extension Approval.Status: PostgresRawRepresentable {}
