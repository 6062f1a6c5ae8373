import FoundationEssentials
import OutboundHTTP
import Testing

@testable import PGVerifier

@Suite(.timeLimit(.minutes(20))) struct PortOneV1OrderTests {
    @Test func `the amount of an order is registered, read and changed`() async throws {
        try await GatewayUnderTest.run { gateway in
            let client = gateway.client()
            let order = OrderAmount(merchantUID: try MerchantUID("주문 1"), amount: 1000, currency: "KRW")
            #expect(try await client.registered(order.merchantUID, currency: "KRW") == nil)
            try await client.register(order)
            try await client.register(order)
            #expect(try await client.registered(order.merchantUID, currency: "KRW") == order)
            var dearer = order
            dearer.amount = 5000
            let error = await #expect(throws: GatewayError.self) { try await client.register(dearer) }
            #expect(error?.code == .refused && error?.isDefinite == true)
            try await client.change(dearer)
            #expect(try await client.registered(order.merchantUID, currency: "KRW") == dearer)
        }
    }

    @Test func `changing what was never registered is refused`() async throws {
        try await GatewayUnderTest.run { gateway in
            let order = OrderAmount(merchantUID: try MerchantUID("order-1"), amount: 1000, currency: "KRW")
            let error = await #expect(throws: GatewayError.self) { try await gateway.client().change(order) }
            #expect(error?.isNoSuchThing == true)
        }
    }

    @Test func `a second registration that is refused although the amount is the same is none`() async throws {
        let registered = #"{"code":0,"message":null,"response":{"merchant_uid":"o","amount":14.2,"currency":"USD"}}"#
        let gateway = ScriptedGateway(
            .answer(200, #"{"code":1,"message":"again","response":null}"#), .answer(200, registered))
        try await client(gateway).register(
            OrderAmount(merchantUID: try MerchantUID("o"), amount: 1420, currency: "USD"))
        #expect(gateway.requests.map(\.line) == ["POST /payments/prepare", "GET /payments/prepare/o"])
        #expect(gateway.requests[0].text == #"{"amount":14.20,"currency":"USD","merchant_uid":"o"}"#)
    }

    @Test func `an order in an unknown currency is not registered, nor one read`() async throws {
        let order = OrderAmount(merchantUID: try MerchantUID("o"), amount: 1420, currency: "ZZZ")
        let silent = ScriptedGateway()
        let unsent = await #expect(throws: GatewayError.self) { try await client(silent).register(order) }
        #expect(unsent?.code == .invalidRequest && silent.requests.isEmpty)
        let registered = #"{"code":0,"message":null,"response":{"merchant_uid":"o","amount":14.2,"currency":"ZZZ"}}"#
        let gateway = ScriptedGateway(.answer(200, registered))
        let unread = await #expect(throws: GatewayError.self) {
            try await client(gateway).registered(order.merchantUID, currency: "USD")
        }
        #expect(unread?.code == .malformedAnswer)
    }

    @Test func `every attempt to pay an order is found, test payments too`() async throws {
        try await GatewayUnderTest.run { gateway in
            let client = gateway.client { $0.pageSize = 2 }
            let order = try MerchantUID("order 1")
            #expect(try await client.payments(ofOrder: order).isEmpty)
            #expect(try await client.payment(ofOrder: order) == nil)
            _ = try await gateway.pay(
                #""amount": 1, "status": "failed", "sandbox": true"#, merchantUID: order.text)
            for status in ["failed", "failed", "ready", "failed", "paid"] {
                _ = try await gateway.pay(#""amount": 1000, "status": "\#(status)""#, merchantUID: order.text)
            }
            let attempts = try await client.payments(ofOrder: order)
            #expect(attempts.count == 6)
            #expect(attempts.filter { $0.isTest == true }.count == 1)
            #expect(try await client.payment(ofOrder: order, status: .paid)?.status == .paid)
            #expect(try await client.payment(ofOrder: order, status: .cancelled) == nil)
        }
    }
}

@Suite(.timeLimit(.minutes(20))) struct PortOneV1ListingTests {
    @Test func `every payment of a period is listed once, with its cancellations`() async throws {
        try await GatewayUnderTest.run { gateway in
            for number in 0..<7 {
                _ = try await gateway.pay(
                    #""amount": 1000, "paid_at": \#(1_700_000_000 + number), "started_at": \#(1_700_000_000 + number)"#,
                    merchantUID: "order-\(number)")
            }
            let client = gateway.client { $0.pageSize = 3 }
            let first = try await list(client.payments(in: time(0)...time(6)))
            #expect(first.map(\.merchantUID) == (0..<7).map { "order-\($0)" })
            #expect(try await list(client.payments(in: time(1)...time(2))).count == 2)
            #expect(try await list(client.payments(.paid, in: time(0)...time(6))).count == 7)
            #expect(try await list(client.payments(.failed, in: time(0)...time(6))).isEmpty)
            let receipt = try #require(
                try Receipt(gateway: PortOneV1.name, paymentID: first[0].paymentID, merchantUID: first[0].merchantUID))
            _ = try await client.cancel(
                CancellationRequest(
                    receipt: receipt, amount: 400, currency: "KRW", believedBalance: 1000,
                    key: try CancellationKey("cancel-in-the-list"), reason: "test"))
            #expect(try await list(client.payments(.paid, in: time(0)...time(6))).count == 6)
            let moved = try await list(client.payments(.cancelled, in: time(0)...Date().addingTimeInterval(60)))
            #expect(moved.map(\.cancelledAmount) == [400])
            #expect(moved[0].cancellations.map(\.amount) == [400])
        }
    }

    @Test func `a long period is walked in windows that touch and don't overlap`() {
        let day: Int64 = 86_400
        let year = PortOneV1.windows(of: time(0)...time(365 * Double(day)))
        #expect(year.count == 5)
        #expect(year.compactMap(\.self).allSatisfy { $0.upperBound - $0.lowerBound <= 90 * day })
        for (window, next) in zip(year, year.dropFirst()) { #expect(window?.upperBound == (next?.lowerBound ?? 0) - 1) }
        #expect(year.last??.upperBound == 1_700_000_000 + 365 * day)
        #expect(PortOneV1.windows(of: time(0)...time(0)) == [1_700_000_000...1_700_000_000])
        #expect(PortOneV1.windows(of: time(0)...time(90 * Double(day))).count == 1)
        #expect(PortOneV1.windows(of: time(0)...time(90 * Double(day) + 1)).count == 2)
    }

    @Test func `a payment that leaves its list hides none of those behind it`() async throws {
        try await GatewayUnderTest.run { gateway in
            for number in 0..<9 {
                _ = try await gateway.pay(
                    #""amount": 1000, "paid_at": \#(1_700_000_000 + number), "started_at": \#(1_700_000_000 + number)"#,
                    merchantUID: "order-\(number)")
            }
            let client = gateway.client { $0.pageSize = 2 }
            let walk = client.payments(.paid, in: time(0)...time(20))
            var reported: Set<String> = []
            var place: String?
            var pages = 0
            repeat {
                let page = try await walk.page(at: place)
                reported.formUnion(page.elements.map(\.merchantUID))
                pages += 1
                // Two of the listed payments are cancelled: all others move forward by a page.
                if pages == 2 {
                    for payment in try await list(client.payments(.paid, in: time(0)...time(1))) {
                        let receipt = try #require(
                            try Receipt(
                                gateway: PortOneV1.name, paymentID: payment.paymentID, merchantUID: payment.merchantUID)
                        )
                        _ = try await client.cancel(
                            CancellationRequest(
                                receipt: receipt, amount: 1000, currency: "KRW", believedBalance: 1000,
                                key: try CancellationKey("cancel-in-the-walk-\(payment.merchantUID)"), reason: "test"))
                    }
                }
                place = page.next
            } while place != nil
            #expect(reported == Set((0..<9).map { "order-\($0)" }))
            #expect(pages == 6, "each page once, and one again")
        }
    }

    @Test func `a walk goes on at a place that was kept`() async throws {
        try await GatewayUnderTest.run { gateway in
            for number in 0..<7 {
                _ = try await gateway.pay(
                    #""amount": 1000, "paid_at": \#(1_700_000_000 + number), "started_at": \#(1_700_000_000 + number)"#,
                    merchantUID: "order-\(number)")
            }
            let first = try await gateway.client { $0.pageSize = 3 }.payments(in: time(0)...time(6)).page(at: nil)
            #expect(first.elements.map(\.merchantUID) == ["order-0", "order-1", "order-2"])
            #expect(first.total == 7)
            let rest = gateway.client { $0.pageSize = 3 }.payments(in: time(0)...time(6))
            let second = try await rest.page(at: first.next)
            #expect(second.elements.map(\.merchantUID) == ["order-3", "order-4", "order-5"])
            let third = try await rest.page(at: second.next)
            #expect(third.elements.map(\.merchantUID) == ["order-6"])
            #expect(third.next == nil)
        }
    }

    @Test func `a payment that moves to a later page is listed once, and the walk turns at a page past the end`()
        async throws
    {
        let gateway = ScriptedGateway(
            .answer(200, page(["imp_1", "imp_2"], next: 2)), .answer(200, page(["imp_2", "imp_3"], next: 3)),
            .answer(400, #"{"code":-1,"message":"no page","response":null}"#),
            .answer(200, page(["imp_3", "imp_4"], next: 0)))
        let payments = try await list(client(gateway).payments(in: time(0)...time(60)))
        #expect(payments.map(\.paymentID) == ["imp_1", "imp_2", "imp_3", "imp_4"])
        #expect(
            gateway.requests.map(\.line)
                == [1, 2, 3, 2].map {
                    "GET /payments/status/all?page=\($0)&limit=500&sorting=started&from=1700000000&to=1700000060"
                })
    }

    @Test func `a page that can't be had ends the walk with its error`() async throws {
        for (step, code) in [
            (
                ScriptedGateway.Step.answer(400, #"{"code":-1,"message":"bad","response":null}"#),
                GatewayError.Code.refused
            ),
            (.answer(500, ""), .serverError),
            (.answer(200, page(["imp_1"], next: 0).replacing("1000", with: "1.5")), .unreadablePayment),
        ] {
            let walk = try client(ScriptedGateway(step)).payments(in: time(0)...time(60))
            let error = await #expect(throws: GatewayError.self) { _ = try await list(walk) }
            #expect(error?.code == code)
        }
    }
}

extension PortOneV1ListingTests {
    @Test func `a payment that can't be read is named, and all others are listed`() async throws {
        let spoilt = page(["imp_1", "imp_2"], next: 0)
            .replacing(#""imp_uid":"imp_1","merchant_uid":"o","status":"paid","amount":1000"#, with: spoiltMembers)
        let walk = try client(ScriptedGateway(.answer(200, spoilt))).payments(in: time(0)...time(60))
        let page = try await walk.page(at: nil)
        #expect(page.elements.map(\.paymentID) == ["imp_2"])
        #expect(page.unreadable.map(\.paymentID) == ["imp_1"] && page.unreadable.map(\.merchantUID) == ["o"])
        #expect(page.unreadable.first?.error.message == "the payment's amount can't be used")

        // A walk that does not look at pages lists all others, and then throws because that was not all.
        var reported: [String] = []
        let error = await #expect(throws: GatewayError.self) {
            for try await payment in walk { reported.append(payment.paymentID) }
        }
        #expect(reported == ["imp_2"] && error?.code == .unreadablePayment)
    }
}

private let spoiltMembers = #""imp_uid":"imp_1","merchant_uid":"o","status":"paid","amount":1.5"#

private func list(_ walk: PaymentWalk) async throws -> [GatewayPayment] {
    try await walk.reduce(into: []) { $0.append($1) }
}

private func time(_ seconds: Double) -> Date { Date(timeIntervalSince1970: 1_700_000_000 + seconds) }

private func page(_ impUIDs: [String], next: Int) -> String {
    let list = impUIDs.map {
        #"{"imp_uid":"\#($0)","merchant_uid":"o","status":"paid","amount":1000,"currency":"KRW"}"#
    }
    return #"{"code":0,"message":null,"response":{"total":3,"previous":0,"next":\#(next),"list":["#
        + list.joined(separator: ",") + "]}}"
}

private func client(_ gateway: ScriptedGateway) throws -> PortOneV1 {
    PortOneV1(
        configuration: PortOneV1Configuration(
            url: try HTTPURL("https://api.iamport.kr"), key: "key", secret: "secret"),
        transport: gateway, logger: .quiet, timing: InstantTiming().timing)
}
