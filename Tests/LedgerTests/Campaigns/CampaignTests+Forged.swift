import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

/// What the database refuses.
extension CampaignTests {
    /// A grant to ann that names a campaign.
    private struct Forged {
        let name: String
        var campaign = "spring"
        /// The coins of the lot, and those that the grant tells.
        var coins = (lot: 10, told: 10)
        var expires = "NULL"

        static let all = [
            Forged(name: "of other coins than were reserved", coins: (9, 9)),
            Forged(name: "of other coins than the lot has", coins: (9, 10)),
            Forged(name: "that expires before the campaign says", expires: "now() + interval '1 day'"),
            Forged(name: "to a user for whom nothing is reserved", campaign: "later"),
            Forged(name: "to a user who is not on the list", campaign: "others"),
            Forged(name: "to a user who was refused", campaign: "refused"),
            Forged(name: "of a campaign that is voided", campaign: "voided"),
        ]
    }

    @Test func `a grant that is not what the campaign gives is refused by the database`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.credit(.sample())
            for (name, users, reserved) in [
                ("spring", ["ann"], 1), ("later", ["bob", "ann"], 1), ("others", ["bob"], 1), ("refused", ["ann"], 1),
                ("voided", ["ann"], 1),
            ] {
                let id = try await ledger.make(.sample(name))
                _ = try await ledger.campaigns.add(users.map { CampaignUser(.named($0)) }, to: id).get()
                let round = try await Self.reserve(reserved, of: id, ledger)
                if name == "voided" { _ = try await ledger.campaigns.void(id, because: "mistake", by: "kim") }
                guard name == "refused" else { continue }
                try await ledger.campaignRuns.finish(round, refused: [(user: .named("ann"), code: "fault")])
            }
            for forged in Forged.all {
                let refused = try await Self.grant(forged, in: test)
                #expect(
                    refused?.constraint == "campaign_grant_fits_campaign",
                    "\(forged.name): \(String(describing: refused))")
            }
            let right = try await Self.grant(Forged(name: "as the campaign gives it"), in: test)
            #expect(right?.constraint != "campaign_grant_fits_campaign", "\(String(describing: right))")
        }
    }

    private static func grant(_ forged: Forged, in test: TestLedger) async throws -> PostgresError? {
        let (coins, told) = forged.coins
        let service = try await test.connectAsService()
        let refused = try await service.refusal(
            ofTransaction: """
                INSERT INTO journal_entry (id, stripe, kind, reference, reason, effective_at, recorded_at)
                SELECT 900001, stripe, 'grant', 'lot:900002', 'spring campaign', now(), now()
                FROM account WHERE code = 'wallet:ann:bonus';
                \(Forgery.post("coins:promotions/*", "wallet:ann:bonus", coins))
                INSERT INTO lot (id, stripe, user_id, kind, coins, remaining, amount, deferred, currency, acquired_at,
                    expires_at, issuer, journal_entry_id)
                SELECT 900002, stripe, 'ann', 'bonus', \(coins), \(coins), 0, 0, 'KRW', now(), \(forged.expires),
                    'spring', 900001
                FROM account WHERE code = 'wallet:ann:bonus';
                INSERT INTO campaign_grant (lot_id, campaign_id, user_id, journal_entry_id, coins)
                SELECT 900002, id, 'ann', 900001, \(told) FROM campaign WHERE name = '\(forged.campaign)';
                """)
        await service.close()
        return refused
    }

    @Test func `the service can't give itself a budget, nor users, sums or grants`() async throws {
        try await Self.with(for: Self.users("ann")) { _, test, _ in
            let service = try await test.connectAsService()
            for attempt in [
                "UPDATE campaign SET budget = 1000000", "INSERT INTO campaign_user VALUES (1, 'eve', 9, 5, NULL)",
                "UPDATE campaign_sum SET voided = 5", "DELETE FROM campaign_grant",
            ] {
                #expect(try await service.refusal(ofTransaction: attempt) != nil, "\(attempt)")
            }
            await service.close()
        }
    }
}
