import Foundation
import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

/// Plants a wrong value into the columns that the server's catalogue names, one at a time, in books that have been through
/// every kind of act.
///
/// So a column that is added needs a check of the doctor, or its place in ``Unwatched`` with the reason.
@Suite(.timeLimit(.minutes(20))) struct PlantedColumnTests {
    /// Figures that decide money or rights, and had no check once.
    private static let decisive: Set = [
        "purchase_reversal.amount", "purchase_reversal.coins", "purchase_reversal.bonus_coins",
        "purchase_reversal.charged_coins", "purchase_reversal.is_transfer", "purchase_reversal.purchase_id",
        "lot_movement.expired", "lot_movement.breakage", "hold_event.captured", "hold_event.released",
        "hold_event.status",
        "hold_event.hold_id", "hold.status", "purchase.charged_coins", "refund.expired_value", "journal_entry.kind",
        "idempotency.journal_entry_id",
    ]

    @Test
    func `a wrong value in any column is found or refused, or nothing depends on it for a reason that stands here`()
        async throws
    {
        try await TestLedger.withDatabase { test in
            try await test.liveThroughAllKinds()
            let columns = try await PlantedColumn.all(of: test)
            #expect(columns.count > 500)
            for unwatched in Unwatched.all {
                #expect(columns.contains { unwatched.covers($0.name) }, "\(unwatched.name) is no column")
            }
            let watched = columns.filter { column in !Unwatched.all.contains { $0.covers(column.name) } }
            #expect(Self.decisive.isSubset(of: watched.map(\.name)))
            // All take a minute.
            let tried = watched.filter { Effort.includesSlow || Self.decisive.contains($0.name) }
            var missed: [String] = []
            try await AlteredBooks.with(test) { books in
                for column in tried where try await !Self.isWatched(column, in: books) { missed.append(column.name) }
            }
            #expect(missed == [], "the doctor finds no wrong value there: it needs a check, or a reason in Unwatched")
        }
    }

    /// Whether the doctor finds a wrong value, or the table's constraints refuse each.
    ///
    /// One of the decisive figures must be found in each row that is tried, another in some row: what has a part in
    /// nothing, such as the tax of a provider who was never paid, can't be found.
    private static func isWatched(_ column: PlantedColumn, in books: AlteredBooks) async throws -> Bool {
        let isDecisive = decisive.contains(column.name)
        var verdicts: Set<PlantVerdict> = []
        for row in 0..<(isDecisive ? (Effort.includesSlow ? 24 : 2) : mostRows) {
            for plant in column.plants(inRow: row) {
                let verdict = try await books.verdict(on: plant, in: column)
                verdicts.insert(verdict)
                if verdict == .missed && isDecisive { return false }
                if verdict == .found && !isDecisive { return true }
                if verdict == .found { break }
            }
        }
        return verdicts.contains(.found) || verdicts.contains(.refused) && !verdicts.contains(.missed)
    }

    /// Most tables have fewer.
    private static let mostRows = 100
}

extension TestLedger {
    /// Every kind of act, with and without VAT, an order that was bought and one that expired, counted grants, and books
    /// with events, linked and sealed.
    fileprivate func liveThroughAllKinds() async throws {
        try await execute(
            """
            INSERT INTO product (
                code, title, price, currency, coins, bonus_coins, active_from, coin_days, bonus_coin_days)
            VALUES ('coins_100', '100 coins', 1000, 'KRW', 100, 10, now() - interval '3 hours', 30, 0);
            INSERT INTO "order" (
                merchant_uid, user_id, gateway, product, amount, currency, coins, bonus_coins, created_at, expires_at,
                coin_days, bonus_coin_days, vat)
            VALUES ('order_90', 'ned', 'portone-v1', 'coins_100', 1000, 'KRW', 100, 10, now() - interval '1 hour',
                    now() + interval '1 hour', 30, 0, 'at_use'),
                ('order_91', 'ned', 'portone-v1', 'coins_100', 1000, 'KRW', 100, 10, now() - interval '1 hour', now(), 30, 0,
                    'at_use');
            INSERT INTO grant_day (caller, day, coins) VALUES ('crm', '2026-01-31', 5);
            INSERT INTO grant_counted (caller, key, day, coins) VALUES ('crm', 'grant-9', '2026-01-31', 5);
            """)
        let ledger = try await open()
        try await ledger.liveThroughEverything()
        try await ledger.runACampaign()
        try await ledger.becomeOne()
        _ = try await ledger.submit(Grant.sample("grant-9", to: "ned", expiresAt: Date(timeIntervalSinceNow: 86_400)))
        try await ledger.chargeUsedBonusCoins()
        try await ledger.beDisputedTwice()
        try await refundTaxFreePart(by: ledger)
        _ = try await ledger.orders.recordExpired(limit: 10)
        await ledger.close()
        let taxed = try await open(vat: .everything)
        try await taxed.oweVAT()
        _ = try await taxed.credit(.sample(90, by: "ned", expiresAt: Date(timeIntervalSinceNow: 30 * 86_400)))
        _ = try await taxed.seals.make(with: SealKey())
        try await taxed.events.publisher.publish()
        try await taxed.addUpDays(in: .gmt)
        await taxed.close()
        let diagnosis = try await Doctor(try .unhurried(serviceURL)).examine()
        try #require(diagnosis.isSound, "\(diagnosis.findings)")
    }
}

extension TestLedger {
    /// All of a mixed payment goes back.
    private func refundTaxFreePart(by ledger: Ledger) async throws {
        let purchase = try await ledger.buy(.sample(95, by: "free", bonus: 0, taxFree: 400))
        let refund = try await ledger.begin(.sample("free", of: purchase.id, by: "free"))
        try await execute("UPDATE refund SET tax_free = 400 WHERE id = \(refund.id)")
        _ = try await ledger.submit(CompleteRefund.sample(refund))
    }
}

extension Ledger {
    /// The gateway decides for the shop what finance had booked as lost.
    fileprivate func beDisputedTwice() async throws {
        let purchase = try await buy(.sample(96, by: "twice"))
        let dispute = try await submit(RecordDispute.sample(of: purchase, 96)).disputed?.dispute
        _ = try await submit(DecideDispute.sample("decision-96", on: dispute, isWon: false))
        _ = try await submit(RecordDispute.sample(of: purchase, 96, isResolved: true))
    }

    /// A refund and a claw-back charge paid coins in place of bonus coins that were used.
    fileprivate func chargeUsedBonusCoins() async throws {
        for (number, method) in [(92, Refund.Method.gateway), (93, .bankTransfer)] {
            let user = "bonus-\(number)"
            let purchase = try await buy(.sample(number, by: user))
            _ = try await submit(Spend.sample("bonus-spend-\(number)", by: user, coins: 10))
            let refund = try await begin(
                .sample("bonus-\(number)", of: purchase.id, by: user, coins: 50, method: method))
            if method == .gateway { _ = try await submit(CompleteRefund.sample(refund)) }
        }
        let cancelled = CreditPurchase.sample(94, by: "bonus-94")
        _ = try await credit(cancelled)
        _ = try await submit(Spend.sample("bonus-spend-94", by: "bonus-94", coins: 10))
        _ = try await submit(ClawBack.sample(of: cancelled, 500))
    }
}
