package import Foundation
import Postgres

/// The bank account that payouts to a provider go to, or one that is proposed, or what is left of one that was.
package struct ProviderAccount: Sendable, Equatable, Identifiable {
    package enum Status: String, Sendable, CaseIterable {
        /// Another person has to approve it.
        case proposed
        /// It was proposed, and is no more.
        case withdrawn
        /// It is in force: payouts go there.
        case approved
        /// It was in force, and is no more.
        case erased
    }

    package let id: Int64
    package let provider: UserID
    package let status: Status
    /// Personal data; nil: erased.
    package let account: BankAccount?
    /// The caller.
    package let proposedBy: String
    package let proposedAt: Date
    /// The caller; nil: nobody has.
    package let approvedBy: String?
    package let approvedAt: Date?
    /// Who withdrew, replaced or erased it; nil: it is proposed or in force.
    package let endedBy: String?
    package let endedAt: Date?

    package var proposer: Identity { Identity(proposedBy) }
}

extension ProviderAccount {
    /// The accounts in force of these, by provider.
    static func inForce(_ accounts: [ProviderAccount]) -> [UserID: BankAccount] {
        let inForce = accounts.filter { $0.status == .approved }
        return Dictionary(inForce.compactMap { kept in kept.account.map { (kept.provider, $0) } }) { first, _ in first }
    }
}

extension BankAccount {
    /// What its texts must be.
    package static let rule = "must have 1 to 100 characters, without control characters"

    /// Whether a text can be the bank, number or holder of an account.
    package static func isPart(_ text: String) -> Bool {
        (1...100).contains(text.unicodeScalars.count)
            && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }

    /// The number as banks take it, without dashes and spaces.
    var digits: String { Self.digits(of: number) }

    static func digits(of number: String) -> String { number.filter { $0 != "-" && $0 != " " } }

    /// The end of the number, by which people tell accounts apart: at most four characters, and at most half of it.
    package var numberEnd: String { String(digits.suffix(min(4, digits.count / 2))) }
}

// MARK: - SQL

extension ProviderAccount {
    private static let columns = """
        id, provider, status, account, proposed_by, proposed_at, approved_by, approved_at, ended_by, ended_at
        """

    /// Has those who change an account of the provider take turns; the seed is "ledgacct" in ASCII.
    static func lock(_ provider: UserID) -> PostgresQuery<Int> {
        .affected("SELECT pg_advisory_xact_lock(hashtextextended($1, 7810759523922305908))", [provider])
    }

    /// Those on which two people agreed: in force, and erased.
    static func agreed(of providers: [UserID]) -> PostgresQuery<[ProviderAccount]> {
        PostgresQuery(
            """
            SELECT \(columns) FROM provider_account
            WHERE provider = ANY($1) AND status IN ('approved', 'erased') ORDER BY id
            """,
            [providers.map(\.rawValue)]
        ) { row in try row.make(ProviderAccount.init) }
    }

    /// What is proposed, and then what is in force.
    static func kept(of provider: UserID) -> PostgresQuery<[ProviderAccount]> {
        PostgresQuery(ofProvider, [provider]) { row in try row.make(ProviderAccount.init) }
    }

    /// The same, which nobody changes or erases before the end of the transaction: ``purge(at:stripes:by:limit:)`` takes no turn.
    static func lockKept(of provider: UserID) -> PostgresQuery<[ProviderAccount]> {
        PostgresQuery(ofProvider + " FOR UPDATE", [provider]) { row in try row.make(ProviderAccount.init) }
    }

    private static let ofProvider = """
        SELECT \(columns) FROM provider_account
        WHERE provider = $1 AND status IN ('proposed', 'approved') ORDER BY id DESC
        """

    static func find(_ id: Int64, of provider: UserID) -> PostgresQuery<ProviderAccount?> {
        .first("SELECT \(columns) FROM provider_account WHERE id = $1 AND provider = $2", [id, provider]) { row in
            try row.make(ProviderAccount.init)
        }
    }

