import Currencies
import TestSupport
import Testing
import WireFormats

@testable import PGVerifier

@Suite(.timeLimit(.minutes(20))) struct TaxFreeRestTests {
    @Test func `of any payment, cancelled in any parts by anybody, the parts add up and never exceed what is left`() {
        var random = SplitMix64(seed: Effort.seed)
        for _ in 0..<Effort.count(5_000, upTo: 100_000) {
            let total = Int64.random(in: 1...(Bool.random(using: &random) ? 30 : 1_000_000_000_000), using: &random)
            let taxFree = [0, total, Int64.random(in: 0...total, using: &random)].randomElement(using: &random) ?? 0
            var rest = TaxFreeRest(total: taxFree, balance: total, taxFree: taxFree)
            var cancelled: (amount: Int64, taxFree: Int64) = (0, 0)
            for step in 0..<12 where rest.balance > 0 {
                let most = step == 11 || Int.random(in: 0..<8, using: &random) == 0
                let amount = most ? rest.balance : Int64.random(in: 1...rest.balance, using: &random)
                let part = part(of: amount, rest, isOurs: Int.random(in: 0..<3, using: &random) > 0, &random)
                #expect(part >= 0 && part <= amount && part <= rest.taxFree, "\(rest) \(amount)")
                #expect(amount - part <= rest.balance - rest.taxFree, "\(rest) \(amount)")
                cancelled = (cancelled.amount + amount, cancelled.taxFree + part)
                rest = TaxFreeRest(
                    total: taxFree, balance: rest.balance - amount, taxFree: rest.taxFree - part)
            }
            #expect(cancelled.amount == total && cancelled.taxFree == taxFree)
        }
    }

    /// The part that we send, or one that the console can choose.
    private func part(of amount: Int64, _ rest: TaxFreeRest, isOurs: Bool, _ random: inout SplitMix64) -> Int64 {
        guard !isOurs else { return rest.part(of: amount) ?? 0 }
        let least = max(0, amount - (rest.balance - rest.taxFree))
        return Int64.random(in: least...min(amount, rest.taxFree), using: &random)
    }

    @Test(
        arguments: [
            (1000, 0, 300, nil), (1000, 1000, 300, 300), (1000, 300, 100, 30), (1000, 300, 33, 9),
            (1000, 1, 999, 0), (1000, 300, 1000, 300), (500, 0, 100, 0), (7, 3, 7, 3),
            // Of such a payment nothing can be cancelled; the gateway refuses the amount.
            (0, 0, 5, 0), (100, 30, 200, 30),
        ] as [(Int64, Int64, Int64, Int64?)])
    func `an amount takes its share of what is left, rounded down, and the last takes the rest`(
        balance: Int64, left: Int64, amount: Int64, part: Int64?
    ) {
        let total = part == nil ? 0 : max(left, 300)
        #expect(TaxFreeRest(total: total, balance: balance, taxFree: left).part(of: amount) == part)
    }

    @Test func `figures of any size and sign are cut to what can be true`() {
        let odd: [Int64] = [.min, -1, 0, 1, .max]
        for total in odd {
            for balance in odd {
                for taxFree in odd {
                    let rest = TaxFreeRest(total: total, balance: balance, taxFree: taxFree)
                    #expect((0...rest.balance).contains(rest.taxFree) && rest.taxFree <= rest.total)
                    for amount in odd {
                        guard let part = rest.part(of: amount) else { continue }
                        #expect((0...max(0, amount)).contains(part) && part <= rest.taxFree)
                    }
                }
            }
        }
    }

    @Test(
        arguments: [
            (#"{"total":1000,"taxFree":300,"cancelled":0,"cancelledTaxFree":0}"#, "", 1000, 300),
            (#"{"total":1000,"taxFree":300,"cancelled":400,"cancelledTaxFree":100}"#, "", 600, 200),
            (#"{"total":1000,"taxFree":300,"cancelled":400}"#, "", 600, 300),
            (
                #"{"total":1000,"taxFree":300,"cancelled":400,"cancelledTaxFree":100}"#,
                #","cancellations":[{"status":"REQUESTED","totalAmount":50,"taxFreeAmount":20},"#
                    + #"{"status":"SUCCEEDED","totalAmount":400,"taxFreeAmount":100},"#
                    + #"{"status":"FAILED","totalAmount":7,"taxFreeAmount":7}]"#,
                550, 180
            ),
        ] as [(String, String, Int64, Int64)])
    func `what is left is read from the gateway's payment`(
        amount: String, cancellations: String, balance: Int64, taxFree: Int64
    ) throws {
        let payment = try JSONParser.parse(Array(#"{"amount":\#(amount)\#(cancellations)}"#.utf8))
        let rest = TaxFreeRest(payment, in: try #require(Currency("KRW")))
        #expect(rest == TaxFreeRest(total: 300, balance: balance, taxFree: taxFree))
    }

    @Test(arguments: [
        "{}", #"{"total":1000,"cancelled":0}"#, #"{"total":1000,"taxFree":1001,"cancelled":0}"#,
        #"{"total":1000,"taxFree":-1,"cancelled":0}"#, #"{"total":1000,"taxFree":"1","cancelled":0}"#,
        #"{"total":9223372036854775807,"taxFree":1,"cancelled":0}"#,
    ])
    func `amounts that can't be used leave the part unknown`(amount: String) throws {
        let payment = try JSONParser.parse(Array(#"{"amount":\#(amount)}"#.utf8))
        #expect(TaxFreeRest(payment, in: try #require(Currency("KRW"))) == nil)
    }
}

/// What the gateways tell of a payment's tax-free part.
@Suite(.timeLimit(.minutes(20))) struct TaxFreePaymentTests {
    @Test func `V2 reports it for its own payments and V1's, and counts what the console cancelled`() async throws {
        try await GatewayUnderTest.run { gateway in
            let gateways = Gateways([gateway.client(), try gateway.v2()])
            let members = #""amount": 1000, "tax_free": 300"#
            _ = try await gateway.make(members, order: #""payment_id": "order-1""#)
            let receipts = [
                Receipt.v2(paymentID: try PaymentID("order-1")), try await gateway.pay(members, merchantUID: "order-2"),
            ]
            for receipt in receipts {
                let rest = try await gateways.taxFreeRest(of: receipt)
                #expect(rest == TaxFreeRest(total: 300, balance: 1000, taxFree: 300), "\(receipt)")
            }
            for order in ["order-1", "order-2"] {
                try await gateway.change(order, #"{"status": "cancelled", "cancel_amount": 500, "tax_free": 100}"#)
            }
            for receipt in receipts {
                let rest = try await gateways.taxFreeRest(of: receipt)
                #expect(rest == TaxFreeRest(total: 300, balance: 500, taxFree: 200), "\(receipt)")
            }
        }
    }

    @Test func `of another attempt, another store, an unknown payment and without V2 nothing is known`() async throws {
        try await GatewayUnderTest.run { gateway in
            let v1 = try await gateway.pay(#""amount": 1000, "tax_free": 300"#)
            let attempt = Receipt.v1(impUID: try ImpUID("imp_1"), merchantUID: try MerchantUID("order-1"))
            let both = Gateways([gateway.client(), try gateway.v2()])
            #expect(try await both.taxFreeRest(of: attempt) == nil)
            #expect(try await both.taxFreeRest(of: .v2(paymentID: try PaymentID("order-1"))) == nil)
            #expect(try await both.taxFreeRest(of: .v2(paymentID: try PaymentID("nobodys"))) == nil)
            #expect(try await Gateways([try gateway.v2(storeID: "store-x")]).taxFreeRest(of: v1) == nil)
            #expect(try await Gateways([try gateway.v2(secret: "wrong")]).taxFreeRest(of: v1) == nil)
            #expect(try await Gateways([gateway.client()]).taxFreeRest(of: v1) == nil)
        }
    }

    @Test func `a gateway that can't be asked leaves it open`() async throws {
        let gateways = Gateways([try V2.client(ScriptedGateway(.fail(.timeout)))])
        for receipt in [try V2.receipt, .v1(impUID: try ImpUID("imp_1"), merchantUID: V2.order)] {
            await #expect(throws: GatewayError.self) { try await gateways.taxFreeRest(of: receipt) }
        }
        let refusing = Gateways([try V2.client(ScriptedGateway(.answer(401, "")))])
        await #expect(throws: GatewayError.self) { try await refusing.taxFreeRest(of: V2.receipt) }
    }

    @Test func `V2 refuses parts that it does not have left, and the refusal is final and says so`() async throws {
        try await GatewayUnderTest.run { gateway in
            let client = try gateway.v2()
            _ = try await gateway.make(#""amount": 1000, "tax_free": 300"#, order: #""payment_id": "order-1""#)
            var request = CancellationRequest(
                receipt: try V2.receipt, amount: 800, currency: "KRW", believedBalance: 1000,
                key: try CancellationKey("first-cancellation"), reason: "because")
            for (part, code) in [
                (nil, "CANCEL_TAX_AMOUNT_EXCEEDS_CANCELLABLE_TAX_AMOUNT"),
                (301, "CANCEL_TAX_FREE_AMOUNT_EXCEEDS_CANCELLABLE_TAX_FREE_AMOUNT"),
            ] as [(Int64?, String)] {
                request.taxFree = part
                request.key = try CancellationKey("cancellation-\(part ?? 0)-of-800")
                guard case .refused(let refusal) = try await client.cancel(request) else {
                    Issue.record("\(code) was not refused")
                    return
                }
                #expect(refusal.reason == .taxPartsRefused && refusal.gatewayCode == code)
            }
            request.taxFree = 240
            request.key = try CancellationKey("third-cancellation")
            guard case .done = try await client.cancel(request) else {
                Issue.record("it was not cancelled")
                return
            }
        }
    }
}

extension GatewayUnderTest {
    fileprivate func v2(storeID: String = "store-sandbox", secret: Secret = "sandbox-v2-secret") throws -> PortOneV2 {
        PortOneV2(
            configuration: PortOneV2Configuration(
                url: url, secret: secret, storeID: storeID, limits: GatewayLimits(totalTimeout: Patience.hang)),
            transport: transport)
    }
}
