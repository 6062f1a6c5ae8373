import Foundation
import OutboundHTTP
import Synchronization
import TestSupport
import Testing

@testable import PGVerifier

@Suite(.timeLimit(.minutes(20))) struct GooglePlayLimitsTests {
    private static let pending = PlayHouse.purchase([
        "purchaseStateContext": #"{"purchaseState":"PENDING"}"#, "purchaseCompletionTime": nil,
    ])

    @Test func `look-ups are as many a second as Google allows`() async throws {
        let test = try PlayUnderTest(Self.pending)
        for _ in 0..<50 { _ = try await test.payment() }
        #expect(test.timing.pauses == [])
        _ = try await test.payment()
        let pause = try #require(test.timing.pauses.first)
        #expect(abs(pause / .seconds(1) - 0.02) < 0.001)
    }

    @Test func `voided purchases are thirty pages at once, and then one a second`() async throws {
        let test = try PlayUnderTest(.answer(200, "{}"))
        let walk = test.play.voidedPurchases(in: ManualTime.noon.addingTimeInterval(-60)..<ManualTime.noon)
        for _ in 0..<30 { _ = try await walk.page(at: nil) }
        #expect(test.timing.pauses == [])
        _ = try await walk.page(at: nil)
        let pause = try #require(test.timing.pauses.first)
        #expect(abs(pause / .seconds(1) - 1) < 0.001)
    }

    @Test func `a search among voided purchases is kept for a minute a page`() async throws {
        let gone = PlayHouse.refusal(410, "purchaseTokenNoLongerValid")
        let none = ScriptedGateway.Step.answer(200, "{}")
        let void = """
            {"purchaseToken":"\(PlayHouse.token)","orderId":"\(PlayHouse.orderID)","voidedTimeMillis":"1794713640000"}
            """
        let refunded = PlayHouse.order(["state": #""REFUNDED""#])
        let pages: [ScriptedGateway.Step] = [
            .answer(200, #"{"tokenPagination":{"nextPageToken":"2"}}"#),
            .answer(200, #"{"voidedPurchases":[\#(void)]}"#),
        ]
        let test = try PlayUnderTest(
            [gone, none, gone, gone, gone, gone, gone, gone] + pages + [refunded, gone, refunded, gone, none, gone])
        let walked = { test.lines.count { $0.contains("voidedpurchases") } }
        for _ in 0..<2 { #expect(await failure { try await test.payment() }?.code == .notFoundYet) }
        #expect(walked() == 1)
        test.timing.advance(by: .seconds(60))
        #expect(try await test.payment().status == .cancelled)
        test.timing.advance(by: .seconds(60))
        #expect(try await test.payment().status == .cancelled)
        #expect(walked() == 3)
        test.timing.advance(by: .seconds(60))
        #expect(await failure { try await test.payment() }?.code == .notFoundYet)
        #expect(walked() == 4)
    }

    @Test func `all who search at once share a walk, and a failure is kept for seconds`() async throws {
        let store = GoneStore()
        let play = GooglePlay(
            configuration: try PlayHouse.configuration(), transport: store, logger: .quiet,
            timing: InstantTiming().timing)
        let codes = try await withThrowingTaskGroup(of: GatewayError.Code?.self) { group in
            for number in 0..<20 {
                let receipt = Receipt.googlePlay(try PurchaseToken("token-\(number)"))
                group.addTask { await failure { try await play.payment(for: receipt) }?.code }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(codes == Array(repeating: .notFoundYet, count: 20) && store.walks == 1)
        let test = try PlayUnderTest(
            PlayHouse.refusal(410, "purchaseTokenNoLongerValid"), PlayHouse.refusal(403, "forbidden"),
            PlayHouse.refusal(410, "purchaseTokenNoLongerValid"), PlayHouse.refusal(410, "purchaseTokenNoLongerValid"),
            .answer(200, "{}"), PlayHouse.refusal(410, "purchaseTokenNoLongerValid"))
        for _ in 0..<2 { #expect(await failure { try await test.payment() }?.code == .unauthorized) }
        #expect(test.lines.count { $0.contains("voidedpurchases") } == 1)
        test.timing.advance(by: .seconds(20))
        #expect(await failure { try await test.payment() }?.code == .notFoundYet)
        #expect(test.lines.count { $0.contains("voidedpurchases") } == 2)
    }

    /// Knows no token any longer, and has taken nothing back.
    private final class GoneStore: HTTPTransport {
        private let walked = Atomic(0)

        /// How often somebody began to walk the list of voided purchases.
        var walks: Int { walked.load(ordering: .relaxed) }

        func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
            guard request.method == .get else {
                return HTTPResponse(status: 200, body: Array(#"{"access_token":"t","expires_in":3599}"#.utf8))
            }
            if request.line.contains("voidedpurchases") {
                walked.add(1, ordering: .relaxed)
                return HTTPResponse(status: 200, body: Array("{}".utf8))
            }
            let body = #"{"error":{"code":410,"message":"x","errors":[{"reason":"purchaseTokenNoLongerValid"}]}}"#
            return HTTPResponse(status: 410, body: Array(body.utf8))
        }
    }

    @Test func `during a pause nothing is sent of those calls, and of others it is`() async throws {
        let test = try PlayUnderTest(
            PlayHouse.refusal(429, "rateLimitExceeded", headers: "Retry-After: 60\r\n"), .answer(200, "{}"),
            Self.pending)
        #expect(await failure { try await test.payment() }?.retryAfter == .seconds(60))
        #expect(await failure { try await test.payment() }?.code == .rateLimited)
        #expect(test.lines.count == 1)
        let walk = test.play.voidedPurchases(in: ManualTime.noon.addingTimeInterval(-60)..<ManualTime.noon)
        #expect(try await walk.page(at: nil).elements.isEmpty)
        test.timing.advance(by: .seconds(60))
        #expect(try await test.payment().status == .ready)
    }

    @Test func `what Google counts together has one limit`() {
        let counted = Dictionary(grouping: GooglePlayCall.allCases, by: \.quota).mapValues { Set($0.map(\.rawValue)) }
        #expect(
            counted == [
                .purchases: ["payment", "product", "consume", "acknowledge"],
                .orders: ["order", "orders", "refund", "review"], .voided: ["voided"],
            ])
    }
}
