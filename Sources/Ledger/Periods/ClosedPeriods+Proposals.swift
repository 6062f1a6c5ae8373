import Foundation
import Postgres

extension ClosedPeriods {
    /// What became of a draft.
    package enum Proposal: Sendable, Equatable {
        /// It is the proposal with this id, now or since the form was sent before.
        case proposed(Int64)
        /// Another closing waits for its second person.
        case alreadyOpen
    }

    /// Stores a proposal to close the books, unless another one waits.
    ///
    /// PostgreSQL decides it by an index, so of several proposals at once one is stored.
    package func propose(_ draft: ClosingDraft) async throws(LedgerError) -> Proposal {
        try await reading {
            do {
                if let id = try await pools.writes.run(ClosingProposal.insert(draft)) { return .proposed(id) }
            } catch let error as PostgresError where error.constraint == "closing_proposal_waiting_once" {
                // The form sent twice at the same time can fail here, too.
            }
            return try await pools.writes.run(ClosingProposal.id(of: draft)).map(Proposal.proposed) ?? .alreadyOpen
        }
    }

    /// The proposal that waits for a second person.
    package func waitingProposal() async throws(LedgerError) -> ClosingProposal? {
        try await reading { try await pools.writes.run(ClosingProposal.waiting) }
    }

    package func findProposal(_ id: Int64) async throws(LedgerError) -> ClosingProposal? {
        try await reading { try await pools.writes.run(ClosingProposal.find(id)) }
    }

    /// Withdraws a waiting proposal.
    ///
    /// - Returns: false when it does not wait.
    package func withdrawProposal(_ id: Int64, by person: Person) async throws(LedgerError) -> Bool {
        try await reading { try await pools.writes.run(ClosingProposal.decide(id, .withdrawn, by: person)) == 1 }
    }

    /// The result of carrying out a proposal.
    package enum Carried: Sendable, Equatable {
        case closing(Closing)
        /// It does not wait any more, or it is the person's own.
        case notWaiting
    }

    /// Closes the books as another person proposed: both in one transaction.
    ///
    /// - Parameter closer: whom the closing names.
    package func close(
        _ proposal: ClosingProposal, by person: Person, as closer: String
    ) async throws(LedgerError) -> Carried {
        try await reading {
            do {
                let period = try await pools.writes.withConnection { connection in
                    try await connection.transaction { connection -> ClosedPeriod? in
                        guard try connection.run(ClosingProposal.decide(proposal.id, .closed, by: person)) == 1 else {
                            return nil
                        }
                        return try connection.run(ClosedPeriod.close(until: proposal.until, by: closer))
                    }
                }
                return period.map { .closing(.closed($0)) } ?? .notWaiting
            } catch let error as PostgresError where error.constraint == "closing_proposal_by_another_person" {
                return .notWaiting
            } catch let error as PostgresError {
                return .closing(try await refused(error, proposal.until))
            }
        }
    }
}

extension ClosingProposal {
    private static let columns = """
        id, until, open_items, reason, proposed_by, proposed_name, proposed_at, status, decided_name, decided_at
        """

    fileprivate static func insert(_ draft: ClosingDraft) -> PostgresQuery<Int64?> {
        .first(
            """
            INSERT INTO closing_proposal (key, until, open_items, reason, proposed_by, proposed_name)
            VALUES ($1, $2, $3, $4, $5, $6)
            ON CONFLICT (key) DO NOTHING RETURNING id
            """,
            [
                draft.key, draft.until, draft.openItems, draft.reason, draft.proposer.subject, draft.proposer.name,
            ])
    }

    /// The proposal that the form made when it was sent before.
    fileprivate static func id(of draft: ClosingDraft) -> PostgresQuery<Int64?> {
        .first(
            "SELECT id FROM closing_proposal WHERE key = $1 AND proposed_by = $2 AND until = $3",
            [draft.key, draft.proposer.subject, draft.until])
    }

    fileprivate static var waiting: PostgresQuery<ClosingProposal?> {
        .first("SELECT \(columns) FROM closing_proposal WHERE status = 'waiting'", row: decode)
    }

    fileprivate static func find(_ id: Int64) -> PostgresQuery<ClosingProposal?> {
        .first("SELECT \(columns) FROM closing_proposal WHERE id = $1", [id], row: decode)
    }

    /// Ends a waiting proposal; PostgreSQL refuses that one's own is carried out.
    fileprivate static func decide(_ id: Int64, _ status: Status, by person: Person) -> PostgresQuery<Int> {
        .affected(
            """
            UPDATE closing_proposal SET status = $2, decided_by = $3, decided_name = $4, decided_at = clock_timestamp()
            WHERE id = $1 AND status = 'waiting'
            """, [id, status.rawValue, person.subject, person.name])
    }

    private static func decode(_ row: borrowing PostgresRow) throws -> ClosingProposal {
        ClosingProposal(
            id: try row[0], until: try row[1], openItems: try row[2], reason: try row[3], proposedBy: try row[4],
            proposedName: try row[5], proposedAt: try row[6], status: try row[7], decidedName: try row[8],
            decidedAt: try row[9])
    }
}

extension ClosingProposal.Status: PostgresRawRepresentable {}
