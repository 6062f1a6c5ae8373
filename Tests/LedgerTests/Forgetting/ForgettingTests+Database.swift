import Foundation
import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

/// What the database does while it forgets.
extension ForgettingTests {
    @Test func `who gets coins while they are forgotten has them as somebody else, or is not forgotten`() async throws {
        try await TestLedger.with { ledger, test in
            let users = (0..<8).map { "user-of-\($0)" }
            for user in users {
                _ = try await ledger.submit(Grant.sample("first-\(user)", to: user))
                _ = try await ledger.submit(Spend.sample("spend-\(user)", by: user, coins: 5))
                try await ledger.forgettings.ask(of: .named(user), after: .seconds(86_400), because: nil, by: "s")
            }
            _ = try await ledger.chain.linkUp(waiting: .seconds(20))
            try await Self.letTimeCome(test)
            let due = try await ledger.pendingForgettings.takeDue(limit: 8, lease: .zero)
            #expect(due.count == 8)
            _ = try await together(16) { number in
                let pending = due[number / 2]
                if number.isMultiple(of: 2) {
                    // It may wait for another one in a circle: then nothing of it is done.
                    _ = try? await ledger.pendingForgettings.forget(
                        pending, key: ForgettingKey(), keeping: Self.periods)
                } else {
                    let second = Grant.sample("second-\(pending.id)", to: pending.user, coins: 7)
                    let answer = try await ledger.submit(second)
                    #expect(answer.refusal == nil)
                }
            }
            for pending in due {
                #expect(try await ledger.balances.find(of: pending.user).total == 7)
                let entries = try await test.number(
                    """
                    SELECT count(*) FROM posting JOIN account ON account.id = account_id
                    WHERE owner = '\(pending.user.rawValue)'
                    """)
                let isForgotten = try await ledger.pendingForgettings.decision(of: pending) == .forgotten
                #expect(entries == (isForgotten ? 1 : 3), "all of the user is under one id")
            }
            _ = try await ledger.chain.linkUp(waiting: .seconds(20))
            try await Audit.expectSound(test)
        }
    }

    @Test func `the ids of a user are selected once to find a request, and not for each row`() async throws {
        try await TestLedger.withDatabase { test in
            let connection = try await test.connectAsOwner()
            let plan = try await connection.explain(Forgetting.find(of: .named(Self.id)))
            await connection.close()
            #expect(plan.contains { $0.contains("user_behind(") })
            #expect(!plan.contains { $0.contains("Filter") && $0.contains("user_behind(") }, "\(plan)")
        }
    }

    @Test func `the database counts stripes as the service does`() async throws {
        try await TestLedger.withDatabase { test in
            let connection = try await test.connectAsOwner()
            for user in ["a", Self.id, "앤", "forgotten-0"] {
                let number = try await connection.run(
                    PostgresQuery<Int64>.one("SELECT stripe_of_user($1, 64)", [user]))
                #expect(number == Stripe(of: .named(user), among: 64).number)
            }
            await connection.close()
        }
    }

    @Test func `nothing that judges changes stands in the way`() async throws {
        try await TestLedger.withDatabase { test in
            let connection = try await test.connectAsOwner()
            let others = try await connection.run(
                PostgresQuery<[String]>(
                    """
                    SELECT DISTINCT proname::text FROM pg_trigger JOIN pg_proc ON pg_proc.oid = tgfoid
                    WHERE NOT tgisinternal AND tgtype & 16 <> 0 AND prosrc NOT LIKE '%is_forgetting()%'
                    ORDER BY 1
                    """))
            await connection.close()
            // These do something only when a row becomes another one in more than words and ids.
            let harmless = [
                "note_reopening", "record_campaign", "record_endpoint", "record_finding", "record_receipt",
                "record_reconciliation", "record_top_up", "record_top_up_charge", "tell_of_work",
            ]
            #expect(others == harmless, "say IF is_forgetting() THEN RETURN NEW")
        }
    }
}