    /// A provider's accounts, newest first.
    ///
    /// Returns up to `limit` + 1 rows, to show whether there are more.
    static func list(of provider: UserID, before id: Int64?, limit: Int) -> PostgresQuery<[ProviderAccount]> {
        PostgresQuery(
            """
            SELECT \(columns) FROM provider_account WHERE provider = $1 AND id < $2 ORDER BY id DESC LIMIT $3
            """,
            [provider, id ?? .max, Int64(limit + 1)]
        ) { row in try row.make(ProviderAccount.init) }
    }

    /// Those that wait for another person, oldest first, of all providers.
    static func waiting(limit: Int) -> PostgresQuery<[ProviderAccount]> {
        PostgresQuery(
            "SELECT \(columns) FROM provider_account WHERE status = 'proposed' ORDER BY id LIMIT $1",
            [Int64(limit)]
        ) { row in try row.make(ProviderAccount.init) }
    }

    static func insert(_ account: BankAccount, _ provider: UserID, by person: String) -> PostgresQuery<ProviderAccount>
    {
        .one(
            "INSERT INTO provider_account (provider, account, proposed_by) VALUES ($1, $2, $3) RETURNING \(columns)",
            [provider, account, person]
        ) { row in try row.make(ProviderAccount.init) }
    }

    /// The account as it is then; nil: it is not proposed any more.
    static func approve(_ id: Int64, by person: String) -> PostgresQuery<ProviderAccount?> {
        .first(
            """
            UPDATE provider_account SET status = 'approved', approved_by = $2, approved_at = clock_timestamp()
            WHERE id = $1 AND status = 'proposed' RETURNING \(columns)
            """,
            [id, person]
        ) { row in try row.make(ProviderAccount.init) }
    }

    /// Ends and erases what a provider has with one of these statuses.
    static func end(of provider: UserID, _ statuses: [Status], by person: String) -> PostgresQuery<Int> {
        .affected(
            """
            \(erasure) WHERE provider = $1 AND status = ANY($3) AND status IN ('proposed', 'approved')
            """,
            [provider, person, statuses.map(\.rawValue)])
    }

    private static let erasure = """
        UPDATE provider_account
        SET status = CASE status WHEN 'proposed' THEN 'withdrawn' ELSE 'erased' END, account = NULL, ended_by = $2,
            ended_at = clock_timestamp()
        """

    /// ``Providers/purgeAccounts(at:limit:)``.
    ///
    /// Each provider is looked up by key: `provider_share_of_provider`, `payout_item_of_provider` and the codes of its accounts.
    static func purge(at now: Date, stripes: Int64, by person: String, limit: Int) -> PostgresQuery<Int> {
        .affected(
            """
            \(erasure) WHERE id IN (
                SELECT id FROM provider_account AS kept
                WHERE status = 'proposed' AND proposed_at < $1::timestamptz - interval '30 days'
                    OR status = 'approved' AND approved_at < $1::timestamptz - interval '1 year'
                        AND NOT EXISTS (
                            SELECT FROM provider_share AS share
                            WHERE share.provider = kept.provider AND recorded_at > $1::timestamptz - interval '1 year')
                        AND NOT EXISTS (
                            SELECT FROM payout_item AS item JOIN payout ON payout.id = item.payout_id
                            WHERE item.provider = kept.provider AND (
                                payout.status IN ('proposed', 'approved')
                                OR payout.proposed_at > $1::timestamptz - interval '1 year'))
                        AND NOT EXISTS (
                            SELECT FROM account
                            WHERE balance <> 0 AND code = ANY (ARRAY(
                                SELECT 'payable:' || kept.provider || '/' || stripe
                                FROM generate_series(0, $3 - 1) AS stripe)))
                ORDER BY id LIMIT $4 FOR UPDATE SKIP LOCKED)
            """,
            [now, person, stripes, Int64(limit)])
    }
}

extension ProviderAccount.Status: PostgresRawRepresentable {}
