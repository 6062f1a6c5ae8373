import Foundation
import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

/// Questions of stores about refunds: how they are kept and answered, what ends them, and who consents to answers.
@Suite(.timeLimit(.minutes(20))) struct RefundQuestionTests {
    private static let asked = Date(timeIntervalSince1970: 1_767_300_000)
    private static let ends: [String: RefundQuestion.Outcome] = ["REFUND": .refunded, "REFUND_DECLINED": .declined]

    /// A purchase, and the draft of a question about it.
    private static func buy(_ number: Int = 1, in ledger: Ledger) async throws -> (Purchase, RefundQuestionDraft) {
        let bought = try await ledger.buy(.sample(number, payment: .sampleInStore(number)))
        return (bought, draft(about: bought, "token-\(number)", at: asked))
    }

    private static func draft(
        about purchase: Purchase, _ token: String, at moment: Date, deadline: Date = .distantFuture
    ) -> RefundQuestionDraft {
        RefundQuestionDraft(
            purchaseID: purchase.id, gateway: purchase.payment.gateway, token: token, storeReason: "OTHER",
            askedAt: moment, deadline: min(deadline, Date(timeIntervalSince1970: 4_000_000_000)),
            answeredFrom: moment)
    }

    private static func tell(_ type: String, at moment: Date, of purchase: Purchase, in ledger: Ledger) async throws {
        var event = WebhookRecordDraft(
            gateway: purchase.payment.gateway, eventID: "\(type) \(moment)", type: type,
            paymentID: purchase.payment.paymentID, merchantUID: purchase.payment.merchantUID, merchantPaymentID: nil)
        event.toldAt = moment
        _ = try await ledger.webhooks.store(event)
    }

    @Test func `a question is stored once, and ended by what the store did since, whichever came first`() async throws {
        try await TestLedger.with { ledger, _ in
            let questions = ledger.refundQuestions
            let (late, lateDraft) = try await Self.buy(1, in: ledger)
            let (early, earlyDraft) = try await Self.buy(2, in: ledger)
            // Of the first purchase the end comes first; what was done before the question ends nothing.
            try await Self.tell("REFUND", at: Self.asked - 60, of: late, in: ledger)
            try await Self.tell("REFUND_DECLINED", at: Self.asked + 60, of: late, in: ledger)
            try await Self.tell("REFUND", at: Self.asked + 120, of: late, in: ledger)
            for _ in 1...2 {
                try await questions.store(lateDraft, about: late, endedBy: Self.ends)
                try await questions.store(earlyDraft, about: early, endedBy: Self.ends)
            }
            #expect(try await questions.waiting() == 1, "one is ended by what came before")
            for purchase in [early, late] { #expect(try await !questions.settle(purchase, by: Self.ends)) }

            let declined = try #require(try await questions.list(ofPurchases: [late.id]).first)
            #expect(declined.status == .ended && declined.outcome == .declined && declined.reason == "declined")
            #expect(declined.outcomeAt == Self.asked + 60 && declined.decidedAt != nil)
            try await Self.tell("REFUND", at: Self.asked, of: early, in: ledger)
            #expect(try await questions.settle(early, by: Self.ends))
            let both = try await questions.list(ofPurchases: [late.id, early.id])
            #expect(both.map(\.purchaseID) == [early.id, late.id])
            #expect(both.first?.outcome == .refunded)
            #expect(try await questions.waiting() == 0)
        }
    }

    @Test func `an end whose time the store does not tell is dated when it came`() async throws {
        try await TestLedger.with { ledger, test in
            let questions = ledger.refundQuestions
            let (purchase, draft) = try await Self.buy(in: ledger)
            for (hour, type) in [(-1.0, "REFUND"), (1, "REFUND_DECLINED")] {
                try await Self.tell(type, at: Self.asked, of: purchase, in: ledger)
                try await test.execute(
                    """
                    UPDATE webhook_event
                    SET told_at = NULL, received_at = to_timestamp(\(Self.asked.timeIntervalSince1970 + hour * 3600))
                    WHERE type = '\(type)'
                    """)
            }
            try await questions.store(draft, about: purchase, endedBy: Self.ends)
            let ended = try #require(try await questions.list(ofPurchases: [purchase.id]).first)
            #expect(ended.outcome == .declined && ended.outcomeAt == Self.asked + 3600)
        }
    }

    @Test func `the last 20 questions about a purchase are listed, newest first`() async throws {
        try await TestLedger.with { ledger, _ in
            let (purchase, _) = try await Self.buy(in: ledger)
            for number in 1...21 {
                try await ledger.refundQuestions.store(
                    Self.draft(about: purchase, "token-\(number)", at: Self.asked), about: purchase, endedBy: [:])
            }
            let listed = try await ledger.refundQuestions.list(ofPurchases: [purchase.id]).map(\.token)
            #expect(listed == (2...21).reversed().map { "token-\($0)" })
        }
    }

    @Test func `what is answered stays answered when the store decides, and the next question is another one`()
        async throws
    {
        try await TestLedger.with { ledger, _ in
            let questions = ledger.refundQuestions
            let (purchase, draft) = try await Self.buy(in: ledger)
            try await questions.store(draft, about: purchase, endedBy: Self.ends)
            let taken = try #require(try await questions.takeDue(limit: 9, lease: .seconds(60)).first)
            #expect(taken.token == "token-1" && taken.storeReason == "OTHER" && taken.attempts == 1)
            let answer = RefundAnswer(preference: .grantProrated, percentage: 12_345)
            #expect(try await questions.keep(answer, to: taken))
            #expect(try await questions.find(taken.id)?.answer == answer)
            try await questions.decide(taken, .answered, because: "answered")

            try await Self.tell("REFUND_DECLINED", at: Self.asked + 60, of: purchase, in: ledger)
            #expect(try await questions.settle(purchase, by: Self.ends))
            let ended = try #require(try await questions.find(taken.id))
            #expect(ended.status == .answered && ended.reason == "answered" && ended.outcome == .declined)
            #expect(ended.answer == answer)

            try await questions.store(
                Self.draft(about: purchase, "token-2", at: Self.asked + 90), about: purchase, endedBy: Self.ends)
            #expect(try await !questions.settle(purchase, by: Self.ends))
            #expect(try await questions.list(ofPurchases: [purchase.id]).map(\.status) == [.waiting, .answered])
        }
    }

    @Test func `a choice takes the question from whoever is answering it, until it is answered`() async throws {
        try await TestLedger.with { ledger, _ in
            let questions = ledger.refundQuestions
            let (purchase, draft) = try await Self.buy(in: ledger)
            try await questions.store(draft, about: purchase, endedBy: Self.ends)
            let taken = try #require(try await questions.takeDue(limit: 9, lease: .seconds(60)).first)
            #expect(try await questions.keep(RefundAnswer(preference: .grantFull, percentage: 0), to: taken))
            let chosen = RefundQuestion.Overruling(
                preference: .decline, by: "kim", reason: "again", at: Self.asked + 30)
            let overruled = try #require(try await questions.overrule(taken.id, by: chosen))
            #expect(overruled.overruling == chosen && overruled.answer == nil && overruled.reason == "overruled")

            // Its worker was late: it neither keeps another answer nor ends it.
            #expect(try await !questions.keep(RefundAnswer(preference: .grantFull, percentage: 0), to: taken))
            try await questions.decide(taken, .answered, because: "answered")
            #expect(try await !questions.giveUp(taken, about: purchase))
            #expect(try await questions.find(taken.id)?.status == .waiting)

            let again = try #require(try await questions.takeDue(limit: 9, lease: .seconds(60)).first)
            #expect(again.overruling == chosen)
            // It is leased to the next one, whatever the late one postpones.
            try await questions.postpone(taken, because: "server_error", by: .zero)
            #expect(try await questions.takeDue(limit: 9, lease: .seconds(60)).isEmpty)
            #expect(try await questions.find(taken.id)?.reason == "overruled")
            try await questions.decide(again, .answered, because: "answered")
            #expect(try await questions.overrule(taken.id, by: chosen) == nil)
            #expect(try await questions.overrule(404, by: chosen) == nil)
        }
    }

    @Test func `after the deadline nobody chooses, and the first deadline is that of what can be answered`()
        async throws
    {
        try await TestLedger.with { ledger, test in
            let questions = ledger.refundQuestions
            let purchase = try await ledger.buy(.sample(1, payment: .sampleInStore(1)))
            #expect(try await questions.firstDeadline() == nil)
            for (token, hours) in [("later", 3.0), ("first", 1), ("unconsented", 0.5)] {
                try await questions.store(
                    Self.draft(about: purchase, token, at: Self.asked, deadline: Self.asked + hours * 3600),
                    about: purchase, endedBy: Self.ends)
            }
            try await test.execute("UPDATE refund_question SET reason = 'no_consent' WHERE token = 'unconsented'")
            #expect(try await questions.firstDeadline() == Self.asked + 3600)
            let first = try #require(
                try await questions.list(ofPurchases: [purchase.id]).first { $0.token == "first" })
            for (after, isTaken) in [(3599.0, true), (3600, false)] {
                let overruling = RefundQuestion.Overruling(
                    preference: .decline, by: "kim", reason: "again", at: Self.asked + after)
                #expect(try await (questions.overrule(first.id, by: overruling) != nil) == isTaken)
            }
        }
    }

    @Test func `a question of Google Play finds its purchase by the order`() async throws {
        try await TestLedger.with { ledger, _ in
            let bought = try await ledger.buy(.sample(1, payment: .sampleAtPlay(1)))
            let order = try #require(bought.payment.merchantPaymentID)
            #expect(try await ledger.refundQuestions.purchase(ofPlayOrder: order)?.id == bought.id)
            #expect(try await ledger.refundQuestions.purchase(ofPlayOrder: "GPA.1") == nil)
        }
    }

    // MARK: - Consent

    @Test func `the last word of a user stands, also of one who was merged, and each is kept`() async throws {
        try await TestLedger.with { ledger, test in
            let stores = ledger.stores
            #expect(try await stores.consent(of: .named("ann")) == nil)
            let first = try await stores.set(consents: true, of: .named("ann"), by: "shop")
            #expect(first.consents && first.setBy == "shop" && first.user == .named("ann"))
            #expect(try await stores.set(consents: true, of: .named("ann"), by: "other") == first, "a repeat")
            _ = try await stores.set(consents: false, of: .named("cid"), by: "shop")
            #expect(try await stores.consent(of: .named("ann")) == first)

            _ = try await ledger.submit(Grant.sample(to: "ann", coins: 5))
            _ = try #require(try await ledger.submit(MergeUsers.sample(into: "cid")).success)
            #expect(try await stores.consent(of: .named("cid"))?.consents == false, "the later word")
            _ = try await stores.set(consents: true, of: .named("cid"), by: "shop")
            #expect(try await stores.consent(of: .named("cid"))?.consents == true)
            #expect(try await test.number("SELECT count(*) FROM store_consent WHERE user_id = 'cid'") == 3)

            // A word that was on its way during the merge: one that is stored now, and one that was stored under the old id.
            let late = try await stores.set(consents: false, of: .named("ann"), by: "shop")
            #expect(late.user == .named("cid"))
            #expect(try await test.number("SELECT count(*) FROM store_consent WHERE user_id = 'cid'") == 4)
            try await test.execute(
                "INSERT INTO store_consent (user_id, consents, set_by) VALUES ('ann', true, 'shop')")
            let found = try await stores.consent(of: .named("cid"))
            #expect(found?.consents == true && found?.user == .named("cid"))
        }
    }

    @Test func `a user who has only said a word is known, and nobody answers for one who was forgotten`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.stores.set(consents: true, of: .named("dan"), by: "shop")
            #expect(try await test.number("SELECT count(*) FROM (SELECT) AS one WHERE is_known_user('dan')") == 1)
            let forgotten = UserID.named("forgotten-" + String(repeating: "0", count: 32))
            try await test.execute("UPDATE store_consent SET user_id = '\(forgotten.rawValue)'")
            #expect(try await ledger.stores.consent(of: forgotten) == nil)
        }
    }
}
