import Foundation
import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

/// A payment is one finding, whatever is the matter with it and whichever API tells of it.
@Suite(.timeLimit(.minutes(20))) struct FindingsTests {
    static let paidAt = Date(timeIntervalSince1970: 1_767_225_600)
    static let v1 = PaymentIdentity.sample()
    static let v2 = PaymentIdentity.sampleInV2()

    static func note(
        _ kind: Finding.Kind, _ payment: PaymentIdentity, of user: UserID? = nil, amount: Int64 = 1000,
        paidAt: Date? = paidAt, in ledger: Ledger
    ) async throws {
        try await ledger.findings.note(kind, payment, of: user, amount: amount, currency: "KRW", paidAt: paidAt)
    }

    static func open(_ ledger: Ledger) async throws -> [Finding] {
        try await ledger.findings.list(limit: 100).elements
    }

    @Test func `a payment is listed once, with all that is known of it`() async throws {
        try await TestLedger.with { ledger, test in
            try await Self.note(.unclaimed, Self.v1, in: ledger)
            try await Self.note(.merchantUIDAlreadyCredited, Self.v1, of: .named("bob"), in: ledger)
            try await Self.note(.partiallyCancelled, Self.v1, in: ledger)
            try await Self.note(.unclaimed, Self.v1, in: ledger)
            let found = try #require(try await Self.open(ledger).first)
            #expect(found.kind == .partiallyCancelled && found.user == .named("bob") && found.paidAt == Self.paidAt)
            #expect(found.kinds == [.merchantUIDAlreadyCredited, .partiallyCancelled, .unclaimed])
            #expect(try await test.number("SELECT count(*) FROM finding") == 1)

            try await ledger.findings.resolve(under: Self.v1)
            #expect(try await Self.open(ledger).isEmpty)
            try await Self.note(.amountMismatch, Self.v1, in: ledger)
            #expect(try await Self.open(ledger).map(\.kinds) == [[.amountMismatch]], "what was resolved is no more")
        }
    }

    @Test func `a finding of a payment in dollars has the amount and the currency that were paid`() async throws {
        try await TestLedger.with { ledger, _ in
            let rate = try await ledger.publish("1387.40")
            let purchase = try await ledger.buy(.sample(payment: Self.v1, at: rate))
            func paid() async throws -> [String] {
                try await Self.open(ledger).map { "\($0.amount ?? 0) \($0.currency ?? "")" }
            }
            _ = try await ledger.submit(RecordDispute.sample(of: purchase))
            #expect(try await paid() == ["99 USD"], "of the books")
            try await Self.note(.refundUndecided, Self.v1, amount: purchase.amount, in: ledger)
            #expect(try await paid() == ["1374 KRW"])
            try await ledger.findings.note(
                .refundUndecided, Self.v1, of: purchase.user, amount: 99, currency: "USD", paidAt: nil)
            #expect(try await paid() == ["99 USD"], "amount and currency change together")
        }
    }

    @Test func `findings are listed by user, payment and order, also for who only claimed the payment`() async throws {
        try await TestLedger.with { ledger, _ in
            let other = PaymentIdentity(gateway: "portone-v1", paymentID: "imp_9", merchantUID: "order_9")
            let v2 = PaymentIdentity(
                gateway: "portone-v2", paymentID: "tx_2", merchantUID: "order_2", merchantPaymentID: "order_2")
            try await Self.note(.amountMismatch, Self.v1, of: .named("bob"), in: ledger)
            try await Self.note(.unclaimed, other, in: ledger)
            try await Self.note(.unclaimed, v2, in: ledger)
            try await ledger.retries.claim(Self.v1, of: .named("ann"), because: "receipt_belongs_to_another_user")
            func found(_ filter: FindingFilter) async throws -> [String?] {
                try await ledger.findings.list(filter, limit: 9).elements.map(\.payment?.paymentID)
            }
            #expect(try await found(FindingFilter(user: .named("bob"))) == ["imp_1"])
            #expect(try await found(FindingFilter(user: .named("ann"))) == ["imp_1"], "she presented its receipt")
            #expect(try await found(FindingFilter(user: .named("eve"))).isEmpty)
            #expect(try await found(FindingFilter(payment: "imp_9")) == ["imp_9"])
            #expect(try await found(FindingFilter(payment: "tx_2")) == ["tx_2"])
            #expect(try await found(FindingFilter(payment: "order_2")) == ["tx_2"], "V2's payment id")
            #expect(try await found(FindingFilter(payment: "order_1")).isEmpty, "V1's order is no payment's id")
            #expect(try await found(FindingFilter(order: "order_1")) == ["imp_1"])
            #expect(try await found(FindingFilter(user: .named("bob"), payment: "imp_9")).isEmpty, "all must hold")
            #expect(
                try await found(
                    FindingFilter(kind: .amountMismatch, user: .named("ann"), payment: "imp_1", order: "order_1"))
                    == ["imp_1"])
        }
    }

    @Test func `the first reason of a kind of act stays, whatever was done since`() async throws {
        try await TestLedger.with { ledger, _ in
            try await Self.note(.unclaimed, Self.v1, in: ledger)
            let id = try #require(try await Self.open(ledger).first).id
            #expect(try await ledger.findings.firstReason(of: .refund, on: id) == nil)
            try await ledger.findings.act(.note, on: id, by: "min", reason: "asked her")
            for (person, reason) in [("min", "paid twice"), ("lee", "paid two times")] {
                try await ledger.findings.act(.refund, on: id, by: person, reason: reason)
            }
            #expect(try await ledger.findings.firstReason(of: .refund, on: id) == "paid twice")
        }
    }

    @Test func `findings are listed by who works on them or decided them, and in either order`() async throws {
        try await TestLedger.with { ledger, _ in
            for number in 1...4 { try await Self.note(.unclaimed, .sample(number), in: ledger) }
            let ids = try await Self.open(ledger).map(\.id)
            try await ledger.findings.act(.assign, on: ids[0], by: "console:lead", whom: "min")
            try await ledger.findings.act(.note, on: ids[1], by: "min", reason: "a note decides nothing")
            try await ledger.findings.act(.resolve, on: ids[2], by: "min", reason: "cancelled")
            func found(_ filter: FindingFilter) async throws -> [Int64] {
                try await ledger.findings.list(filter, limit: 9).elements.map(\.id)
            }
            #expect(try await found(FindingFilter(person: "min")) == [ids[0]])
            #expect(try await found(FindingFilter(status: .resolved, person: "min")) == [ids[2]])
            #expect(try await found(FindingFilter(person: "console:lead")).isEmpty, "assigning is no decision")
            let open = [ids[0], ids[1], ids[3]]
            #expect(try await found(FindingFilter()) == open)
            #expect(try await found(FindingFilter(sort: .oldest)) == open)
            #expect(try await found(FindingFilter(sort: .newest)) == open.reversed())
            let page = try await ledger.findings.list(FindingFilter(sort: .newest), limit: 2)
            let rest = try await ledger.findings.list(FindingFilter(sort: .newest), after: page.next, limit: 2)
            #expect(page.elements.map(\.id) + rest.elements.map(\.id) == open.reversed() && rest.next == nil)
        }
    }

    @Test(arguments: [(1000, 60.0), (1100, 0)])
    func `another payment of the same order is a finding of its own`(amount: Int64, later: Double) async throws {
        try await TestLedger.with { ledger, _ in
            try await Self.note(.unclaimed, Self.v1, in: ledger)
            try await Self.note(.unclaimed, Self.v2, amount: amount, paidAt: Self.paidAt + later, in: ledger)
            let again = PaymentIdentity.sample(2, merchantUID: "order_1")
            try await Self.note(.merchantUIDAlreadyCredited, again, in: ledger)
            #expect(try await Self.open(ledger).map(\.payment) == [Self.v1, Self.v2, again])
        }
    }

    @Test func `it is one, too, when both APIs report it at once`() async throws {
        try await TestLedger.with { ledger, test in
            for order in 1...10 {
                _ = try await together(8) { number in
                    let name = "order_\(order)"
                    let payment =
                        number % 2 == 0
                        ? PaymentIdentity.sample(order, merchantUID: name)
                        : PaymentIdentity.sampleInV2(order, merchantUID: name)
                    let kind = number < 4 ? Finding.Kind.unclaimed : .orderExpired
                    try await Self.note(kind, payment, in: ledger)
                }
            }
            #expect(try await test.number("SELECT count(*) FROM finding") == 10)
            let found = try await Self.open(ledger)
            #expect(found.allSatisfy { $0.kind == .orderExpired && Set($0.kinds) == [.unclaimed, .orderExpired] })
        }
    }

    @Test func `a payment dated ahead is booked as of now, and listed until the finding is closed`() async throws {
        try await TestLedger.with { ledger, test in
            let ahead = Date(timeIntervalSince1970: 4_000_000_000)  // in 2096
            let dated = CreditPurchase.sample(1, paidAt: ahead)
            try await Self.note(.paidInFuture, dated.payment, of: dated.user, paidAt: ahead, in: ledger)
            let before = Date()
            let purchase = try #require(try await ledger.credit(dated).credited?.purchase)
            #expect(purchase.paidAt == purchase.creditedAt && (before - 1...Date()).contains(purchase.paidAt))
            #expect(
                try await test.number("SELECT count(*) FROM journal_entry WHERE effective_at > recorded_at") == 0)
            let found = try await Self.open(ledger)
            #expect(found.map(\.kinds) == [[.paidInFuture]] && found.map(\.paidAt) == [ahead])
            guard case .closed = try await ledger.periods.close(until: purchase.creditedAt, by: "kim") else {
                Issue.record("it was not closed")
                return
            }
            #expect(try await Self.open(ledger).isEmpty)
            try await Audit.expectSound(test)
        }
    }

    @Test func `a few minutes ahead is a clock's difference`() async throws {
        try await TestLedger.with { ledger, test in
            let ahead = Date(timeIntervalSince1970: (Date().timeIntervalSince1970 + 300).rounded())
            let purchase = try await ledger.credit(.sample(1, bonus: 0, paidAt: ahead)).credited?.purchase
            #expect(purchase?.paidAt == ahead)
            #expect(try await test.number("SELECT count(*) FROM journal_entry WHERE effective_at > recorded_at") == 1)
        }
    }

    /// By a credit, under either name, the end of a refund, or a closing: each says so once.
    @Test func `each finding that the books end is resolved, with its event, and no other`() async throws {
        try await TestLedger.with { ledger, test in
            func settled(
                _ count: Int, _ ended: Comment, _ sourceLocation: SourceLocation = #_sourceLocation
            )
                async throws
            {
                let open = try await Self.open(ledger).count
                #expect(try await ledger.findings.settle() == count, ended, sourceLocation: sourceLocation)
                #expect(try await ledger.findings.settle() == 0, ended, sourceLocation: sourceLocation)
                #expect(try await Self.open(ledger).count == open, ended, sourceLocation: sourceLocation)
                #expect(
                    try await test.number("SELECT count(*) FROM finding WHERE resolved_at IS NULL") == Int64(open),
                    ended, sourceLocation: sourceLocation)
            }
            try await Self.note(.unclaimed, Self.v2, paidAt: Self.paidAt + 0.4, in: ledger)
            let other = PaymentIdentity.sample(9)
            try await Self.note(.unclaimed, other, in: ledger)
            try await settled(0, "nothing has ended")
            let purchase = try await ledger.creditV1(paidAt: Self.paidAt)
            try await settled(1, "the payment was credited first, and under its other name")

            let refund = try await ledger.begin(.sample(of: purchase.id, coins: 10))
            try await Self.note(.refundUndecided, Self.v1, of: purchase.user, in: ledger)
            try await settled(0, "the refund is pending")
            _ = try await ledger.submit(ReleaseRefund.sample(refund))
            try await settled(1, "the refund was refused")

            try await Self.note(.paidInFuture, Self.v1, of: purchase.user, in: ledger)
            try await Self.note(.disputeUnreadable, Self.v2, paidAt: Self.paidAt + 0.4, in: ledger)
            try await settled(0, "the period is open")
            guard case .closed = try await ledger.periods.close(until: Date(), by: "kim") else {
                Issue.record("it was not closed")
                return
            }
            try await settled(1, "the period was closed")
            #expect(try await Self.open(ledger).map(\.kind) == [.disputeUnreadable, .unclaimed])
            #expect(try await test.number(Self.closedEvents) == 3)
            try await Audit.expectSound(test)
        }
    }

    @Test func `one problem of several ends alone`() async throws {
        try await TestLedger.with { ledger, test in
            try await ledger.creditV1(paidAt: Self.paidAt)
            try await Self.note(.disputeUnreadable, Self.v1, in: ledger)
            try await Self.note(.paidInFuture, Self.v1, in: ledger)
            try await ledger.findings.end(.refundUndecided, under: Self.v1)
            #expect(try await Self.open(ledger).map(\.kinds) == [[.disputeUnreadable, .paidInFuture]])
            try await ledger.findings.end(.disputeUnreadable, under: Self.v1)
            #expect(try await Self.open(ledger).map(\.kinds) == [[.paidInFuture]])
            #expect(try await test.number(Self.closedEvents) == 0)
            try await ledger.findings.end(.paidInFuture, under: Self.v1)
            #expect(try await Self.open(ledger).isEmpty)
            #expect(try await test.number(Self.closedEvents) == 1)
        }
    }

    @Test func `what waits for people is counted by kind, with the age of the oldest`() async throws {
        try await TestLedger.with { ledger, test in
            #expect(
                try await ledger.figures.waitingForPeople() == WaitingForPeople(findings: [], approvals: []))
            for number in 1...3 {
                let payment = PaymentIdentity.sample(number)
                try await Self.note(number == 3 ? .amountMismatch : .unclaimed, payment, in: ledger)
            }
            try await test.execute(
                "UPDATE finding SET found_at = '2000-01-01T00:00:00Z' WHERE merchant_uid <> 'order_1'")
            func findings() async throws -> [String: WaitingForPeople.Group] {
                Dictionary(
                    uniqueKeysWithValues: try await ledger.figures.waitingForPeople().findings.map { ($0.name, $0) })
            }
            let found = try await findings()
            #expect(found.mapValues(\.count) == ["paid_unclaimed": 2, "amount_mismatch": 1])
            #expect(found.values.allSatisfy { $0.age > 25 * 365 * 86_400 }, "the oldest of each kind")

            // One that was resolved and is found again waits from then on.
            let again = PaymentIdentity.sample(3)
            try await ledger.findings.resolve(under: again)
            #expect(try await findings()["amount_mismatch"] == nil)
            try await Self.note(.amountMismatch, again, in: ledger)
            let reopened = try #require(try await findings()["amount_mismatch"])
            #expect(reopened.age < 25 * 365 * 86_400, "\(reopened)")

            try await test.execute(
                """
                INSERT INTO approval (
                    key, act, target, user_id, parameters, seen, reason, proposed_by, proposed_name, proposed_at)
                SELECT 'k' || n, 'refund', 'purchase:' || n, 'ann', '{}', '{}', 'r', 'kim', 'Kim',
                    now() - n * interval '1 hour'
                FROM generate_series(1, 2) AS n
                """)
            let refunds = try #require(try await ledger.figures.waitingForPeople().approvals.first)
            #expect(refunds.name == "refund" && refunds.count == 2 && refunds.age >= 7200)

            // Its process ended before the act: nothing happens until somebody approves it again.
            try await test.execute(
                """
                UPDATE approval SET status = 'approved', decided_by = 'lee', decided_name = 'Lee',
                    decision_reason = 'r', decided_at = now() - interval '3 hours'
                WHERE key = 'k1'
                """)
            let stuck = try #require(try await ledger.figures.waitingForPeople().approvals.first)
            #expect(stuck.count == 2 && stuck.age >= 3 * 3600)
            try await test.execute(
                "UPDATE approval SET status = 'done', ended_at = now(), outcome = '{}' WHERE key = 'k1'")
            #expect(try await ledger.figures.waitingForPeople().approvals.first?.count == 1)

            try await test.execute(
                """
                INSERT INTO provider_account (provider, account, proposed_by, proposed_at)
                VALUES ('zoe', '{}', 'kim', now() - interval '2 hours')
                """)
            let accounts = try await ledger.figures.waitingForPeople().approvals.first { $0.name == "provider_account" }
            #expect(accounts.map { $0.count == 1 && $0.age >= 7200 } == true, "\(String(describing: accounts))")
        }
    }

    static let closedEvents = "SELECT count(*) FROM occurrence WHERE type = 'finding.closed'"
}

extension Ledger {
    /// Credits ``FindingsTests/v1``.
    @discardableResult func creditV1(paidAt: Date) async throws -> Purchase {
        try #require(try await credit(.sample(1, paidAt: paidAt)).credited?.purchase)
    }
}
