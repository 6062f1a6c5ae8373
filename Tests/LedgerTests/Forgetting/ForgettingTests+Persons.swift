import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

/// Users with several ids: the person is forgotten.
extension ForgettingTests {
    @Test func `who was merged is forgotten under each id, and the books are proven`() async throws {
        try await TestLedger.with { ledger, test in
            try await Self.live(ledger, test)
            let old = "kim-old-7788"
            let seal = SealKey()
            _ = try await ledger.buy(.sample(7, by: old, merchantUID: "bought by \(old)", bonus: 0))
            _ = try await ledger.submit(MergeUsers.sample("m", old, into: Self.id))
            _ = try await ledger.submit(Spend.sample("last", by: Self.id, coins: 100))
            _ = try await ledger.seals.make(with: seal)
            let secret = ForgettingKey()
            let user = try await Self.forget(ledger, test, key: secret)
            try await ledger.events.publisher.publish()
            let dump = try SchemaFileTests.dump(test.database, ["--data-only", "--inserts"])
            for name in [old, Self.id] { #expect(!dump.localizedCaseInsensitiveContains(name), "\(name)") }
            #expect(
                try await test.number(
                    "SELECT count(*) FROM user_alias WHERE former LIKE 'forgotten-%' AND user_id = '\(user.rawValue)'")
                    == 1)
            // At the other gateway, too: an order is credited once.
            for gateway in ["portone-v1", "portone-v2"] {
                let payment = PaymentIdentity(gateway: gateway, paymentID: "imp_8", merchantUID: "bought by \(old)")
                let again = CreditPurchase.sample(by: "eve", payment: payment)
                #expect(try await ledger.credit(again, after: secret).refusal == .paymentBelongsToAnotherUser)
            }
            try await Audit.expectSound(test)
        }
    }

    @Test func `who was merged waits for what is open under a former id`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.submit(Grant.sample("g", to: "old"))
            _ = try await ledger.submit(MergeUsers.sample("m", "old", into: Self.id, isRename: true))
            _ = try await ledger.submit(Spend.sample("s", by: Self.id, coins: 5))
            // What a provider is owed is not merged.
            try await test.execute(
                """
                SET session_replication_role = replica;
                INSERT INTO account (id, stripe, code, owner, currency, normal_side, credits, seq)
                VALUES (900001, 0, 'payable:old', 'old', 'KRW', 'C', 5, 1)
                """)
            #expect(try await ledger.forgettings.open(of: .named(Self.id)) == ["payable"])
            try await Self.ask(ledger, test)
            let pending = try #require(try await Self.due(ledger))
            #expect(
                try await ledger.pendingForgettings.forget(pending, key: ForgettingKey(), keeping: Self.periods)
                    == "payable")
        }
    }

    @Test func `whoever of a merged user is asked to be forgotten, the person is`() async throws {
        try await TestLedger.with { ledger, test in
            let (former, other) = (UserID.named("kim-old-7788"), UserID.named(Self.id))
            _ = try await ledger.buy(.sample(1, by: former))
            // The request and the merge don't see each other.
            try await ledger.forgettings.ask(of: former, after: .seconds(86_400), because: nil, by: "s")
            try await test.execute(
                """
                SET session_replication_role = replica;
                UPDATE forgetting SET status = 'cancelled', cancelled_by = 's', decided_at = now()
                """)
            _ = try await ledger.submit(MergeUsers.sample("m", former, into: other, isRename: true))
            try await test.execute(
                """
                SET session_replication_role = replica;
                UPDATE forgetting SET status = 'waiting', cancelled_by = NULL, decided_at = NULL
                """)
            #expect(try await ledger.forgettings.find(of: other)?.user == former)
            #expect(try await ledger.forgettings.cancel(of: other, by: "s"))

            // The command line names whom it was told.
            try await ledger.forgettings.ask(of: former, after: .seconds(86_400), because: nil, by: "s")
            #expect(try await ledger.forgettings.find(of: former)?.user == other)
            #expect(try await ledger.forgettings.open(of: former) == ["coins"])
            _ = try await ledger.submit(Spend.sample("s", by: other, coins: 110))
            _ = try await ledger.chain.linkUp(waiting: .seconds(20))
            try await test.execute(
                "SET session_replication_role = replica; UPDATE forgetting SET user_id = '\(former.rawValue)'")
            try await Self.letTimeCome(test)
            let pending = try #require(try await Self.due(ledger))
            let key = ForgettingKey()
            #expect(try await ledger.pendingForgettings.forget(pending, key: key, keeping: Self.periods) == nil)
            let user = try #require(try await ledger.forgettings.find(pending.id)).user
            #expect(try await ledger.purchases.list(of: user, limit: 9).elements.count == 1)
            #expect(key.decrypted(try #require(try await ledger.forgettings.kept(of: user))) == other)
            try await Audit.expectSound(test)
        }
    }

    @Test func `a person who was asked for under two ids is forgotten once`() async throws {
        try await TestLedger.with { ledger, test in
            let (former, other) = (UserID.named("kim-old-7788"), UserID.named(Self.id))
            _ = try await ledger.buy(.sample(1, by: former, bonus: 0))
            _ = try await ledger.submit(MergeUsers.sample("m", former, into: other, isRename: true))
            _ = try await ledger.submit(Spend.sample("s", by: other, coins: 100))
            _ = try await ledger.chain.linkUp(waiting: .seconds(20))
            func rename(_ user: UserID) async throws {
                try await test.execute(
                    """
                    SET session_replication_role = replica;
                    UPDATE forgetting SET user_id = '\(user.rawValue)' WHERE status = 'waiting'
                    """)
            }
            try await Self.ask(ledger, test, of: other.rawValue)
            // The request and the merge don't see each other.
            try await rename(former)
            try await Self.ask(ledger, test, of: other.rawValue)
            #expect(try await test.number("SELECT count(*) FROM forgetting") == 1, "a repeat changes nothing")

            // Nor do two requests.
            try await test.execute(
                """
                INSERT INTO forgetting (user_id, asked_by, asked_at, due_at, next_attempt_at)
                SELECT '\(Self.id)', asked_by, asked_at, due_at, next_attempt_at FROM forgetting
                """)
            let due = try await ledger.pendingForgettings.takeDue(limit: 2, lease: .zero)
            #expect(due.count == 2)
            for pending in due {
                let key = ForgettingKey()
                #expect(try await ledger.pendingForgettings.forget(pending, key: key, keeping: Self.periods) == nil)
            }
            var decisions: [PendingForgetting.Decision?] = []
            for pending in due { decisions.append(try await ledger.pendingForgettings.decision(of: pending)) }
            #expect(decisions == [.forgotten, .cancelled])
            #expect(try await test.number("SELECT count(*) FROM forgetting WHERE cancelled_by = 'ledgerd'") == 1)
            try await Audit.expectSound(test)
        }
    }
}
