import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

/// Who can be merged or renamed, and who can not.
extension MergeUsersTests {
    @Test func `a rename is a merge into an id that nobody has, and the last name is the one`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.credit(.sample())
            for (number, name) in ["u-1", "zoe", "eve"].enumerated() {
                let former = ["ann", "u-1", "zoe"][number]
                let renamed = try await ledger.submit(
                    MergeUsers.sample("rename-\(number)", former, into: name, isRename: true))
                #expect(renamed.success?.balance.total == 110)
            }
            for name in ["ann", "u-1", "zoe", "eve"] {
                #expect(try await ledger.merges.user(behind: .named(name)) == .named("eve"))
                #expect(try await ledger.submit(Spend.sample(name, by: name, coins: 1)).success != nil)
            }
            #expect(try await ledger.balances.find(of: .named("eve")).total == 106)
            #expect(try await ledger.merges.formerIDs(of: .named("eve")).map(\.rawValue) == ["zoe", "u-1", "ann"])
            try await Audit.expectSound(test)
        }
    }

    @Test func `an id on the list of a campaign is somebody's, so nobody is renamed to it`() async throws {
        try await TestLedger.with { ledger, _ in
            _ = try await ledger.credit(.sample())
            let id = try await ledger.make(.sample())
            _ = try await ledger.campaigns.add([CampaignUser(.named("bob"))], to: id).get()
            let rename = MergeUsers.sample("rename", "ann", into: "bob", isRename: true)
            #expect(try await ledger.submit(rename).refusal == .userExists(.named("bob")))
            #expect(try await ledger.submit(MergeUsers.sample("merge", "ann", into: "bob")).success != nil)
        }
    }

    @Test func `nobody is merged twice, in a circle, into a former id, into themselves, or by a slip`() async throws {
        try await TestLedger.with { ledger, test in
            for (number, name) in ["ann", "bob", "cid"].enumerated() {
                _ = try await ledger.submit(Grant.sample("grant-\(number)", to: name))
            }
            func refusal(_ former: String, _ user: String, isRename: Bool = false) async throws -> Refusal? {
                try await ledger.submit(MergeUsers.sample("none", former, into: user, isRename: isRename)).refusal
            }
            #expect(try await refusal("ann", "nobody") == .unknownUser(.named("nobody")))
            #expect(try await refusal("nobody", "ann") == .unknownUser(.named("nobody")))
            #expect(try await refusal("ann", "bob", isRename: true) == .userExists(.named("bob")))
            _ = try await ledger.submit(MergeUsers.sample(into: "cid"))
            #expect(try await refusal("ann", "bob") == .userMerged(into: .named("cid")))
            #expect(try await refusal("bob", "ann") == .userMerged(into: .named("cid")))
            #expect(try await refusal("cid", "ann") == .userMerged(into: .named("cid")))
            #expect(try await refusal("bob", "ann", isRename: true) == .userMerged(into: .named("cid")))
            #expect(
                try await ledger.submit(MergeUsers.sample("most", "bob", into: "cid", most: 14)).refusal
                    == .exceedsOwnLimit(required: 15, available: 14))
            // This one is definite, so it is the last under the key.
            #expect(try await refusal("bob", "bob") == .mergeIntoItself)
            try await Audit.expectSound(test)
        }
    }

    @Test func `a user with more purchases, holds and orders than a merge moves is not merged`() async throws {
        try await TestLedger.withDatabase { test in
            var limits = LotLimits()
            limits.mergedRecords = 3
            let ledger = try await test.open(lotLimits: limits)
            for number in 1...2 { _ = try await ledger.credit(.sample(number)) }
            for number in 1...2 { _ = try await ledger.submit(PlaceHold.sample("hold-\(number)", coins: 1)) }
            _ = try await ledger.submit(Grant.sample("other", to: "cid"))
            #expect(try await ledger.submit(MergeUsers.sample()).refusal == .tooManyRecords(limit: 3))
            // The other way round few rows change.
            #expect(try await ledger.submit(MergeUsers.sample("merge-2", "cid", into: "ann")).success?.coins == 5)
            await ledger.close()
        }
    }

    @Test func `a user with a charge under way, or with more lots than an act may change, is not merged`() async throws
    {
        try await TestLedger.withDatabase { test in
            var limits = LotLimits()
            limits.act = 3
            let ledger = try await test.open(lotLimits: limits)
            for number in 0..<4 { _ = try await ledger.submit(Grant.sample("grant-\(number)")) }
            _ = try await ledger.submit(Grant.sample("other", to: "cid"))
            #expect(
                try await ledger.submit(MergeUsers.sample()).refusal
                    == .tooManyLots(required: 20, available: 15, limit: 3))
            _ = try await ledger.submit(Spend.sample(coins: 5))
            try await test.execute(
                """
                INSERT INTO top_up (user_id, gateway, billing_key, product, threshold, monthly_limit, set_by)
                VALUES ('ann', 'portone-v2', 'card-a', 'p', 10, 1000, 'shop');
                INSERT INTO top_up_charge (top_up_id, user_id, journal_entry_id)
                SELECT id, user_id, 1 FROM top_up;
                """)
            #expect(try await ledger.submit(MergeUsers.sample()).refusal == .topUpInProgress)
            try await test.execute("UPDATE top_up_charge SET status = 'dropped', decided_at = now()")
            try await ledger.forgettings.ask(of: .named("cid"), after: .seconds(86_400), because: nil, by: "kim")
            #expect(try await ledger.submit(MergeUsers.sample()).refusal == .forgettingWaits)
            #expect(try await ledger.forgettings.cancel(of: .named("cid"), by: "kim"))
            #expect(try await ledger.submit(MergeUsers.sample()).success?.coins == 15)
            await ledger.close()
        }
    }
}
