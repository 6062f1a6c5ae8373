import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

/// Users who send the code of a campaign.
extension CampaignTests {
    @Test func `whoever sends the code gets the coins once, also many at once, within the budget`() async throws {
        try await Self.with(.sample(budget: 35, code: "SPRING"), for: []) { ledger, test, id in
            let names = (0..<16).map { "user-\($0 % 5)" }
            let claims = await withTaskGroup(of: Bool.self) { group in
                for name in names {
                    group.addTask {
                        guard case .success(let id)? = try? await ledger.campaigns.claim("SPRING", for: .named(name))
                        else { return false }
                        let act = GrantFromCampaign(campaign: id, user: .named(name))
                        guard let answer = try? await ledger.submit(act) else { return false }
                        return answer.refusal == nil
                    }
                }
                return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(claims >= 3)
            #expect(try await test.total("coins:promotions") == 30)
            #expect(try await test.number("SELECT count(*) FROM campaign_grant") == 3)
            let refused = try await ledger.campaigns.claim("SPRING", for: .named("zoe"))
            #expect(refused == .failure(.budgetMet))
            #expect(try await ledger.campaigns.claim("AUTUMN", for: .named("zoe")) == .failure(.notFound))
            #expect(try await ledger.campaigns.add(Self.users("zoe"), to: id) == .failure(.hasCode))
            #expect(
                try await ledger.submit(GrantFromCampaign(campaign: id, user: .named("zoe"))).refusal
                    == .campaignClosed, "nothing is reserved")
        }
    }

    @Test func `what a refused claim reserved is free again, and it can be claimed later`() async throws {
        try await Self.with(.sample(budget: 10, code: "SPRING"), for: []) { ledger, test, id in
            func claim(_ user: String) async throws -> Result<Int64, CampaignRefusal> {
                try await ledger.campaigns.claim("SPRING", for: .named(user))
            }
            #expect(try await claim("ann") == .success(id))
            #expect(try await claim("bob") == .failure(.budgetMet))
            try await ledger.campaigns.release(id, of: .named("ann"), because: "invalid_request")
            #expect(try await claim("bob") == .success(id))
            #expect(try await claim("ann") == .failure(.budgetMet))
            try await ledger.campaigns.release(id, of: .named("bob"), because: "invalid_request")
            #expect(try await claim("ann") == .success(id))
            #expect(
                try await ledger.submit(GrantFromCampaign(campaign: id, user: .named("ann"))).success?.coins == 10)
            // A process that was refused before is too late.
            try await ledger.campaigns.release(id, of: .named("ann"), because: "invalid_request")
            let progress = try #require(try await ledger.campaigns.find(id)).progress
            #expect(progress.users == 1 && progress.refused == 1 && progress.asked == 10)
            #expect(try await test.number("SELECT reserved FROM campaign") == 10)
        }
    }
}
