import Foundation
import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

/// Campaigns, and what becomes of their coins.
@Suite(.timeLimit(.minutes(20))) struct CampaignTests {
    private static func users(_ names: String...) -> [CampaignUser] { names.map { CampaignUser(.named($0)) } }

    /// A ledger with a campaign of 10 coins each for these users.
    private static func with(
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

    private static func told(_ ledger: Ledger) async throws -> [String] {
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

    @Test func `a void takes what is left of each lot, and nothing is given afterwards`() async throws {
        let users = Self.users("ann", "bob", "cat", "dan")
        try await Self.with(.sample(budget: 30), for: users) { ledger, test, id in
            try await ledger.runCampaign(id)
            let part = try await ledger.submit(Spend.sample("a", by: "ann", coins: 4)).redeemed
            let all = try await ledger.submit(Spend.sample("all", by: "cat", coins: 10)).redeemed
            let held = try await ledger.submit(PlaceHold.sample("b", by: "bob", coins: 7)).placed
            #expect(try await ledger.campaigns.void(id, because: "wrong users", by: "kim"))
            let act = GrantFromCampaign(campaign: id, user: .named("dan"))
            #expect(try await ledger.submit(act).refusal == .campaignClosed)
            try await ledger.runCampaign(id)
            var campaign = try #require(try await ledger.campaigns.find(id))
            #expect(campaign.status == .voided && campaign.statusReason == "wrong users")
            #expect(campaign.progress.used == 14 && campaign.progress.voided == 9 && campaign.progress.remaining == 7)
            #expect(try await test.total("coins:promotions") == 21)
            // What comes back into a grant that was voided is voided, too.
            _ = try await ledger.submit(ReverseRedemption.sample("r-1", of: part))
            campaign = try #require(try await ledger.campaigns.find(id))
            #expect(campaign.progress.voided == 13 && campaign.progress.remaining == 7)
            // What a hold returns, or comes back into one that was used up, is voided when the campaign is voided again.
            _ = try await ledger.submit(ReverseRedemption.sample("r-2", of: all))
            _ = try await ledger.submit(VoidHold.sample("c", of: sure(held).hold.id, by: "bob"))
            campaign = try #require(try await ledger.campaigns.find(id))
            #expect(campaign.progress.used == 0 && campaign.progress.remaining == 17)
            #expect(try await ledger.campaigns.void(id, because: "again", by: "kim"))
            try await ledger.runCampaign(id)
            campaign = try #require(try await ledger.campaigns.find(id))
            #expect(campaign.progress.voided == 30 && campaign.progress.remaining == 0)
            let told = ["campaign.created", "campaign.paused", "campaign.voided", "campaign.voided"]
            #expect(try await Self.told(ledger) == told)
        }
    }

    @Test func `coins that were given to others are used, and no void reaches them`() async throws {
        try await Self.with(.sample(canBeMoved: true), for: Self.users("ann", "bob")) { ledger, _, id in
            try await ledger.runCampaign(id)
            _ = try await ledger.submit(Gift.sample(coins: 4))
            _ = try await ledger.campaigns.void(id, because: "mistake", by: "kim")
            try await ledger.runCampaign(id)
            let progress = try #require(try await ledger.campaigns.find(id)).progress
            #expect(progress.used == 4 && progress.voided == 16 && progress.remaining == 0)
            #expect(try await ledger.balances.find(of: .named("bob")).total == 4)
        }
    }

    @Test func `coins that were used, that expired or that paid a debt are told apart`() async throws {
        let start = Date(timeIntervalSince1970: 1_767_225_600)
        try await TestLedger.with(at: start) { ledger, test, clock in
            let id = try await ledger.make(.sample(endsAt: start + 3600, coinDays: 1))
            let purchase = CreditPurchase.sample(by: "ivy", bonus: 0)
            _ = try await ledger.credit(purchase)
            _ = try await ledger.submit(Spend.sample("all", by: "ivy", coins: 100))
            _ = try await ledger.submit(ClawBack.sample(of: purchase, 1000))
            _ = try await ledger.campaigns.add(Self.users("ann", "bob", "ivy"), to: id).get()
            try await ledger.runCampaign(id)
            _ = try await ledger.submit(Spend.sample("part", by: "ann", coins: 4))
            var progress = try #require(try await ledger.campaigns.find(id)).progress
            #expect(progress.used == 14 && progress.remaining == 16 && progress.expectedUse(of: 16) == 16)
            try await clock.set(to: start + 90_000)
            try await ledger.expireLots()
            progress = try #require(try await ledger.campaigns.find(id)).progress
            #expect(progress.used == 14 && progress.expired == 16 && progress.remaining == 0)
            #expect(progress.expectedUse(of: 100) == 46)
            try await ledger.runCampaign(id)
            #expect(try await ledger.campaigns.find(id)?.status == .ended)
            #expect(try await ledger.make(.sample(endsAt: start + 3600, coinDays: 1)) == id, "a repeat is the same")
            #expect(try await ledger.campaigns.add(Self.users("dan"), to: id) == .failure(.closed))
            try await Audit.expectSound(test)
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

    @Test func `what was reserved is not given after a void`() async throws {
        try await Self.with(for: Self.users("ann")) { ledger, test, id in
            let round = try await Self.reserve(1, of: id, ledger)
            _ = try await ledger.campaigns.void(id, because: "mistake", by: "kim")
            #expect(try await ledger.submit(round.acts[0]).refusal == .campaignClosed)
            try await ledger.runCampaign(id)
            #expect(try await ledger.campaigns.find(id)?.status == .voided)
            #expect(try await test.number("SELECT count(*) FROM lot") == 0)
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

    private static func reserve(_ users: Int, of id: Int64, _ ledger: Ledger) async throws -> CampaignRound {
        let step = try await ledger.campaignRuns.next(of: CampaignRun(id: id, attempts: 1), most: users)
        guard case .give(let round) = step else { throw DidNotHappen(description: "coins are reserved") }
        return round
    }

    /// A grant to ann that names a campaign.
    private struct Forged {
        let name: String
        var campaign = "spring"
        /// The coins of the lot, and those that the grant tells.
        var coins = (lot: 10, told: 10)
        var expires = "NULL"

        static let all = [
            Forged(name: "of other coins than were reserved", coins: (9, 9)),
            Forged(name: "of other coins than the lot has", coins: (9, 10)),
            Forged(name: "that expires before the campaign says", expires: "now() + interval '1 day'"),
            Forged(name: "to a user for whom nothing is reserved", campaign: "later"),
            Forged(name: "to a user who is not on the list", campaign: "others"),
            Forged(name: "to a user who was refused", campaign: "refused"),
            Forged(name: "of a campaign that is voided", campaign: "voided"),
        ]
    }

    @Test func `a grant that is not what the campaign gives is refused by the database`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await ledger.credit(.sample())
            for (name, users, reserved) in [
                ("spring", ["ann"], 1), ("later", ["bob", "ann"], 1), ("others", ["bob"], 1), ("refused", ["ann"], 1),
                ("voided", ["ann"], 1),
            ] {
                let id = try await ledger.make(.sample(name))
                _ = try await ledger.campaigns.add(users.map { CampaignUser(.named($0)) }, to: id).get()
                let round = try await Self.reserve(reserved, of: id, ledger)
                if name == "voided" { _ = try await ledger.campaigns.void(id, because: "mistake", by: "kim") }
                guard name == "refused" else { continue }
                try await ledger.campaignRuns.finish(round, refused: [(user: .named("ann"), code: "fault")])
            }
            for forged in Forged.all {
                let refused = try await Self.grant(forged, in: test)
                #expect(
                    refused?.constraint == "campaign_grant_fits_campaign",
                    "\(forged.name): \(String(describing: refused))")
            }
            let right = try await Self.grant(Forged(name: "as the campaign gives it"), in: test)
            #expect(right?.constraint != "campaign_grant_fits_campaign", "\(String(describing: right))")
        }
    }

    private static func grant(_ forged: Forged, in test: TestLedger) async throws -> PostgresError? {
        let (coins, told) = forged.coins
        let service = try await test.connectAsService()
        let refused = try await service.refusal(
            ofTransaction: """
                INSERT INTO journal_entry (id, stripe, kind, reference, reason, effective_at, recorded_at)
                SELECT 900001, stripe, 'grant', 'lot:900002', 'spring campaign', now(), now()
                FROM account WHERE code = 'wallet:ann:bonus';
                \(Forgery.post("coins:promotions/*", "wallet:ann:bonus", coins))
                INSERT INTO lot (id, stripe, user_id, kind, coins, remaining, amount, deferred, currency, acquired_at,
                    expires_at, issuer, journal_entry_id)
                SELECT 900002, stripe, 'ann', 'bonus', \(coins), \(coins), 0, 0, 'KRW', now(), \(forged.expires),
                    'spring', 900001
                FROM account WHERE code = 'wallet:ann:bonus';
                INSERT INTO campaign_grant (lot_id, campaign_id, user_id, journal_entry_id, coins)
                SELECT 900002, id, 'ann', 900001, \(told) FROM campaign WHERE name = '\(forged.campaign)';
                """)
        await service.close()
        return refused
    }

    @Test func `a person gets the coins once, under whichever id, and they are counted where the person is now`()
        async throws
    {
        try await Self.with(for: Self.users("ann", "bob")) { ledger, test, id in
            try await ledger.runCampaign(id)
            for user in ["cat", "dan", "eve", "fay"] {  // of all stripes
                _ = try await ledger.submit(Grant.sample("meet-\(user)", to: user, coins: 1))
            }
            _ = try await ledger.submit(MergeUsers.sample("m-1", "ann", into: "cat"))
            _ = try await ledger.submit(Spend.sample(by: "cat", coins: 7))
            // Whoever posts for cat has the lock of cat's stripe alone.
            let ofCat = "FROM campaign_sum WHERE stripe = (SELECT stripe FROM account WHERE code = 'wallet:cat:bonus')"
            #expect(try await test.number("SELECT sum(given - remaining)::bigint \(ofCat)") == 7)
            _ = try await ledger.submit(MergeUsers.sample("m-2", "bob", into: "dan"))
            let more = try await ledger.campaigns.add(Self.users("cat", "dan", "eve"), to: id).get()
            #expect(more.added == 1 && more.present == 2)
            let both = try await ledger.campaigns.add(Self.users("ann", "cat", "gil"), to: id, isDryRun: true).get()
            #expect(both.added == 1)
            try await ledger.runCampaign(id)
            let campaign = try #require(try await ledger.campaigns.find(id))
            #expect(campaign.progress.users == 3 && campaign.progress.given == 30 && campaign.progress.refused == 0)
            #expect(try await ledger.balances.find(of: .named("dan")).total == 11)
            // What was reserved for a user who is merged before it is given is the other one's.
            _ = try await ledger.campaigns.add(Self.users("gus"), to: id).get()
            _ = try await ledger.submit(Grant.sample("meet-gus", to: "gus", coins: 1))
            let round = try await Self.reserve(1, of: id, ledger)
            _ = try await ledger.submit(MergeUsers.sample("m-3", "gus", into: "fay"))
            #expect(try await ledger.submit(try #require(round.acts.first)).success?.coins == 10)
            try await ledger.campaignRuns.finish(round, refused: [])
            #expect(try await ledger.balances.find(of: .named("fay")).total == 12)
            let lot = try #require(
                try await ledger.lots.list(of: .named("dan"), limit: 10).elements.first { $0.coins == 10 })
            _ = try await ledger.submit(VoidGrant.sample(of: lot))
            #expect(try await test.number("SELECT sum(voided)::bigint FROM campaign_sum") == 10)
        }
    }

    @Test func `what is reserved for two ids of a person is given once, and the rest is free again`() async throws {
        try await Self.with(for: Self.users("ann", "bob", "cat", "dan")) { ledger, test, id in
            for user in ["ann", "bob", "cat", "dan", "eve", "fay"] {
                _ = try await ledger.submit(Grant.sample("meet-\(user)", to: user, coins: 1))
            }
            let round = try await Self.reserve(4, of: id, ledger)
            // One is listed under both ids, one under two that are former ones.
            _ = try await ledger.submit(MergeUsers.sample("m-1", "ann", into: "bob"))
            _ = try await ledger.submit(MergeUsers.sample("m-2", "cat", into: "eve"))
            _ = try await ledger.submit(MergeUsers.sample("m-3", "dan", into: "eve"))
            for act in round.acts { #expect(try await ledger.submit(act).success?.coins == 10) }
            // The next process finds them with another id.
            _ = try await ledger.submit(MergeUsers.sample("m-4", "eve", into: "fay"))
            for act in round.acts { #expect(try await ledger.submit(act).isRepeat) }
            try await ledger.campaignRuns.finish(round, refused: [(user: .named("cat"), code: "fault")])
            let campaign = try #require(try await ledger.campaigns.find(id))
            #expect(campaign.progress.users == 2 && campaign.progress.refused == 2 && campaign.progress.asked == 20)
            let refused = "SELECT sum(number)::bigint FROM campaign_user WHERE refusal = 'already_claimed'"
            #expect(try await test.number(refused) == 1 + 4, "ann and dan")
            #expect(try await test.number("SELECT reserved FROM campaign") == 20)
        }
    }

    @Test func `what is reserved for an id of a person is given, also if another of their ids still waits`()
        async throws
    {
        let users = Self.users("ann", "bob", "cat", "dan")
        try await Self.with(.sample(budget: 40), for: users) { ledger, test, id in
            for user in ["ann", "cat"] { _ = try await ledger.submit(Grant.sample("meet-\(user)", to: user, coins: 1)) }
            let round = try await Self.reserve(2, of: id, ledger)
            _ = try await ledger.submit(MergeUsers.sample("m-1", "ann", into: "cat"))
            for act in round.acts { #expect(try await ledger.submit(act).success?.coins == 10) }
            try await ledger.campaignRuns.finish(round, refused: [(user: .named("ann"), code: "fault")])
            let numbers = "SELECT sum(number)::bigint FROM campaign_user WHERE refusal = 'already_claimed'"
            #expect(try await test.number(numbers) == 3, "cat, for whom nothing was reserved")
            try await ledger.runCampaign(id)
            let campaign = try #require(try await ledger.campaigns.find(id))
            #expect(campaign.progress.users == 3 && campaign.progress.refused == 1 && campaign.progress.asked == 30)
            #expect(try await test.number("SELECT reserved FROM campaign") == 30)
            #expect(try await ledger.balances.find(of: .named("cat")).total == 12)
        }
    }

    @Test func `what was claimed for two ids of a person is free again beyond the one grant, or both without it`()
        async throws
    {
        try await Self.with(.sample(budget: 50, code: "SPRING"), for: []) { ledger, test, id in
            for user in ["ann", "bob", "cat", "dan"] {
                _ = try await ledger.submit(Grant.sample("meet-\(user)", to: user, coins: 1))
                #expect(try await ledger.campaigns.claim("SPRING", for: .named(user)) == .success(id))
            }
            _ = try await ledger.submit(MergeUsers.sample("m-1", "ann", into: "bob"))
            _ = try await ledger.submit(MergeUsers.sample("m-2", "cat", into: "dan"))
            let act = GrantFromCampaign(campaign: id, user: .named("bob"))
            #expect(try await ledger.submit(act).success?.coins == 10)
            #expect(try await ledger.submit(act).isRepeat)
            for _ in 1...2 {
                try await ledger.campaigns.release(id, of: .named("bob"), because: "already_claimed")
                #expect(try await test.number("SELECT reserved FROM campaign") == 30, "ann's is free")
            }
            try await ledger.campaigns.release(id, of: .named("dan"), because: "account_full")
            #expect(try await test.number("SELECT reserved FROM campaign") == 10, "cat's and dan's are free")
            // Dan claims later, and finds what was reserved for a former id when an answer was lost.
            #expect(try await ledger.campaigns.claim("SPRING", for: .named("dan")) == .success(id))
            _ = try await ledger.submit(Grant.sample("meet-eve", to: "eve", coins: 1))
            _ = try await ledger.submit(MergeUsers.sample("m-3", "dan", into: "eve"))
            #expect(try await ledger.campaigns.claim("SPRING", for: .named("eve")) == .success(id))
            try await ledger.campaigns.release(id, of: .named("eve"), because: "account_full")
            #expect(try await test.number("SELECT reserved FROM campaign") == 10)
        }
    }

    @Test func `the service can't give itself a budget, nor users, sums or grants`() async throws {
        try await Self.with(for: Self.users("ann")) { _, test, _ in
            let service = try await test.connectAsService()
            for attempt in [
                "UPDATE campaign SET budget = 1000000", "INSERT INTO campaign_user VALUES (1, 'eve', 9, 5, NULL)",
                "UPDATE campaign_sum SET voided = 5", "DELETE FROM campaign_grant",
            ] {
                #expect(try await service.refusal(ofTransaction: attempt) != nil, "\(attempt)")
            }
            await service.close()
        }
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
