import Foundation
import Timing

/// Campaigns: how fast they give coins, and how long spends wait meanwhile.
struct CampaignPart: ComparedPart {
    static let name = "campaign"

    func withContenders(_ scale: Scale, _ body: ([Contender]) async throws -> Void) async throws {
        var scale = scale
        scale.settings["LEDGERD_CONSOLE_GRANT_LIMIT"] = "1000000000"
        let measured = scale
        try await ServiceUnderLoad.with(measured) { service in
            let giving = Contender(part: Self.name, figures: [Figures.campaignGrants]) { number in
                let start = Time.current.instant
                let campaign = try service.beginCampaign("giving-\(number)", users: measured.granted)
                try await service.untilOver(campaign)
                let seconds = (Time.current.instant - start) / .seconds(1)
                return [
                    Sample(
                        figure: Figures.campaignGrants, value: Double(measured.granted) / seconds, unit: .perSecond,
                        problems: try await service.problems(of: campaign, measured.granted))
                ]
            }
            let alone = Contender(part: Self.name, figures: [Figures.spendsWithoutCampaign]) { number in
                [try await service.spends(Figures.spendsWithoutCampaign, "alone-\(number)", measured.slice)]
            }
            let beside = Contender(part: Self.name, figures: [Figures.spendsBesideCampaign]) { number in
                let campaign = try service.beginCampaign("beside-\(number)", users: measured.granted)
                var sample = try await service.spends(
                    Figures.spendsBesideCampaign, "beside-\(number)", measured.slice)
                let given = try await service.given(by: campaign)
                if given == measured.granted { sample.problems.append("the campaign was over before the spends") }
                sample.note += ", beside \(given) grants"
                try await service.untilOver(campaign)
                sample.problems += try await service.problems(of: campaign, measured.granted)
                return [sample]
            }
            try await body([giving, alone, beside])
        }
    }
}

extension ServiceUnderLoad {
    private static let token = token("bench", scope: "service")

    /// Makes a campaign that gives two coins to each of so many new users, beginning with the first ten thousand.
    ///
    /// - Returns: its id.
    fileprivate func beginCampaign(_ name: String, users: Int) throws -> Int64 {
        let draft = #"{"name": "\#(name)", "coins": 2, "budget": \#(2 * users), "reason": "bench"}"#
        let made = try ask(
            ledgerd, HTTPRequest("POST", "/v1/campaigns", token: Self.token, key: name, body: draft, expecting: 201))
        guard let id = try JSONDecoder().decode(Made.self, from: Data(made.utf8)).id else {
            throw Program.Failed(description: made)
        }
        for first in stride(from: 0, to: users, by: 10_000) {
            let list = (first..<min(users, first + 10_000)).map { #"{"user": "\#(name)-\#($0)"}"# }
            let body = #"{"users": [\#(list.joined(separator: ","))]}"#
            _ = try ask(ledgerd, HTTPRequest("POST", "/v1/campaigns/\(id)/users", token: Self.token, body: body))
        }
        return id
    }

    private struct Made: Decodable { let id: Int64? }

    /// The users whom the campaign is done with.
    fileprivate func given(by campaign: Int64) async throws -> Int {
        Int(try await books.number("SELECT done_to FROM campaign WHERE id = \(campaign)"))
    }

    /// Waits until all users of the campaign have coins.
    fileprivate func untilOver(_ campaign: Int64) async throws {
        let users = try await books.number("SELECT users FROM campaign WHERE id = \(campaign)")
        while try await given(by: campaign) < users { try await Time.current.sleep(for: .milliseconds(20)) }
    }

    /// Each user has the coins once.
    fileprivate func problems(of campaign: Int64, _ users: Int) async throws -> [String] {
        let lots = try await books.number(
            """
            SELECT count(DISTINCT lot.user_id) FROM campaign_grant JOIN lot ON lot.id = lot_id
            WHERE campaign_id = \(campaign) AND lot.coins = 2 AND lot.remaining = 2
            """)
        let grants = try await books.number("SELECT count(*) FROM campaign_grant WHERE campaign_id = \(campaign)")
        return lots == users && grants == users ? [] : ["\(grants) grants to \(lots) of \(users) users"]
    }

    /// Spends of eight clients; how long 99 of 100 wait at most.
    fileprivate func spends(_ figure: String, _ name: String, _ scale: Scale) async throws -> Sample {
        let users = users
        let result = try await Clients(port: ledgerd.port, count: 8).run(scale, against: ledgerd.process.pid) {
            HTTPRequest(
                "POST", "/v1/users/user-\(($1 &* 7919) % users)/spends", token: Self.token, key: "\(name)-\($1)",
                body: #"{"coins": 1}"#, expecting: 201)
        }
        return Sample(
            figure: figure, value: result.latency(99), unit: .milliseconds, problems: result.problems,
            note: result.note)
    }
}
