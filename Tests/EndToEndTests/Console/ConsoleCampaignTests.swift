import EndToEndSupport
import TestSupport
import Testing

/// Campaigns in the console.
@Suite(.timeLimit(.minutes(20))) struct ConsoleCampaignTests {
    @Test func `finance approves a large campaign, and pauses, resumes and voids it`() async throws {
        try await ConsoleHouse.open(["LEDGERD_CONSOLE_GRANT_LIMIT": "10"]) { console in
            let token = Token.service()
            let made = try await console.service.post(
                "/v1/campaigns", #"{"name": "<i>spring</i>", "coins": 10, "budget": 30, "reason": "spring"}"#, as: token
            )
            let id = sure(made.json["id"].integer)
            let path = "/console/campaigns/\(id)"
            func status() async throws -> String? {
                try await console.service.get("/v1/campaigns/\(id)", as: token).json["status"].text
            }
            let added = try await console.service.post(
                "/v1/campaigns/\(id)/users", #"{"users": [{"user": "ann"}, {"user": "bob"}]}"#, as: token)
            #expect(added.status == 200, "\(added)")
            #expect(try await status() == "waiting")

            let viewer = try await console.browser(as: "viewer-1")
            let listed = try await viewer.open("/console/campaigns").text
            #expect(listed.contains("&lt;i&gt;spring") && listed.contains("waits for approval"))
            #expect(try await !viewer.open(path).text.contains("\(path)/approve"), "a viewer does nothing")

            let finance = try await console.browser(as: "finance-1")
            try await finance.open(path)
            #expect(try await finance.submit("\(path)/approve", []).status == 200)
            try await eventually("both users have coins") {
                try await console.house.books.count("SELECT count(*) FROM campaign_grant") == 2
            }
            for (act, after, fields) in [
                ("pause", "paused", [("reason", "the shop is down")]), ("resume", "active", []),
            ] {
                try await finance.open(path)
                #expect(try await finance.submit("\(path)/\(act)", fields).status == 200, "\(act)")
                #expect(try await status() == after)
            }
            try await finance.open(path)
            #expect(try await finance.submit("\(path)/void", [("reason", "a mistake")]).status == 200)
            try await eventually("it is voided") { try await status() == "voided" }
            let shown = try await finance.open(path).text
            #expect(shown.contains("a mistake") && !shown.contains("\(path)/pause"))
            let audit = try await finance.open("/console/audit").text
            #expect(audit.contains("campaign: approval") && audit.contains("campaign: void"))
            try await console.house.expectSound()
        }
    }

    @Test func `nobody approves a campaign that they created at a terminal`() async throws {
        try await ConsoleHouse.open(["LEDGERD_CONSOLE_GRANT_LIMIT": "10"]) { console in
            let id = try await console.house.ledger.number(
                "SELECT create_campaign('own', 10, 10, 30, NULL, NULL, NULL, NULL, 'x', NULL, NULL, false, true, 'Finance-1')"
            )
            let path = "/console/campaigns/\(id)"
            let finance = try await console.browser(as: "finance-1")
            let page = try await finance.open(path).text
            #expect(page.contains("another person has to approve it") && !page.contains("\(path)/approve"))
        }
    }
}
