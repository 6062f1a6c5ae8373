import Foundation
import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

/// Campaigns, and what becomes of their coins.
@Suite(.timeLimit(.minutes(20))) struct CampaignTests {
    static func users(_ names: String...) -> [CampaignUser] { names.map { CampaignUser(.named($0)) } }

    /// A ledger with a campaign of 10 coins each for these users.
    static func with(
        _ draft: CampaignDraft = .sample(), for users: [CampaignUser],
        _ body: (Ledger, TestLedger, Int64) async throws -> Void
    ) async throws {
        try await TestLedger.with { ledger, test in
            let id = try await ledger.make(draft)
            if draft.code == nil { _ = try await ledger.campaigns.add(users, to: id).get() }
            try await body(ledger, test, id)
            try await Audit.expectSound(test)
        }
    }

    static func told(_ ledger: Ledger) async throws -> [String] {
        try await ledger.events.publisher.publish()
        return try await ledger.events.everything(limit: 1000).map(\.type.rawValue)
            .filter { $0.hasPrefix("campaign.") }
    }

    @Test func `each user of the list gets the coins once, whatever was repeated`() async throws {
        try await Self.with(for: Self.users("ann", "bob", "cat", "ann")) { ledger, test, id in
            let again = try await ledger.campaigns.add(Self.users("bob", "dan"), to: id).get()
            #expect(again.added == 1 && again.present == 1 && again.coins == 10 && again.lacking == 0)
            #expect(try await ledger.make(.sample()) == id)
            try await ledger.runCampaign(id)
            try await ledger.runCampaign(id)
            let campaign = try #require(try await ledger.campaigns.find(id))
            #expect(campaign.status == .active && campaign.progress.listed == 4 && campaign.progress.done == 4)
            #expect(campaign.progress.users == 4 && campaign.progress.given == 40)
            #expect(try await test.total("coins:promotions") == 40)
            let lots = "SELECT count(*) FROM lot WHERE issuer = 'spring' AND coins = 10 AND remaining = 10"
            #expect(try await test.number(lots) == 4)
            #expect(try await Self.told(ledger) == ["campaign.created"])
        }
    }

    @Test func `a run goes on where a process ended, between each act and what it stores`() async throws {
        try await Self.with(for: Self.users("ann", "bob", "cat", "dan", "eve")) { ledger, test, id in
            let first = try await Self.reserve(3, of: id, ledger)
            #expect(first.users.map(\.rawValue) == ["ann", "bob", "cat"])
            #expect(try await ledger.submit(first.acts[0]).isRepeat == false)
            // The next process finds the same users, of whom one has the coins.
            let second = try await Self.reserve(3, of: id, ledger)
            #expect(second == first)
            for act in second.acts { _ = try await ledger.submit(act) }
            #expect(try await ledger.submit(first.acts[2]).isRepeat, "the process before was only slow")
            try await ledger.campaignRuns.finish(second, refused: [])
            try await ledger.campaignRuns.finish(first, refused: [(user: .named("ann"), code: "fault")])
            try await ledger.runCampaign(id)
            #expect(try await test.total("coins:promotions") == 50)
            #expect(try await ledger.campaigns.find(id)?.progress.refused == 0, "who has the coins is not refused")
        }
    }

    @Test func `one process at a time has a run, and the next one when it has ended`() async throws {
        try await Self.with(for: Self.users("ann")) { ledger, _, id in
            let due = try await ledger.campaignRuns.takeDue(limit: 10, lease: .seconds(60))
            #expect(due.map(\.id) == [id])
            #expect(try await ledger.campaignRuns.takeDue(limit: 10, lease: .seconds(60)).isEmpty)
            try await ledger.campaignRuns.postpone(due[0], because: "running", by: .zero)
            let next = try #require(try await ledger.campaignRuns.takeDue(limit: 10, lease: .seconds(60)).first)
            // A void that comes when a process has seen the run over is not lost.
            _ = try await ledger.campaigns.void(id, because: "mistake", by: "kim")
            try await ledger.campaignRuns.decide(next, .over, because: "over")
            #expect(try await ledger.campaignRuns.takeDue(limit: 10, lease: .seconds(60)).map(\.id) == [id])
            try await ledger.runCampaign(id)
            #expect(try await ledger.campaigns.find(id)?.status == .voided)
        }
    }

    @Test func `a campaign is paused when its budget is met, and goes on when coins are voided`() async throws {
        let users = Self.users("ann", "bob", "cat")
        try await Self.with(.sample(budget: 25), for: users) { ledger, test, id in
            #expect(try await ledger.campaigns.add(users, to: id, isDryRun: true).get().lacking == 5)
            try await ledger.runCampaign(id)
            var campaign = try #require(try await ledger.campaigns.find(id))
            #expect(campaign.status == .paused && campaign.statusReason == Campaign.budgetMet)
            #expect(campaign.progress.given == 20 && campaign.progress.toGive(within: 25) == 5)
            let given = try #require(try await ledger.lots.list(of: .named("ann"), limit: 1).elements.first)
            _ = try await ledger.submit(VoidGrant.sample(of: given, coins: 4))
            try await ledger.runCampaign(id)
            #expect(try await ledger.campaigns.find(id)?.status == .paused)
            _ = try await ledger.submit(VoidGrant.sample("rest", of: given, coins: 1))
            try await ledger.runCampaign(id)
            campaign = try #require(try await ledger.campaigns.find(id))
            #expect(campaign.status == .active && campaign.progress.given == 30 && campaign.progress.voided == 5)
            #expect(try await test.total("coins:promotions") == 25)
            let told = ["campaign.created", "campaign.paused", "campaign.resumed"]
            #expect(try await Self.told(ledger) == told)
        }
    }

    @Test func `a campaign begins at its time, and not before a second person has approved it`() async throws {
        let start = Date(timeIntervalSince1970: 1_767_225_600)
        try await TestLedger.with(at: start) { ledger, test, clock in
            let id = try await ledger.make(.sample(startsAt: start + 60), by: "kim", needsApproval: true)
            _ = try await ledger.campaigns.add(Self.users("ann"), to: id).get()
            try await clock.set(to: start + 61)
            try await ledger.runCampaign(id)
            #expect(try await test.total("coins:promotions") == 0)
            #expect(try await !ledger.campaigns.approve(id, by: "kim"))
            try await clock.set(to: start + 30)
            #expect(try await ledger.campaigns.approve(id, by: "lee"))
            try await ledger.runCampaign(id)
            #expect(try await test.total("coins:promotions") == 0)
            try await clock.set(to: start + 60)
            try await ledger.runCampaign(id)
            #expect(try await test.total("coins:promotions") == 10)
            #expect(try await ledger.campaigns.find(id)?.approvedBy == "lee")
            #expect(try await Self.told(ledger) == ["campaign.created", "campaign.approved"])
        }
    }

    @Test func `a paused campaign gives nothing until it is resumed`() async throws {
        try await Self.with(for: Self.users("ann", "bob")) { ledger, test, id in
            #expect(try await ledger.campaigns.pause(id, because: "the shop is down", by: "kim"))
            #expect(try await !ledger.campaigns.pause(id, because: "again", by: "kim"))
            try await ledger.runCampaign(id)
            #expect(try await test.total("coins:promotions") == 0)
            #expect(try await ledger.campaigns.resume(id, by: "kim"))
            // A person's pause is one, whatever reason they write.
            #expect(try await ledger.campaigns.pause(id, because: Campaign.budgetMet, by: "kim"))
            try await ledger.runCampaign(id)
            #expect(try await test.total("coins:promotions") == 0)
            #expect(try await ledger.campaigns.resume(id, by: "kim"))
            try await ledger.runCampaign(id)
            #expect(try await test.total("coins:promotions") == 20)
        }
    }

    @Test func `a pause for the budget is nobody's, whoever resumed the campaign before`() async throws {
        for code in [nil, "SPRING"] {
            try await Self.with(.sample(budget: 15, code: code), for: Self.users("ann", "bob")) { ledger, _, id in
                #expect(try await ledger.campaigns.pause(id, because: "the shop is down", by: "kim"))
                #expect(try await ledger.campaigns.resume(id, by: "kim"))
                for user in ["ann", "bob"] where code != nil {
                    _ = try await ledger.campaigns.claim("SPRING", for: .named(user))
                }
                try await ledger.runCampaign(id)
                let campaign = try #require(try await ledger.campaigns.find(id))
                #expect(campaign.statusReason == Campaign.budgetMet && campaign.changedBy == nil)
                #expect(try await ledger.campaigns.pause(id, because: "enough", by: "kim"))
            }
        }
    }

    @Test func `users have coins of their own up to the most, and a dry run adds nobody`() async throws {
        try await Self.with(.sample(most: 20), for: []) { ledger, test, id in
            let users = Self.users("ann") + [CampaignUser(.named("bob"), coins: sure(Coins(20)))]
            let dry = try await ledger.campaigns.add(users, to: id, isDryRun: true).get()
            #expect(dry.added == 2 && dry.coins == 30)
            #expect(try await ledger.campaigns.find(id)?.progress.listed == 0)
            #expect(
                try await ledger.campaigns.add([CampaignUser(.named("cat"), coins: sure(Coins(21)))], to: id)
                    == .failure(.exceedsMost))
            #expect(try await ledger.campaigns.add(users, to: 999) == .failure(.notFound))
            #expect(try await ledger.campaigns.add(users, to: id).get().added == 2)
            try await ledger.runCampaign(id)
            #expect(try await test.total("coins:promotions") == 30)
        }
    }

    @Test func `another campaign has another name and another code`() async throws {
        try await TestLedger.with { ledger, _ in
            let id = try await ledger.make(.sample(code: "SPRING"))
            #expect(try await ledger.make(.sample(code: "SPRING")) == id)
            let draft = CampaignDraft.sample(coins: 11, code: "SPRING")
            #expect(try await ledger.campaigns.create(draft, by: "shop", needsApproval: false) == nil)
            let other = CampaignDraft.sample("summer", code: "SPRING")
            #expect(try await ledger.campaigns.create(other, by: "shop", needsApproval: false) == nil)
        }
    }

    @Test func `whom the ledger refuses gets nothing, and the coins are free again`() async throws {
        try await Self.with(.sample(budget: 10), for: Self.users("ann", "bob")) { ledger, _, id in
            let round = try await Self.reserve(1, of: id, ledger)
            try await ledger.campaignRuns.finish(round, refused: [(user: .named("ann"), code: "account_full")])
            #expect(try await ledger.submit(round.acts[0]).refusal == .campaignClosed)
            try await ledger.runCampaign(id)
            let progress = try #require(try await ledger.campaigns.find(id)).progress
            #expect(progress.refused == 1 && progress.users == 1 && progress.given == 10)
            #expect(try await ledger.lots.list(of: .named("bob"), limit: 1).elements.first?.coins == 10)
        }
    }

    static func reserve(_ users: Int, of id: Int64, _ ledger: Ledger) async throws -> CampaignRound {
        let step = try await ledger.campaignRuns.next(of: CampaignRun(id: id, attempts: 1), most: users)
        guard case .give(let round) = step else { throw DidNotHappen(description: "coins are reserved") }
        return round
    }

    @Test func `the users of a file are read in parts, and a line that can't be read is named`() throws {
        var file = try CampaignUserFile(Array("\u{FEFF}user,coins\r\nann\r\n\"b,b\",5\n\ncat,\n".utf8))
        #expect(try file.next(2) == [CampaignUser(.named("ann")), CampaignUser(.named("b,b"), coins: sure(Coins(5)))])
        #expect(try file.next(2) == [CampaignUser(.named("cat"))])
        #expect(try file.next(2).isEmpty)
        let faults: [(String, Int64)] = [("ann\nbob,0\n", 2), ("ann,1,2\n", 1), ("ann\n\n\"bob\n", 3), (",5\n", 1)]
        for (text, line) in faults {
            var bad = try CampaignUserFile(Array(text.utf8))
            let fault = #expect(throws: CampaignUserFile.Fault.self) { while try !bad.next(10).isEmpty {} }
            #expect(fault?.line == line, "\(text)")
        }
        #expect(throws: CampaignUserFile.Fault.self) { _ = try CampaignUserFile([0xFF]) }
    }
}
