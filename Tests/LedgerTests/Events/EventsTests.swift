import Foundation
import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

@Suite(.timeLimit(.minutes(20))) struct EventsTests {
    @Test func `everything that happens is an event, once and with the balance after it`() async throws {
        try await TestLedger.with { ledger, test in
            try await ledger.liveThroughEverything()
            let published = try await ledger.events.publisher.publish()
            #expect(try await ledger.events.publisher.publish() == 0)
            #expect(try await ledger.events.publisher.lag() == .zero)
            let events = try await ledger.events.everything()
            #expect(events.count == Int(published))
            #expect(try await ledger.events.last() == published)
            for (user, balance) in expectContinuous(events) {
                #expect(try await ledger.balances.find(of: user) == balance)
            }
            #expect(
                Set(events.compactMap { $0.entry?.id }).count
                    == Int(try await test.number("SELECT count(*) FROM journal_entry")))
            // Of these, orders, receipts, runs, seals, endpoints, thresholds, top-ups, campaigns and merges have tests of their own,
            // and no hold runs out here.
            let others: Set = [
                "hold.expired", "order.expired", "receipt.waiting", "receipt.refused", "reconciliation.completed",
                "reconciliation.failed", "seal.made", "endpoint.enabled", "endpoint.disabled", "endpoint.deleted",
                "balance.fell_below", "balance.rose_above", "user.merged", "coins.merged", "user.forgotten",
                "top_up.agreed", "top_up.credited", "top_up.failed",
                "top_up.limited", "top_up.paused", "top_up.resumed", "top_up.revoked", "campaign.created",
                "campaign.approved", "campaign.paused", "campaign.resumed", "campaign.ended", "campaign.voided",
            ]
            #expect(Set(events.map(\.type.rawValue)) == Set(EventType.all.map(\.rawValue)).subtracting(others))
            try await Audit.expectSound(test)
        }
    }

    @Test func `an event lists a thousand lots at most, and all are in pages of their own`() async throws {
        try await TestLedger.with { ledger, _ in
            _ = try await together(1003) { try await ledger.submit(Grant.sample("grant-\($0)", coins: 1)) }
            let spent = try await ledger.submit(Spend.sample(coins: 1003))
            _ = try await ledger.submit(ReverseRedemption.sample(of: spent.redeemed))
            _ = try await ledger.submit(PlaceHold.sample(coins: 1003))
            _ = try await ledger.submit(Spend.sample("none", coins: 1))
            try await ledger.events.publisher.publish()
            for (type, amount) in [(EventType.coinsSpent, 1003), (.spendReversed, 1003), (.holdPlaced, 1003)] {
                let events = try await ledger.events.list(after: 0, EventFilter(types: [type]), limit: 10).events
                let event = try #require(events.first)
                let entry = try #require(event.entry)
                #expect(entry.lots.count == 1000 && entry.lotCount == 1003, "\(type.rawValue)")
                var lots: [LotUse] = []
                var cursor: EventLotCursor?
                repeat {
                    let page = try #require(try await ledger.events.lots(of: event.seq, after: cursor, limit: 501))
                    lots += page.elements
                    cursor = page.next
                } while cursor != nil
                #expect(lots.prefix(1000) == entry.lots[...] && Set(lots.map(\.lotID)).count == amount)
                if case .reversal(_, _, let coins, _)? = entry.fact { #expect(coins == 1003) }
            }
            #expect(try await ledger.events.lots(of: 999_999, limit: 1) == nil)
            #expect(try await ledger.events.lots(of: 1, limit: 1)?.elements.isEmpty == true)
        }
    }

    @Test func `an event reports what its entry is about`() async throws {
        try await TestLedger.with { ledger, _ in
            try await ledger.liveThroughEverything()
            try await ledger.events.publisher.publish()
            let events = try await ledger.events.everything(limit: 1000)
            func first(_ type: EventType) throws -> EventEntry {
                try #require(events.first { $0.type == type }?.entry, "\(type.rawValue)")
            }
            guard case .purchase(let purchase) = try first(.purchaseCredited).fact else {
                Issue.record("the purchase is missing")
                return
            }
            #expect(purchase.payment.paymentID == "imp_1" && purchase.payment.merchantUID == "order_1")
            let spend = try first(.coinsSpent)
            #expect(spend.lots.reduce(0) { $0 + $1.coins } == 30)
            #expect(try first(.holdPlaced).lots.reduce(0) { $0 + $1.coins } == 20)
            guard case .hold(_, let captured, let provider) = try first(.holdCaptured).fact else {
                Issue.record("the hold is missing")
                return
            }
            #expect(captured == 5 && provider == "zoe")
            #expect(try first(.holdCaptured).lots.reduce(0) { $0 + $1.coins } == 5)
            guard case .refund(_, let refunded, let decision?) = try first(.refundRefused).fact else {
                Issue.record("the refund is missing")
                return
            }
            #expect(refunded.payment.paymentID == "imp_4" && decision.refusal != nil)
            guard case .settlement(let line, let settled) = try first(.settlementBooked).fact else {
                Issue.record("the settlement is missing")
                return
            }
            #expect(line.gross == 1000 && line.fee == 30 && settled.payment.paymentID == "imp_3")
            guard
                case .clawBack(_, amount: 1000, foreignAmount: nil, coins: 100, bonusCoins: 10) = try first(
                    .purchaseClawedBack
                ).fact
            else {
                Issue.record("the claw-back differs: \(String(describing: try first(.purchaseClawedBack).fact))")
                return
            }
            let facts = events.compactMap(\.entry).filter { $0.fact == nil && $0.change?.debt == 0 }
            #expect(facts.allSatisfy { !$0.lots.isEmpty }, "\(facts)")
            try Golden.expect(parts(of: events), in: "event-parts.txt")
        }
    }

    @Test func `an event is the same whenever it is read`() async throws {
        try await TestLedger.with { ledger, _ in
            var known: [Event] = []
            for number in 1...3 {
                _ = try await ledger.credit(.sample(number))
                _ = try await ledger.submit(Spend.sample("spend-\(number)", coins: 30))
                try await ledger.events.publisher.publish()
                let events = try await ledger.events.everything()
                #expect(events.count == known.count + 2)
                #expect(zip(events, known).allSatisfy { EventContents($0) == EventContents($1) })
                known = events
            }
            for event in known {
                let found = try await ledger.events.find(event.seq)
                #expect(found.map(EventContents.init) == EventContents(event))
            }
            #expect(try await ledger.events.find(7) == nil)
        }
    }

    @Test func `events are filtered by user and type, and the reader's place moves on`() async throws {
        try await TestLedger.with { ledger, _ in
            for number in 1...20 {
                _ = try await ledger.credit(.sample(number, by: number % 2 == 0 ? "ann" : "bob"))
            }
            _ = try await ledger.submit(Spend.sample("spend", by: "bob", coins: 30))
            try await ledger.events.publisher.publish()
            let ofAnn = try await ledger.events.everything(EventFilter(user: .named("ann")), limit: 3)
            #expect(ofAnn.count == 10 && ofAnn.allSatisfy { $0.user == .named("ann") })
            let spends = try await ledger.events.list(after: 0, EventFilter(types: [.coinsSpent]), limit: 10)
            #expect(spends.events.map(\.type) == [.coinsSpent])
            #expect(spends.next == 21 && !spends.hasMore)
            let none = EventFilter(types: [.coinsSpent], user: .named("ann"))
            let nothing = try await ledger.events.list(after: 3, none, limit: 10)
            #expect(nothing.events.isEmpty && nothing.next == 21 && !nothing.hasMore)
        }
    }

    @Test func `what is no entry is an event too`() async throws {
        try await TestLedger.with { ledger, test in
            let payment = PaymentIdentity.sample(9)
            try await ledger.findings.note(
                .unclaimed, payment, of: nil, amount: 1000, currency: "KRW", paidAt: nil)
            try await ledger.findings.note(
                .amountMismatch, payment, of: nil, amount: 1000, currency: "KRW", paidAt: nil)
            try await ledger.findings.resolve(under: payment)
            try await ledger.findings.note(
                .unclaimed, payment, of: nil, amount: 1000, currency: "KRW", paidAt: nil)
            _ = try await ledger.seals.make(with: SealKey())
            _ = try await ledger.periods.close(until: Date(timeIntervalSince1970: 1_700_000_000), by: "kim")
            try await test.execute(
                """
                INSERT INTO product (code, title, price, currency, coins, bonus_coins, active_from)
                VALUES ('coins_100', '100 coins', 1000, 'KRW', 100, 10, now() - interval '2 days');
                INSERT INTO "order" (merchant_uid, user_id, gateway, product, amount, currency, coins, bonus_coins,
                    created_at, expires_at)
                SELECT 'order_' || number, 'ann', 'portone-v1', 'coins_100', 1000, 'KRW', 100, 10,
                    now() - interval '1 day', now() + (number - 3) * interval '1 hour'
                FROM generate_series(1, 4) AS number;
                UPDATE order_expiry SET until = now() - interval '5 hours'
                """)
            _ = try await ledger.credit(.sample(1))
            #expect(try await ledger.orders.recordExpired(limit: 10) == 3)
            #expect(try await ledger.orders.recordExpired(limit: 10) == 0)
            try await ledger.events.publisher.publish()
            let listed = try await ledger.events.everything().filter { $0.occurrence != nil }
            #expect(
                listed.map(\.type) == [
                    .findingOpened, .findingClosed, .findingOpened, .sealMade, .periodClosed, .orderExpired,
                    .orderExpired,
                ])
            let members = listed.compactMap { $0.occurrence?.members }
            #expect(members[0]["imp_uid"] as? String == "imp_9" && members[0]["merchant_uid"] as? String == "order_9")
            #expect((members[3]["statement"] as? String).flatMap(SealContent.init(text:))?.entries == 0)
            #expect(members[4]["until"] as? Int == 1_700_000_000_000_000)
            #expect(listed[5].user == .named("ann") && members[5]["merchant_uid"] as? String == "order_2")
            try Golden.expect(parts(of: listed), in: "event-parts-of-no-entry.txt")
            try await Audit.expectSound(test)
        }
    }

    @Test func `receipts that wait or are refused are events`() async throws {
        try await TestLedger.with { ledger, test in
            try await test.execute(
                """
                INSERT INTO receipt_retry (user_id, gateway, imp_uid, merchant_uid, status, reason, next_attempt_at)
                VALUES ('ann', 'portone-v1', 'imp_1', 'order_1', 'waiting', 'gateway_unavailable', now());
                UPDATE receipt_retry SET attempts = attempts + 1;
                UPDATE receipt_retry SET status = 'refused', reason = 'payment_failed', decided_at = now();
                UPDATE receipt_retry SET status = 'waiting', reason = 'paid_after_all', decided_at = NULL;
                UPDATE receipt_retry SET status = 'credited', decided_at = now();
                """)
            try await ledger.events.publisher.publish()
            let listed = try await ledger.events.everything()
            #expect(listed.map(\.type) == [.receiptWaiting, .receiptRefused, .receiptWaiting])
            #expect(
                listed.map { $0.occurrence?.members["reason"] as? String } == [
                    "gateway_unavailable", "payment_failed", "paid_after_all",
                ]
            )
            #expect(listed.allSatisfy { $0.user == .named("ann") })
        }
    }
}
