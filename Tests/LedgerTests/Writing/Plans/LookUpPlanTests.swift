import CivilTime
import Foundation
import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

/// As ``JudgePlanTests``, of the look-ups of writers and of the pools whose plans are kept.
@Suite(.timeLimit(.minutes(20))) struct LookUpPlanTests {
    /// The size of a look-up: a plan that compares each row with each has 16,384 pairs in hand.
    private static let asked = 128

    @Test(.enabled(if: Effort.includesSlow)) func `look-ups read by key in tables of a million rows`() async throws {
        try await PlanSession.with { session in
            try await session.fill(1_000_000)
            try await Self.expectKeys(session, "never analyzed")
            try await session.execute("ANALYZE")
            try await Self.expectKeys(session, "analyzed")
        }
    }

    /// Kinds of entries, with what their events are about: together they ask for all that an event tells.
    private static let kindsOfEvents: [(EntryKind, String)] = [
        (.clawBack, "purchase"), (.refund, "refund"), (.hold, "hold"), (.spend, "spend"), (.spendReversal, "spend"),
        (.debtBankPayment, "user"), (.payout, "payout"), (.providerRepayment, "provider"), (.adjustment, "adjustment"),
        (.expiry, "lot"), (.settlement, "purchase"), (.giftSent, "gift"),
    ]

    /// Purchases of 2020 in the App Store, which are settled.
    private static let soldInAppStore = """
        BEGIN;
        SET LOCAL test.triggers = 'off';
        UPDATE purchase SET gateway = 'app-store', paid_at = '2020-01-10', settled_amount = amount
        WHERE id > 1000000 AND id <= 1000000 + \(asked) AND gateway <> 'app-store';
        COMMIT
        """

    /// Carries each look-up out, for as many keys as a batch has.
    ///
    /// Up to 24 pages for each: it looks into some tables, each through an index of three or four levels. An index of 20,000
    /// rows has a hundred pages or more.
    static func expectKeys(_ session: PlanSession, _ state: String) async throws {
        let numbers = Array(1...asked)
        let ids = numbers.map { Int64(1_000_000 + $0) }
        let users = numbers.map { UserID.named("filler-\($0)") }
        let names = numbers.map { "filler-\($0)" }
        let payments = names.map { PaymentIdentity(gateway: "portone-v1", paymentID: $0, merchantUID: $0) }
        func check<Output>(_ query: PostgresQuery<Output>, for asked: Int = Self.asked) async throws {
            let (rows, pages) = try await session.inHand(query)
            #expect(rows <= 16 * asked + 64, "\(state): \(rows) rows in hand for \(asked)\n\(query.sql)")
            #expect(pages <= 24 * asked + 96, "\(state): \(pages) pages for \(asked)\n\(query.sql)")
        }
        try await check(Account.lock(ids: ids))
        try await check(Account.lock(codes: names.map { "wallet:\($0):paid" }))
        try await check(Account.lock(of: users))
        try await check(UserAliases.among(users))
        try await check(MergeState.of(users[0], into: users[1], LotLimits()), for: 1)
        try await check(Purchase.sharing(payments))
        try await check(Purchase.known(as: payments))
        try await check(Purchase.find(ids, ofRefunds: ids))
        try await check(Lot.open(of: payments))
        try await check(Lot.open(ofPurchases: ids, ofRefunds: ids))
        try await check(Lot.first(ofDebtorsAmong: users, in: .standard, limit: 8))
        try await check(Lot.first(of: users, in: .standard, limit: 8))
        try await check(Lot.expiredOrTaxed(ofPurchases: ids))
        try await check(Lot.find(ids, ofHolds: ids))
        try await check(Lot.voidedCoins(of: ids))
        try await check(CampaignShare.find(users.map { (campaign: 1_000_001, user: $0) }))
        try await check(Lot.ofCampaign(1_000_001, after: 1_000_007, limit: asked))
        try await check(Lot.givenWithOrigins(ofPurchases: ids, payments))
        try await check(ProviderTerms.inForce(of: users))
        try await check(Hold.find(ids))
        try await check(HoldLot.of(ids))
        try await check(Redemption.find(ids))
        try await check(Redemption.lots(of: ids))
        try await check(Refund.find(ids, undecidedOf: ids, and: payments))
        try await check(Refund.lots(ofTransfers: ids))
        try await check(Dispute.of(purchases: ids, refunds: ids, payments: payments))
        let own = ids.map { PurchaseLots(purchase: $0, lots: [$0, $0 + 1]) }
        try await check(ClawBackLoss.of(own))
        try await check(ClawBackLoss.last(of: own))
        try await check(ClawBackReversal.last(of: payments))
        try await check(ReversibleClawBack.entry(reversing: ids[7], payments[7]), for: 1)
        try await check(FindingAct.settledByHand(payments[7]), for: 1)
        try await check(NotificationWalk.end("filler-7", of: "app-store"), for: 1)
        try await check(
            NotificationWalk.note("walked", of: "app-store", until: Date(timeIntervalSince1970: 0)), for: 1)
        let dollar = sure(try? ForeignCurrency("USD"))
        let day = sure(CivilDate(year: 2019, month: 12, day: 7))
        try await check(Rate.holding(of: dollar, at: Date(timeIntervalSince1970: 4e9), on: day), for: 1)
        try await check(Rate.newest(of: dollar, for: day), for: 1)
        let quotation = sure(Quotation("100", per: 1))
        try await check(
            Rate.needsSecondPerson(RateDraft(currency: dollar, day: day, quotation: quotation, source: "x")), for: 1)
        try await check(StoreConsent.find(of: users[7]), for: 1)
        try await check(StoreConsent.set(false, of: users[7], by: "shop"), for: 1)
        try await check(RefundQuestion.find(7), for: 1)
        try await check(RefundQuestion.list(ofPurchases: ids))
        try await check(RefundQuestion.isUnanswered(ids[7]), for: 1)
        try await check(
            RefundQuestion.settle(ids[7], of: payments[7], by: ["REFUND": .refunded, "REFUND_DECLINED": .declined]),
            for: 1)
        try await check(Purchase.ofPlayOrder("filler-7"), for: 1)
        try await check(SettlementLine.of(ids, payments))
        try await check(DebtHistory.lines(of: users))
        try await check(PayoutState.lock(ids))
        try await check(RecordedOutcome.under(names.map(CallerKey.named)))
        try await check(RecordedOutcome.use(of: .named("filler-7")), for: 1)
        try await check(Lot.giveable(by: .named("filler-7"), GiftRules.all.coins, in: .standard), for: 1)
        try await check(PlannedGifts.coins("from_user", users[7], since: Date(timeIntervalSince1970: 0)), for: 1)
        try await check(PlannedGifts.coins("to_user", users[7], since: Date(timeIntervalSince1970: 0)), for: 1)
        try await check(Lot.ofGrant(1_000_007), for: 1)
        try await check(Lot.voidable(1_000_007), for: 1)
        try await check(Lot.voided(among: ids))
        try await check(Purchase.named(names))
        try await check(EventRow.after(0, .all, limit: asked))
        try await check(EventRow.find(numbers.map { Int64($0) }))
        for (kind, subject) in kindsOfEvents {
            let rows = numbers.map { number in
                EventRow(
                    seq: Int64(number), id: Int64(1_000_000 + number), type: .coinsSpent, user: users[number - 1],
                    recordedAt: .distantPast,
                    source: .entry(
                        kind, reference: "\(subject):\(1_000_000 + number)", reason: "\(1_000_000 + number)",
                        effectiveAt: .distantPast))
            }
            for query in EventFacts.lookUps(for: rows) { try await check(query) }
        }
        try await check(Balance.of(users))
        try await check(Order.named(names))
        try await session.execute("SET enable_bitmapscan = off")
        try await check(WaitingCounts.now)
        try await session.execute("RESET enable_bitmapscan")
        // A search is for one name, and at most 21 of a kind.
        try await check(SearchHit.named("filler-7", ["portone-v1", "portone-v2"]), for: 1)
        try await check(SearchHit.users(beginningWith: "filler-1"), for: 21)
        // An amount is looked for among all payments of the period, in the index alone; all of these are of today.
        let yesterday = Period(from: Date(timeIntervalSinceNow: -172_800), to: Date(timeIntervalSinceNow: -86_400))
        try await check(SearchHit.paid(1, in: yesterday), for: 21)
        try await check(SearchHit.paid(nil, in: .always), for: 21)
        try await check(WaitingReceipt.claims(of: payments), for: payments.count)
        try await session.execute(Self.soldInAppStore)
        let later = Date(timeIntervalSince1970: 1_592_000_000)
        for currency in [nil, ForeignCurrency.named("USD")] {
            try await check(ReportableSale.inAppStore(until: later..<later + 86_400, "2020-06-12", in: currency))
        }
    }
}
