import EndToEndSupport
import Foundation
import LedgerClient
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(20))) struct ProviderTests {
    @Test func `finance sets terms, pays a provider, and a lost answer pays nothing twice`() async throws {
        try await Shop.open { shop in
            _ = try await shop.app().present(try await shop.gateway.pay("5000").request)
            let finance = shop.finance()
            let terms = ProviderTermsRequest(shareBasisPoints: 8000, role: "agent")
            let provider = try await finance.setTerms(of: "designer/3", terms)
            #expect(provider.terms.withholding == "none" && provider.payable == 0)
            let service = shop.other()
            let hold = try await service.hold(HoldRequest(coins: 90), of: "ann", key: "h").hold.id
            _ = try await service.capture(hold, CaptureRequest(provider: "designer/3"), key: "c")
            #expect(try await finance.provider("designer/3").payable == 320)
            #expect(try await finance.providers().page().items.map(\.payable) == [320])
            #expect(try await finance.terms(of: "designer/3").page().items == [provider.terms])

            shop.relay.next(.loseAnswer)
            let payout = try await finance.propose(PayoutRequest(note: "November"), key: "p")
            #expect(payout.net == 320 && payout.status == "proposed")
            await #expect(throws: LedgerClientError.self) { try await finance.approve(payout: payout.id) }
            #expect(try await finance.items(ofPayout: payout.id).page().items.map(\.provider) == ["designer/3"])
            #expect(try await finance.shares(ofPayout: payout.id).page().items.map(\.change) == [320])
            let gone = try await finance.withdraw(payout: payout.id, reason: "wrong month")
            #expect(gone.withdrawal?.reason == "wrong month")
            let another = try await finance.propose(key: "p2")
            #expect(try await finance.payouts(status: "proposed").page().items == [another])
            #expect(try await finance.payout(another.id) == another)
            let payment = PayoutPaymentRequest(paidAt: "2020-01-01", bankReference: "x")
            await #expect(throws: LedgerClientError.self) {
                try await finance.pay(payout: another.id, payment, key: "k")
            }
            #expect(try await finance.statement(ofProvider: "designer/3").page().items.map(\.payable) == [320])
            let repayment = RepaymentRequest(amount: 1, paidAt: "2026-11-20", bankReference: "IBK 9")
            await #expect(throws: LedgerClientError.self) {  // There is no claim.
                try await finance.repay(claimOn: "designer/3", repayment, key: "r")
            }
            try await Self.expectAccounts(of: "designer/3", in: shop)
            try await shop.house.expectSound()
        }
    }

    private static func expectAccounts(of provider: String, in shop: Shop) async throws {
        let (finance, boss) = (shop.finance(), shop.client(Token.make(sub: "a-boss", scope: "finance")))
        let request = ProviderAccountRequest(bank: "KB", number: "00-1234", holder: "Kim")
        let proposed = try await finance.propose(account: request, of: provider)
        #expect(proposed.status == "proposed" && proposed.numberEnd == "234")
        let number = ProviderAccountApprovalRequest(number: "001234")
        let own = await failure { try await finance.approve(account: proposed.id, of: provider, number) }
        #expect(own?.code == .approvalByProposer)
        #expect(try await boss.approve(account: proposed.id, of: provider, number).approvedBy == "a-boss")
        #expect(try await finance.propose(account: request, of: provider).status == "approved")
        let next = ProviderAccountRequest(bank: "IBK", number: "7", holder: "Kim")
        let waiting = try await finance.propose(account: next, of: provider)
        #expect(try await finance.withdraw(account: waiting.id, of: provider).status == "withdrawn")
        try await finance.eraseAccounts(of: provider)
        #expect(try await finance.accounts(ofProvider: provider).page().items.map(\.status) == ["withdrawn", "erased"])
    }
}
