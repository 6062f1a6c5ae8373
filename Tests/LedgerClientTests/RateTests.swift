import EndToEndSupport
import Foundation
import LedgerClient
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(20))) struct RateTests {
    @Test func `two people publish a first rate, one sets the next, and all are listed`() async throws {
        try await Shop.open { shop in
            let (finance, boss) = (shop.finance(), shop.client(Token.make(sub: "a-boss", scope: "finance")))
            let request = RateRequest(rate: "950.12", per: 100, source: "a bank")
            let none = await failure { try await finance.rate(of: "JPY") }
            #expect(none?.code == .noRate)
            let waiting = try await finance.setRate(of: "JPY", on: "2026-01-05", request)
            #expect(waiting.status == "waiting" && waiting.version == nil && waiting.rate == "950.12")
            #expect(try await finance.waitingRates().page().items == [waiting])
            let approval = RateApprovalRequest(rate: "950.12", per: 100)
            let own = await failure { try await finance.approveRate(of: "JPY", on: "2026-01-05", approval) }
            #expect(own?.code == .approvalByProposer)
            let first = try await boss.approveRate(of: "JPY", on: "2026-01-05", approval)
            #expect(first.status == "published" && first.version == 1 && first.approvedBy == "a-boss")
            #expect(try await finance.setRate(of: "JPY", on: "2026-01-05", request) == first)

            shop.relay.next(.loseAnswer)
            let next = RateRequest(rate: "951", per: 100, source: "a bank")
            let second = try await finance.setRate(of: "JPY", on: "2026-01-06", next)
            #expect(second.version == 1 && second.approvedBy == nil)
            #expect(try await finance.rate(of: "JPY") == second)
            #expect(try await finance.rates(of: "JPY").page().items == [second, first])
            #expect(try await finance.rates(from: "2026-01-05", to: "2026-01-06").page().items == [first])
            let far = RateRequest(rate: "1951", per: 100, source: "a bank")
            #expect(try await finance.setRate(of: "JPY", on: "2026-01-06", far).status == "waiting")
            let withdrawn = try await boss.withdrawRate(of: "JPY", on: "2026-01-06")
            #expect(withdrawn.status == "withdrawn" && withdrawn.withdrawnBy == "a-boss")
            try await shop.house.expectSound()
        }
    }
}
