import Crypto
import Foundation
import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

/// Users who are forgotten: what is left of them, and what it proves.
@Suite(.timeLimit(.minutes(20))) struct ForgettingTests {
    static let id = "kim+minji 앤/77"
    static let periods = KeepingPeriods(yearsOfPayments: 5, ofComplaints: 3)

    static func due(_ ledger: Ledger) async throws -> PendingForgetting? {
        try await ledger.pendingForgettings.takeDue(limit: 1, lease: .zero).first
    }

    /// Asks for it, and lets its time come.
    static func ask(_ ledger: Ledger, _ test: TestLedger, of user: String = id) async throws {
        try await ledger.forgettings.ask(
            of: .named(user), after: .seconds(86_400), because: "she asked", by: "support-1")
        try await letTimeCome(test)
    }

    /// Lets the time of all requests come.
    static func letTimeCome(_ test: TestLedger) async throws {
        try await test.execute(
            """
            SET session_replication_role = replica;
            UPDATE forgetting SET asked_at = asked_at - interval '2 days', due_at = due_at - interval '2 days',
                next_attempt_at = next_attempt_at - interval '2 days'
            WHERE status = 'waiting'
            """)
    }

    /// Forgets the user, whose time has come, and returns the id that took the place of theirs.
    static func forget(
        _ ledger: Ledger, _ test: TestLedger, _ user: String = id, key: ForgettingKey = ForgettingKey()
    ) async throws -> UserID {
        try await ask(ledger, test, of: user)
        let pending = try #require(try await due(ledger))
        let obstacle = try await ledger.pendingForgettings.forget(pending, key: key, keeping: periods)
        #expect(obstacle == nil)
        return try #require(try await ledger.forgettings.find(pending.id)).user
    }

    /// A user who did a bit of everything and has nothing left, and another one of whom texts name the first.
    static func live(_ ledger: Ledger, _ test: TestLedger) async throws {
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
        _ = try await ledger.stores.set(consents: true, of: user, by: "s")
        _ = try await ledger.notes.add("has a dog", on: user, key: "of \(id)", by: "s", named: "Suho")
        try await ledger.events.publisher.publish()
    }

    @Test func `an id that is forgotten is nowhere in a dump, and books, seals and chain are proven`() async throws {
        try await TestLedger.with { ledger, test in
            let key = SealKey()
            try await Self.live(ledger, test)
            let former = try Seal(SealContent(try await test.linkTexts(), sealedAt: Date()), by: key)
            let seal = try #require(try await ledger.seals.make(with: key)).seal
            try await Audit.expectSound(test)
            let before = try await ledger.balances.find(of: .named("lee"))

            let token = try await ledger.stores.token(of: .named(Self.id))
            #expect(try await ledger.stores.user(of: token) == .named(Self.id))
            let secret = ForgettingKey()
            let user = try await Self.forget(ledger, test, key: secret)
            #expect(try await ledger.stores.user(of: token) == nil, "a device can keep it, and names nobody by it")
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

    @Test func `a user of whom nothing must be kept is gone for good`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.notes.add("called", on: .named(Self.id), key: "n", by: "s", named: "Suho")
            let user = try await Self.forget(ledger, test)
            #expect(try await ledger.forgettings.kept(of: user) == nil)
            #expect(try await test.number("SELECT count(*) FROM customer_note WHERE text = '(erased)'") == 1)
        }
    }
}
