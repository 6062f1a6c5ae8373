import Postgres

/// What waits for a decision of a person, for monitoring.
package struct WaitingForPeople: Sendable, Equatable {
    /// Things of one kind.
    package struct Group: Sendable, Equatable {
        /// The kind of findings, or the act that was proposed.
        package let name: String
        package let count: Int64
        /// The seconds for which the oldest waits.
        package let age: Int64
    }

    /// Open findings, by their most important kind.
    package let findings: [Group]
    /// Proposals that wait for a second person, by act; those of payouts are `payout`, those of providers' bank accounts
    /// `provider_account`, and those of rates `rate`.
    ///
    /// One that was approved and not carried out, because its process ended, waits for a second approval.
    package let approvals: [Group]
}

extension Figures {
    /// Open findings and waiting proposals, with the age of the oldest of each kind.
    ///
    /// Of more than ``OpenItems/most`` open findings, the first ones are counted.
    package func waitingForPeople() async throws(LedgerError) -> WaitingForPeople {
        try await reading {
            try await pools.reads.withConnection { connection in
                let (findings, approvals) = try await connection.pipeline(
                    Finding.waiting(upTo: OpenItems.most), WaitingForPeople.proposals)
                return WaitingForPeople(findings: findings, approvals: approvals)
            }
        }
    }
}

extension WaitingForPeople {
    fileprivate static let proposals = PostgresQuery<[Group]>(
        """
        SELECT act, count(*), extract(epoch FROM now() - min(since))::bigint
        FROM (
            SELECT act, coalesce(decided_at, proposed_at) AS since FROM approval WHERE \(OpenWork.approvals.condition)
            UNION ALL
            SELECT 'payout', proposed_at FROM payout WHERE status = 'proposed'
            UNION ALL
            SELECT 'provider_account', proposed_at FROM provider_account WHERE \(OpenWork.accounts.condition)
            UNION ALL
            SELECT 'rate', proposed_at FROM rate_proposal WHERE status = 'waiting'
        ) AS proposed
        GROUP BY act
        """, [], row: Group.init)
}

extension WaitingForPeople.Group {
    init(_ row: borrowing PostgresRow) throws {
        self.init(name: try row[0], count: try row[1], age: max(0, try row[2]))
    }
}
