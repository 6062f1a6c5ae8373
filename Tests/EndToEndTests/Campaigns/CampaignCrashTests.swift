import EndToEndSupport
import TestSupport
import Testing

/// The service is killed while it gives and voids the coins of a campaign.
@Suite(.serialized, .timeLimit(.minutes(20))) struct CampaignCrashTests {
    @Test func `a campaign that is killed five times gives each user the coins once, and voids them all`() async throws
    {
        var random = SplitMix64(seed: Effort.seed)
        let users = Effort.count(3_000, upTo: 100_000)
        try await House.with { house in
            let gateway = try await house.startGateway()
            let settings = ["LEDGERD_CONSOLE_GRANT_LIMIT": "1000000000"]
            var service = try await house.serveProcess(at: gateway, settings)
            let body = #"{"name": "spring", "coins": 2, "budget": \#(users * 2), "reason": "spring"}"#
            let made = try await service.post("/v1/campaigns", body, as: Token.service())
            let id = sure(made.json["id"].integer)
            let list = (0..<users).map { "user-\($0)\n" }.joined()
            let added = try await service.send(
                .post, "/v1/campaigns/\(id)/users/file", as: Token.service(), headers: [("Content-Type", "text/csv")],
                body: list)
            #expect(added.json["added"].integer == Int64(users), "\(added)")
            for kill in 1...5 {
                // At any moment of a round, after some more users than at the kill before.
                let reached = Int64.random(in: 0...Int64(users * kill / 6), using: &random)
                try await eventually("\(reached) users have coins") {
                    try await house.books.count("SELECT count(*) FROM campaign_grant") >= reached
                }
                try await house.kill(service.process)
                service = try await house.serveProcess(at: gateway, settings)
            }
            try await eventually("all users have coins") {
                try await house.books.count("SELECT done_to FROM campaign") == Int64(users)
            }
            #expect(try await house.books.count("SELECT count(*) FROM lot WHERE coins = 2") == Int64(users))
            try await house.expectSound()

            _ = try await service.post("/v1/campaigns/\(id)/void", #"{"reason": "a mistake"}"#, as: Token.service())
            try await eventually("some coins are voided") {
                try await house.books.count("SELECT count(*) FROM grant_void") > 0
            }
            try await house.kill(service.process)
            service = try await house.serveProcess(at: gateway, settings)
            try await eventually("the campaign is voided") {
                try await house.books.count("SELECT count(*) FROM campaign WHERE status = 'voided'") == 1
            }
            #expect(try await house.books.count("SELECT count(*) FROM grant_void") == Int64(users))
            #expect(try await house.books.count("SELECT sum(remaining)::int8 FROM lot") == 0)
            try await house.expectSound()
        }
    }
}
