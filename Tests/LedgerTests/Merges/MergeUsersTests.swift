import Foundation
import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

/// Users who become one, and users who get another id.
@Suite(.timeLimit(.minutes(20))) struct MergeUsersTests {
    /// A user of ann's stripe, and one of another.
    static let others = ["bob", "cid"]

    @Test(arguments: others)
    func `all that a user has is the other's, and goes on as if it had always been`(_ other: String) async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.buy(.sample())
            _ = try await ledger.submit(Grant.sample(to: other, coins: 5))
            let spent = try await ledger.submit(Spend.sample(coins: 20)).redeemed
            let held = try #require(try await ledger.submit(PlaceHold.sample(coins: 30)).placed).hold
            let refund = try await ledger.begin(.sample(of: purchase.id, coins: 15))
            let deferred = try await test.number("SELECT sum(deferred)::int8 FROM lot")
            let had = try await ledger.balances.find(of: .named("ann"))

            let merged = try #require(try await ledger.submit(MergeUsers.sample(into: other)).success)
            #expect(merged.coins == had.total && merged.debt == 0 && merged.journalEntryID != nil)
            #expect(merged.balance.user == .named(other) && merged.balance.total == had.total + 5)
            #expect(merged.balance.held == had.held && had.held > 30)
            #expect(try await ledger.balances.find(of: .named("ann")).total == 0)
            #expect(try await test.number("SELECT sum(deferred)::int8 FROM lot") == deferred)
            #expect(try await test.balance(of: .clearingCoins) == 0)
            try await Audit.expectSound(test)

            // Whoever names the former user means the other one.
            let captured = try await ledger.submit(CaptureHold.sample(of: held.id, coins: 10)).captured
            #expect(captured?.balance.user == .named(other))
            _ = try await ledger.submit(VoidHold.sample(of: held.id, by: other))
            let back = try await ledger.submit(ReverseRedemption.sample(of: spent)).reversed
            #expect(back?.balance.user == .named(other) && back?.balance.total == had.total + 15)
            _ = try await ledger.submit(CompleteRefund.sample(refund))
            let rest = try await ledger.begin(.sample("refund-2", of: purchase.id, by: other))
            _ = try await ledger.submit(CompleteRefund.sample(rest))
            #expect(try await ledger.purchases.find(purchase.id, of: .named(other))?.status == .partiallyRefunded)
            try await Audit.expectSound(test)
        }
    }

    @Test(arguments: others)
    func `what is paid or asked for under the old id is the other's, and a key is used once under both`(
        _ other: String
    ) async throws {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.credit(.sample(1))
            _ = try await ledger.submit(Grant.sample(to: other, coins: 5))
            let spend = Spend.sample(coins: 20)
            let first = try await ledger.submit(spend)
            _ = try await ledger.submit(MergeUsers.sample(into: other))
            for name in ["ann", other] {
                let again = try await ledger.submit(Spend.sample(by: name, coins: 20))
                #expect(again.isRepeat && again.success == first.success)
                #expect(try await ledger.submit(Spend.sample(by: name, coins: 21)).refusal == .idempotencyKeyReused)
                #expect(try await ledger.submit(CreditPurchase.sample(1, by: name)).isRepeat)
            }
            #expect(try await ledger.submit(Spend.sample(by: "eve", coins: 20)).refusal == .idempotencyKeyReused)
            // New ones, under the old id first.
            let late = try await ledger.submit(CreditPurchase.sample(2)).credited
            #expect(late?.purchase.user == .named(other))
            for name in ["ann", other] {
                let later = try await ledger.submit(Spend.sample("later", by: name, coins: 7))
                #expect(later.isRepeat == (name == other) && later.spent?.balance.user == .named(other))
            }
            let repeated = try await ledger.submit(MergeUsers.sample(into: other))
            #expect(repeated.isRepeat && repeated.success?.coins == 90)
            #expect(try await ledger.merges.user(behind: .named("ann")) == .named(other))
            #expect(try await ledger.merges.formerIDs(of: .named(other)) == [.named("ann")])
            try await Audit.expectSound(test)
        }
    }

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

    @Test func `a lot that was used up between two merges fits its entry`() async throws {
        try await TestLedger.with { ledger, test in
            // Each of another stripe.
            #expect(Set(["ann", "cid", "eve"].map { Stripe(of: .named($0), among: 4) }).count == 3)
            _ = try await ledger.credit(.sample(bonus: 0))
            _ = try await ledger.submit(MergeUsers.sample(into: "cid", isRename: true))
            _ = try await ledger.submit(Spend.sample(by: "cid", coins: 100))
            _ = try await ledger.submit(MergeUsers.sample("merge-2", "cid", into: "eve", isRename: true))
            #expect(try await test.number("SELECT count(*) FROM lot WHERE user_id = 'cid' AND NOT is_open") == 1)
            try await Audit.expectSound(test)
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

    @Test func `a debt goes along, and the other's coins pay it`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = CreditPurchase.sample(bonus: 0)
            _ = try await ledger.credit(purchase)
            _ = try await ledger.submit(Spend.sample(coins: 100))
            _ = try await ledger.submit(ClawBack.sample(of: purchase, 1000))
            _ = try await ledger.submit(Grant.sample(to: "cid", coins: 130))
            let merged = try #require(try await ledger.submit(MergeUsers.sample()).success)
            #expect(merged.coins == 0 && merged.debt == 100 && merged.balance.debt == 100)
            #expect(merged.balance.available == 0)
            #expect(try await ledger.submit(PayDebt(user: .named("ann"))).success?.balance.total == 30)
            #expect(try await ledger.balances.find(of: .named("cid")).debt == 0)
            try await Audit.expectSound(test)
        }
    }

    @Test func `as many coins as are owed move without the clearing accounts`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = CreditPurchase.sample(bonus: 0)
            _ = try await ledger.credit(purchase)
            let held = try #require(try await ledger.submit(PlaceHold.sample(coins: 40)).placed).hold
            _ = try await ledger.submit(Spend.sample(coins: 60))
            _ = try await ledger.submit(ClawBack.sample(of: purchase, 400))
            _ = try await ledger.submit(Grant.sample(to: "cid"))
            let merged = try #require(try await ledger.submit(MergeUsers.sample()).success)
            #expect(merged.coins == merged.debt && merged.coins == 40, "\(merged)")
            #expect(
                try await test.number("SELECT count(*) FROM account WHERE code LIKE 'clearing:%' AND seq > 0") == 0)
            _ = try await ledger.submit(VoidHold.sample(of: held.id, by: "cid"))
            try await Audit.expectSound(test)
        }
    }

    @Test func `coins that come back into a lot that was used up, and of a provider, are the other's`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.credit(.sample(bonus: 0))
            let held = try #require(try await ledger.submit(PlaceHold.sample(coins: 40)).placed).hold
            let captured = try await ledger.submit(CaptureHold.sample(of: held.id, provider: "pia")).redeemed
            let spent = try await ledger.submit(Spend.sample(coins: 60)).redeemed
            _ = try await ledger.submit(Grant.sample(to: "cid"))
            let merged = try #require(try await ledger.submit(MergeUsers.sample()).success)
            #expect(merged.coins == 0 && merged.journalEntryID == nil)
            #expect(try await test.number("SELECT count(*) FROM lot WHERE user_id = 'ann'") == 1)
            for (key, used) in [("a", captured), ("b", spent)] {
                let found = try await ledger.redemptions.find(sure(used).id)
                #expect(found?.user == .named("cid"))
                _ = try await ledger.submit(ReverseRedemption.sample(key, of: found, coins: 25))
            }
            #expect(try await ledger.balances.find(of: .named("cid")).total == 55)
            #expect(try await ledger.balances.earnings(of: .named("pia")) == 15)
            #expect(try await test.number("SELECT count(*) FROM lot WHERE user_id = 'ann'") == 0)
            try await Audit.expectSound(test)
        }
    }

    @Test func `the history is read under both ids, and events name the user of then`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.credit(.sample())
            _ = try await ledger.submit(Spend.sample(coins: 20))
            let moment = try await test.number("SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::int8")
            _ = try await ledger.submit(Grant.sample(to: "cid", coins: 5))
            // Published after the merge, as if the publisher were late.
            _ = try await ledger.submit(MergeUsers.sample())
            _ = try await ledger.submit(Spend.sample("after", by: "cid", coins: 1))
            let before = Date(timeIntervalSince1970: Double(moment) / 1_000_000)
            #expect(try await ledger.balances.find(of: .named("cid"), at: before).total == 90)

            var entries: [StatementEntry] = []
            var cursor: StatementCursor?
            repeat {
                let page = try await ledger.statements.history(of: .named("cid"), after: cursor, limit: 2)
                entries += page.elements
                cursor = page.next
            } while cursor != nil
            #expect(entries.map(\.kind) == ["spend", "merge", "grant", "merge", "spend", "purchase"])
            #expect(entries.map { $0.former?.rawValue } == [nil, nil, nil, "ann", "ann", "ann"])
            let others = try await ledger.statements.history(
                of: .named("eve"), after: StatementCursor(former: .named("ann")), limit: 10)
            #expect(others.elements.isEmpty && others.next == nil)

            try await ledger.events.publisher.publish()
            let events = try await ledger.events.everything()
            #expect(
                events.map { "\($0.type.rawValue) \($0.user?.rawValue ?? "")" } == [
                    "purchase.credited ann", "coins.spent ann", "coins.granted cid", "coins.merged ann",
                    "coins.merged cid", "user.merged cid", "coins.spent cid",
                ])
            expectContinuous(events)
            try await Audit.expectSound(test)
        }
    }

    @Test(arguments: [1, 2, 3, 50])
    func `the timeline goes on with the former ids`(_ limit: Int) async throws {
        try await TestLedger.with { ledger, _ in
            _ = try await ledger.credit(.sample())
            _ = try await ledger.submit(Spend.sample(coins: 20))
            _ = try await ledger.submit(Grant.sample("other", to: "cid", coins: 5))
            _ = try await ledger.submit(MergeUsers.sample())
            for text in ["one", "two"] {
                _ = try await ledger.notes.add(text, on: .named("cid"), key: text, by: "kim", named: "Kim")
            }
            _ = try await ledger.submit(Spend.sample("after", by: "cid", coins: 1))
            var items: [TimelineItem] = []
            var cursor: TimelineCursor?
            for _ in 0..<20 {
                let page = try await ledger.timeline.list(of: .named("cid"), after: cursor, limit: limit)
                items += page.elements
                cursor = page.next
                if cursor == nil { break }
            }
            let shown = items.map { item in
                if case .entry(let entry) = item { entry.kind } else { "note" }
            }
            #expect(shown == ["spend", "note", "note", "merge", "grant", "merge", "spend", "purchase"])
            #expect(cursor == nil)
        }
    }

    @Test func `clients who use both ids during merges lose no coin, and each act is done once`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.credit(.sample(1, coins: 1000, bonus: 0))
            _ = try await ledger.submit(Grant.sample("first", to: "cid", coins: 1000))
            let held = try #require(try await ledger.submit(PlaceHold.sample(coins: 100)).placed).hold
            let answers = try await together(160) { number -> Int64 in
                let name = number.isMultiple(of: 2) ? "ann" : "cid"
                switch number % 16 {
                case 0 where number == 80: _ = try await ledger.submit(MergeUsers.sample())
                case 1: _ = try await ledger.submit(CaptureHold.sample("c-\(number)", of: held.id, by: name, coins: 5))
                case 2...8:
                    // Each key twice, once under each id.
                    let key = "spend-\(number / 2)"
                    let spent = try await ledger.submit(Spend.sample(key, by: name, coins: 3))
                    return spent.isRepeat ? 0 : -(spent.spent?.coins ?? 0)
                case 9...12: return try await ledger.submit(CreditPurchase.sample(number, by: name)).isRepeat ? 0 : 110
                default:
                    let granted = try await ledger.submit(Grant.sample("grant-\(number)", to: name, coins: 2))
                    return granted.granted?.coins ?? 0
                }
                return 0
            }
            let all = 2000 + answers.reduce(0, +)
            let captured = try await test.number("SELECT captured FROM hold WHERE id = \(held.id)")
            #expect(try await ledger.balances.find(of: .named("cid")).total == all - captured)
            #expect(try await ledger.balances.find(of: .named("ann")).total == 0)
            #expect(try await ledger.merges.user(behind: .named("ann")) == .named("cid"))
            try await Audit.expectSound(test)
        }
    }

    @Test func `two merges of one user at once are one, and two into each other are one`() async throws {
        try await TestLedger.with { ledger, test in
            for (number, name) in ["ann", "bob", "cid"].enumerated() {
                _ = try await ledger.submit(Grant.sample("grant-\(number)", to: name))
            }
            let answers = try await together(12) { number in
                let (former, user) = [("ann", "bob"), ("ann", "cid"), ("bob", "ann")][number % 3]
                return try await ledger.submit(MergeUsers.sample("merge-\(number)", former, into: user))
            }
            #expect((1...2).contains(answers.count { $0.success != nil }))
            #expect(try await test.number("SELECT count(*) FROM user_alias WHERE former = user_id") == 0)
            let users = try await ledger.merges.users(behind: ["ann", "bob", "cid"].map(UserID.named))
            let coins = try await ledger.balances.list(of: Array(Set(users)))
            #expect(coins.reduce(0) { $0 + $1.total } == 15)
            try await Audit.expectSound(test)
        }
    }

    @Test func `orders, receipts, consents, thresholds and findings follow`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.submit(Grant.sample())
            _ = try await ledger.submit(Grant.sample("other", to: "cid"))
            try await test.execute(
                """
                INSERT INTO "order" (
                    merchant_uid, user_id, gateway, product, amount, currency, coins, bonus_coins, idempotency_key, expires_at)
                SELECT 'm-' || name, name, 'portone-v1', 'p', 1000, 'KRW', 100, 0, 'key', now() + interval '1 hour'
                FROM unnest(ARRAY['ann', 'cid']) AS name;
                INSERT INTO receipt_retry (user_id, gateway, imp_uid, merchant_uid, status, reason, next_attempt_at)
                SELECT name, 'portone-v1', imp, 'm-ann', 'waiting', 'gateway_unavailable', now() + interval '1 hour'
                FROM (VALUES ('ann', 'imp_1'), ('ann', 'imp_2'), ('cid', 'imp_2')) AS row (name, imp);
                INSERT INTO top_up (user_id, gateway, billing_key, product, threshold, monthly_limit, set_by)
                VALUES ('ann', 'portone-v2', 'card-a', 'p', 10, 1000, 'shop');
                INSERT INTO finding (kinds, gateway, imp_uid, merchant_uid, user_id, amount, currency)
                VALUES ('{unclaimed}', 'portone-v1', 'imp_9', 'm-9', 'ann', 1000, 'KRW'),
                    ('{amount_mismatch}', 'portone-v1', 'imp_1', 'm-ann', NULL, 1000, 'KRW');
                """)
            let threshold = [sure(Coins(3))]
            for owner in ["ann", "cid"] {
                _ = try await ledger.balanceAlerts.set(
                    below: threshold, above: [], of: .user(.named(owner)), by: owner)
            }
            try await test.execute(
                """
                INSERT INTO endpoint (
                    url, description, types, users, secret_key_id, secret_salt, created_by, idempotency_key, fingerprint)
                SELECT 'https://example.com', '', '{}', users, 'k', 's', 'shop', users::text, 'f'
                FROM (VALUES ('{ann}'::text[]), ('{ann,cid}'), ('{eve}'), ('{}')) AS row (users);
                """)
            _ = try await ledger.submit(MergeUsers.sample())
            #expect(
                try await test.number(
                    "SELECT count(*) FROM endpoint WHERE users IN ('{ann,cid}', '{eve}', '{}')") == 4,
                "who gets the former user's events gets the user's")
            #expect(
                try await test.number("SELECT count(*) FROM occurrence WHERE type LIKE 'balance.%'") == 0,
                "the former id's coins fell below its threshold, but are the other's")
            #expect(try await ledger.orders.list(of: .named("cid"), limit: 10).elements.count == 2)
            #expect(try await ledger.orders.find(named: "m-ann")?.user == .named("cid"))
            #expect(try await test.number("SELECT count(*) FROM receipt_retry WHERE user_id = 'cid'") == 2)
            #expect(
                try await test.number("SELECT count(*) FROM top_up WHERE user_id = 'cid' AND status = 'active'") == 1)
            #expect(try await test.number("SELECT count(*) FROM finding WHERE user_id = 'cid'") == 1)
            for name in ["ann", "cid", "eve"] {
                let found = try await ledger.findings.list(FindingFilter(user: .named(name)), limit: 10).elements
                #expect(found.map { $0.payment?.paymentID } == (name == "eve" ? [] : ["imp_9", "imp_1"]), "\(name)")
            }
            #expect(try await ledger.balanceAlerts.find(of: .user(.named("cid")))?.setBy == "cid")
            #expect(try await ledger.balanceAlerts.find(of: .user(.named("ann"))) == nil)

            // Of two consents the user's own stays.
            _ = try await ledger.submit(Grant.sample("third", to: "eve"))
            try await test.execute(
                """
                INSERT INTO top_up (user_id, gateway, billing_key, product, threshold, monthly_limit, set_by)
                VALUES ('eve', 'portone-v2', 'card-e', 'p', 10, 1000, 'shop')
                """)
            _ = try await ledger.submit(MergeUsers.sample("merge-2", "eve", into: "cid"))
            #expect(
                try await test.number(
                    "SELECT count(*) FROM top_up WHERE user_id = 'cid' AND billing_key = 'card-a' AND status = 'active'"
                )
                    == 1)
            #expect(try await test.number("SELECT count(*) FROM top_up WHERE reason = 'merged'") == 1)
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

    @Test func `a consent is paused, revoked and replaced under each name, and two at once are one`() async throws {
        try await TestLedger.with { ledger, test in
            for name in ["ann", "cid"] { _ = try await ledger.submit(Grant.sample(name, to: name)) }
            _ = try await ledger.products.add(
                ProductDraft(
                    code: "p", title: "P", price: sure(Price(won: 1000)), coins: sure(Coins(100)), bonusCoins: nil))
            @Sendable func agree(_ user: String, key: String) async throws {
                try await ledger.topUps.agree(
                    to: TopUpDraft(
                        user: .named(user), gateway: "portone-v1", billingKey: key, product: "p",
                        threshold: sure(Coins(10)), monthlyLimit: 5000, setBy: "shop"))
            }
            func status() async throws -> TopUp.Status? { try await ledger.topUps.find(of: .named("cid"))?.status }
            try await agree("cid", key: "card-c")
            // The former user's ends, though it is the newer one; the user's own stays.
            try await agree("ann", key: "card-a")
            _ = try await ledger.submit(MergeUsers.sample())
            #expect(try await test.number("SELECT count(*) FROM top_up WHERE reason = 'merged'") == 1)
            #expect(try await status() == .active)
            _ = try await ledger.topUps.pause(of: .named("ann"), because: "asked", by: "kim")
            #expect(try await status() == .paused)
            _ = try await ledger.topUps.resume(of: .named("ann"), by: "kim")
            #expect(try await status() == .active)
            _ = try await ledger.topUps.revoke(of: .named("ann"), by: "kim")
            #expect(try await status() == .revoked)
            _ = try await together(12) { number in
                try await agree(number.isMultiple(of: 2) ? "ann" : "cid", key: "card-\(number)")
            }
            #expect(
                try await test.number("SELECT count(*) FROM top_up WHERE user_id = 'cid' AND status = 'active'") == 1)
            try await Audit.expectSound(test)
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
