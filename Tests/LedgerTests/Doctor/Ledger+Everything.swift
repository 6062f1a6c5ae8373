import CivilTime
import Foundation
import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

extension Ledger {
    /// Does one of everything that can happen to coins.
    func liveThroughEverything() async throws {
        try await liveThroughAllButDollars()
        try await payInDollars()
    }

    /// What there was before there were payments in foreign currencies.
    func liveThroughAllButDollars() async throws {
        try await purchases.keep(.sampleInV2(1), of: try await buy(.sample(1)))
        _ = try await submit(Grant.sample("grant-1"))
        _ = try await submit(Spend.sample("spend-1", coins: 30))
        _ = try await submit(PlaceHold.sample("hold-1", coins: 20))
        let captured = try await submit(PlaceHold.sample("hold-2", coins: 15)).placed
        _ = try await submit(
            CaptureHold.sample(of: sure(captured).hold.id, coins: 5, provider: "zoe", isFinal: true))
        let voided = try await submit(PlaceHold.sample("hold-3", coins: 7)).placed
        _ = try await submit(VoidHold.sample(of: sure(voided).hold.id))
        try await takeBackWhatWasSold()
        try await fallIntoDebt()
        try await haveALotExpire()
        try await giveMoneyBack()
        try await goPastTheGateway()
        try await voidAGrant()
        try await beDisputed()
        try await bePaidOut()
        try await payProviders()
        try await adjustLastMonth()
        _ = try await periods.close(until: CreditPurchase.sample(4).paidAt, by: "kim")
        _ = try await credit(.sample(2, by: "eve", paymentID: "imp_late", merchantUID: "order_late"))
        try await giveCoins()
        try await beRefundedByAStore()
    }

    /// Coins are given, some of them are used, and others come back for a cancellation.
    private func giveCoins() async throws {
        let bought = CreditPurchase.sample(41, by: "gil", bonus: 0)
        _ = try await credit(bought)
        _ = try await submit(Grant.sample("grant-41", to: "joy", coins: 1))
        _ = try await submit(Gift.sample("gift-41", from: "gil", to: "joy", coins: 60, reason: "a present"))
        _ = try await submit(Spend.sample("spend-41", by: "joy", coins: 11))
        _ = try await submit(ClawBack.sample(of: bought, 500))
    }

    /// A part of a spend comes back, then the rest, and a part of a provider's capture.
    private func takeBackWhatWasSold() async throws {
        _ = try await credit(.sample(6, by: "gus"))
        let spent = try await submit(Spend.sample("spend-6", by: "gus", coins: 30)).redeemed
        _ = try await submit(ReverseRedemption.sample("back-1", of: spent, coins: 7))
        _ = try await submit(ReverseRedemption.sample("back-2", of: spent))
        let held = try await submit(PlaceHold.sample("hold-6", by: "gus", coins: 40)).placed
        let captured = try await submit(
            CaptureHold.sample("capture-6", of: sure(held).hold.id, by: "gus", provider: "zoe")
        ).redeemed
        _ = try await submit(ReverseRedemption.sample("back-3", of: captured, coins: 33))
    }

    /// Captures for two providers with terms are paid out, one comes back, and other payouts wait or are withdrawn.
    private func payProviders() async throws {
        try await setTerms("pia", 8000, withholding: .businessIncome)
        try await setTerms("quin", 6000, .principal)
        _ = try await credit(.sample(9, by: "uma", bonus: 0))
        let captured = try await capture("capture-7", of: "uma", 50, for: "pia")
        _ = try await capture("capture-8", of: "uma", 20, for: "quin")
        _ = try await pay(try await approved("payout-1"), "payment-7")
        _ = try await submit(ReverseRedemption.sample("back-7", of: captured, coins: 3))
        _ = try await repay(10, by: "pia")
        _ = try await capture("capture-9", of: "uma", 5, for: "quin")
        let withdrawn = sure(try await propose("payout-2").payout)
        _ = try await payouts.withdraw(withdrawn.id, by: "kim", because: "wrong month")
        _ = try await capture("capture-10", of: "uma", 9, for: "pia")
        _ = try await approved("payout-3", to: ["pia"])
        _ = try await propose("payout-4", to: ["quin"])
    }

    /// Both policies ask for an adjustment of the month before this one.
    ///
    /// Bonus coins that were used are charged at the time of a cancellation, and other bonus coins expired, so something
    /// happened in an earlier month. The sums are large enough that a policy of one thousandth more or less gives others.
    private func adjustLastMonth() async throws {
        let cancelled = CreditPurchase.sample(21, by: "yul", coins: 10_000, bonus: 1000, won: 100_000)
        _ = try await credit(cancelled)
        _ = try await submit(Spend.sample("spend-21", by: "yul", coins: 1000))
        _ = try await submit(ClawBack.sample(of: cancelled, 50_000, cancelledAt: cancelled.paidAt + 10))
        let expiring = CreditPurchase.sample(22, by: "zed")
        _ = try await credit(.sample(22, by: "zed", bonusExpiresAt: expiring.paidAt + 3600))
        try await expireLots()
        let zone = TimeZone.gmt
        let month = CivilMonth(of: CivilMonth(of: Date(), in: zone).start(in: zone) - 1, in: zone)
        for method in [
            AccountingPolicy.Method.expectedPattern(expected: 100, highlyProbable: 100),
            .relativePrice(bonusPrice: 1000),
        ] {
            _ = try await adjustments.setPolicy(method, from: month, in: zone, by: "kim")
        }
        for subject in AccountingPolicy.Subject.allCases {
            let booked = try await submit(
                try await adjustments.adjustment(
                    subject, of: month, in: zone, key: .named("adjustment-\(subject.rawValue)")))
            precondition(booked.adjustmentBooked?.journalEntryID != nil, "\(subject) has no entry: \(booked)")
        }
    }

