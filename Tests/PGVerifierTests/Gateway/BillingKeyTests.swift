import FoundationEssentials
import OutboundHTTP
import Synchronization
import TestSupport
import Testing

@testable import PGVerifier

/// Charges of registered cards: each is asked for once.
@Suite(.timeLimit(.minutes(20))) struct BillingKeyTests {
    private static func charge(_ card: Secret = "card-1") throws -> BillingKeyCharge {
        BillingKeyCharge(
            order: OrderAmount(merchantUID: V2.order, amount: 1000, currency: "KRW"), billingKey: card,
            askedAt: Date(timeIntervalSince1970: 2), title: "100 coins")
    }

    private static func v1(_ gateway: ScriptedGateway) throws -> PortOneV1 {
        PortOneV1(
            configuration: PortOneV1Configuration(
                url: try HTTPURL("https://api.iamport.kr"), key: "key", secret: "secret"),
            transport: gateway, logger: .quiet, timing: InstantTiming().timing)
    }

    @Test func `V1 is told card, order, amount and name`() async throws {
        let gateway = ScriptedGateway(.answer(200, #"{"code":0,"message":null,"response":{}}"#))
        #expect(try await Self.v1(gateway).charge(Self.charge()) == .accepted)
        let request = gateway.requests[0]
        #expect(request.line == "POST /subscribe/payments/again")
        // The card network may take a minute. Waiting for a token and a slot takes from it, but never more than half.
        #expect(request.totalTimeout == .seconds(60) && request.leastTime == .seconds(30))
        #expect(request.needsFreshConnection)
        #expect(
            request.text
                == #"{"amount":1000,"currency":"KRW","customer_uid":"card-1","merchant_uid":"order-1","name":"100 coins"}"#
        )
    }

    @Test func `V2 is told the same, with a key`() async throws {
        let gateway = ScriptedGateway(.answer(200, #"{"payment":{"pgTxId":"tx-1","paidAt":"2026-01-01T00:00:48Z"}}"#))
        #expect(try await V2.client(gateway).charge(Self.charge()) == .accepted)
        let request = gateway.requests[0]
        #expect(request.line == "POST /payments/order-1/billing-key")
        #expect(request.header("Idempotency-Key") == #""charge-order-1-2000000""#)
        #expect(request.totalTimeout == .seconds(60) && request.needsFreshConnection)
        #expect(
            request.text
                == #"{"amount":{"total":1000},"billingKey":"card-1","currency":"KRW","orderName":"100 coins","#
                + #""storeId":"store-1"}"#)
    }

    @Test func `a charge without VAT is told as tax-free, whole`() async throws {
        var charge = try Self.charge()
        charge.isTaxFree = true
        let v1 = ScriptedGateway(.answer(200, #"{"code":0,"message":null,"response":{}}"#))
        _ = try await Self.v1(v1).charge(charge)
        #expect(v1.requests[0].text.hasSuffix(#","tax_free":1000}"#))
        let v2 = ScriptedGateway(.answer(200, "{}"))
        _ = try await V2.client(v2).charge(charge)
        #expect(v2.requests[0].text.hasPrefix(#"{"amount":{"taxFree":1000,"total":1000},"#))
    }

    @Test func `the sandbox keeps the tax-free part, with which such a payment can be cancelled`() async throws {
        try await GatewayUnderTest.run { gateway in
            let v2 = try gateway.chargingV2()
            let clients: [any ChargesBillingKeys] = [gateway.client(), v2]
            for (number, client) in clients.enumerated() {
                for isTaxFree in [true, false] {
                    var charge = try Self.charge()
                    charge.isTaxFree = isTaxFree
                    charge.order.merchantUID = try MerchantUID("order-\(isTaxFree)-\(number)")
                    _ = try await client.charge(charge)
                    let attempts = try await client.payments(ofOrder: charge.order.merchantUID)
                    let payment = try #require(attempts.first)
                    let receipt = try #require(
                        try Receipt(
                            gateway: payment.gateway, paymentID: payment.paymentID, merchantUID: payment.merchantUID))
                    // V2 tells it of both APIs.
                    #expect(try await v2.taxFreeRest(of: receipt)?.total == (isTaxFree ? 1000 : 0), "\(client.name)")
                }
            }
        }
    }

    private static let failures: [(ScriptedGateway.Step, Bool)] = [
        (.fail(.timeout), true), (.fail(.connectionLost), true), (.fail(.malformedAnswer), true),
        (.answer(500, "{}"), true), (.answer(503, "busy"), true), (.answer(200, "<html>"), true),
        (.fail(.unreachable), false), (.fail(.untrusted), false), (.answer(429, "{}"), false),
    ]

    @Test(arguments: failures.indices) func `what is unknown is an error, and nothing is asked twice`(
        index: Int
    ) async throws {
        let (step, mayHaveBeenCarriedOut) = Self.failures[index]
        for isV1 in [true, false] {
            let gateway = ScriptedGateway(step)
            let client: any ChargesBillingKeys = isV1 ? try Self.v1(gateway) : try V2.client(gateway)
            let error = await #expect(throws: GatewayError.self) { try await client.charge(try Self.charge()) }
            #expect(error?.mayHaveBeenCarriedOut == mayHaveBeenCarriedOut, "\(step)")
            #expect(gateway.requests.count == 1, "\(step)")
        }
    }

    private static let noToken: [ScriptedGateway.Step] = [
        .fail(.timeout), .fail(.connectionLost), .answer(500, "{}"), .answer(200, "<html>"), .answer(401, "{}"),
        .answer(200, #"{"code":-1,"message":"no token","response":null}"#),
    ]

    @Test(arguments: noToken.indices) func `a charge without a token was not sent, whatever became of the token`(
        index: Int
    ) async throws {
        let first = ScriptedGateway([.answer(200, "{}")], tokens: [Self.noToken[index]])
        let error = await #expect(throws: GatewayError.self) { try await Self.v1(first).charge(Self.charge()) }
        #expect(error?.mayHaveBeenCarriedOut == false && first.requests.isEmpty)
        // The gateway refused the charge with the first token, and there is no second.
        let second = ScriptedGateway([.answer(401, "{}")], tokens: [nil, Self.noToken[index]])
        let unrenewed = await #expect(throws: GatewayError.self) { try await Self.v1(second).charge(Self.charge()) }
        #expect(unrenewed?.mayHaveBeenCarriedOut == false && second.requests.count == 1)
    }

    @Test func `a charge whose time ends before its turn was not sent`() async throws {
        let time = ManualTime()
        let gateway = SilentGateway()
        var limits = GatewayLimits()
        limits.maxConcurrentCalls = 1
        let client = PortOneV2(
            configuration: PortOneV2Configuration(
                url: try HTTPURL("https://api.portone.io"), secret: "secret", storeID: "store-1", limits: limits),
            transport: gateway, timing: GatewayTiming(time: time.time))
        let charge = try Self.charge()
        let sent = Task { try await client.charge(charge) }
        try await eventually("the first is sent") { gateway.isAsked }
        let waiting = Task { try await client.charge(charge) }
        try await eventually("both have a deadline") { time.asleep == 2 }
        await time.advance(by: .seconds(60))
        let unanswered = await #expect(throws: GatewayError.self) { try await sent.value }
        #expect(unanswered?.code == .timeout && unanswered?.mayHaveBeenCarriedOut == true)
        let unsent = await #expect(throws: GatewayError.self) { try await waiting.value }
        #expect(unsent?.mayHaveBeenCarriedOut == false)
    }

    @Test func `a refusal is an answer`() async throws {
        let v1 = ScriptedGateway(.answer(200, #"{"code":-1,"message":"한도 초과","response":null}"#))
        guard case .refused(let error) = try await Self.v1(v1).charge(Self.charge()) else {
            Issue.record("V1 refused, and it is no refusal")
            return
        }
        #expect(error.gatewayCode == -1)
        for (status, type) in [
            (404, "BILLING_KEY_NOT_FOUND"), (409, "BILLING_KEY_ALREADY_DELETED"), (409, "ALREADY_PAID"),
            (502, "PG_PROVIDER"),
        ] {
            let v2 = ScriptedGateway(.answer(status, #"{"type":"\#(type)"}"#))
            guard case .refused(let error) = try await V2.client(v2).charge(Self.charge()) else {
                Issue.record("V2's \(type) is no refusal")
                continue
            }
            #expect(error.gatewayType == type && v2.requests.count == 1)
        }
    }

    @Test func `the sandbox charges, declines and knows no deleted card`() async throws {
        try await GatewayUnderTest.run { gateway in
            let clients: [any ChargesBillingKeys] = [gateway.client(), try gateway.chargingV2()]
            for (number, client) in clients.enumerated() {
                for (card, status) in [("card", GatewayPayment.Status.paid), ("declined-card", .failed)] {
                    var charge = try Self.charge(Secret(card))
                    charge.order.merchantUID = try MerchantUID("order-\(card)-\(number)")
                    _ = try await client.charge(charge)
                    let attempts = try await client.payments(ofOrder: charge.order.merchantUID)
                    #expect(attempts.map(\.status) == [status], "\(client.name) \(card)")
                    #expect(attempts.first?.amount == 1000)
                }
                var charge = try Self.charge("deleted-card")
                charge.order.merchantUID = try MerchantUID("order-deleted-\(number)")
                guard case .refused = try await client.charge(charge) else {
                    Issue.record("\(client.name) charges a deleted card")
                    continue
                }
                #expect(try await client.payments(ofOrder: charge.order.merchantUID).isEmpty)
            }
        }
    }

    @Test(arguments: ["lose_answer", "truncate"]) func `an answer that is lost is a payment all the same`(
        kind: String
    ) async throws {
        try await GatewayUnderTest.run { gateway in
            let clients: [any ChargesBillingKeys] = [
                gateway.client(maxAttempts: 3), try gateway.chargingV2(),
            ]
            for (number, client) in clients.enumerated() {
                let path = number == 0 ? "/subscribe/payments/again" : "/payments/*/billing-key"
                try await gateway.fault(#""path": "\#(path)", "kind": "\#(kind)""#)
                var charge = try Self.charge()
                charge.order.merchantUID = try MerchantUID("order-lost-\(number)")
                let asked = charge
                let error = await #expect(throws: GatewayError.self) { try await client.charge(asked) }
                #expect(error?.mayHaveBeenCarriedOut == true)
                #expect(try await client.payments(ofOrder: charge.order.merchantUID).map(\.status) == [.paid])
            }
        }
    }
}

/// Never answers.
private final class SilentGateway: HTTPTransport {
    private let asked = Atomic(false)

    var isAsked: Bool { asked.load(ordering: .acquiring) }

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        asked.store(true, ordering: .releasing)
        await untilCancelled()
        throw TransportError(.cancelled, "the test is over")
    }
}

extension GatewayUnderTest {
    /// A client of V2.
    fileprivate func chargingV2() throws -> PortOneV2 {
        var limits = GatewayLimits.unreachable
        limits.callsPerSecond = nil
        return PortOneV2(
            configuration: PortOneV2Configuration(
                url: url, secret: "sandbox-v2-secret", storeID: "store-sandbox", limits: limits),
            transport: transport, timing: InstantTiming().timing)
    }
}
