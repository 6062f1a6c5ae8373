import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

/// What the database refuses.
extension MergeUsersTests {
    /// What a service that was taken over writes, after entries that move ann's 5 coins to cid.
    struct Forged: Sendable {
        let name: String
        let constraint: String
        var coins = (sent: 5, told: 5)
        var isRename = false
        var former = "ann"

        static let all = [
            Forged(name: "of more than moves", constraint: "user_merge_fits_users", coins: (5, 6)),
            Forged(name: "of less than there is", constraint: "user_merge_fits_users", coins: (4, 4)),
            Forged(name: "a rename into somebody", constraint: "user_merge_fits_users", isRename: true),
            Forged(name: "under another name", constraint: "user_merge_fits_users", former: "zed"),
        ]
    }

    @Test func `the database refuses a forged merge, and coins of a former id`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.submit(Grant.sample())
            _ = try await ledger.submit(Grant.sample("other", to: "cid"))
            let (ann, cid) = (Stripe(of: .named("ann"), among: 4).number, Stripe(of: .named("cid"), among: 4).number)
            func entries(_ coins: Int, _ former: String = "ann") -> String {
                """
                INSERT INTO journal_entry (id, stripe, kind, reference, reason, effective_at, recorded_at)
                VALUES (900001, \(ann), 'merge', 'merge:\(former)', 'why', now(), now()),
                    (900002, \(cid), 'merge', 'merge:\(former)', 'why', now(), now());
                \(Self.post(900001, debit: "wallet:ann:bonus", credit: "clearing:coins/\(ann)", coins))
                \(Self.post(900002, debit: "clearing:coins/\(cid)", credit: "wallet:cid:bonus", coins))
                """
            }
            let service = try await test.connectAsService()
            for forged in Forged.all {
                let refused = try await service.refusal(
                    ofTransaction: """
                        \(entries(forged.coins.sent, forged.former))
                        INSERT INTO user_merge (former, former_stripe, user_id, stripe, is_rename, coins, debt,
                            sent_entry_id, received_entry_id, merged_at, merged_by, reason)
                        VALUES ('\(forged.former)', \(ann), 'cid', \(cid), \(forged.isRename), \(forged.coins.told), 0,
                            900001, 900002, now(), 'shop', 'why');
                        """)
                #expect(
                    refused?.constraint == forged.constraint, "\(forged.name): \(refused?.description ?? "was done")")
            }
            let unsaid = try await service.refusal(ofTransaction: entries(5))
            #expect(unsaid?.constraint == "transaction_facts_agree")
            _ = try await ledger.submit(MergeUsers.sample())
            let late = try await service.refusal(
                ofTransaction: """
                    INSERT INTO journal_entry (id, stripe, kind, reference, effective_at, recorded_at)
                    VALUES (900003, \(ann), 'grant', 'lot:900004', clock_timestamp(), clock_timestamp());
                    \(Self.post(900003, debit: "coins:promotions/\(ann)", credit: "wallet:ann:bonus", 5))
                    """)
            #expect(late?.constraint == "posting_fits_account_and_entry")
            for sql in [
                "UPDATE lot SET user_id = 'eve'", "UPDATE user_merge SET user_id = 'eve'", "DELETE FROM user_alias",
                "INSERT INTO user_alias VALUES ('eve', 1, 'cid', 3)",
            ] {
                #expect(await service.refusal(of: sql)?.sqlState == .insufficientPrivilege, "\(sql)")
            }
            await service.close()
            try await Audit.expectSound(test)
        }
    }

    @Test func `the database refuses a merge without entries of who has something, of nobody, and into a former id`()
        async throws
    {
        try await TestLedger.with { ledger, test in
            let purchase = CreditPurchase.sample(bonus: 0)
            _ = try await ledger.credit(purchase)
            _ = try await ledger.submit(Spend.sample(coins: 100))
            _ = try await ledger.submit(ClawBack.sample(of: purchase, 1000))
            for (number, name) in ["bob", "cid"].enumerated() {
                _ = try await ledger.submit(Grant.sample("grant-\(number)", to: name))
            }
            _ = try await ledger.submit(MergeUsers.sample("merge", "bob", into: "cid"))
            _ = try await ledger.balanceAlerts.set(below: [], above: [], of: .user(.named("eve")), by: "shop")
            func merge(_ former: String, into user: String) -> String {
                let stripes = [former, user].map { Stripe(of: .named($0), among: 4).number }
                return """
                    INSERT INTO user_merge (former, former_stripe, user_id, stripe, is_rename, coins, debt, merged_at,
                        merged_by, reason)
                    VALUES ('\(former)', \(stripes[0]), '\(user)', \(stripes[1]), false, 0, 0, now(), 'shop', 'why')
                    """
            }
            let service = try await test.connectAsService()
            for (former, user) in [("ann", "cid"), ("cid", "ann"), ("zed", "cid"), ("eve", "bob"), ("bob", "ann")] {
                let refused = await service.refusal(of: merge(former, into: user))
                #expect(
                    refused?.constraint == "user_merge_fits_users" || refused?.constraint == "user_merge_once",
                    "\(former) into \(user): \(refused?.description ?? "was done")")
            }
            #expect(await service.refusal(of: merge("eve", into: "cid")) == nil)
            await service.close()
            try await Audit.expectSound(test)
        }
    }

    /// Two postings of an entry.
    private static func post(_ entry: Int, debit: String, credit: String, _ coins: Int) -> String {
        """
        INSERT INTO posting (account_id, seq, journal_entry_id, stripe, amount, balance, currency, side)
        SELECT id, seq + 1, \(entry), stripe, \(coins),
            balance + CASE normal_side WHEN side THEN \(coins) ELSE -\(coins) END, currency, side
        FROM (VALUES ('\(debit)', 'D'), ('\(credit)', 'C')) AS line (code, side) JOIN account USING (code);
        """
    }
}