    /// What was bought is spent, taken back, and paid for with what comes next.
    private func fallIntoDebt() async throws {
        let purchase = CreditPurchase.sample(2, by: "bob")
        _ = try await credit(purchase)
        _ = try await submit(Spend.sample("spend-2", by: "bob", coins: 60))
        _ = try await submit(ClawBack.sample(of: purchase, 1000))
        _ = try await submit(Grant.sample("grant-2", to: "bob", coins: 30))
        let unused = CreditPurchase.sample(5, by: "fay")
        _ = try await credit(unused)
        _ = try await submit(ClawBack.sample(of: unused, 1000))
    }

    /// One dispute goes on and freezes coins, one was won, one was lost, and one was lost and then won.
    private func beDisputed() async throws {
        for number in 10...13 {
            let purchase = try await buy(.sample(number, by: "hal-\(number)"))
            let dispute = try await submit(RecordDispute.sample(of: purchase)).disputed?.dispute
            if number > 10 {
                _ = try await submit(DecideDispute.sample("decision-\(number)", on: dispute, isWon: number == 11))
            }
            if number == 13 {
                let found = sure(try await disputes.find(sure(dispute).id))
                _ = try await submit(DecideDispute.sample("won-after-loss", on: found))
            }
        }
    }

    /// A store gives a payment back, and takes that back.
    private func beRefundedByAStore() async throws {
        let sold = try await buy(.sample(14, by: "sue", payment: .sampleInStore(14)))
        _ = try await submit(ClawBack.sample(of: sold, 1000))
        let known = sure(try await purchases.find(sold.id))
        let clawBack = sure(try await purchases.reversibleClawBack(of: known))
        _ = try await submit(ReverseClawBack(clawBack, of: known, told: .sample(of: sold, 0), toldAt: Date(), grace: 0))
    }

    /// A payment in dollars of which a third went back, one of which all did and was taken back again, and one with a refund.
    private func payInDollars() async throws {
        let rate = try await publish("1387.40")
        let sold = try await buy(.sample(15, by: "kay", paying: 297, at: rate, coins: 300, bonus: 30))
        _ = try await submit(ClawBack.sample(of: sold, 99))
        let other = try await buy(.sample(16, by: "kay", at: rate))
        _ = try await submit(ClawBack.sample(of: other, 99))
        let known = sure(try await purchases.find(other.id))
        let clawBack = sure(try await purchases.reversibleClawBack(of: known))
        _ = try await submit(
            ReverseClawBack(clawBack, of: known, told: .sample(of: other, 0), toldAt: Date(), grace: 0))
        let refunded = try await buy(.sample(18, by: "kay", payment: .sample(18), paying: 198, at: rate, coins: 200))
        let refund = try await begin(.sample("refund-18", of: refunded.id, by: "kay", coins: 50, feePercent: 10))
        _ = try await submit(CompleteRefund.sample(refund))
        try await beSettledAndRevalued(at: rate)
    }

    /// Google pays out a part of what was paid in dollars, and the month ends.
    private func beSettledAndRevalued(at rate: Rate) async throws {
        let sold = try await buy(
            .sample(17, by: "kay", payment: .sampleAtPlay(17), paying: 198, at: rate, coins: 200))
        let order = sure(sold.payment.merchantPaymentID)
        var file = EarningsFile()
        file.add(order, "Charge", "700", buyer: "USD", paid: "0.50")
        file.add(order, "Google fee", "-105", buyer: "USD", paid: "-0.08")
        _ = try await settlements.book(try file.draft(), by: "kim")
        try await publish("1400", on: sure(CivilDate(year: 2026, month: 1, day: 31)))
        let act = try await revaluations.revaluation(
            of: rate.currency, in: .named("2026-01"), .gmt, key: .named("revaluation-1"))
        _ = try await submit(sure(act))
    }

    /// The gateway pays out what it took for the third purchase.
    private func bePaidOut() async throws {
        let mapping = try SettlementMapping(text: "payment_id=id,gross=gross,fee=fee,tax=tax,net=net,paid_out_at=day")
        let days = sure(DayText(format: nil, in: sure(TimeZone(identifier: "Asia/Seoul"))))
        let text = "id,gross,fee,tax,net,day\nimp_3,1000,30,3,967,2026-01-10\n"
        let statement = try SettlementFileReader(mapping: mapping, days: days).read(Array(text.utf8), named: "a.csv")
        _ = try await settlements.book(statement, by: "kim")
    }

