import OutboundHTTP
import TestSupport
import Testing

/// Refunds of payments that have a part without VAT.
@Suite(.serialized, .timeLimit(.minutes(20))) struct TaxFreeRefundTests {
    @Test(arguments: Version.allCases)
    func `a mixed payment is refunded in parts with their shares, and what the console cancelled counts`(
        _ version: Version
    ) async throws {
        try await House.openNotified { house, gateway, service in
            let (payment, id) = try await gateway.sell(5000, taxFree: 1501, version, to: service)
            func refund(_ members: String, _ key: String) async throws -> JSON {
                let answer = try await service.refund(id, members, key: key)
                #expect(answer.status == 201, "\(answer)")
                return answer.json["refund"]["tax_free_amount"]
            }
            // 330 of 5,000 with 1,501: 99.07.
            #expect(try await refund(#", "coins": 33"#, "first") == 99)
            try await gateway.drive(
                .patch, "/sandbox/payments/\(payment.impUID)",
                #"{"status": "cancelled", "cancel_amount": 1000, "tax_free": 700}"#)
            try await eventually("the console's part is booked") { try await house.books.refunded == 1330 }
            // 1,000 of 3,670 with 702: 191.28.
            #expect(try await refund(#", "coins": 100"#, "second") == 191)
            #expect(try await refund("", "rest") == 511)
            let parts = try await gateway.cancellations(payment).map { $0["tax_free"] }
            #expect(parts == [99, 700, 191, 511])
            #expect(try await house.books.count("SELECT sum(tax_free)::int8 FROM refund") == 801)
            try await house.expectAgreement(with: gateway, on: payment)
        }
    }

    @Test func `wholly tax-free, wholly taxable and old purchases are refunded in parts`() async throws {
        try await House.with { house in
            let gateway = try await house.startGateway()
            let service = try await house.serve(at: gateway, Hooks.v2Settings(at: gateway))
            for version in Version.allCases {
                await house.check("wholly tax-free, \(version)") {
                    let kcp = #", "pg_provider": "kcp""#
                    let (payment, id) = try await gateway.sell(1000, taxFree: 1000, version, kcp, to: service)
                    for (coins, part) in [(33, 330), (67, 670)] as [(Int, Int64)] {
                        let answer = try await service.refund(id, #", "coins": \#(coins)"#, key: "\(version)-\(coins)")
                        #expect(answer.status == 201, "\(answer)")
                        #expect(answer.json["refund"]["tax_free_amount"] == .integer(part), "\(answer)")
                    }
                    try await house.expectAgreement(with: gateway, on: payment)
                }
                await house.check("wholly taxable, \(version)") {
                    let (payment, id) = try await gateway.sell(1000, taxFree: 0, version, to: service)
                    let answer = try await service.refund(id, #", "coins": 33"#, key: "\(version)-taxable")
                    #expect(answer.status == 201 && answer.json["refund"]["tax_free_amount"] == .null, "\(answer)")
                    let asked = try await gateway.requests(version, payment)
                    #expect(asked.count == 1 && asked.allSatisfy { $0["tax_free"] == .null }, "\(asked)")
                    #expect(asked.allSatisfy { $0["taxFreeAmount"] == .null }, "\(asked)")
                    try await house.expectAgreement(with: gateway, on: payment)
                }
            }
            await house.check("credited before the books kept the part") {
                let (payment, id) = try await gateway.sell(1000, taxFree: 300, .v2, to: service)
                try await house.books.execute("UPDATE purchase SET tax_free = NULL WHERE id = \(id)")
                let answer = try await service.refund(id, #", "coins": 50"#, key: "old")
                #expect(answer.status == 201 && answer.json["refund"]["tax_free_amount"] == 150, "\(answer)")
                try await house.expectAgreement(with: gateway, on: payment)
            }
        }
    }

    @Test func `a refusal because of the tax-free part is final at once and says so`() async throws {
        try await House.with { house in
            let gateway = try await house.startGateway()
            let service = try await house.serve(at: gateway, Hooks.v2Settings(at: gateway))
            let (payment, id) = try await gateway.sell(1000, taxFree: 0, .v2, to: service)
            // The books believe what the gateway does not know.
            try await house.books.execute("UPDATE purchase SET tax_free = amount WHERE id = \(id)")
            let refused = try await service.refund(id, #", "coins": 40"#)
            #expect(refused.status == 422 && refused.code == "refund_refused", "\(refused)")
            #expect(refused.json["reason"] == "tax_parts_refused", "\(refused)")
            let code = "CANCEL_TAX_FREE_AMOUNT_EXCEEDS_CANCELLABLE_TAX_FREE_AMOUNT"
            #expect(refused.json["gateway_code"].text == code, "\(refused)")
            #expect(try await service.coins() == 100)
            #expect(try await gateway.requests(.v2, payment).count == 1)
            try await house.expectAgreement(with: gateway, on: payment)
        }
    }

    @Test(arguments: Version.allCases)
    func `a successor asks for the same parts as the killed process`(_ version: Version) async throws {
        try await House.with { house in
            let gateway = try await house.startGateway()
            let settings = Hooks.v2Settings(at: gateway)
            let service = try await house.serveProcess(at: gateway, settings)
            let (payment, id) = try await gateway.sell(1000, taxFree: 333, version, to: service)
            let path = version == .v1 ? "/payments/cancel" : "/payments/*/cancel"
            try await gateway.fail(#"{"kind": "reset", "path": "\#(path)", "times": 1000}"#)
            let request = Task { try? await service.refund(id, #", "coins": 40"#) }
            try await eventually("the gateway is asked") { try await !gateway.requests(version, payment).isEmpty }
            try await house.kill(service.process)
            _ = await request.value
            let before = try await gateway.requests(version, payment).count
            #expect(try await house.books.texts("SELECT tax_free::text FROM refund") == ["133"])
            try await gateway.fail(#"{"kind": "reset", "path": "\#(path)", "times": 0}"#)

            let successor = try await house.serve(at: gateway, settings)
            try await house.waitUntilDecided()
            let answer = try await successor.refund(id, #", "coins": 40"#)
            #expect(answer.status == 201 && answer.json["refund"]["tax_free_amount"] == 133, "\(answer)")
            let asked = try await gateway.requests(version, payment)
            #expect(asked.count > before && asked.allSatisfy { $0 == asked[0] }, "\(asked)")
            #expect(try await gateway.cancellations(payment).map { $0["tax_free"] } == [133])
            try await house.expectAgreement(with: gateway, on: payment)
        }
    }

    @Test func `while the gateway can't report the part of a mixed payment, nothing is cancelled`() async throws {
        try await House.with { house in
            let gateway = try await house.startGateway()
            let service = try await house.serve(at: gateway, Hooks.v2Settings(at: gateway))
            let (payment, id) = try await gateway.sell(1000, taxFree: 300, .v2, to: service)
            let look = #""path": "/payments/\#(payment.merchantUID)", "method": "GET""#
            try await gateway.fail(#"{"kind": "status", "status": 500, \#(look), "times": 1000}"#)
            let waiting = try await service.refund(id, #", "coins": 50"#)
            #expect(waiting.status == 202, "\(waiting)")
            #expect(try await gateway.requests(.v2, payment).isEmpty)
            try await gateway.fail(#"{"path": "*", "times": 0}"#)
            try await house.waitUntilDecided()
            let answer = try await service.refund(id, #", "coins": 50"#)
            #expect(answer.status == 201 && answer.json["refund"]["tax_free_amount"] == 150, "\(answer)")
            try await house.expectAgreement(with: gateway, on: payment)
        }
    }
}

extension Gateway {
    /// Takes a payment with a tax-free part, and has it credited.
    fileprivate func sell(
        _ amount: Int, taxFree: Int, _ version: Version, _ members: String = "", to service: Service
    ) async throws -> (payment: Payment, purchase: Int64) {
        let payment = try await pay(
            "\(amount)", #", "tax_free": \#(taxFree), "version": "\#(version.rawValue)""# + members)
        let answer = try await service.present(payment, at: version)
        return (payment, try #require(answer.purchase["id"].integer, "\(answer)"))
    }

    /// The bodies of the requests to cancel a payment.
    fileprivate func requests(_ version: Version, _ payment: Payment) async throws -> [JSON] {
        let path = version == .v1 ? "/payments/cancel" : "/payments/\(payment.merchantUID)/cancel"
        return try await journal(path).filter { $0.names(payment) }.map { $0["body"] }
    }
}
