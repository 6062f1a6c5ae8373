import Foundation
import LedgerTestSupport
import Postgres
import TestSupport

@testable import Ledger

extension Ledger {
    /// Sets a provider's terms.
    @discardableResult
    func setTerms(
        _ provider: String, _ basisPoints: Int64, _ role: ProviderTerms.Role = .agent, item: String? = nil,
        withholding: ProviderTerms.Withholding? = nil
    ) async throws -> ProviderTerms {
        let draft = ProviderTermsDraft(
            provider: .named(provider), item: item, share: basisPoints, role: role, withholding: withholding)
        return sure(try await providers.setTerms(draft, standardWithholding: .none, by: "kim"))
    }

    /// Captures coins of a new hold.
    ///
    /// - Parameter key: of the capture; the hold's key follows from it.
    func capture(
        _ key: String, of user: String = "ann", _ coins: Int64, for provider: String?, item: String? = nil
    ) async throws -> Redemption {
        let held = try await submit(PlaceHold.sample("hold for \(key)", by: user, coins: coins)).placed
        return sure(
            try await submit(
                CaptureHold.sample(key, of: sure(held).hold.id, by: user, provider: provider, item: item)
            ).redeemed)
    }

    /// Proposes a payout.
    func propose(
        _ key: String = "payout-1", to providers: [String]? = nil, cutOff: Date? = nil
    ) async throws -> Payouts.Proposal {
        try await payouts.propose(
            PayoutDraft(key: .named(key), cutOff: cutOff, providers: providers?.map(UserID.named)))
    }

    /// Proposes a payout, and has it approved.
    func approved(_ key: String = "payout-1", to providers: [String]? = nil) async throws -> Payout {
        let payout = sure(try await propose(key, to: providers).payout)
        guard case .done(let approved) = try await payouts.approve(payout.id, by: "lee") else { return payout }
        return approved
    }

    /// Books that the bank has paid a payout.
    func pay(
        _ payout: Payout, _ key: String = "payment-1", paidAt: Date = Date()
    ) async throws -> Answer<PayoutPaid> {
        try await submit(
            sure(
                try await payouts.payment(
                    of: payout.id, key: .named(key), paidAt: paidAt, bankReference: "bulk transfer 7")))
    }

    /// Records that a provider paid back a claim.
    func repay(
        _ won: Int64, _ key: String = "repayment-1", by provider: String = "zoe", paidAt: Date = Date()
    ) async throws -> Answer<ClaimRepaid> {
        try await submit(
            RepayClaim(
                idempotencyKey: .named(key), provider: .named(provider), amount: sure(Price(won: won)), paidAt: paidAt,
                bankReference: "IBK 9"))
    }

    /// What is owed to a provider.
    func owed(_ provider: String) async throws -> Int64 { try await providers.payable(of: .named(provider)) }
}

extension Payouts.Proposal {
    /// The payout, new or repeated.
    var payout: Payout? {
        switch self {
        case .proposed(let payout), .repeated(let payout): payout
        case .reused, .nothingOwed, .notOver: nil
        }
    }
}

extension TestLedger {
    /// The postings of an entry by account without stripes; debits are positive.
    func postings(of entry: Int64) async throws -> [String: Int64] {
        let connection = try await connectAsOwner()
        let lines = try await connection.run(
            PostgresQuery<[(String, Int64)]>(
                """
                SELECT regexp_replace(account.code, '/[0-9]+$', ''),
                    sum(CASE posting.side WHEN 'D' THEN amount ELSE -amount END)::int8
                FROM posting JOIN account ON account.id = posting.account_id
                WHERE posting.journal_entry_id = $1 GROUP BY 1
                """, [entry]
            ) { row in (try row[0], try row[1]) })
        await connection.close()
        return Dictionary(uniqueKeysWithValues: lines)
    }

    /// A moment after all shares of now, and before the next one.
    func nextShare() async throws -> Date {
        let last = try await number("SELECT microseconds(max(recorded_at)) FROM provider_share")
        return Date(microsecondsSince1970: last + 1)
    }

    /// The balance of a system account over all stripes.
    func balance(of account: SystemAccount) async throws -> Int64 {
        try await number("SELECT sum(balance)::int8 FROM account WHERE code LIKE '\(account.rawValue)/%'")
    }
}