    /// A refund that was completed, one that the gateway refused, and one that still waits.
    private func giveMoneyBack() async throws {
        let purchase = try await buy(.sample(4, by: "dan"))
        let first = try await begin(.sample(of: purchase.id, by: "dan", coins: 20))
        _ = try await submit(CompleteRefund.sample(first))
        let second = try await begin(.sample("refund-2", of: purchase.id, by: "dan", coins: 30))
        _ = try await submit(ReleaseRefund.sample(second))
        _ = try await begin(.sample("refund-3", of: purchase.id, by: "dan", coins: 10))
    }

    /// Of refunds by bank transfer one is paid, one reversed, and one waits; a debt is paid in won, the rest written off.
    private func goPastTheGateway() async throws {
        let purchase = try await buy(.sample(7, by: "hal"))
        var refunds: [Refund] = []
        for coins: Int64 in [20, 30, 10, 5] {
            refunds.append(
                try await begin(
                    .sample(
                        "by-bank-\(coins)", of: purchase.id, by: "hal", coins: coins, feePercent: 10,
                        method: .bankTransfer)))
        }
        _ = try await submit(PayRefund.sample(of: refunds[0]))
        _ = try await submit(ReverseRefund.sample(of: refunds[1]))
        _ = try await submit(PayRefund.sample("payment-2", of: refunds[3]))
        _ = try await submit(RepayRefund.sample(of: refunds[3]))
        let cancelled = CreditPurchase.sample(8, by: "ivy")
        _ = try await credit(cancelled)
        let spent = try await submit(Spend.sample("spend-8", by: "ivy", coins: 60)).redeemed
        _ = try await submit(ClawBack.sample(of: cancelled, 1000))
        _ = try await submit(PayDebtByBank.sample(by: "ivy", coins: 20))
        _ = try await submit(WriteOffDebt.sample(by: "ivy"))
        _ = try await submit(ReverseRedemption.sample("back-8", of: spent, coins: 15))
        try await giveMoneyBackForExpiredCoins()
    }

    /// All that is left of a grant is voided, and coins of it come back later.
    private func voidAGrant() async throws {
        let granted = try await submit(Grant.sample("grant-9", to: "max", coins: 50)).granted
        let spent = try await submit(Spend.sample("spend-9", by: "max", coins: 20)).redeemed
        let lot = try await lots.ofGrant(sure(granted).journalEntryID)
        _ = try await submit(VoidGrant.sample(of: lot))
        _ = try await submit(ReverseRedemption.sample("back-9", of: spent, coins: 15))
    }

    /// A campaign gives coins to three users, of which some are used and some are voided.
    func runACampaign() async throws {
        let id = try await make(.sample(coinDays: 30))
        let users = ["cam-1", "cam-2", "cam-3"].map { CampaignUser(.named($0)) }
        _ = try await campaigns.add(users, to: id).get()
        try await runCampaign(id)
        _ = try await submit(Spend.sample("spend-cam", by: "cam-1", coins: 4))
        let lot = try await lots.list(of: .named("cam-2"), limit: 1).elements.first
        _ = try await submit(VoidGrant.sample("void-cam", of: lot, coins: 3))
    }

    /// A user is merged into one of the same stripe, with a hold that is open, and what was used before comes back.
    ///
    /// Migrations that are applied again know of no merge, so it is no part of ``liveThroughEverything()``.
    func becomeOne() async throws {
        _ = try await credit(.sample(60, by: "former-1"))
        _ = try await submit(Grant.sample("grant-60", to: "merged-2"))
        let spent = try await submit(Spend.sample("spend-60", by: "former-1", coins: 30)).redeemed
        _ = try await submit(PlaceHold.sample("hold-60", by: "former-1", coins: 20))
        _ = try await submit(MergeUsers.sample("merge-60", "former-1", into: "merged-2"))
        _ = try await submit(ReverseRedemption.sample("back-60", of: spent, coins: 4))
        _ = try await submit(MergeUsers.sample("merge-61", "merged-2", into: "renamed-2", isRename: true))
    }

    /// A part of expired coins goes back by bank transfer.
    private func giveMoneyBackForExpiredCoins() async throws {
        let purchase = try await buy(
            .sample(40, by: "lea", bonus: 0, expiresAt: Date(timeIntervalSinceNow: -60)))
        _ = try await begin(
            BeginRefund.sample(
                "expired-10", of: purchase.id, by: purchase.user, coins: 40, method: .bankTransfer,
                policy: RefundPolicy(feePercent: 0, expired: ExpiredCoinRule(days: 30, percent: 90))))
    }

    private func haveALotExpire() async throws {
        let lot = try await credit(.sample(3, by: "cat", bonus: 0, expiresAt: Date(timeIntervalSinceNow: -60)))
        guard lot.credited != nil else { return }
        try await expireLots()
    }
}
