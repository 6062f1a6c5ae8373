import Foundation
import Ledger
import LedgerTestSupport
import PGVerifier
import TestSupport
import Testing

@testable import LedgerServer

/// The work of answering stores, at moments that a whole service can't be stopped at.
@Suite(.timeLimit(.minutes(20))) struct RefundQuestionWorkTests {
    private static let ends: [String: RefundQuestion.Outcome] = ["REFUND": .refunded, "REFUND_DECLINED": .declined]

    /// A question about a purchase of ann's whose coins are half used.
    private static func ask(
        _ payment: PaymentIdentity = .sampleInStore(1), used coins: Int64 = 50, in ledger: Ledger
    ) async throws -> Purchase {
        let bought = CreditPurchase.sample(1, payment: payment, bonus: 0)
        _ = try await ledger.submit(bought)
        let purchase = try #require(try await ledger.purchases.find(of: payment))
        if coins > 0 { _ = try await ledger.submit(Spend.sample(coins: coins)) }
        try await askAgain("token", about: purchase, in: ledger)
        return purchase
    }

    private static func askAgain(
        _ token: String, about purchase: Purchase, at moment: Date = Date() - 60, in ledger: Ledger
    ) async throws {
        let draft = RefundQuestionDraft(
            purchaseID: purchase.id, gateway: purchase.payment.gateway, token: token, storeReason: nil,
            askedAt: moment, deadline: Date() + 3600, answeredFrom: moment)
        try await ledger.refundQuestions.store(draft, about: purchase, endedBy: ends)
    }

    /// The event that the App Store declined the refund, as it is processed.
    private static func decline(
        _ purchase: Purchase, at moment: Date = Date(), in ledger: Ledger
    ) async throws -> WebhookRecord {
        var declined = WebhookRecordDraft(
            gateway: "app-store", eventID: "end \(moment)", type: "REFUND_DECLINED",
            paymentID: purchase.payment.paymentID, merchantUID: purchase.payment.merchantUID, merchantPaymentID: nil)
        declined.toldAt = moment
        _ = try await ledger.webhooks.store(declined)
        return try #require(try await ledger.webhooks.takeDue(limit: 1, lease: .seconds(60)).first)
    }

    private static func process(_ event: WebhookRecord, of purchase: Purchase, in ledger: Ledger) async throws {
        let intake = RefundQuestionIntake(ledger: ledger, rules: RefundQuestionRules())
        #expect(try await intake.take(event, receipt: purchase.payment.receipt))
    }

    private static func endTime(_ test: TestLedger) async throws {
        try await test.execute("UPDATE refund_question SET deadline = now() - interval '1 second'")
    }

    private static let open = """
        SELECT count(*) FROM finding
        WHERE resolved_at IS NULL AND kinds = '{refund_question_unanswered}' AND user_id = 'ann'
        """

    private static func worker(_ gateway: some AnswersRefundQuestions, _ ledger: Ledger) -> RefundQuestionWorker {
        RefundQuestionWorker(gateways: Gateways([gateway]), ledger: ledger, rules: RefundQuestionRules())
    }

    private static func take(_ ledger: Ledger, _ test: TestLedger) async throws -> RefundQuestion {
        try await test.execute("UPDATE refund_question SET next_attempt_at = now()")
        return try #require(try await ledger.refundQuestions.takeDue(limit: 1, lease: .seconds(60)).first)
    }

    private static func consent(_ ledger: Ledger, _ consents: Bool = true) async throws {
        _ = try await ledger.stores.set(consents: consents, of: .named("ann"), by: "shop")
    }

    @Test func `a process that ends between sending and noting it leaves a repeat of the same answer`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await Self.ask(in: ledger)
            try await Self.consent(ledger)
            let store = AskingStore()
            let worker = Self.worker(store, ledger)
            // It sends, and ends before it can say so.
            guard case .decided(.answered, _) = try await worker.work(on: try await Self.take(ledger, test)) else {
                Issue.record("it was not sent")
                return
            }
            _ = try await ledger.submit(Spend.sample("spend-2", coins: 50))
            _ = try await worker.work(on: try await Self.take(ledger, test), of: ledger.refundQuestions)
            let half = RefundStatement(preference: .grantProrated, isSampleProvided: false, percentage: 50_000)
            #expect(store.statements == [half, half])
            #expect(try await ledger.refundQuestions.waiting() == 0)
        }
    }

    @Test(arguments: [nil, RefundPreference.grantFull])
    func `no answer asks again for what went back by bank transfer`(chosen: RefundPreference?) async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await Self.ask(in: ledger)
            try await Self.consent(ledger)
            let store = AskingStore()
            store.fail(GatewayError(.serverError, message: ""))
            let worker = Self.worker(store, ledger)
            let acts = RefundQuestionActs(ledger: ledger)
            if let chosen {
                let question = try await Self.take(ledger, test)
                _ = try await acts.overrule(question.id, to: chosen, because: "a gift", by: "kim")
            }
            _ = try await worker.work(on: try await Self.take(ledger, test), of: ledger.refundQuestions)
            _ = try await ledger.submit(BeginRefund.sample(of: purchase.id, method: .bankTransfer))
            let shown = try await acts.find(ofPurchase: purchase.id)
            #expect(shown.refundQuestions.map(\.preference) == ["decline"], "people see what will be sent")
            _ = try await worker.work(on: try await Self.take(ledger, test), of: ledger.refundQuestions)
            #expect(store.statements.map(\.preference) == [chosen == nil ? .grantProrated : .grantFull, .decline])
        }
    }

    @Test func `without consent the App Store is told nothing, and it is no finding`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await Self.ask(in: ledger)
            let store = AskingStore()
            let worker = Self.worker(store, ledger)
            for consents in [nil, false] as [Bool?] {
                if let consents { try await Self.consent(ledger, consents) }
                let question = try await Self.take(ledger, test)
                guard case .postponed(_, "no_consent") = try await worker.work(on: question) else {
                    Issue.record("\(String(describing: consents))")
                    return
                }
            }
            try await Self.endTime(test)
            _ = try await worker.work(on: try await Self.take(ledger, test), of: ledger.refundQuestions)
            let ended = try #require(try await ledger.refundQuestions.list(ofPurchases: [purchase.id]).first)
            #expect(ended.status == .unconsented)
            #expect(store.statements.isEmpty)
            #expect(try await test.number("SELECT count(*) FROM finding") == 0)
        }
    }

    @Test(arguments: [0, 50, 100])
    func `without consent Google Play is told the same however much was used`(used coins: Int64) async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await Self.ask(.sampleAtPlay(1), used: coins, in: ledger)
            let store = AskingPlay()
            _ = try await Self.worker(store, ledger).work(
                on: try await Self.take(ledger, test), of: ledger.refundQuestions)
            #expect(
                store.statements
                    == [RefundStatement(preference: .grantProrated, isSampleProvided: false, percentage: nil)])
            let question = try #require(store.named.first)
            #expect(question.token == "token" && question.order == purchase.payment.merchantPaymentID)
        }
    }

    @Test func `a consent that was withdrawn takes the percentage out of an answer that was kept`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await Self.ask(.sampleAtPlay(1), in: ledger)
            try await Self.consent(ledger)
            let store = AskingPlay()
            store.fail(GatewayError(.serverError, message: ""))
            _ = try await Self.worker(store, ledger).work(
                on: try await Self.take(ledger, test), of: ledger.refundQuestions)
            try await Self.consent(ledger, false)
            let shown = try await RefundQuestionActs(ledger: ledger).find(ofPurchase: purchase.id).refundQuestions
            #expect(shown.map(\.percentage) == [nil], "people see what will be sent")
            store.fail(nil)
            _ = try await Self.worker(store, ledger).work(
                on: try await Self.take(ledger, test), of: ledger.refundQuestions)
            #expect(store.statements.map(\.percentage) == [50_000, nil])
        }
    }

    @Test func `a store that can't be told until the deadline is a finding, which ends when the store decides`()
        async throws
    {
        try await TestLedger.with { ledger, test in
            let purchase = try await Self.ask(in: ledger)
            try await Self.consent(ledger)
            let store = AskingStore()
            store.fail(GatewayError(.serverError, message: ""))
            let worker = Self.worker(store, ledger)
            guard
                case .postponed(_, "server_error") = try await worker.work(
                    on: try await Self.take(ledger, test), of: ledger.refundQuestions)
            else {
                Issue.record("it was given up")
                return
            }
            #expect(try await test.number(Self.open) == 0)
            try await Self.endTime(test)
            _ = try await worker.work(on: try await Self.take(ledger, test), of: ledger.refundQuestions)
            let ended = try #require(try await ledger.refundQuestions.list(ofPurchases: [purchase.id]).first)
            #expect(ended.status == .unanswered && ended.reason == "server_error")
            #expect(try await test.number(Self.open) == 1)

            let event = try await Self.decline(purchase, in: ledger)
            // Another process settles it first, such as with the next question, and ends before it can say so.
            try await Self.askAgain("again", about: purchase, at: Date() + 60, in: ledger)
            #expect(try await test.number(Self.open) == 1)
            try await Self.process(event, of: purchase, in: ledger)
            #expect(try await test.number(Self.open) == 0)
        }
    }

    @Test func `a store that decides while its question is given up leaves no finding`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await Self.ask(in: ledger)
            try await Self.consent(ledger)
            try await Self.endTime(test)
            let taken = try await Self.take(ledger, test)
            try await Self.process(try await Self.decline(purchase, in: ledger), of: purchase, in: ledger)
            _ = try await Self.worker(AskingStore(), ledger).work(on: taken, of: ledger.refundQuestions)
            #expect(try await test.number(Self.open) == 0)
            #expect(try await ledger.refundQuestions.list(ofPurchases: [purchase.id]).map(\.status) == [.ended])
        }
    }

    @Test func `the finding stays while another question could not be answered that the store has not decided`()
        async throws
    {
        try await TestLedger.with { ledger, test in
            let purchase = try await Self.ask(in: ledger)
            try await Self.consent(ledger)
            try await Self.askAgain("again", about: purchase, at: Date() - 30, in: ledger)
            try await Self.endTime(test)
            for _ in 1...2 {
                _ = try await Self.worker(AskingStore(), ledger).work(
                    on: try await Self.take(ledger, test), of: ledger.refundQuestions)
            }
            let first = try await Self.decline(purchase, at: Date() - 45, in: ledger)
            try await Self.process(first, of: purchase, in: ledger)
            #expect(try await test.number(Self.open) == 1)
            try await Self.process(try await Self.decline(purchase, in: ledger), of: purchase, in: ledger)
            #expect(try await test.number(Self.open) == 0)
        }
    }

    @Test func `what the store has given back is not answered, though no notification said so`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await Self.ask(in: ledger)
            try await Self.consent(ledger)
            _ = try await ledger.submit(
                ClawBack(user: purchase.user, payment: purchase.payment, cancelledAmount: purchase.amount))
            let store = AskingStore()
            _ = try await Self.worker(store, ledger).work(
                on: try await Self.take(ledger, test), of: ledger.refundQuestions)
            #expect(store.statements.isEmpty)
            #expect(try await ledger.refundQuestions.list(ofPurchases: [purchase.id]).map(\.status) == [.ended])
        }
    }

    @Test func `a question about what is not credited waits until its deadline, and asks nothing of nobody's`()
        async throws
    {
        try await TestLedger.with { ledger, _ in
            var asked = WebhookRecordDraft(
                gateway: "google-play", eventID: "m-1", type: "refund_review", paymentID: nil, merchantUID: nil,
                merchantPaymentID: "GPA.3300-0000-0000-00001")
            asked.toldAt = Date(timeIntervalSince1970: 1_767_300_000)
            asked.questionToken = "review"
            _ = try await ledger.webhooks.store(asked)
            let event = try #require(try await ledger.webhooks.takeDue(limit: 1, lease: .seconds(60)).first)
            let intake = RefundQuestionIntake(ledger: ledger, rules: RefundQuestionRules())
            #expect(try await !intake.take(event, receipt: nil))
            let day: TimeInterval = 86_400
            let at = try #require(event.toldAt)
            guard case .postponed(_, "not_credited") = event.outcomeOfUncredited(at: at + day - 1),
                case .decided(.ignored, "not_credited") = event.outcomeOfUncredited(at: at + day)
            else {
                Issue.record("the deadline is a day after the question")
                return
            }
            _ = try await ledger.submit(CreditPurchase.sample(1, payment: .sampleAtPlay(1)))
            #expect(try await intake.take(event, receipt: nil))
            #expect(try await ledger.refundQuestions.waiting() == 1)
        }
    }
}
