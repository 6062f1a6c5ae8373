import Foundation
import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

extension FindingsTests {
    @Test func `what both APIs report of one payment is one finding`() async throws {
        try await TestLedger.with { ledger, _ in
            try await Self.note(.unclaimed, Self.v1, in: ledger)
            try await Self.note(.amountMismatch, Self.v2, of: .named("ann"), paidAt: Self.paidAt + 0.4, in: ledger)
            let found = try await Self.open(ledger)
            #expect(found.map(\.payment) == [Self.v1] && found.map(\.kinds) == [[.unclaimed, .amountMismatch]])
            #expect(found.map(\.user) == [.named("ann")])
        }
    }

    /// The finding under the second name of a payment ends with the purchase, as under the first.
    @Test func `a credited payment is no finding under its other name`() async throws {
        try await TestLedger.with { ledger, test in
            let purchase = try await ledger.creditV1(paidAt: Self.paidAt)
            try await Self.note(.unclaimed, Self.v2, amount: 1001, paidAt: Self.paidAt + 0.4, in: ledger)
            #expect(try await Self.open(ledger).map(\.kinds) == [[.unclaimed]], "of another amount")
            try await Self.note(.merchantUIDAlreadyCredited, Self.v2, paidAt: Self.paidAt + 0.4, in: ledger)
            #expect(try await Self.open(ledger).isEmpty)
            // A dispute and a double refund need a person, whichever API tells of them.
            try await Self.note(.disputeUnreadable, Self.v2, paidAt: Self.paidAt + 0.4, in: ledger)
            #expect(try await Self.open(ledger).map(\.kinds) == [[.disputeUnreadable]])

            let sighting = PaymentSighting(of: Self.v2, amount: 1000, currency: "KRW", paidAt: Self.paidAt + 0.4)
            try await ledger.purchases.keep(Self.v2, of: purchase)
            #expect(try await Self.open(ledger).count == 1, "a credit does not end it")
            try await ledger.findings.resolve(underEveryNameOf: sighting)
            #expect(try await Self.open(ledger).isEmpty)
            #expect(try await test.number(Self.closedEvents) == 1)
        }
    }

    @Test func `a payment's finding under one name is resolved under the other`() async throws {
        try await TestLedger.with { ledger, test in
            try await Self.note(.unclaimed, Self.v1, in: ledger)
            func resolve(_ amount: Int64, _ later: Double) async throws {
                try await ledger.findings.resolve(
                    underEveryNameOf: PaymentSighting(
                        of: Self.v2, amount: amount, currency: "KRW", paidAt: Self.paidAt + later))
            }
            for (amount, later) in [(1001, 0.4), (1000, 2)] as [(Int64, Double)] {
                try await resolve(amount, later)
                #expect(try await Self.open(ledger).count == 1, "another payment")
            }
            try await resolve(1000, 0.4)
            #expect(try await Self.open(ledger).isEmpty)
            #expect(try await test.number(Self.closedEvents) == 1)
        }
    }

    @Test func `who presented a payment under its other name claims it too`() async throws {
        try await TestLedger.with { ledger, _ in
            let presented = PaymentIdentity.sampleInV2(paymentID: "order_1")
            func keep(_ payment: PaymentIdentity, _ user: UserID, _ reason: String = "awaiting_payment") async throws {
                _ = try await ledger.retries.keep(payment, of: user, because: reason, askAgainAfter: .seconds(60))
            }
            try await keep(Self.v1, .named("ann"))
            try await keep(presented, .named("bob"))
            try await keep(presented, .named("eve"), "payment_not_found")
            try await keep(
                PaymentIdentity.sample(2, merchantUID: "order_1"), .named("max"))
            @Sendable func claimants(of payment: PaymentIdentity) async throws -> [UserID] {
                try await ledger.shownPayments.facts(
                    of: payment, presentedAs: payment.merchantUID, soldSince: .now
                ).claims.map(\.user)
            }
            #expect(try await claimants(of: Self.v1) == [.named("ann"), .named("bob")])
            let others = PaymentIdentity(gateway: "portone-v1", paymentID: "imp_9", merchantUID: "order_9")
            let asked = [Self.v2, others, Self.v1, Self.v2]
            let each = try await together(asked.count) { try await claimants(of: asked[$0]) }
            let all: [UserID] = [.named("ann"), .named("bob"), .named("eve"), .named("max")]
            #expect(each == [all, [], Array(all.prefix(2)), all])
            try await Self.note(.claimedBySeveral, Self.v1, in: ledger)
            let found = try #require(try await Self.open(ledger).first)
            #expect(found.claims.map(\.user) == [.named("ann"), .named("bob")])
        }
    }

    @Test func `a purchase is found by the other name of its payment, if the gateway has confirmed it`() async throws {
        try await TestLedger.with { ledger, _ in
            try await ledger.creditV1(paidAt: Self.paidAt)
            func found(_ name: String) async throws -> [SearchMatch.Kind] {
                try await ledger.search.find(name, gateways: ["portone-v1", "portone-v2"]).map(\.kind)
            }
            #expect(try await found("order_1") == [.purchase])
            #expect(try await found("tx_1") == [])
            try await Self.note(.unclaimed, Self.v2, paidAt: Self.paidAt + 0.4, in: ledger)
            #expect(try await found("tx_1") == [.purchase])
            try await Self.note(
                .unclaimed, PaymentIdentity(gateway: "portone-v2", paymentID: "tx_2", merchantUID: "order_1"),
                paidAt: Self.paidAt + 2, in: ledger)
            #expect(try await found("tx_2") == [], "another payment")
        }
    }
}
