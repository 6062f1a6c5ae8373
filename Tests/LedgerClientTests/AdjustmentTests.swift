import EndToEndSupport
import LedgerClient
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(20))) struct AdjustmentTests {
    @Test func `finance sets a policy, and a lost answer adjusts a month once`() async throws {
        try await Shop.open { shop in
            let finance = shop.finance()
            let request = AdjustmentRequest(subject: "breakage", month: "2020-01")
            await #expect(throws: LedgerClientError.self) { try await finance.adjust(request, key: "none") }
            let policy = try await finance.setAccountingPolicy(
                of: "breakage", from: "2020-01",
                AccountingPolicyRequest(method: "expected_pattern", expected: 100, highlyProbable: 80))
            #expect(policy.expected == 100 && policy.highlyProbable == 80)
            #expect(try await finance.accountingPolicies().page().items == [policy])
            #expect(try await finance.previewAdjustment(request).policy == policy)

            shop.relay.next(.loseAnswer)
            let booked = try await finance.adjust(request, key: "k")
            #expect(booked.target == 0 && booked.policyID == policy.id)
            #expect(try await finance.adjustment(booked.id) == booked)
            #expect(try await finance.adjustments().page().items.map(\.id) == [booked.id])
            try await shop.house.expectSound()
        }
    }
}
