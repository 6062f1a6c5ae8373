import EndToEndSupport
import Foundation
import Ledger
import LedgerTestSupport
import Testing

/// Payments of which the gateway and the books say different things, and others that only look odd.
struct Discrepancies: Sendable {
    /// What is to be found: the kind, by gateway and id.
    private(set) var kinds: [String: ReconciliationKind] = [:]
    /// What is left of it after healing.
    private(set) var left: [String: ReconciliationKind] = [:]
    /// How many payments match besides, or wait.
    private(set) var matched: Int64 = 0
    private(set) var waiting: Int64 = 0

    static func name(_ payment: PaymentIdentity) -> String { "\(payment.gateway) \(payment.paymentID)" }

    /// Plants a hundred discrepancies of an API, of every kind, and as many payments that are as they should be.
    mutating func plant(_ version: String, in town: Town) async throws {
        let many = { (name: String, count: Int) in (1...count).map { "\(name)-\($0)" } }

        try await town.pay(version, "unclaimed", count: 20)
        expect(.paidNotCredited, version, many("unclaimed", 20), isLeft: true)
        try await town.pay(version, "presented", count: 15)
        for name in many("presented", 15) { try await town.keepReceipt(version, name) }
        expect(.paidNotCredited, version, many("presented", 15), isLeft: false)
        try await town.pay(version, "half", count: 5, #", "status": "PARTIAL_CANCELLED", "cancel_amount": 400"#)
        expect(.paidNotCredited, version, many("half", 5), isLeft: true)

        try await town.credit(version, many("unknown", 10))
        expect(.creditedNotPaid, version, many("unknown", 10), isLeft: true)
        try await town.pay(version, "failed", count: 5, #", "status": "FAILED""#)
        try await town.credit(version, many("failed", 5))
        expect(.creditedNotPaid, version, many("failed", 5), isLeft: true)

        try await town.pay(version, "dearer", count: 10, amount: 1100)
        try await town.credit(version, many("dearer", 10))
        expect(.amountDiffers, version, many("dearer", 10), isLeft: true)

        try await town.pay(version, "cancelled", count: 15, #", "status": "CANCELLED""#)
        try await town.credit(version, many("cancelled", 15))
        expect(.cancelledNotClawedBack, version, many("cancelled", 15), isLeft: false)
        try await town.pay(version, "partly", count: 10, #", "status": "PARTIAL_CANCELLED", "cancel_amount": 300"#)
        try await town.credit(version, many("partly", 10))
        expect(.cancelledNotClawedBack, version, many("partly", 10), isLeft: false)

        try await town.pay(version, "refunded", count: 10)
        try await town.credit(version, many("refunded", 10))
        for name in many("refunded", 10) { try await town.clawBack(version, name, 1000) }
        expect(.refundedNotCancelled, version, many("refunded", 10), isLeft: true)

        try await town.pay(version, "beyond", count: 5, #", "status": "PARTIAL_CANCELLED", "cancel_amount": 500"#)
        try await town.credit(version, many("beyond", 5))
        for name in many("beyond", 5) { try await town.beginRefund(version, name) }
        expect(.cancelledNotClawedBack, version, many("beyond", 5), isLeft: false)

        try await plantOrdinary(version, many, in: town)
    }

    /// Payments that only look odd.
    private mutating func plantOrdinary(
        _ version: String, _ many: (String, Int) -> [String], in town: Town
    ) async throws {
        try await town.pay(version, "good", count: 20)
        try await town.credit(version, many("good", 20))
        try await town.pay(version, "back", count: 5, #", "status": "PARTIAL_CANCELLED", "cancel_amount": 300"#)
        try await town.credit(version, many("back", 5))
        for name in many("back", 5) { try await town.clawBack(version, name, 300) }
        // Nobody has anything of these.
        try await town.pay(version, "void", count: 5, #", "status": "CANCELLED""#)
        matched += 30
        try await town.pay(version, "account", count: 5, #", "status": "ready", "pay_method": "vbank""#)
        // On their way back by our own order: the gateway has done the one, and not the other.
        try await town.pay(version, "underway", count: 5, #", "status": "PARTIAL_CANCELLED", "cancel_amount": 300"#)
        try await town.pay(version, "asked", count: 5)
        for name in many("underway", 5) + many("asked", 5) {
            try await town.credit(version, [name])
            try await town.beginRefund(version, name)
        }
        waiting += 15
        // Of no account: no money moved.
        try await town.pay(version, "declined", count: 5, #", "status": "FAILED""#)
        try await town.pay(version, "test", count: 5, #", "sandbox": true"#)
    }

    private mutating func expect(_ kind: ReconciliationKind, _ version: String, _ names: [String], isLeft: Bool) {
        for name in names {
            let payment = Self.name(Town.identity(version, name))
            kinds[payment] = kind
            if isLeft { left[payment] = kind }
        }
    }
}

extension Town {
    /// Begins, by the engine, to give 300 won of a purchase back; nobody asks the gateway.
    fileprivate func beginRefund(_ version: String, _ name: String) async throws {
        let purchase = try #require(try await ledger.purchases.find(of: Self.identity(version, name)))
        _ = try await ledger.submit(
            BeginRefund.sample("\(version)-\(name)", of: purchase.id, by: purchase.user, coins: 30))
    }
}
