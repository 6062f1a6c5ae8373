import Foundation
import TestSupport
import Testing

@testable import PGVerifier

@Suite(.timeLimit(.minutes(20))) struct GooglePlayReviewTests {
    private static let line = "POST /orders/\(PlayHouse.orderID):reviewrefund"

    private var request: GooglePlayNotification.RefundReview {
        get throws { .init(token: "refund/token", orderID: try GooglePlayOrderID(PlayHouse.orderID)) }
    }

    @Test func `a request for review is answered with what is known`() async throws {
        let test = try PlayUnderTest(.answer(200, ""))
        let least = GooglePlayReview(preference: .neutral, isSampleProvided: false)
        let most = GooglePlayReview(
            preference: .decline, isSampleProvided: true, percentage: 45_200,
            usages: [.init(at: ManualTime.noon, description: "100 coins")])
        for review in [least, most] { try await test.play.send(review, about: request) }
        #expect(test.lines == [Self.line, Self.line])
        #expect(
            test.api.requests.map(\.text) == [
                #"{"pendingRefundToken":"refund/token","refundPreference":"NEUTRAL","sampleContentProvided":false}"#,
                #"{"consumptionPercentageMilliunits":45200,"consumptionUsageEvents":[{"#
                    + #""consumptionItemDescription":"100 coins","consumptionTime":"2026-11-15T03:34:00.000Z"}],"#
                    + #""pendingRefundToken":"refund/token","refundPreference":"DECLINE","#
                    + #""sampleContentProvided":true}"#,
            ])
    }

    @Test(
        arguments: [(.grantFull, "APPROVE"), (.grantProrated, "NEUTRAL"), (.decline, "DECLINE")]
            as [(RefundStatement.Preference, String)])
    func `Google takes no part of a refund`(preference: RefundStatement.Preference, word: String) async throws {
        let test = try PlayUnderTest(.answer(200, ""))
        let name = RefundQuestionName(
            receipt: .googlePlay(try PlayUnderTest.token), order: PlayHouse.orderID, token: "refund/token")
        try await test.play.answer(
            RefundStatement(preference: preference, isSampleProvided: true, percentage: 30_000), to: name)
        #expect(test.lines == [Self.line])
        #expect(
            test.api.requests.map(\.text) == [
                #"{"consumptionPercentageMilliunits":30000,"pendingRefundToken":"refund/token","#
                    + #""refundPreference":"\#(word)","sampleContentProvided":true}"#
            ])
        let nameless = RefundQuestionName(receipt: name.receipt, order: nil, token: name.token)
        let error = await failure {
            try await test.play.answer(
                RefundStatement(preference: preference, isSampleProvided: true, percentage: nil), to: nameless)
        }
        #expect(error?.code == .invalidRequest && test.lines.count == 1)
    }

    @Test func `what Google would refuse is not sent`() async throws {
        let test = try PlayUnderTest(.answer(200, ""))
        let use = GooglePlayReview.Usage(at: ManualTime.noon, description: "")
        let long = GooglePlayReview.Usage(at: ManualTime.noon, description: String(repeating: "a", count: 5001))
        let reviews = [
            GooglePlayReview(preference: .approve, isSampleProvided: false, percentage: -1),
            GooglePlayReview(preference: .approve, isSampleProvided: false, percentage: 100_001),
            GooglePlayReview(
                preference: .approve, isSampleProvided: false, usages: Array(repeating: use, count: 1001)),
            GooglePlayReview(preference: .approve, isSampleProvided: false, usages: [long]),
        ]
        for review in reviews {
            #expect(await failure { try await test.play.send(review, about: request) }?.code == .invalidRequest)
        }
        #expect(test.lines.isEmpty)
    }

    @Test(arguments: [
        (ScriptedGateway.Step.fail(.timeout), true), (.fail(.unreachable), false), (.answer(503, ""), true),
    ])
    func `it is sent once, and the error tells whether it may have arrived`(
        step: ScriptedGateway.Step, mayHave: Bool
    ) async throws {
        let test = try PlayUnderTest(step, .answer(200, ""))
        let review = GooglePlayReview(preference: .decline, isSampleProvided: false)
        let error = await failure { try await test.play.send(review, about: request) }
        #expect(error?.mayHaveBeenCarriedOut == mayHave)
        #expect(test.lines == [Self.line])
    }
}
