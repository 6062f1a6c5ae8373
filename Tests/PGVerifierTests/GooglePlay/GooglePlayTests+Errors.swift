import OutboundHTTP
import TestSupport
import Testing

@testable import PGVerifier

/// What errors and unreadable answers of Google mean.
extension GooglePlayTests {
    @Test(arguments: [
        (ScriptedGateway.Step.answer(302, ""), GatewayError.Code.redirect),
        (PlayHouse.refusal(401, "permissionDenied"), .unauthorized),
        (PlayHouse.refusal(403, "forbidden"), .unauthorized),
        (PlayHouse.refusal(403, "rateLimitExceeded"), .rateLimited),
        (PlayHouse.refusal(403, "userRateLimitExceeded"), .rateLimited),
        (PlayHouse.refusal(429, "rateLimitExceeded"), .rateLimited), (.answer(429, ""), .rateLimited),
        (PlayHouse.refusal(404, "purchaseTokenNotFound"), .notFound),
        (PlayHouse.refusal(410, "purchaseTokenNoLongerValid"), .notFoundYet),
        (PlayHouse.refusal(404, "applicationNotFound"), .refused), (PlayHouse.refusal(410, "other"), .refused),
        (PlayHouse.refusal(400, "invalid"), .refused), (PlayHouse.refusal(409, "concurrentUpdate"), .stillRunning),
        (PlayHouse.refusal(409, "other"), .refused), (PlayHouse.refusal(503, "backendError"), .serverError),
        (.answer(502, "<html>"), .serverError), (.answer(404, "<html>"), .malformedAnswer),
        (.answer(404, #"{"error":{"code":410,"errors":[{"reason":"purchaseTokenNotFound"}]}}"#), .malformedAnswer),
        (.answer(404, #"{"error":{"errors":[{"reason":"purchaseTokenNotFound"}]}}"#), .malformedAnswer),
        (.answer(200, "[]"), .malformedAnswer), (.answer(200, "{"), .malformedAnswer),
        (.answer(200, "{}"), .unreadablePayment), (.fail(.timeout), .timeout),
    ])
    func `what Google answers has one meaning`(step: ScriptedGateway.Step, code: GatewayError.Code) async throws {
        let test = try PlayUnderTest(step)
        let error = await failure { try await test.payment() }
        #expect(error?.code == code)
        #expect(error?.isDefinite == (code == .notFound))
    }

    @Test func `an error tells Google's reason and words`() async throws {
        let test = try PlayUnderTest(PlayHouse.refusal(404, "applicationNotFound"))
        let error = await failure { try await test.payment() }
        #expect(error?.gatewayType == "applicationNotFound" && error?.message == "as scripted")
        #expect(error?.httpStatus == 404)
        let other = try PlayUnderTest(.answer(400, #"{"error":{"code":400,"status":"INVALID_ARGUMENT"}}"#))
        #expect(await failure { try await other.payment() }?.gatewayType == "INVALID_ARGUMENT")
    }

    @Test(arguments: ["purchaseTokenNotFound", "orderNotFound"])
    func `what is not found of a purchase that exists is no word about it`(reason: String) async throws {
        let found = PlayHouse.purchase()
        for first in [found, PlayHouse.purchase(["orderId": nil])] {
            let missing = PlayHouse.refusal(404, reason)
            let test = try PlayUnderTest([first, missing, first, missing, first, missing])
            let error = await failure { try await test.payment() }
            #expect(error != nil && error?.isDefinite == false && error?.isRetryable == true)
        }
    }

    @Test func `a purchase whose token is no longer valid is found among those that were taken back`() async throws {
        let gone = PlayHouse.refusal(410, "purchaseTokenNoLongerValid")
        let other = #"{"purchaseToken":"other","orderId":"GPA.1","voidedTimeMillis":"1794713640000"}"#
        let void = other.replacing("other", with: PlayHouse.token).replacing("GPA.1", with: PlayHouse.orderID)
        let pages: [ScriptedGateway.Step] = [
            .answer(200, #"{"voidedPurchases":[\#(other)],"tokenPagination":{"nextPageToken":"2"}}"#),
            .answer(200, #"{"voidedPurchases":[\#(void)]}"#),
        ]
        let test = try PlayUnderTest([gone] + pages + [PlayHouse.order(["state": #""REFUNDED""#])])
        let payment = try await test.payment()
        #expect(payment.status == .cancelled && payment.cancelledAmount == 3600 && payment.paymentID == PlayHouse.token)
        #expect(test.lines.count == 4 && test.lines[3] == "GET /orders/\(PlayHouse.orderID)")
        // An order that does not show it yet is not paid again.
        let early = try PlayUnderTest(
            [gone] + pages + [PlayHouse.order(), gone, PlayHouse.order(), gone, PlayHouse.order()])
        let notShown = await failure { try await early.payment() }
        #expect(notShown?.code == .notFoundYet && notShown?.isOfForgottenPayment == false)
    }

    @Test(arguments: [
        "{}", #"{"voidedPurchases":[{"purchaseToken":"\#(PlayHouse.token)","voidedTimeMillis":"1794713640000"}]}"#,
        #"{"voidedPurchases":[{"purchaseToken":"\#(PlayHouse.token)","orderId":"\#(PlayHouse.orderID)"}]}"#,
        #"{"tokenPagination":{"nextPageToken":"2"}}"#,
    ])
    func `a token that was valid is never unknown, although no refund of it can be read`(page: String) async throws {
        let gone = PlayHouse.refusal(410, "purchaseTokenNoLongerValid")
        let isPart = page.contains("nextPageToken")
        let more = (3...31).map { place in
            ScriptedGateway.Step.answer(200, page.replacing(#""2""#, with: "\"\(place)\""))
        }
        let test = try PlayUnderTest([gone, .answer(200, page)] + (isPart ? more : []) + [gone])
        let error = await failure { try await test.payment() }
        #expect(error?.code == .notFoundYet && error?.isDefinite == false && error?.isRetryable == true)
        #expect(error?.isOfForgottenPayment == true && test.lines.count == (isPart ? 33 : 4))
    }
}
