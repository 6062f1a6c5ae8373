import Foundation
import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

/// What is kept of a user besides coins: it follows, and is read under both ids.
extension MergeUsersTests {
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
}
