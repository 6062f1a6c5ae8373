import Foundation
import Testing

@testable import PGVerifier

@Suite(.timeLimit(.minutes(20))) struct GooglePlayCancelTests {
    private static let readPurchase = "GET /purchases/productsv2/tokens/\(PlayHouse.token)"
    private static let readOrder = "GET /orders/\(PlayHouse.orderID)"
    private static let refund = "POST /orders/\(PlayHouse.orderID):refund?revoke=true"
    private static let done = ScriptedGateway.Step.answer(204, "")
    private static let refunded = PlayHouse.order(
        ["state": #""REFUNDED""#],
        history: #","refundEvent":{"eventTime":"2026-11-16T00:00:00Z","refundReason":"OTHER"}"#)
    private static let pending = PlayHouse.order(["state": #""PENDING_REFUND""#])

    private func request(_ amount: Int64 = 3600, balance: Int64 = 3600) throws -> CancellationRequest {
        CancellationRequest(
            receipt: try PlayUnderTest.receipt, amount: amount, currency: "KRW", believedBalance: balance,
            key: try CancellationKey("refund-0123456789"), reason: "customer request")
    }

    private static let theRefund = GatewayCancellation(
        id: "refund", amount: 3600, reason: "OTHER", cancelledAt: Date(timeIntervalSince1970: 1_794_787_200))

    @Test func `the whole order is refunded, and the purchase taken back`() async throws {
        let test = try PlayUnderTest(PlayHouse.purchase(), PlayHouse.order(), Self.done, Self.refunded)
        #expect(try await test.play.cancel(request()) == .done(Self.theRefund))
        #expect(test.lines == [Self.readPurchase, Self.readOrder, Self.refund, Self.readOrder])
        #expect(test.api.requests[2].needsFreshConnection && test.api.requests[2].body.isEmpty)
    }

    @Test func `what is left after a part is refunded whole`() async throws {
        let part =
            #","partialRefundEvents":[{"createTime":"2026-11-16T00:00:00Z","state":"PROCESSED_SUCCESSFULLY","#
            + #""refundDetails":{"total":\#(PlayHouse.won(1200))}}]"#
        let test = try PlayUnderTest(
            PlayHouse.purchase(), PlayHouse.order(["state": #""PARTIALLY_REFUNDED""#], history: part), Self.done,
            PlayHouse.order(["state": #""REFUNDED""#], history: part))
        guard case .done(let cancellation) = try await test.play.cancel(request(2400, balance: 2400)) else {
            Issue.record("not refunded")
            return
        }
        #expect(cancellation.amount == 2400)
    }

    @Test func `a part is refused before anything is sent`() async throws {
        let test = try PlayUnderTest(PlayHouse.purchase(), PlayHouse.order(), Self.done)
        #expect(try await reason(test, request(1200)) == .partRefused)
        #expect(try await reason(test, request(0)) == .invalidAmount)
        #expect(try await reason(test, request(3601)) == .invalidAmount)
        #expect(test.lines.isEmpty)
    }

    @Test func `nothing is sent for an order that is not as it is believed to be`() async throws {
        let never = PlayHouse.purchase([
            "purchaseStateContext": #"{"purchaseState":"PENDING"}"#, "purchaseCompletionTime": nil,
        ])
        let pending = try PlayUnderTest(never)
        #expect(try await reason(pending, request()) == .paymentNotPaid)
        let other = try PlayUnderTest(PlayHouse.purchase(), PlayHouse.order())
        #expect(try await reason(other, request(1200, balance: 1200)) == .balanceChanged)
        let gone = try PlayUnderTest(PlayHouse.purchase(), Self.refunded)
        #expect(try await reason(gone, request(1200, balance: 1200)) == .alreadyCancelled)
        for test in [pending, other, gone] { #expect(!test.lines.contains(Self.refund)) }
        let strange = try PlayUnderTest(
            PlayHouse.purchase([
                "purchaseStateContext": #"{"purchaseState":"NEW"}"#, "purchaseCompletionTime": nil,
            ]))
        #expect(await failure { try await strange.play.cancel(request()) }?.isDefinite == false)
    }

    @Test func `an order that is refunded already is not refunded again`() async throws {
        let test = try PlayUnderTest(PlayHouse.purchase(), Self.refunded)
        #expect(try await test.play.cancel(request()) == .done(Self.theRefund))
        #expect(!test.lines.contains(Self.refund))
        let waiting = try PlayUnderTest(PlayHouse.purchase(), Self.pending)
        guard case .pending(.some) = try await waiting.play.cancel(request()) else {
            Issue.record("not pending")
            return
        }
        #expect(!waiting.lines.contains(Self.refund))
    }

    @Test(arguments: [ScriptedGateway.Step.fail(.timeout), .answer(503, ""), .fail(.connectionLost)])
    func `after an answer that was lost the order is only read`(lost: ScriptedGateway.Step) async throws {
        let arrived = try PlayUnderTest(PlayHouse.purchase(), PlayHouse.order(), lost, Self.refunded)
        #expect(try await arrived.play.cancel(request()) == .done(Self.theRefund))
        let unknown = try PlayUnderTest(PlayHouse.purchase(), PlayHouse.order(), lost, PlayHouse.order())
        let error = await failure { try await unknown.play.cancel(request()) }
        #expect(error?.mayHaveBeenCarriedOut == true)
        for test in [arrived, unknown] { #expect(test.lines.filter { $0 == Self.refund }.count == 1) }
    }

    @Test(arguments: [ScriptedGateway.Step.fail(.unreachable), .answer(429, "")])
    func `what did not arrive is sent again`(step: ScriptedGateway.Step) async throws {
        let test = try PlayUnderTest(
            PlayHouse.purchase(), PlayHouse.order(), step, PlayHouse.purchase(), PlayHouse.order(), Self.done,
            Self.refunded)
        #expect(try await test.play.cancel(request()) == .done(Self.theRefund))
    }

    @Test func `a refusal is judged by the order`() async throws {
        let refusal = PlayHouse.refusal(400, "orderNotRefundable")
        let old = try PlayUnderTest(PlayHouse.purchase(), PlayHouse.order(), refusal, PlayHouse.order())
        guard case .refused(let why) = try await old.play.cancel(request()) else {
            Issue.record("not refused")
            return
        }
        #expect(why.reason == .refusedByGateway && why.gatewayCode == "orderNotRefundable")
        let raced = try PlayUnderTest(PlayHouse.purchase(), PlayHouse.order(), refusal, Self.refunded)
        #expect(try await raced.play.cancel(request()) == .done(Self.theRefund))
    }

    @Test func `what is accepted and not shown yet is pending`() async throws {
        for now in [PlayHouse.order(), .fail(.timeout)] {
            let test = try PlayUnderTest(PlayHouse.purchase(), PlayHouse.order(), Self.done, now)
            #expect(try await test.play.cancel(request()) == .pending(nil))
        }
    }

    @Test func `a missing permission has no effect`() async throws {
        let test = try PlayUnderTest(
            PlayHouse.purchase(), PlayHouse.order(), PlayHouse.refusal(401, "permissionDenied"))
        let error = await failure { try await test.play.cancel(request()) }
        #expect(error?.code == .unauthorized && error?.mayHaveBeenCarriedOut == false)
    }

    @Test func `what became of a refund is read from the order`() async throws {
        let cases: [(ScriptedGateway.Step, CancellationOutcome?)] = [
            (Self.refunded, .done(Self.theRefund)), (PlayHouse.order(), nil),
        ]
        for (order, outcome) in cases {
            let test = try PlayUnderTest(PlayHouse.purchase(), order)
            #expect(try await test.play.outcome(of: request()) == outcome)
        }
    }

    /// Google does not say how long it knows the token of a purchase that was taken back.
    @Test func `a refund is found although its token is not known any more`() async throws {
        let unknown = PlayHouse.refusal(404, "purchaseTokenNotFound")
        let void = """
            {"purchaseToken":"\(PlayHouse.token)","orderId":"\(PlayHouse.orderID)","voidedTimeMillis":"1794713640000"}
            """
        let listed = ScriptedGateway.Step.answer(200, #"{"voidedPurchases":[\#(void)]}"#)
        let test = try PlayUnderTest(unknown, listed, Self.refunded)
        #expect(try await test.play.outcome(of: request()) == .done(Self.theRefund))
        let again = try PlayUnderTest(unknown, listed, Self.refunded)
        #expect(try await again.play.cancel(request()) == .done(Self.theRefund))
        #expect(!again.lines.contains(Self.refund))
        let early = try PlayUnderTest(unknown, .answer(200, "{}"), unknown)
        let error = await failure { try await early.play.outcome(of: request()) }
        #expect(error?.code == .notFoundYet && error?.isDefinite == false)
        // What somebody presents costs one request.
        let presented = try PlayUnderTest(unknown, listed, Self.refunded)
        #expect(await failure { try await presented.payment() }?.isNoSuchThing == true)
        #expect(presented.lines.count == 1)
    }

    private func reason(
        _ test: PlayUnderTest, _ request: CancellationRequest
    ) async throws -> CancellationRefusal.Reason? {
        guard case .refused(let refusal) = try await test.play.cancel(request) else { return nil }
        return refusal.reason
    }
}
