import EndToEndSupport
import Foundation
import LedgerClient
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(20))) struct ServiceTests {
    @Test func `grants are voided and coins given, once`() async throws {
        try await Shop.open(["LEDGERD_GIFT_COINS": "bonus"]) { shop in
            try await `a grant is voided, and asking again voids nothing twice`(shop.anew())
            try await `coins are given once, whatever becomes of the answer`(shop.anew())
        }
    }

    @Test func `a service uses top-ups, campaigns and thresholds, and hears what is not set up`() async throws {
        try await Shop.open { shop in
            try await `a service that is not set up to forget users says so`(shop.anew())
            try await `a service stores, pauses, resumes and revokes a consent to top-ups`(shop.anew())
            try await `a service creates, fills, pauses, resumes and voids a campaign, and claims from another one`(
                shop.anew())
            try await `a service sets, reads and removes thresholds of coins`(shop.anew())
        }
    }

    @Test func `a service gives, holds, captures, voids and spends`() async throws {
        try await Shop.open { shop in
            _ = try await shop.app().present(try await shop.gateway.pay("5000").request)
            let client = shop.other()
            let expiry = Date(timeIntervalSince1970: 4_102_444_800.5)
            let granted = try await client.grant(
                GrantRequest(coins: 7, reason: "sorry", issuer: "care", expiresAt: expiry), to: "ann", key: "g")
            #expect(granted.grant.coins == 7 && granted.balance.bonus == 57)
            let placed = try await client.hold(
                HoldRequest(coins: 120, timeout: 60, reference: "booking:7"), of: "ann", key: "h")
            #expect(placed.hold.remaining == 120 && placed.balance.held == 120)
            #expect(placed.lots.reduce(0) { $0 + $1.coins } == 120)

            let captured = try await client.capture(
                placed.hold.id, CaptureRequest(coins: 90, provider: "designer-3"), key: "c")
            #expect(captured.capture.provider == "designer-3" && captured.hold.remaining == 30)
            let voided = try await client.void(placed.hold.id, VoidRequest(reason: "left early"), key: "v")
            #expect(voided.hold.status == "voided" && voided.balance.held == 0)
            #expect(try await client.hold(placed.hold.id) == voided.hold)
            #expect(try await client.earnings(of: "designer-3") == EarningsBody(provider: "designer-3", coins: 90))

            let spent = try await client.spend(
                SpendRequest(coins: 60, reference: "song:1", reason: "play"), of: "ann", key: "s")
            #expect(spent.spend.coins == 60 && spent.balance.total == 407)
            #expect(try await client.balances(of: ["ann", "bob"]).map(\.total) == [407, 0])
            let soon = try await client.lotsExpiring(before: expiry.addingTimeInterval(1)).page().items
            #expect(soon.allSatisfy { $0.issuer == "care" && $0.expiresAt == expiry })

            let wallet = client.wallet(of: "ann")
            #expect(try await wallet.balance() == spent.balance)
            #expect(try await wallet.holds().page().items == [voided.hold])
            let kinds = try await wallet.statement().page().items.map(\.kind)
            #expect(kinds == ["spend", "void", "capture", "hold", "grant", "purchase"])
            try await shop.house.expectSound()
        }
    }

    private func `a service that is not set up to forget users says so`(_ shop: Shop) async throws {
        let client = shop.other()
        let refused = await #expect(throws: LedgerClientError.self) {
            _ = try await client.askToForget(ForgettingRequest(reason: "gone"), user: "ann/1")
        }
        #expect(refused?.problem?.code == .forgettingOff)
        for unknown in [
            await #expect(throws: LedgerClientError.self) { _ = try await client.forgetting(of: "ann/1") },
            await #expect(throws: LedgerClientError.self) { _ = try await client.forgetting(7) },
            await #expect(throws: LedgerClientError.self) { _ = try await client.cancelForgetting(of: "ann/1") },
        ] { #expect(unknown?.problem?.code == .notFound) }
    }

    private func `a service stores, pauses, resumes and revokes a consent to top-ups`(_ shop: Shop) async throws {
        let client = shop.other()
        let request = TopUpRequest(
            gateway: "portone-v1", billingKey: "card", product: "coins_100", threshold: 50, monthlyLimit: 30_000)
        let agreed = try await client.agreeToTopUp(request, of: "ann/1")
        #expect(agreed.user == "ann/1" && agreed.status == "active" && agreed.monthlyLimit == 30_000)
        #expect(try await client.topUp(of: "ann/1") == agreed)
        let paused = try await client.pauseTopUp(PauseTopUpRequest(reason: "away"), of: "ann/1")
        #expect(paused.status == "paused" && paused.reason == "away")
        #expect(try await client.resumeTopUp(of: "ann/1").status == "active")
        #expect(try await client.revokeTopUp(of: "ann/1").status == "revoked")
        let error = await #expect(throws: LedgerClientError.self) { _ = try await client.topUp(of: "bob") }
        #expect(error?.problem?.code == .notFound)
        let order = try await client.order(OrderRequest(product: "coins_100"), for: "ann/1", key: "tap")
        #expect(try await client.order(OrderRequest(product: "coins_100"), for: "ann/1", key: "tap") == order)
        let unknown = await #expect(throws: LedgerClientError.self) {
            _ = try await client.present(.v1(impUID: "imp_nobody", merchantUID: order.merchantUID), for: "ann/1")
        }
        #expect(unknown?.problem?.code == .paymentNotFound)
    }

    private func `a service creates, fills, pauses, resumes and voids a campaign, and claims from another one`(
        _ shop: Shop
    ) async throws {
        let client = shop.other()
        let request = CampaignRequest(name: "spring", coins: 10, budget: 100, reason: "spring")
        let made = try await client.createCampaign(request)
        #expect(made.name == "spring" && made.budget == 100 && made.mostPerUser == 10)
        #expect(try await client.createCampaign(request).id == made.id)
        let paused = try await client.pauseCampaign(made.id, CampaignStopRequest(reason: "a test"))
        #expect(paused.status == "paused" && paused.statusReason == "a test")
        let users = CampaignUsersRequest(users: [CampaignUserRequest(user: "ann/1")], dryRun: true)
        #expect(try await client.addUsers(users, toCampaign: made.id).added == 1)
        let file = Data("user,coins\nann/1,\nbob,5\n".utf8)
        let counted = try await client.uploadUsers(file, toCampaign: made.id, isDryRun: true)
        #expect(counted.added == 2 && counted.dryRun)
        let unreadable = await failure { try await client.uploadUsers(Data("ann,x\n".utf8), toCampaign: made.id) }
        #expect(unreadable?.code == .invalidRequest)
        #expect(try await client.campaign(made.id).progress.listed == 0)
        shop.relay.next(.loseAnswer)
        let repeated = try await client.uploadUsers(file, toCampaign: made.id)
        #expect(repeated.added == 0 && repeated.present == 2)
        #expect(try await client.campaign(made.id).progress.listed == 2)
        #expect(try await client.resumeCampaign(made.id).status == "active")
        #expect(try await client.voidCampaign(made.id, CampaignStopRequest(reason: "over")).statusReason == "over")
        _ = try await client.createCampaign(
            CampaignRequest(name: "code", coins: 5, budget: 5, reason: "code", code: "CODE"))
        let claimed = try await client.claim(CampaignClaimRequest(code: "CODE"), for: "ann/1")
        #expect(claimed.grant.coins == 5 && claimed.balance.user == "ann/1")
        let error = await #expect(throws: LedgerClientError.self) {
            _ = try await client.claim(CampaignClaimRequest(code: "CODE"), for: "bob")
        }
        #expect(error?.problem?.code == .campaignClosed)
        var names: [String] = []
        for try await campaign in client.campaigns(pageSize: 1) { names.append(campaign.name) }
        #expect(names == ["code", "spring"])
    }

    private func `a service sets, reads and removes thresholds of coins`(_ shop: Shop) async throws {
        let client = shop.other()
        let request = BalanceAlertsRequest(below: [50], above: [100, 70])
        let set = try await client.setBalanceAlerts(request, of: "ann/1")
        #expect(set.user == "ann/1" && set.below == [50] && set.above == [70, 100])
        #expect(try await client.balanceAlerts(of: "ann/1") == set)
        #expect(try await client.setBalanceAlerts(BalanceAlertsRequest(below: [], above: [5])).user == nil)
        #expect(try await client.balanceAlerts().above == [5])
        try await client.removeBalanceAlerts(of: "ann/1")
        try await client.removeBalanceAlerts()
        for user in ["ann/1", nil] {
            let error = await #expect(throws: LedgerClientError.self) {
                _ = try await client.balanceAlerts(of: user)
            }
            #expect(error?.problem?.code == .notFound)
        }
    }

    @Test func `a spend and a capture are reversed, and asking again reverses nothing twice`() async throws {
        try await Shop.open { shop in
            _ = try await shop.app().present(try await shop.gateway.pay("5000").request)
            let client = shop.other()
            let spent = try await client.spend(SpendRequest(coins: 60), of: "ann", key: "s")
            shop.relay.next(.loseAnswer)
            let request = ReversalRequest(coins: 20, reason: "not delivered")
            let reversed = try await client.reverseSpend(spent.spend.journalEntryID, request, key: "r")
            #expect(reversed.reversal.reverses == spent.spend.journalEntryID && reversed.reversal.left == 40)
            #expect(reversed.balance.total == 510)
            #expect(try await client.reverseSpend(spent.spend.journalEntryID, request, key: "r") == reversed)
            let hold = try await client.hold(HoldRequest(coins: 10), of: "ann", key: "h").hold.id
            let captured = try await client.capture(hold, CaptureRequest(provider: "zoe"), key: "c")
            let back = try await client.reverseCapture(captured.capture.journalEntryID, of: hold, key: "b")
            #expect(back.reversal.provider == "zoe" && back.reversal.left == 0 && back.balance.total == 510)
            #expect(try await client.earnings(of: "zoe").coins == 0)
            let gone = await failure {
                try await client.reverseCapture(captured.capture.journalEntryID, of: hold, key: "n")
            }
            #expect(gone?.code == .alreadyReversed)
            try await shop.house.expectSound()
        }
    }

    private func `a grant is voided, and asking again voids nothing twice`(_ shop: Shop) async throws {
        let client = shop.other()
        let granted = try await client.grant(GrantRequest(coins: 50, reason: "gift"), to: "cat", key: "g")
        let grant = granted.grant.journalEntryID
        _ = try await client.hold(HoldRequest(coins: 10), of: "cat", key: "h")
        shop.relay.next(.loseAnswer)
        let request = VoidGrantRequest(coins: 15, reason: "twice")
        let part = try await client.voidGrant(grant, request, key: "v")
        #expect(part.void.reverses == grant && part.void.coins == 15)
        #expect(part.void.left == 25 && part.void.held == 10)
        #expect(try await client.voidGrant(grant, request, key: "v") == part && part.balance.total == 35)
        let rest = try await client.voidGrant(grant, VoidGrantRequest(reason: "a mistake"), key: "w")
        #expect(rest.void.coins == 25 && rest.void.left == 0 && rest.balance.available == 0)
        let gone = await failure { try await client.voidGrant(grant, request, key: "x") }
        #expect(gone?.code == .exceedsGrant && gone?.required == 15 && gone?.available == 0)
        try await shop.house.expectSound()
    }

    private func `coins are given once, whatever becomes of the answer`(_ shop: Shop) async throws {
        let client = shop.other()
        for user in ["ann", "bob"] {
            _ = try await client.grant(GrantRequest(coins: 50, reason: "x"), to: user, key: "g-\(user)")
        }
        shop.relay.next(.loseAnswer)
        let request = GiftRequest(to: "bob", coins: 15, reason: "a present")
        let given = try await client.gift(request, from: "ann", key: "p")
        #expect(
            given.gift.to == "bob" && given.gift.coins == 15 && given.gift.paidCoins == 0 && given.gift.fee == 0)
        #expect(try await client.gift(request, from: "ann", key: "p") == given && given.balance.total == 35)
        let gone = await failure { try await client.gift(GiftRequest(to: "bob", coins: 36), from: "ann", key: "q") }
        #expect(gone?.code == .exceedsGiveable && gone?.required == 36 && gone?.available == 35)
    }

    @Test func `a user is merged once, and then renamed`() async throws {
        try await Shop.open { shop in
            let client = shop.other()
            for (name, coins) in [("ann", 50), ("bob", 7)] {
                _ = try await client.grant(
                    GrantRequest(coins: Int64(coins), reason: "gift"), to: name, key: "g-\(name)")
            }
            let request = MergeRequest(into: "bob", reason: "one person")
            shop.relay.next(.loseAnswer)
            let merged = try await client.merge("ann", request, key: "m")
            #expect(merged.merge.coins == 50 && merged.merge.formerID == "ann" && merged.balance.total == 57)
            #expect(try await client.merge("ann", request, key: "m") == merged)
            let again = await failure { try await client.merge("ann", request, key: "n") }
            #expect(again?.code == .userMerged)
            let slip = await failure {
                try await client.merge("bob", MergeRequest(into: "nobody", reason: "a slip"), key: "o")
            }
            #expect(slip?.code == .userUnknown)
            let renamed = try await client.merge(
                "bob", MergeRequest(into: "u-1", newUser: true, reason: "new ids"), key: "p")
            #expect(renamed.merge.newUser && renamed.balance.user == "u-1")
            #expect(try await client.wallet(of: "ann").balance().user == "u-1")
            try await shop.house.expectSound()
        }
    }

    @Test func `spends are taken back with the refund of their purchase, once`() async throws {
        try await Shop.open { shop in
            let payment = try await shop.gateway.pay()
            let purchase = try #require(try await shop.app().present(payment.request).credited?.purchase)
            let client = shop.other()
            let spent = try await client.spend(SpendRequest(coins: 60), of: "ann", key: "s").spend.journalEntryID
            let quote = try await client.takeBackQuote(for: purchase.id)
            #expect(quote.isPossible && quote.spends.map(\.id) == [spent] && quote.amount == 1000)
            let request = TakeBackRequest(spends: [spent], reason: "her son")
            shop.relay.next(.loseAnswer)
            let made = try await client.takeBack(purchase.id, request, key: "t")
            #expect(made.reversals.map(\.coins) == [60] && made.refund.amount == 1000 && made.balance.total == 0)
            #expect(try await client.takeBack(purchase.id, request, key: "t") == made)
            let gone = await failure { try await client.takeBack(purchase.id, request, key: "u") }
            #expect(gone?.code == .alreadyReversed)
            try await shop.house.expectSound()
        }
    }

    @Test func `a purchase is given back, and asking again gives nothing back twice`() async throws {
        try await Shop.open { shop in
            let payment = try await shop.gateway.pay()
            let purchase = try #require(try await shop.app().present(payment.request).credited?.purchase)
            let client = shop.other()
            let quote = try await client.refundQuote(for: purchase.id, coins: 40)
            #expect(quote.isRefundable && quote.coins == 40 && quote.amount == 400 && quote.unusedCoins == 100)

            shop.relay.next(.loseAnswer)
            let part = RefundRequest(coins: 40, reason: "asked for")
            let refunded = try await client.refund(purchase.id, part, key: "r")
            #expect(refunded.refund.coins == 40 && refunded.refund.amount == 400 && refunded.balance.total == 60)
            #expect(try await client.refund(purchase.id, part, key: "r") == refunded)
            #expect(refunded.refund.status == "completed")
            #expect(try await client.refund(refunded.refund.id) == refunded.refund)
            #expect(try await shop.app().me.purchase(purchase.id).refunds == [refunded.refund])

            let error = try #require(
                await failure {
                    try await client.refund(purchase.id, RefundRequest(coins: 61, reason: "x"), key: "s")
                })
            #expect(error.code == .exceedsRefundable && error.required == 61 && error.available == 60)
            let gone = await failure { try await client.refund(1) }
            #expect(gone?.code == .notFound)
            try await shop.house.expectSound()
        }
    }

    @Test func `a user's name is sent as it is, whatever it is made of`() async throws {
        try await Shop.open { shop in
            for (number, name) in ["ann/../bob", "a b+c%20", "앤", "?x=1#y"].enumerated() {
                let granted = try await shop.other().grant(
                    GrantRequest(coins: 3, reason: "x"), to: name, key: "g\(number)")
                #expect(granted.balance.user == name)
                #expect(try await shop.other().wallet(of: name).balance().total == 3)
                #expect(try await shop.app(of: name).me.balance().total == 3)
            }
        }
    }
}
