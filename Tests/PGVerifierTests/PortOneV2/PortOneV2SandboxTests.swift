import FoundationEssentials
import Testing

@testable import PGVerifier

/// V2 against the stand-in, with curl in between.
@Suite(.timeLimit(.minutes(20))) struct PortOneV2SandboxTests {
    @Test func `a payment made at the gateway is described`() async throws {
        try await GatewayUnderTest.run { gateway in
            let receipt = try await gateway.payV2()
            let payment = try await gateway.v2().payment(for: receipt)
            #expect(payment.status == .paid && payment.amount == 1000 && payment.currency == "KRW")
            #expect(
                payment.isTest == false && payment.merchantUID == "order-1" && payment.merchantPaymentID == "order-1")
            #expect(payment.paidAt != nil && payment.startedAt != nil)
        }
    }

    @Test(arguments: [
        ("READY", GatewayPayment.Status.ready), ("PAY_PENDING", .ready), ("VIRTUAL_ACCOUNT_ISSUED", .ready),
        ("PAID", .paid), ("FAILED", .failed), ("CANCELLED", .cancelled),
    ])
    func `every status comes through`(word: String, status: GatewayPayment.Status) async throws {
        try await GatewayUnderTest.run { gateway in
            let receipt = try await gateway.payV2(#""amount": 1000, "status": "\#(word)""#)
            #expect(try await gateway.v2().payment(for: receipt).status == status)
        }
    }

    @Test func `minor units are read, but not of a currency that ISO 4217 does not have`() async throws {
        try await GatewayUnderTest.run { gateway in
            for (amount, currency, read) in [("14.2", "USD", 1420), ("1.0001", "CLF", 10_001), ("7", "VND", 7)] {
                let receipt = try await gateway.payV2(
                    #""amount": \#(amount), "currency": "\#(currency)""#, paymentID: "order-\(currency)")
                #expect(try await gateway.v2().payment(for: receipt).amount == Int64(read))
            }
            let unknown = try await gateway.payV2(#""amount": 14.2, "currency": "ZZZ""#)
            let error = await #expect(throws: GatewayError.self) { try await gateway.v2().payment(for: unknown) }
            #expect(error?.code == .unreadablePayment)
        }
    }

    @Test func `a test payment says so, V1's and other stores' aren't there`() async throws {
        try await GatewayUnderTest.run { gateway in
            let client = try gateway.v2()
            let test = try await gateway.payV2(#""amount": 1000, "sandbox": true"#)
            #expect(try await client.payment(for: test).isTest == true)
            let v1 = try await gateway.payV2(#""amount": 1000, "version": "V1""#, paymentID: "order-2")
            let stranger = Receipt.v2(paymentID: try PaymentID("nobody's"))
            for receipt in [v1, stranger] {
                let error = await #expect(throws: GatewayError.self) { try await client.payment(for: receipt) }
                #expect(error?.isNoSuchThing == true)
            }
            let other = await #expect(throws: GatewayError.self) {
                try await gateway.v2(storeID: "store-other").payment(for: test)
            }
            #expect(other?.isDefinite == false)
        }
    }

    @Test func `a payment is cancelled in parts, once for each key`() async throws {
        try await GatewayUnderTest.run { gateway in
            let client = try gateway.v2()
            let receipt = try await gateway.payV2()
            let first = try await client.cancel(.sample(of: receipt, 300, key: "first-cancellation"))
            #expect(try await client.cancel(.sample(of: receipt, 300, key: "first-cancellation")) == first)
            guard case .done(let cancellation) = first else { throw Unexpected() }
            #expect(cancellation.amount == 300)
            let wrong = try await client.cancel(.sample(of: receipt, 300, key: "second-cancellation"))
            guard case .refused(let refusal) = wrong else { throw Unexpected() }
            #expect(refusal.reason == .balanceChanged)
            _ = try await client.cancel(.sample(of: receipt, 700, left: 700, key: "third-cancellation"))
            let payment = try await client.payment(for: receipt)
            #expect(payment.status == .cancelled && payment.cancellations.map(\.amount) == [300, 700])
        }
    }

    @Test func `a cancellation whose answer is lost happens once and is recognised`() async throws {
        try await GatewayUnderTest.run { gateway in
            let client = try gateway.v2()
            let receipt = try await gateway.payV2()
            try await gateway.fault(#""kind": "lose_answer", "path": "/payments/*/cancel""#)
            guard case .done = try await client.cancel(.sample(of: receipt, 300)) else { throw Unexpected() }
            #expect(try await client.payment(for: receipt).cancelledAmount == 300)
        }
    }

    @Test func `what the payment company refuses and what it leaves pending have different results`() async throws {
        try await GatewayUnderTest.run { gateway in
            let client = try gateway.v2()
            let refused = try await gateway.payV2(#""amount": 1000, "cancel_outcome": "refused""#)
            guard case .refused(let refusal) = try await client.cancel(.sample(of: refused, 1000)) else {
                throw Unexpected()
            }
            #expect(refusal.reason == .refusedByGateway && refusal.gatewayCode == "PG_PROVIDER")
            let slow = try await gateway.payV2(
                #""amount": 1000, "cancel_outcome": "requested""#, paymentID: "order-2")
            let pending = try await client.cancel(.sample(of: slow, 1000, key: "slow-cancellation"))
            guard case .pending = pending else { throw Unexpected() }
            #expect(try await client.outcome(of: .sample(of: slow, 1000, key: "slow-cancellation")) == pending)
        }
    }

    @Test func `an order's amount is registered, and a paid one's isn't`() async throws {
        try await GatewayUnderTest.run { gateway in
            let client = try gateway.v2()
            try await client.register(OrderAmount(merchantUID: V2.order, amount: 1000, currency: "KRW"))
            _ = try await gateway.payV2()
            let error = await #expect(throws: GatewayError.self) {
                try await client.register(OrderAmount(merchantUID: V2.order, amount: 2000, currency: "KRW"))
            }
            #expect(error?.code == .refused && error?.isDefinite == true)
        }
    }

    @Test func `payments and events of a period are walked page by page`() async throws {
        try await GatewayUnderTest.run { gateway in
            let client = try gateway.v2 { $0.pageSize = 3 }
            var receipts: [Receipt] = []
            for number in 0..<7 { receipts.append(try await gateway.payV2(paymentID: "order-\(number)")) }
            _ = try await client.cancel(.sample(of: receipts[0], 300))
            let period = Date().addingTimeInterval(-3600)...Date().addingTimeInterval(3600)
            let payments = try await client.payments(in: period).reduce(into: [GatewayPayment]()) { $0.append($1) }
            #expect(Set(payments.map(\.merchantUID)) == Set((0..<7).map { "order-\($0)" }))
            #expect(payments.filter { $0.cancelledAmount == 300 }.count == 1)
            let events = try await client.events(in: period).reduce(into: [PaymentEvent]()) { $0.append($1) }
            #expect(events.count == 8)
            #expect(events.reduce(0) { $0 + $1.amount } == 7 * 1000 - 300)
        }
    }
}

private struct Unexpected: Error {}

extension GatewayUnderTest {
    fileprivate func v2(
        storeID: String = "store-sandbox", _ adjust: (inout GatewayLimits) -> Void = { _ in }
    ) throws -> PortOneV2 {
        var limits = GatewayLimits.unreachable
        limits.callsPerSecond = nil
        adjust(&limits)
        return PortOneV2(
            configuration: PortOneV2Configuration(
                url: url, secret: "sandbox-v2-secret", storeID: storeID, limits: limits),
            transport: transport, timing: InstantTiming().timing)
    }

    fileprivate func payV2(
        _ members: String = #""amount": 1000"#, paymentID: String = "order-1"
    ) async throws -> Receipt {
        _ = try await make(members, order: #""payment_id": "\#(paymentID)""#)
        return .v2(paymentID: try PaymentID(paymentID))
    }
}
