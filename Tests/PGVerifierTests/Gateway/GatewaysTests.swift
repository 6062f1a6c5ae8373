import OutboundHTTP
import Synchronization
import Testing

@testable import PGVerifier

@Suite(.timeLimit(.minutes(20))) struct GatewaysTests {
    @Test func `a receipt's members and what is configured decide who is asked`() throws {
        let v1Receipt = Receipt.v1(impUID: try ImpUID("imp_1"), merchantUID: try MerchantUID("o"))
        let v2Receipt = try V2.receipt
        let v1 = PortOneV1(
            configuration: PortOneV1Configuration(
                url: try HTTPURL("https://api.iamport.kr"), key: "key", secret: "secret"),
            transport: ScriptedGateway(.fail(.timeout)), logger: .quiet)
        let v2 = try V2.client(ScriptedGateway(.fail(.timeout)))
        let both = Gateways([v1, v2])
        #expect(both.gateway(for: v1Receipt)?.name == "portone-v1")
        #expect(both.gateway(for: v2Receipt)?.name == "portone-v2")
        #expect(both.gateway(named: "portone-v1")?.name == "portone-v1")
        #expect(both.gateway(named: "paypal") == nil)
        #expect(both.all.map(\.name) == ["portone-v1", "portone-v2"])
        #expect(Gateways([v2]).gateway(for: v1Receipt) == nil)
        #expect(Gateways([v1]).gateway(for: v2Receipt) == nil)
        #expect(Gateways().all.isEmpty)
        #expect(Gateways.thatCharge == ["portone-v1", "portone-v2"])
        #expect(both.charger(named: "portone-v2")?.name == "portone-v2")
        #expect(Gateways([v1]).charger(named: "portone-v2") == nil)
    }

    @Test func `a recorded payment is asked for again by what is recorded`() throws {
        #expect(
            try Receipt(gateway: "portone-v1", paymentID: "imp_1", merchantUID: "o")
                == .v1(impUID: try ImpUID("imp_1"), merchantUID: try MerchantUID("o")))
        #expect(
            try Receipt(gateway: "portone-v2", paymentID: "tx", merchantUID: "o") == .v2(paymentID: try PaymentID("o")))
        #expect(try Receipt(gateway: "paypal", paymentID: "imp_1", merchantUID: "o") == nil)
        #expect(throws: MalformedIdentifier.self) {
            try Receipt(gateway: "portone-v1", paymentID: "../x", merchantUID: "o")
        }
    }
}
