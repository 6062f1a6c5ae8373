import OutboundHTTP
import TestSupport
import Testing

/// A gateway says no to a cancellation, and carries it out all the same.
@Suite(.serialized, .timeLimit(.minutes(20))) struct RefusedAndCarriedOutTests {
    @Test(arguments: Version.allCases)
    func `a cancellation carried out after its refusal completes the refund`(_ version: Version) async throws {
        try await Self.open(version) { stage in
            try await stage.gateway.carryOut(stage.payment, of: try await stage.refundID)
            try await stage.house.waitUntilDecided()
            try await stage.expectCompleted()
            let cancels = try await stage.gateway.journal(stage.cancelPath)
            #expect(cancels.count == 1, "it is looked at, not asked for again")
        }
    }

    @Test func `a refused cancellation is not repeated if the payment can't be read afterwards`() async throws {
        try await Self.open(.v1) { stage in
            try await stage.gateway.fail(
                #"{"path": "/payments/\#(stage.payment.impUID)", "kind": "status", "status": 500, "times": 9}"#)
            try await stage.house.books.makeRefundsDue()
            try await eventually("the payment was not to be read") {
                try await stage.house.books.count("SELECT attempts FROM refund") > 0
            }
            try await stage.house.waitUntilDecided()
            #expect(try await stage.house.books.refunds == ["refused"])
            #expect(try await stage.gateway.journal(stage.cancelPath).count == 1)
        }
    }

    @Test(arguments: Version.allCases)
    func `a cancellation carried out after the coins were released completes the refund`(
        _ version: Version
    ) async throws {
        try await Self.open(version) { stage in
            try await stage.house.waitUntilDecided()
            #expect(try await stage.house.books.refunds == ["refused"])
            try await stage.gateway.carryOut(stage.payment, of: try await stage.refundID)
            try await eventually("the refund is completed") {
                try await stage.house.books.makeAllDue()
                return try await stage.house.books.refunds == ["completed"]
            }
            try await stage.expectCompleted()
        }
    }

    @Test func `released coins that are spent are clawed back`() async throws {
        try await Self.open(.v1) { stage in
            try await stage.house.waitUntilDecided()
            let spent = try await stage.service.post("/v1/users/ann/spends", #"{"coins": 100}"#, key: "s")
            #expect(spent.status == 201, "\(spent)")
            try await stage.gateway.carryOut(stage.payment, of: try await stage.refundID)
            try await eventually("it is clawed back") {
                try await stage.house.books.makeAllDue()
                return try await stage.house.books.refunded == 360
            }
            #expect(try await stage.house.books.refunds == ["refused"])
            try await stage.house.expectAgreement(with: stage.gateway, on: stage.payment)
        }
    }

    /// A purchase of 100 coins, of which 40 are given back for 400 less a fee of 40, which the gateway refuses.
    private struct Stage {
        let house: House
        let gateway: Gateway
        let service: Service
        let payment: Payment
        let version: Version

        var refundID: Int64 { get async throws { try await house.books.count("SELECT id FROM refund") } }

        var cancelPath: String {
            version == .v1 ? "/payments/cancel" : "/payments/\(payment.merchantUID)/cancel"
        }

        func expectCompleted() async throws {
            #expect(try await house.books.refunds == ["completed"])
            #expect(try await house.books.texts("SELECT DISTINCT kind FROM journal_entry").contains("refund"))
            #expect(try await house.books.count("SELECT count(*) FROM journal_entry WHERE kind = 'claw_back'") == 0)
            #expect(try await service.coins() == 60, "the fee's coins go too")
            try await house.expectAgreement(with: gateway, on: payment)
        }
    }

    private static func open(_ version: Version, _ body: (Stage) async throws -> Void) async throws {
        try await House.openNotified(["LEDGERD_REFUND_FEE_PERCENT": "10"]) { house, gateway, service in
            let payment = try await gateway.pay("1000", #", "version": "\#(version.rawValue)""#)
            let answer =
                version == .v1
                ? try await service.present(payment) : try await service.present(paymentID: payment.merchantUID)
            let id = try #require(answer.purchase["id"].integer, "\(answer)")
            let stage = Stage(house: house, gateway: gateway, service: service, payment: payment, version: version)
            try await gateway.fail(#"{"path": "\#(stage.cancelPath)", "kind": "refusal", "times": 1}"#)
            let refund = try await service.refund(id, #", "coins": 40"#)
            #expect(refund.status == 202 && refund.json["refund"]["status"] == "pending", "\(refund)")
            try await body(stage)
        }
    }
}

extension Gateway {
    /// Carries a cancellation out that was refused 14 s ago, under the refund's key, as the API would have.
    fileprivate func carryOut(_ payment: Payment, of refund: Int64) async throws {
        try await drive(.put, "/sandbox/clock", #"{"advance_seconds": 14}"#)
        let digits = String(refund)
        let key = "refund-" + String(repeating: "0", count: 16 - digits.count) + digits
        try await drive(
            .patch, "/sandbox/payments/\(payment.impUID)",
            #"{"status": "cancelled", "cancel_amount": 360, "reason": "[\#(key)] changed her mind"}"#)
    }
}
