import EndToEndSupport
import LedgerClient
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(20))) struct RevaluationTests {
    @Test func `finance revalues a currency that has a rate, and a lost answer books once`() async throws {
        try await Shop.open { shop in
            let finance = shop.finance()
            let request = RevaluationRequest(currency: "USD", month: "2026-01")
            await #expect(throws: LedgerClientError.self) { try await finance.revalue(request, key: "none") }
            let boss = shop.client(Token.make(sub: "a-boss", scope: "finance"))
            _ = try await finance.setRate(
                of: "USD", on: "2026-01-30", RateRequest(rate: "1387.40", per: 1, source: "a bank"))
            _ = try await boss.approveRate(
                of: "USD", on: "2026-01-30", RateApprovalRequest(rate: "1387.40", per: 1))

            shop.relay.next(.loseAnswer)
            let booked = try await finance.revalue(request, key: "k")
            #expect(booked.amount == 0 && booked.open == 0 && booked.journalEntryID == nil)
            #expect(try await finance.revaluation(booked.id) == booked)
            #expect(try await finance.revaluations().page().items == [booked])
            try await shop.house.expectSound()
        }
    }
}
