import Synchronization
import Testing

@testable import PGVerifier

@Suite struct GatewaysTests {
    @Test func `a receipt's members and what is configured decide who is asked`() throws {
        let v1Receipt = Receipt.v1(impUID: try ImpUID("imp_1"), merchantUID: try MerchantUID("o"))
        let v2Receipt = try V2.receipt
        let v1 = PortOneV1(
            configuration: PortOneV1Configuration(
                url: try HTTPURL("https://api.iamport.kr"), key: "key", secret: "secret"),
            transport: ScriptedGateway(.fail(.timeout)), logger: .quiet)
        let v2 = try V2.client(ScriptedGateway(.fail(.timeout)))
        let both = Gateways(v1: v1, v2: v2)
        #expect(both.gateway(for: v1Receipt)?.name == "portone-v1")
        #expect(both.gateway(for: v2Receipt)?.name == "portone-v2")
        #expect(both.gateway(named: "portone-v1")?.name == "portone-v1")
        #expect(both.gateway(named: "paypal") == nil)
        #expect(both.all.map(\.name) == ["portone-v1", "portone-v2"])
        #expect(Gateways(v2: v2).gateway(for: v1Receipt) == nil)
        #expect(Gateways(v1: v1).gateway(for: v2Receipt) == nil)
        #expect(Gateways().all.isEmpty)
    }

    @Test func `a recorded payment is asked for again by what is recorded`() throws {
        #expect(
            try Receipt(gateway: "portone-v1", impUID: "imp_1", merchantUID: "o")
                == .v1(impUID: try ImpUID("imp_1"), merchantUID: try MerchantUID("o")))
        #expect(
            try Receipt(gateway: "portone-v2", impUID: "tx", merchantUID: "o") == .v2(paymentID: try PaymentID("o")))
        #expect(try Receipt(gateway: "paypal", impUID: "imp_1", merchantUID: "o") == nil)
        #expect(throws: MalformedIdentifier.self) {
            try Receipt(gateway: "portone-v1", impUID: "../x", merchantUID: "o")
        }
    }
}

@Suite struct SharedLookupsTests {
    @Test func `who asks for the same at the same time shares the answer, and nothing is remembered`() async throws {
        let gateway = SlowGateway()
        let shared = SharedLookups(of: gateway)
        let receipt = try V2.receipt
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 { group.addTask { _ = try await shared.payment(for: receipt) } }
            while gateway.questions == 0 { await Task.yield() }
            try await Task.sleep(for: .milliseconds(20))
            gateway.release()
            try await group.waitForAll()
        }
        #expect(gateway.questions == 1)
        _ = try await shared.payment(for: receipt)
        #expect(gateway.questions == 2)
    }

    @Test func `a caller that is cancelled leaves at once, and the others get their answer`() async throws {
        let gateway = SlowGateway()
        let shared = SharedLookups(of: gateway)
        let receipt = try V2.receipt
        let impatient = Task { try await shared.payment(for: receipt) }
        while gateway.questions == 0 { await Task.yield() }
        let patient = Task { try await shared.payment(for: receipt) }
        impatient.cancel()
        let error = await #expect(throws: GatewayError.self) { try await impatient.value }
        #expect(error?.code == .cancelled)
        gateway.release()
        #expect(try await patient.value.amount == 1000)
    }
}

/// Answers when it is released.
private final class SlowGateway: PaymentGateway {
    let name = "slow"
    private let asked = Mutex(0)
    private let held: AsyncStream<Void>
    private let gate: AsyncStream<Void>.Continuation

    init() {
        (held, gate) = AsyncStream.makeStream()
    }

    var questions: Int { asked.withLock { $0 } }

    func release() { gate.finish() }

    func payment(for receipt: Receipt) async throws(GatewayError) -> GatewayPayment {
        asked.withLock { $0 += 1 }
        for await _ in held {}
        return GatewayPayment(
            gateway: name, impUID: "t", merchantUID: "o", status: .paid, amount: 1000, currency: "KRW")
    }
}
