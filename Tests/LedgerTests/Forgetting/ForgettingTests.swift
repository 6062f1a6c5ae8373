import Crypto
import Foundation
import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

/// Users who are forgotten: what is left of them, and what it proves.
@Suite(.timeLimit(.minutes(20))) struct ForgettingTests {
    private static let id = "kim+minji 앤/77"
    private static let periods = KeepingPeriods(yearsOfPayments: 5, ofComplaints: 3)

    private static func due(_ ledger: Ledger) async throws -> PendingForgetting? {
        try await ledger.pendingForgettings.takeDue(limit: 1, lease: .zero).first
    }

    /// Asks for it, and lets its time come.
    private static func ask(_ ledger: Ledger, _ test: TestLedger, of user: String = id) async throws {
        try await ledger.forgettings.ask(
            of: .named(user), after: .seconds(86_400), because: "she asked", by: "support-1")
        try await letTimeCome(test)
    }

    /// Lets the time of all requests come.
    private static func letTimeCome(_ test: TestLedger) async throws {
        try await test.execute(
            """
            SET session_replication_role = replica;
            UPDATE forgetting SET asked_at = asked_at - interval '2 days', due_at = due_at - interval '2 days',
                next_attempt_at = next_attempt_at - interval '2 days'
            WHERE status = 'waiting'
            """)
    }

    /// Forgets the user, whose time has come, and returns the id that took the place of theirs.
    private static func forget(
        _ ledger: Ledger, _ test: TestLedger, _ user: String = id, key: ForgettingKey = ForgettingKey()
    ) async throws -> UserID {
        try await ask(ledger, test, of: user)
        let pending = try #require(try await due(ledger))
        #expect(try await ledger.pendingForgettings.forget(pending, key: key, keeping: periods) == nil)
        return try #require(try await ledger.forgettings.find(pending.id)).user
    }

    /// A user who did a bit of everything and has nothing left, and another one of whom texts name the first.
    private static func live(_ ledger: Ledger, _ test: TestLedger) async throws {
        let user = UserID.named(id)
        let percent = sure(id.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
        _ = try await ledger.buy(.sample(1, by: id, merchantUID: "order for \(id)"))
        _ = try await ledger.credit(.sample(2, by: "lee"))
        _ = try await ledger.submit(Grant.sample("grant \(percent)", to: id))
        _ = try await ledger.submit(PlaceHold.sample("hold-1", by: id, coins: 5, reference: "a song for \(id)"))
        _ = try await ledger.submit(
            Spend(
                idempotencyKey: .named("spend-1"), user: user, coins: sure(Coins(50)), reference: "gift of \(id)",
                reason: "her birthday"))
        let hold = try await test.number("SELECT max(id) FROM hold")
        _ = try await ledger.submit(VoidHold(idempotencyKey: .named("void"), user: user, holdID: hold))
        _ = try await ledger.submit(Spend.sample("rest", by: id, coins: 65))
        let base64 = Data(id.utf8).base64EncodedString()
        _ = try await ledger.submit(
            Grant(
                idempotencyKey: .named("lee"), user: .named("lee"), coins: sure(Coins(1)), reason: "brought us \(id)"))
        for (number, text) in ["friend of \(id)", "page /customers/\(percent)", "header \(base64)"].enumerated() {
            _ = try await ledger.notes.add(text, on: .named("lee"), key: "n\(number)", by: "s", named: "Suho")
        }
        _ = try await ledger.stores.token(of: user)
        _ = try await ledger.notes.add("has a dog", on: user, key: "of \(id)", by: "s", named: "Suho")
        try await ledger.events.publisher.publish()
    }

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

    @Test func `a user on the list of a campaign waits until it gave or has ended`() async throws {
        try await TestLedger.with { ledger, _ in
            let id = try await ledger.make(.sample())
            _ = try await ledger.campaigns.add([CampaignUser(.named(Self.id))], to: id).get()
            #expect(try await ledger.forgettings.open(of: .named(Self.id)) == ["campaign"])
            let run = try #require(try await ledger.campaignRuns.takeDue(limit: 1, lease: .zero).first)
            _ = try await ledger.campaignRuns.next(of: run, most: 5)
            _ = try await ledger.submit(GrantFromCampaign(campaign: id, user: .named(Self.id)))
            #expect(try await ledger.forgettings.open(of: .named(Self.id)) == ["coins"])
        }
    }

    @Test func `a claim that nobody finished keeps no user, and its coins are free again`() async throws {
        try await TestLedger.with { ledger, test in
            let id = try await ledger.make(.sample(budget: 30, code: "SPRING"))
            _ = try await ledger.submit(Grant.sample("g", to: "lee"))
            _ = try await ledger.chain.linkUp(waiting: .seconds(20))
            for user in [Self.id, "lee"] {
                #expect(try await ledger.campaigns.claim("SPRING", for: .named(user)) == .success(id))
            }
            #expect(try await ledger.forgettings.open(of: .named(Self.id)).isEmpty)
            let user = try await Self.forget(ledger, test)
            #expect(try await test.number("SELECT reserved FROM campaign") == 10, "lee's")
            let freed = "user_id = '\(user.rawValue)' AND refusal = 'user_forgotten'"
            #expect(try await test.number("SELECT count(*) FROM campaign_user WHERE \(freed)") == 1)
        }
    }

    @Test func `an id in a campaign's name is replaced in the name and in its lots alike`() async throws {
        try await TestLedger.with { ledger, test in
            let id = try await ledger.make(.sample())
            _ = try await ledger.submit(Grant.sample("g", to: "lee", issuer: "for \(Self.id)"))
            _ = try await ledger.chain.linkUp(waiting: .seconds(20))
            try await test.execute(
                "SET session_replication_role = replica; UPDATE campaign SET name = 'for \(Self.id)' WHERE id = \(id)")
            let user = try await Self.forget(ledger, test)
            let alike = "SELECT count(*) FROM lot JOIN campaign ON name = issuer WHERE name = 'for \(user.rawValue)'"
            #expect(try await test.number(alike) == 1)
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

    @Test func `the reasons of gifts go from the entries of both users`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.buy(.sample(1, by: Self.id, bonus: 0))
            _ = try await ledger.submit(Grant.sample(to: "lee", coins: 1))
            _ = try await ledger.submit(Gift.sample("1", from: Self.id, to: "lee", coins: 60, reason: "my dear"))
            _ = try await ledger.submit(Gift.sample("2", from: "lee", to: Self.id, coins: 10, reason: "dear, thanks"))
            _ = try await ledger.submit(Spend.sample("rest", by: Self.id, coins: 50))
            _ = try await ledger.buy(.sample(2, by: "mia", bonus: 0))
            _ = try await ledger.submit(Gift.sample("3", from: "mia", to: "lee", coins: 1, reason: "not theirs"))
            let key = SealKey()
            let seal = try #require(try await ledger.seals.make(with: key)).seal
            _ = try await Self.forget(ledger, test)
            let told = "SELECT count(*) FROM journal_entry WHERE kind LIKE 'gift_%' AND reason"
            #expect(try await test.number("\(told) LIKE '%dear%'") == 0)
            #expect(try await test.number("\(told) = '(erased)'") == 4)
            #expect(try await test.number("\(told) = 'not theirs'") == 2)
            try await Audit.expectSound(test)
            let found = try await Doctor(try .unhurried(test.serviceURL))
                .examine(against: seal, trusting: key.publicKey).findings
            #expect(found.isEmpty, "\(found)")
        }
    }

    @Test func `an id that is forgotten is nowhere in a dump, and books, seals and chain are proven`() async throws {
        try await TestLedger.with { ledger, test in
            let key = SealKey()
            try await Self.live(ledger, test)
            let former = try Seal(SealContent(try await test.linkTexts(), sealedAt: Date()), by: key)
            let seal = try #require(try await ledger.seals.make(with: key)).seal
            try await Audit.expectSound(test)
            let before = try await ledger.balances.find(of: .named("lee"))

            let secret = ForgettingKey()
            let user = try await Self.forget(ledger, test, key: secret)
            #expect(user.isForgotten && Stripe(of: user, among: 4) == Stripe(of: .named(Self.id), among: 4))
            try await ledger.events.publisher.publish()
            let told = try await ledger.events.everything(limit: 1000).filter { $0.type == .userForgotten }
            #expect(told.count == 1 && told.first?.user == user)

            let dump = try SchemaFileTests.dump(test.database, ["--data-only", "--inserts"])
            #expect(dump.contains(user.rawValue))
            let bytes = Data(Self.id.utf8)
            let hash = SHA256.hash(data: bytes)
            for form in [
                Self.id, "minji", sure(Self.id.addingPercentEncoding(withAllowedCharacters: .alphanumerics)),
                bytes.base64EncodedString(), Array(bytes).hex, Array(hash).hex, Data(hash).base64EncodedString(),
                "birthday", "a song", "has a dog", "gift of",
            ] {
                #expect(!dump.localizedCaseInsensitiveContains(form), "\(form)")
            }

            try await Audit.expectSound(test)
            #expect(try await ledger.balances.find(of: .named("lee")) == before)
            let doctor = Doctor(try .unhurried(test.serviceURL))
            for seal in [former, seal] {
                let found = try await doctor.examine(against: seal, trusting: key.publicKey).findings
                #expect(found.isEmpty, "\(found)")
            }
            let lines = try await ArchiveTests.archive(test, after: nil, through: seal)
            var examination = try ArchiveExamination(head: sure(lines.first))
            for line in lines.dropFirst() { try examination.add(line) }
            #expect(examination.faults(trusting: [key.publicKey]) == [])
            #expect(lines.contains { String(decoding: $0, as: UTF8.self).contains("account_commitment") })
            await #expect(throws: LedgerError.self) {
                try await ArchiveTests.archive(test, after: nil, through: former)
            }

            // What is kept tells who it was to whoever has the key, and to nobody else.
            let kept = try #require(try await ledger.forgettings.kept(of: user))
            #expect(secret.decrypted(kept) == .named(Self.id) && ForgettingKey().decrypted(kept) == nil)
            #expect(try await ledger.forgettings.endKept() == 0)
            try await test.execute(
                "SET session_replication_role = replica; UPDATE forgetting SET kept_until = now() - interval '1 second'"
            )
            #expect(try await ledger.forgettings.endKept() == 1)
            #expect(try await ledger.forgettings.kept(of: user) == nil)

            // A payment whose order had the id in its name is still known to be credited.
            let again = CreditPurchase.sample(7, by: "eve", merchantUID: "order for \(Self.id)")
            #expect(try await ledger.credit(again, after: secret).refusal == .paymentBelongsToAnotherUser)

            #expect(try await ledger.forgettings.otherKey(than: secret) == nil)
            #expect(try await ledger.forgettings.otherKey(than: ForgettingKey()) == secret.name)
            #expect(try await ledger.forgettings.otherKey(than: nil) == secret.name)

            // Whoever has the id later is somebody else.
            #expect(try await ledger.balances.find(of: .named(Self.id)).total == 0)
            #expect(try await ledger.forgettings.find(of: .named(Self.id)) == nil)
            _ = try await ledger.credit(.sample(9, by: Self.id))
            _ = try await ledger.chain.linkUp(waiting: .seconds(20))
            try await Audit.expectSound(test)
            #expect(try await doctor.examine(against: seal, trusting: key.publicKey).findings.isEmpty)
        }
    }

    @Test(arguments: [
        "UPDATE posting SET amount = amount + 1 WHERE account_id = :account",
        "UPDATE account_salt SET code = sha256('x') WHERE account_id = :account",
        // The kind of account is no secret.
        "UPDATE account SET code = replace(code, 'wallet:', 'held:') WHERE id = :account",
        "DELETE FROM entry_salt WHERE salt IS NULL",
    ])
    func `what was sealed can't be changed unseen behind an erased text`(sql: String) async throws {
        try await TestLedger.with { ledger, test in
            try await Self.live(ledger, test)
            let key = SealKey()
            let seal = try #require(try await ledger.seals.make(with: key)).seal
            let user = try await Self.forget(ledger, test)
            let doctor = Doctor(try .unhurried(test.serviceURL))
            #expect(try await doctor.examine([], against: seal, trusting: key.publicKey).findings.isEmpty)
            let account = "(SELECT id FROM account WHERE code = 'wallet:\(user.rawValue):paid')"
            try await Corruption("", sql.replacing(":account", with: account)).plant(in: test)
            let codes = try await doctor.examine([], against: seal, trusting: key.publicKey).findings.map(\.code)
            #expect(codes.contains("seal_head_differs"))
        }
    }

    @Test func `a user with something open waits, and nothing of them changes`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.buy(.sample(1, by: Self.id))
            try await ledger.forgettings.ask(of: .named(Self.id), after: .seconds(86_400), because: nil, by: "s")
            #expect(try await Self.due(ledger) == nil, "its time has not come")
            let id = try #require(try await ledger.forgettings.find(of: .named(Self.id))).id
            let early = PendingForgetting(id: id, user: .named(Self.id), attempts: 1)
            #expect(
                try await ledger.pendingForgettings.forget(early, key: ForgettingKey(), keeping: Self.periods)
                    == "asked")
            try await Self.ask(ledger, test)
            #expect(try await test.number("SELECT count(*) FROM forgetting") == 1, "a repeat changes nothing")
            func state() async throws -> String? {
                let pending = try #require(try await Self.due(ledger))
                return try await ledger.pendingForgettings.forget(pending, key: ForgettingKey(), keeping: Self.periods)
            }
            #expect(try await state() == "coins")
            _ = try await ledger.submit(PlaceHold.sample("h", by: Self.id, coins: 110))
            #expect(try await state() == "held_coins")
            #expect(try await ledger.forgettings.open(of: .named(Self.id)) == ["held_coins"])
            let hold = try await test.number("SELECT max(id) FROM hold")
            _ = try await ledger.submit(
                VoidHold(idempotencyKey: .named("v"), user: .named(Self.id), holdID: hold))
            _ = try await ledger.submit(Spend.sample("all", by: Self.id, coins: 110))
            #expect(try await state() == "chain", "what the chain does not have can't be proven without its texts")
            #expect(try await ledger.balances.find(of: .named(Self.id)).total == 0)
            _ = try await ledger.chain.linkUp(waiting: .seconds(20))
            #expect(try await state() == nil)
            try await Audit.expectSound(test)
        }
    }

    @Test func `a request is cancelled until it is done, and who was forgotten gets nothing`() async throws {
        try await TestLedger.with { ledger, test in
            #expect(try await !ledger.forgettings.cancel(of: .named(Self.id), by: "s"))
            try await Self.ask(ledger, test)
            let pending = try #require(try await Self.due(ledger))
            #expect(try await ledger.forgettings.cancel(of: .named(Self.id), by: "s"))
            #expect(
                try await ledger.pendingForgettings.forget(pending, key: ForgettingKey(), keeping: Self.periods) == nil)
            #expect(try await ledger.pendingForgettings.decision(of: pending) == .cancelled)

            let user = try await Self.forget(ledger, test)
            #expect(try await !ledger.forgettings.cancel(of: user, by: "s"))
            #expect(try await ledger.submit(Grant.sample("g", to: user)).refusal == .userForgotten)
            #expect(try await ledger.credit(.sample(3, by: user)).refusal == .userForgotten)
            #expect(try await ledger.submit(GrantFromCampaign(campaign: 1, user: user)).refusal == .userForgotten)
            let owner = try await test.connectAsOwner()
            for (sql, constraint) in [
                ("SELECT ask_to_forget('\(user.rawValue)', interval '1 day', NULL, 's')", "user_is_not_forgotten"),
                ("SELECT ask_to_forget('eve', interval '1 hour', NULL, 's')", "forgetting_waits_a_day"),
                (
                    """
                    INSERT INTO lot (id, stripe, user_id, kind, coins, remaining, amount, deferred, currency, acquired_at,
                        journal_entry_id)
                    VALUES (900001, 0, '\(user.rawValue)', 'bonus', 1, 1, 0, 0, 'KRW', now(), 900002)
                    """, "user_is_not_forgotten"
                ),
                ("UPDATE forgetting SET status = 'waiting', decided_at = NULL", "forgetting_decided_once"),
                ("UPDATE forgetting SET user_id = 'kim' WHERE status = 'forgotten'", "forgetting_decided_once"),
            ] {
                #expect(try await owner.refusal(ofTransaction: sql)?.constraint == constraint, "\(sql)")
            }
            await owner.close()
        }
    }

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

    @Test func `a payment that is presented while its user is being forgotten is not credited again`() async throws {
        try await TestLedger.with { ledger, test in
            let (key, name) = (ForgettingKey(), "order for \(Self.id)")
            _ = try await ledger.buy(.sample(1, by: Self.id, merchantUID: name))
            _ = try await ledger.submit(Spend.sample("s", by: Self.id, coins: 110))
            _ = try await ledger.chain.linkUp(waiting: .seconds(20))
            try await Self.ask(ledger, test)
            let pending = try #require(try await Self.due(ledger))
            let owner = try await test.connectAsOwner()
            try await owner.execute("BEGIN")
            let open = try await owner.run(
                PostgresQuery<String?>.one(
                    "SELECT forget_user($1, $2, $3, $4, interval '5 years', interval '3 years')",
                    [
                        pending.id, PostgresBytes(try key.encrypted(Self.id)), key.name, PostgresBytes(key.ofPayments),
                    ]
                ) { row in try row.decode(0, as: String?.self) })
            #expect(open == nil)
            async let again = ledger.credit(.sample(7, by: "eve", merchantUID: name), after: key)
            try await test.waitUntilBlocked()
            try await owner.execute("COMMIT")
            #expect(try await again.refusal == .paymentBelongsToAnotherUser)
            await owner.close()
            try await Audit.expectSound(test)
        }
    }

    @Test func `a user of whom nothing must be kept is gone for good`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.notes.add("called", on: .named(Self.id), key: "n", by: "s", named: "Suho")
            let user = try await Self.forget(ledger, test)
            #expect(try await ledger.forgettings.kept(of: user) == nil)
            #expect(try await test.number("SELECT count(*) FROM customer_note WHERE text = '(erased)'") == 1)
        }
    }

    /// An id is looked for between other characters than letters and digits; a word or a number only where it is one.
    @Test(arguments: [
        ("42", "user:42 has lot:42, 42 coins and 142", "user:F has lot:42, F coins and 142"),
        ("kim", "kim, kimchi, my_kim and order-kim-1", "F, kimchi, my_kim and order-F-1"),
        ("kim-minji", "xkim-minjix order_kim-minji_2 kim-minji10", "xkim-minjix order_F_2 kim-minji10"),
        ("customer1", "customer10 customer1,customer1", "customer10 F,F"),
        ("customer1", "?a%3Dcustomer1%20b", "?a%3DF%20b"), ("customer1", #"\ncustomer1"#, #"\nF"#),
        ("customer1", "customer1님", "F님"), ("42", "42님", "F님"), ("앤", "앤 앤서니", "F 앤서니"),
        ("a.b@c.kr", "a.b@c.kr a-b@c.kr", "F a-b@c.kr"), ("kim minji", "kim%20minji kim+minji", "F kim+minji"),
    ])
    func `an id is found where it stands for the user`(id: String, text: String, without: String) async throws {
        try await TestLedger.withDatabase { test in
            let connection = try await test.connectAsOwner()
            let found = try await connection.run(
                PostgresQuery<String>.one("SELECT without_id($1, places_of_id($2), 'F')", [text, id]))
            await connection.close()
            #expect(found == without)
        }
    }

    @Test func `names of payments and keys of others stay as they are`() async throws {
        try await TestLedger.with { ledger, test in
            let user = "customer1"
            let product = try await ledger.products.add(
                ProductDraft(
                    code: "coins_100", title: "100 Coin", price: sure(Price(won: 1000)), coins: sure(Coins(100)),
                    bonusCoins: nil))
            _ = try await ledger.credit(.sample(1, by: "customer10", merchantUID: "order-customer10"))
            _ = try await ledger.credit(.sample(2, by: "lee", merchantUID: "for-customer1-by-lee"))
            for (number, owner) in [user, "lee"].enumerated() {
                _ = try await ledger.orders.make(
                    OrderDraft(
                        user: .named(owner), merchantUID: "\(owner)-\(number)-customer1", gateway: "portone-v1",
                        product: product, lifetime: .seconds(3600)))
            }
            let gift = Grant.sample("gift of customer1", to: "lee")
            let given = try await ledger.submit(gift)
            _ = try await ledger.chain.linkUp(waiting: .seconds(20))
            try await test.execute(
                """
                SET session_replication_role = replica;
                UPDATE "order" SET expires_at = created_at + interval '1 microsecond';
                INSERT INTO webhook_event (gateway, event_id, type, payment_id, status, reason, decided_at)
                SELECT gateway, id, 'paid', merchant_uid, 'done', 'reviewed', now() FROM "order"
                """)
            let forgotten = try await Self.forget(ledger, test, user)
            let new = forgotten.rawValue
            func texts(_ sql: String) async throws -> [String] {
                let connection = try await test.connectAsOwner()
                let texts = try await connection.run(PostgresQuery<[String]>(sql))
                await connection.close()
                return texts
            }
            let names = ["\(new)-0-\(new)", "lee-1-customer1"]
            #expect(try await texts("SELECT merchant_uid FROM \"order\" ORDER BY 1") == names)
            #expect(try await texts("SELECT payment_id FROM webhook_event ORDER BY 1") == names)
            #expect(
                try await texts("SELECT merchant_uid FROM purchase ORDER BY 1")
                    == ["for-customer1-by-lee", "order-customer10"])
            #expect(try await ledger.submit(gift).granted?.lotID == given.granted?.lotID, "the key is known")
        }
    }

    @Test func `notes on a finding that only a payment's names link to the user are erased`() async throws {
        try await TestLedger.with { ledger, test in
            let name = "order for \(Self.id)"
            _ = try await ledger.buy(.sample(1, by: Self.id, merchantUID: name, bonus: 0))
            _ = try await ledger.submit(Spend.sample("s", by: Self.id, coins: 100))
            _ = try await ledger.chain.linkUp(waiting: .seconds(20))
            try await test.execute(
                """
                INSERT INTO "order" (
                    merchant_uid, user_id, gateway, product, amount, currency, coins, bonus_coins, idempotency_key,
                    created_at, expires_at)
                VALUES ('cart of \(Self.id)', '\(Self.id)', 'portone-v1', 'p', 1000, 'KRW', 100, 0, 'k',
                    now() - interval '2 days', now() - interval '1 day');
                WITH found AS (
                    INSERT INTO finding (kinds, gateway, imp_uid, merchant_uid, amount, currency)
                    SELECT '{unclaimed}', 'portone-v1', 'imp_' || name, name, 1000, 'KRW'
                    FROM (VALUES ('cart of \(Self.id)'), ('of nobody')) AS row (name)
                    RETURNING id)
                INSERT INTO finding_act (finding_id, act, by, reason) SELECT id, 'note', 'suho', 'called' FROM found
                """)
            _ = try await Self.forget(ledger, test)
            #expect(
                try await test.number(
                    """
                    SELECT count(*) FROM finding_act JOIN finding ON finding.id = finding_id
                    WHERE reason = CASE merchant_uid WHEN 'of nobody' THEN 'called' ELSE '(erased)' END
                    """) == 2)
        }
    }

    /// It names the payment that the gateway is asked about.
    @Test(arguments: ["imp_uid", "merchant_uid", "payment_id"])
    func `a user with a webhook that waits is not forgotten`(column: String) async throws {
        let name = column == "imp_uid" ? column : "merchant_uid"
        try await TestLedger.with { ledger, test in
            _ = try await ledger.buy(.sample(1, by: Self.id, merchantUID: "order for \(Self.id)", bonus: 0))
            _ = try await ledger.buy(.sample(2, by: "lee"))
            _ = try await ledger.submit(Spend.sample("s", by: Self.id, coins: 100))
            try await test.execute(
                """
                INSERT INTO webhook_event (gateway, event_id, type, \(column), status, reason)
                SELECT gateway, id, 'cancelled', \(name), 'waiting', 'received' FROM purchase
                """)
            #expect(try await ledger.forgettings.open(of: .named(Self.id)) == ["webhook"])
            try await test.execute("UPDATE webhook_event SET reason = 'gateway_off'")
            #expect(try await ledger.forgettings.open(of: .named(Self.id)) == ["gateway_off"])
            try await test.execute(
                """
                UPDATE webhook_event SET status = 'done', decided_at = now()
                WHERE \(column) IN (SELECT \(name) FROM purchase WHERE user_id = '\(Self.id)')
                """)
            #expect(try await ledger.forgettings.open(of: .named(Self.id)) == [], "the other one is of another user")
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

    @Test func `the ids of a user are selected once to find a request, and not for each row`() async throws {
        try await TestLedger.withDatabase { test in
            let connection = try await test.connectAsOwner()
            let plan = try await connection.explain(Forgetting.find(of: .named(Self.id)))
            await connection.close()
            #expect(plan.contains { $0.contains("user_behind(") })
            #expect(!plan.contains { $0.contains("Filter") && $0.contains("user_behind(") }, "\(plan)")
        }
    }

    @Test func `another payment of the order is not taken for the purchase of who was forgotten`() async throws {
        try await TestLedger.with { ledger, test in
            let (name, key) = ("order for \(Self.id)", ForgettingKey())
            let own = PaymentIdentity(gateway: "portone-v1", paymentID: "imp of \(Self.id)", merchantUID: name)
            let bought = try await ledger.buy(.sample(by: Self.id, payment: own))
            _ = try await ledger.submit(Spend.sample("s", by: Self.id, coins: 110))
            _ = try await ledger.chain.linkUp(waiting: .seconds(20))
            _ = try await Self.forget(ledger, test, key: key)
            func found(
                _ payment: PaymentIdentity, amount: Int64? = nil, after: TimeInterval? = 0
            ) async throws -> Int64? {
                let sighting = PaymentSighting(
                    of: payment, amount: amount ?? bought.amount, currency: bought.currency.code,
                    paidAt: after.map { bought.paidAt.addingTimeInterval($0) })
                return try await ledger.purchases.recognise(sighting, after: key)?.id
            }
            let twin = PaymentIdentity(gateway: "portone-v2", paymentID: "tx_1", merchantUID: name)
            #expect(try await found(own, amount: 1, after: nil) == bought.id)
            #expect(try await found(twin, after: 1) == bought.id)
            for (amount, after) in [(1, 0), (nil, 3), (nil, nil)] as [(Int64?, TimeInterval?)] {
                #expect(try await found(twin, amount: amount, after: after) == nil)
            }
            let attempt = PaymentIdentity(gateway: "portone-v1", paymentID: "imp_2", merchantUID: name)
            #expect(try await found(attempt) == nil, "at one gateway, each payment has its own name")
        }
    }

    @Test func `hashes of a payment are asked for only if a payment was forgotten`() async throws {
        try await TestLedger.with { ledger, test in
            try await test.execute(
                """
                REVOKE SELECT ON forgotten_payment FROM ledgerd_service;
                GRANT SELECT (digest) ON forgotten_payment TO ledgerd_service
                """)
            let payment = PaymentIdentity(gateway: "portone-v1", paymentID: "imp_1", merchantUID: "m")
            let sighting = PaymentSighting(of: payment, amount: 1000, currency: "KRW", paidAt: nil)
            let key = ForgettingKey()
            #expect(try await ledger.purchases.recognise(sighting, after: key) == nil)
            try await test.execute("INSERT INTO forgotten_payment VALUES (sha256('x'), 1, 'k')")
            await #expect(throws: LedgerError.self) { try await ledger.purchases.recognise(sighting, after: key) }
            #expect(try await ledger.purchases.recognise(sighting) == nil)
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
