import Foundation
import OutboundHTTP
import Testing

@testable import PGVerifier

@Suite(.timeLimit(.minutes(20))) struct PortOneV2Tests {
    @Test func `a payment is described as the contract's example has it`() async throws {
        let gateway = ScriptedGateway(.answer(200, V2.paid))
        let payment = try await V2.client(gateway).payment(for: V2.receipt)
        #expect(payment.gateway == "portone-v2")
        #expect(payment.paymentID == "01a07ab6-3bbe-f28f-9452-4e0baa5d1120")
        #expect(payment.merchantUID == "order-1" && payment.merchantPaymentID == "order-1")
        #expect(payment.status == .paid && payment.isTest == false)
        #expect(payment.amount == 1000 && payment.cancelledAmount == 0 && payment.currency == "KRW")
        #expect(payment.paidAt == Date(timeIntervalSince1970: 1_767_225_648))
        #expect(abs((payment.startedAt?.timeIntervalSince1970 ?? 0) - 1_767_225_600.366979621) < 0.000001)
        #expect(payment.payMethod == "PaymentMethodCard" && payment.pgProvider == "TOSSPAYMENTS")
        #expect(payment.pgTransactionID == "tx-1")
    }

    @Test func `the secret and the store are sent with every question, the id encoded`() async throws {
        let gateway = ScriptedGateway(.answer(200, V2.paid.replacing("order-1", with: "주문 1?&")))
        _ = try await V2.client(gateway).payment(for: .v2(paymentID: try PaymentID("주문 1?&")))
        #expect(gateway.requests[0].line == "GET /payments/%EC%A3%BC%EB%AC%B8%201%3F%26?storeId=store-1")
        #expect(gateway.requests[0].header("Authorization") == "PortOne the-secret")
        #expect(gateway.requests[0].header("Idempotency-Key") == nil)
    }

    @Test(arguments: [
        ("READY", GatewayPayment.Status.ready), ("PAY_PENDING", .ready), ("VIRTUAL_ACCOUNT_ISSUED", .ready),
        ("PAID", .paid), ("FAILED", .failed), ("PARTIAL_CANCELLED", .partiallyCancelled), ("CANCELLED", .cancelled),
        ("SOMETHING_NEW", .unknown("SOMETHING_NEW")),
    ])
    func `every status comes through, one of the future too`(word: String, status: GatewayPayment.Status) async throws {
        let body = V2.paid.replacing(#""status":"PAID""#, with: #""status":"\#(word)""#)
        #expect(try await ask(200, body).get().status == status)
    }

    @Test func `cancellations come with their own statuses`() async throws {
        let cancellations =
            #""cancellations":[{"status":"SUCCEEDED","id":"c1","totalAmount":300,"taxFreeAmount":0,"vatAmount":27,"#
            + #""reason":"why","requestedAt":"2026-01-02T00:00:00Z","cancelledAt":"2026-01-02T00:00:01.5Z"},"#
            + #"{"status":"REQUESTED","id":"c2","totalAmount":200,"reason":"","requestedAt":"x"},"#
            + #"{"status":"FAILED","id":"c3","totalAmount":1},{"status":"NEW","id":"c4","totalAmount":1}],"#
        let body = V2.paid.replacing(#""status":"PAID","#, with: #""status":"PARTIAL_CANCELLED","# + cancellations)
            .replacing(#""cancelled":0"#, with: #""cancelled":300"#)
        let payment = try await ask(200, body).get()
        #expect(payment.balance == 700)
        #expect(payment.cancellations.map(\.status) == [.succeeded, .requested, .failed, .unknown("NEW")])
        #expect(payment.cancellations[0].id == "c1" && payment.cancellations[0].amount == 300)
        #expect(payment.cancellations[0].cancelledAt == Date(timeIntervalSince1970: 1_767_312_001.5))
        #expect(payment.cancellations[1].reason == nil && payment.cancellations[1].requestedAt == nil)
    }

    @Test func `whatever isn't LIVE is a test, and a payment that took money must say`() async throws {
        for (type, isTest) in [("TEST", true), ("LIVE", false), ("NEW", true)] {
            let body = V2.paid.replacing("LIVE", with: type)
            #expect(try await ask(200, body).get().isTest == isTest)
        }
        let silent = V2.paid.replacing(#""type":"LIVE","#, with: "")
        #expect(await failure(200, silent)?.code == .unreadablePayment)
        let ready = silent.replacing("PAID", with: "READY")
        #expect(try await ask(200, ready).get().isTest == nil)
    }

    @Test(arguments: [
        (#""total":1000"#, #""total":1000.0"#), (#""total":1000"#, #""total":"1000""#),
        (#""total":1000"#, #""total":-1"#),
        (#""total":1000"#, #""total":9223372036854775808"#), (#""total":1000,"#, ""), (#","cancelled":0"#, ""),
        (#""currency":"KRW""#, #""currency":"won!""#), (#""id":"order-1","#, ""),
        (#""id":"order-1""#, #""id":"order-2""#),
        ("01a07ab6-3bbe-f28f-9452-4e0baa5d1120", ""), (#""storeId":"store-1""#, #""storeId":"store-2""#),
        (#""storeId":"store-1","#, ""), (#""version":"V2","#, ""), (#""version":"V2""#, #""version":"V3""#),
        (#""status":"PAID","#, ""),
    ])
    func `a payment whose identity, store or money can't be read is no answer`(old: String, new: String) async {
        let error = await failure(200, V2.paid.replacing(old, with: new))
        #expect([.malformedAnswer, .unreadablePayment].contains(error?.code))
        #expect(error?.isDefinite == false)
    }

    @Test func `an amount in an unknown currency is not read, and the currency is named`() async {
        let error = await failure(200, V2.paid.replacing("KRW", with: "ZZZ"))
        #expect(error?.code == .unreadablePayment && error?.message == "the payment's currency ZZZ is unknown")
        #expect(error?.isDefinite == false)
    }

    @Test func `a payment made through V1 isn't V2's to credit`() async {
        let error = await failure(200, V2.paid.replacing(#""version":"V2""#, with: #""version":"V1""#))
        #expect(error?.isNoSuchThing == true)
        #expect(verdict(after: error ?? GatewayError(.timeout, message: "")) == .refuse(.paymentNotFound))
    }

    @Test(arguments: [
        (404, #"{"type":"PAYMENT_NOT_FOUND"}"#, GatewayError.Code.notFound, true),
        (404, #"{"type":"WEBHOOK_NOT_FOUND","message":"x"}"#, .refused, false),
        (404, "<html>404</html>", .malformedAnswer, false), (404, #"{"message":"no route"}"#, .malformedAnswer, false),
        (400, #"{"type":"INVALID_REQUEST"}"#, .refused, false),
        (401, #"{"type":"UNAUTHORIZED"}"#, .unauthorized, false),
        (403, #"{"type":"FORBIDDEN"}"#, .unauthorized, false), (429, "", .rateLimited, false),
        (409, #"{"type":"IDEMPOTENCY_OUTSTANDING_REQUEST"}"#, .stillRunning, false),
        (409, #"{"type":"A_NEW_TYPE"}"#, .refused, false), (500, #"{"type":"PAYMENT_NOT_FOUND"}"#, .serverError, false),
        (502, #"{"type":"PG_PROVIDER","pgCode":"E1","pgMessage":"nope"}"#, .refused, false),
        (502, "", .serverError, false),
        (302, "", .redirect, false), (200, "[]", .malformedAnswer, false), (200, "<html>", .malformedAnswer, false),
        (200, #"{"status":"PAID""#, .malformedAnswer, false), (204, "", .malformedAnswer, false),
    ])
    func `an error is recognised by its type`(
        status: Int, body: String, code: GatewayError.Code, isDefinite: Bool
    ) async {
        let error = await failure(status, body)
        #expect(error?.code == code)
        #expect(error?.isDefinite == isDefinite)
    }

    @Test func `another gateway's receipt is a bug, not an answer`() async throws {
        let receipt = Receipt.v1(impUID: try ImpUID("imp_1"), merchantUID: try MerchantUID("o"))
        let error = await #expect(throws: GatewayError.self) {
            try await V2.client(ScriptedGateway(.fail(.timeout))).payment(for: receipt)
        }
        #expect(error?.code == .invalidRequest)
    }
}

@Suite(.timeLimit(.minutes(20))) struct PortOneV2OrderTests {
    private let order = OrderAmount(merchantUID: V2.order, amount: 1000, currency: "KRW")

    @Test func `an amount is registered under a key that the same amount has again`() async throws {
        let gateway = ScriptedGateway(.answer(500, ""), .answer(200, "{}"))
        try await V2.client(gateway).register(order)
        #expect(gateway.requests[0].line == "POST /payments/order-1/pre-register")
        #expect(gateway.requests[0].text == #"{"currency":"KRW","storeId":"store-1","totalAmount":1000}"#)
        let keys = gateway.requests.map { $0.header("Idempotency-Key") }
        #expect(keys.count == 2 && keys[0] == keys[1])
        #expect(keys[0]?.wholeMatch(of: /"register-[0-9a-f]{32}"/) != nil)
        var other = order
        other.amount = 1001
        try await V2.client(gateway).register(other)
        #expect(gateway.requests.last?.header("Idempotency-Key") != keys[0])
    }

    @Test func `an order that is paid already is definitely refused`() async throws {
        let gateway = ScriptedGateway(.answer(409, #"{"type":"ALREADY_PAID"}"#))
        let error = await #expect(throws: GatewayError.self) { try await V2.client(gateway).register(order) }
        #expect(error?.code == .refused && error?.isDefinite == true && error?.gatewayType == "ALREADY_PAID")
    }

    @Test func `an order has one payment or none`() async throws {
        let found = try await V2.client(ScriptedGateway(.answer(200, V2.paid))).payments(ofOrder: V2.order)
        #expect(found.map(\.merchantUID) == ["order-1"])
        let gateway = ScriptedGateway(.answer(404, #"{"type":"PAYMENT_NOT_FOUND"}"#))
        #expect(try await V2.client(gateway).payments(ofOrder: V2.order).isEmpty)
    }

    @Test func `a period is walked from cursor to cursor until nothing comes, without V1's payments`() async throws {
        func item(_ id: String, _ version: String = "V2") -> String {
            let payment = V2.paid.replacing("01a07ab6", with: id).replacing(#""V2""#, with: #""\#(version)""#)
            return #"{"payment":\#(payment),"cursor":"after-\#(id)"}"#
        }
        let gateway = ScriptedGateway(
            .answer(200, #"{"items":[\#(item("a")),\#(item("b", "V1"))]}"#),
            .answer(200, #"{"items":[\#(item("b", "V1")),\#(item("a")),\#(item("c"))]}"#),
            .answer(200, #"{"items":[]}"#))
        let period = Date(timeIntervalSince1970: 1_767_225_600)...Date(timeIntervalSince1970: 1_767_312_000.25)
        let payments = try await V2.client(gateway).payments(in: period).reduce(into: [GatewayPayment]()) {
            $0.append($1)
        }
        #expect(payments.map { $0.paymentID.prefix(1) } == ["a", "c"])
        let queries = gateway.requests.map { $0.line.removingPercentEncoding ?? "" }
        #expect(
            queries[0] == #"GET /payments-by-cursor?requestBody={"from":"2026-01-01T00:00:00.000Z","size":500,"#
                + #""storeId":"store-1","until":"2026-01-02T00:00:00.250Z"}"#)
        #expect(queries[1].contains(#"{"cursor":"after-b","#) && queries[2].contains(#"{"cursor":"after-c","#))
        #expect(queries.count == 3)
    }
}

@Suite(.timeLimit(.minutes(20))) struct PortOneV2EventTests {
    @Test func `what happened in a period is listed once each, cancellations as what they take back`() async throws {
        let gateway = ScriptedGateway(
            .answer(
                200,
                #"{"items":[\#(item("e1", "PAID", 1000)),\#(item("e2", "PARTIAL_CANCELLED", -300, cancellation))]}"#),
            .answer(200, #"{"items":[\#(item("e2", "PARTIAL_CANCELLED", -300)),\#(item("e3", "NEW", 0))]}"#),
            .answer(200, #"{"items":[]}"#))
        let period = Date(timeIntervalSince1970: 1_767_225_600)...Date(timeIntervalSince1970: 1_767_312_000)
        let events = try await V2.client(gateway).events(in: period).reduce(into: [PaymentEvent]()) { $0.append($1) }
        #expect(events.map(\.id) == ["e1", "e2", "e3"])
        #expect(events.map(\.kind) == [.paid, .partiallyCancelled, .unknown("NEW")])
        #expect(events.map(\.amount) == [1000, -300, 0])
        #expect(events[1].cancellation?.id == "c1" && events[0].cancellation == nil)
        #expect(events[0].merchantPaymentID == "order-1" && events[0].isTest == false)
        #expect(gateway.requests[0].line.hasPrefix("GET /payment-events-by-cursor?requestBody="))
    }

    @Test func `an event that can't be read is named, and ends the walk after all others`() async throws {
        let changes = [
            ("store-1", "store-2"), (#""eventAmount":1000"#, #""eventAmount":1.5"#), ("KRW", ""), ("KRW", "ZZZ"),
        ]
        for (old, new) in changes {
            let body = #"{"items":[\#(item("e1", "PAID", 1000).replacing(old, with: new))]}"#
            let walk = try V2.client(ScriptedGateway(.answer(200, body)))
                .events(in: Date(timeIntervalSince1970: 0)...Date(timeIntervalSince1970: 1))
            let error = await #expect(throws: GatewayError.self) { for try await _ in walk {} }
            #expect(error?.code == .unreadablePayment)
            let page = try await walk.page(at: nil)
            #expect(page.elements.isEmpty && page.unreadable.map(\.merchantUID) == ["order-1"])
        }
    }

    private let cancellation = #","cancellation":{"status":"SUCCEEDED","id":"c1","totalAmount":300}"#

    private func item(_ id: String, _ type: String, _ amount: Int, _ more: String = "") -> String {
        #"{"paymentEvent":{"type":"\#(type)","id":"\#(id)","paymentId":"order-1","transactionId":"t","#
            + #""storeId":"store-1","version":"V2","channel":{"type":"LIVE"},"currency":"KRW","totalAmount":{"total":1000},"#
            + #""createdAt":"2026-01-01T00:00:00Z","eventAmount":\#(amount)\#(more)},"cursor":"after-\#(id)"}"#
    }
}

/// What the tests of V2 share.
enum V2 {
    static let paid =
        #"{"status":"PAID","id":"order-1","transactionId":"01a07ab6-3bbe-f28f-9452-4e0baa5d1120","#
        + #""merchantId":"merchant-1","storeId":"store-1","method":{"type":"PaymentMethodCard"},"#
        + #""channel":{"type":"LIVE","pgProvider":"TOSSPAYMENTS","pgMerchantId":"mid-1"},"version":"V2","#
        + #""requestedAt":"2026-01-01T00:00:00.366979621Z","updatedAt":"2026-01-01T00:00:48.606557991Z","#
        + #""statusChangedAt":"2026-01-01T00:00:48Z","orderName":"100 coins","#
        + #""amount":{"total":1000,"taxFree":0,"vat":91,"supply":909,"discount":0,"paid":50000,"cancelled":0},"#
        + #""currency":"KRW","customer":{},"paidAt":"2026-01-01T00:00:48Z","pgTxId":"tx-1","disputes":[]}"#

    static var receipt: Receipt {
        get throws { .v2(paymentID: try PaymentID("order-1")) }
    }

    static let order: MerchantUID = {
        guard let order = try? MerchantUID("order-1") else { fatalError("a good merchant_uid") }
        return order
    }()

    static func client(
        _ gateway: any HTTPTransport, _ adjust: (inout GatewayLimits) -> Void = { _ in }
    ) throws -> PortOneV2 {
        var limits = GatewayLimits()
        adjust(&limits)
        return PortOneV2(
            configuration: PortOneV2Configuration(
                url: try HTTPURL("https://api.portone.io"), secret: "the-secret", storeID: "store-1", limits: limits),
            transport: gateway, timing: InstantTiming().timing)
    }
}

private func ask(_ status: Int, _ body: String) async -> Result<GatewayPayment, any Error> {
    do {
        return .success(try await V2.client(ScriptedGateway(.answer(status, body))).payment(for: V2.receipt))
    } catch {
        return .failure(error)
    }
}

private func failure(_ status: Int, _ body: String) async -> GatewayError? {
    guard case .failure(let error) = await ask(status, body) else { return nil }
    return error as? GatewayError
}
