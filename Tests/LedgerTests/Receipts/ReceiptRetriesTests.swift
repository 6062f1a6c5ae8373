import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

@Suite(.timeLimit(.minutes(20))) struct ReceiptRetriesTests {
    @Test func `a receipt is kept once, and waits again after a decision`() async throws {
        try await TestLedger.with { ledger, test in
            let retries = ledger.retries
            for _ in 0..<3 { try await Self.expectKept(true, 1, of: "ann", in: retries) }
            #expect(try await retries.waiting() == 1)
            let taken = try #require(try await retries.takeDue(limit: 10, lease: .seconds(60)).first)
            #expect(taken.user == .named("ann") && taken.payment == Self.payment(1) && taken.attempts == 1)
            #expect(try await retries.takeDue(limit: 10, lease: .seconds(60)).isEmpty)
            try await retries.postpone(taken, because: "still away", by: .zero)
            let again = try #require(try await retries.takeDue(limit: 10, lease: .seconds(60)).first)
            #expect(again.id == taken.id && again.attempts == 2)
            try await retries.decide(again, .refused, because: "no")
            #expect(try await retries.waiting() == 0)
            try await retries.decide(again, .credited, because: "yes")  // the first decision stands
            #expect(try await test.number("SELECT count(*) FROM receipt_retry WHERE status = 'refused'") == 1)
            try await Self.expectKept(true, 1, of: "ann", in: retries)
            #expect(try await retries.takeDue(limit: 10, lease: .zero).map(\.attempts) == [1])
        }
    }

    @Test func `a receipt is abandoned with its note, or neither happens`() async throws {
        try await TestLedger.with { ledger, test in
            let retries = ledger.retries
            try await Self.expectKept(true, 1, of: "ann", in: retries)
            let id = try #require(try await retries.listWaiting(limit: 1).elements.first?.id)
            try await test.execute(
                "ALTER TABLE customer_note ADD CONSTRAINT no_secrets CHECK (text <> 'secret')")
            await #expect(throws: LedgerError.self) {
                _ = try await retries.abandon(id, noting: { _ in "secret" }, by: "min")
            }
            #expect(try await retries.waiting() == 1, "no receipt ends without a note")
            #expect(try await retries.abandon(id, noting: { "of \($0.user.rawValue)" }, by: "min"))
            #expect(try await retries.abandon(id, noting: { _ in "again" }, by: "min") == false)
            let notes = try await ledger.notes.list(on: .named("ann"), limit: 10).elements
            #expect(notes.map(\.text) == ["of ann"] && notes.first?.writtenBy == "min")
        }
    }

    @Test func `a receipt that was taken again is not ended by who took it before`() async throws {
        try await TestLedger.with { ledger, _ in
            let retries = ledger.retries
            try await Self.expectKept(true, 1, of: "ann", in: retries)
            let first = try #require(try await retries.takeDue(limit: 10, lease: .seconds(60)).first)
            let second = try #require(try await retries.take(of: Self.payment(1), lease: .seconds(60)).first)
            // The second has asked the gateway later, and lets the receipt wait.
            try await retries.decide(first, .refused, because: "payment_failed")
            #expect(try await retries.waiting() == 1)
            try await retries.decide(second, .credited, because: "credited")
            #expect(try await retries.waiting() == 0)
        }
    }

    @Test func `what was given up waits again if it is one user's alone and the gateway's word had ended it`()
        async throws
    {
        try await TestLedger.with { ledger, _ in
            let retries = ledger.retries
            for (number, presenters, decision, reason, isTakenUp) in [
                (1, ["ann"], WaitingReceipt.Decision.refused, "payment_failed", true),
                (2, ["ann"], .abandoned, "awaiting_payment", true),
                (3, ["ann"], .refused, "amount_mismatch", false),
                (4, ["ann", "bob"], .refused, "payment_failed", false),
            ] {
                for owner in presenters { try await Self.expectKept(true, number, of: owner, in: retries) }
                for receipt in try await retries.takeDue(limit: 10, lease: .seconds(60)) {
                    try await retries.decide(receipt, decision, because: reason)
                }
                #expect(try await retries.takeUpAgain(Self.payment(number)) == isTakenUp, "\(number)")
                let due = try await retries.takeDue(limit: 10, lease: .seconds(60))
                #expect(due.map(\.user) == (isTakenUp ? [.named("ann")] : []), "\(number)")
                for receipt in due { try await retries.decide(receipt, .credited, because: "credited") }
                #expect(try await !retries.takeUpAgain(Self.payment(number)), "\(number) is decided for good")
            }
        }
    }

    @Test func `a row that can't be read is reported and left out, and the others are worked on`() async throws {
        try await TestLedger.with { ledger, test in
            for number in 0..<3 { try await Self.expectKept(true, number, of: "ann", in: ledger.retries) }
            try await test.execute(
                "UPDATE receipt_retry SET user_id = repeat('x', 200) WHERE id = (SELECT min(id) FROM receipt_retry)")
            var unreadable: [Int64] = []
            let taken = try await ledger.retries.takeDue(limit: 10, lease: .seconds(60)) { id, _ in
                unreadable.append(id)
            }
            #expect(taken.count == 2)
            #expect(unreadable.count == 1 && !taken.map(\.id).contains(unreadable[0]))
            // It has its lease like the others, so that it does not come first again and again.
            #expect(try await ledger.retries.takeDue(limit: 10, lease: .seconds(60)).isEmpty)
        }
    }

    @Test func `one user's receipts may not fill the table`() async throws {
        try await TestLedger.with { ledger, _ in
            let retries = ledger.retries
            for number in 0..<Int(ReceiptRetries.mostPerUser) {
                try await Self.expectKept(true, number, of: "eve", in: retries)
            }
            try await Self.expectKept(false, 99, of: "eve", in: retries)
            try await Self.expectKept(true, 0, of: "eve", in: retries)
            try await Self.expectKept(true, 99, of: "ann", in: retries)
            #expect(try await retries.waiting() == Int(ReceiptRetries.mostPerUser) + 1)
        }
    }

    @Test func `a paid receipt is kept however many wait, counts against no other, and is taken up with its like`()
        async throws
    {
        try await TestLedger.with { ledger, _ in
            let retries = ledger.retries
            func keep(_ number: Int, isPaid: Bool) async throws -> Bool {
                try await retries.keep(
                    Self.payment(number), of: .named("ann"), because: isPaid ? "price_not_bookable" : "away",
                    askAgainAfter: .seconds(3600), isPaid: isPaid, most: 2)
            }
            for number in 3..<5 { #expect(try await keep(number, isPaid: true), "\(number)") }
            for number in 0..<2 { #expect(try await keep(number, isPaid: false), "\(number)") }
            #expect(try await !keep(2, isPaid: false))
            #expect(try await keep(5, isPaid: true))
            #expect(try await retries.waiting() == 5)
            #expect(try await retries.takeDue(limit: 10, lease: .seconds(60)).isEmpty)
            try await retries.expedite(because: "price_not_bookable")
            let due = try await retries.takeDue(limit: 10, lease: .seconds(60))
            #expect(Set(due.map(\.payment)) == [Self.payment(3), Self.payment(4), Self.payment(5)])
        }
    }

    @Test func `takers at the same time never get the same receipt, nor more than they ask for`() async throws {
        try await TestLedger.with { ledger, test in
            // What the planner believes of the table must not matter: here, that it holds one row.
            try await test.execute(
                """
                INSERT INTO receipt_retry (user_id, gateway, imp_uid, merchant_uid, status, reason, next_attempt_at)
                SELECT 'ann', 'g', 'imp_0', 'order_0', 'waiting', 'x', now();
                ANALYZE receipt_retry;
                INSERT INTO receipt_retry (user_id, gateway, imp_uid, merchant_uid, status, reason, next_attempt_at)
                SELECT 'ann', 'g', 'imp_' || n, 'order_' || n, 'waiting', 'x', now() FROM generate_series(1, 199) AS n
                """)
            let taken = try await together(12) { _ in try await ledger.retries.takeDue(limit: 10, lease: .seconds(60)) }
            #expect(taken.allSatisfy { $0.count <= 10 }, "\(taken.map(\.count))")
            let ids = taken.flatMap { $0.map(\.id) }
            #expect(ids.count == 120 && Set(ids).count == 120)
        }
    }

    @Test func `receipts of an order are made due by its payment at another gateway`() async throws {
        try await TestLedger.with { ledger, test in
            let retries = ledger.retries
            for (number, owner) in [(1, "ann"), (1, "bob"), (2, "ann")] {
                try await Self.expectKept(true, number, of: owner, in: retries)
            }
            let taken = try await retries.takeDue(limit: 10, lease: .seconds(60))
            #expect(taken.count == 3)
            #expect(try await !retries.expedite(ofOtherNamesOf: Self.payment(1)), "they wait for that name")
            #expect(try await retries.expedite(ofOtherNamesOf: .sampleInV2(1)))
            #expect(try await retries.isWaiting(underOtherNamesOf: .sampleInV2(1)))
            #expect(try await !retries.isWaiting(underOtherNamesOf: Self.payment(1)), "its own name")
            // The gateway was asked before it was known that the order is paid.
            for receipt in taken { try await retries.decide(receipt, .refused, because: "payment_failed") }
            let due = try await retries.takeDue(limit: 10, lease: .seconds(60))
            #expect(due.map(\.payment) == [Self.payment(1), Self.payment(1)])
            for receipt in due { try await retries.decide(receipt, .credited, because: "credited") }
            #expect(try await !retries.expedite(ofOtherNamesOf: .sampleInV2(1)))
            #expect(try await !retries.isWaiting(underOtherNamesOf: .sampleInV2(1)), "they are decided")
            #expect(try await test.number("SELECT count(*) FROM receipt_retry WHERE status = 'waiting'") == 0)
        }
    }

    private static func expectKept(
        _ isKept: Bool, _ number: Int, of owner: String, in retries: ReceiptRetries
    ) async throws {
        let kept = try await retries.keep(
            payment(number), of: .named(owner), because: "away", askAgainAfter: .zero)
        #expect(kept == isKept, "\(number) of \(owner)")
    }

    private static func payment(_ number: Int) -> PaymentIdentity {
        .sample(number)
    }
}
