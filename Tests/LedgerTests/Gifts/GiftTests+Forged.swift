import Foundation
import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

/// Gifts that no honest service writes.
extension GiftTests {
    /// A gift of five of ann's 100 coins to cat, as a service that was taken over could write it.
    private static let byHand = """
        INSERT INTO journal_entry (id, stripe, kind, reference, effective_at, recorded_at)
        VALUES (900001, 0, 'gift_sent', 'gift:900000', now(), now()),
            (900002, 3, 'gift_received', 'gift:900000', now(), now());
        INSERT INTO posting (account_id, seq, journal_entry_id, stripe, amount, balance, currency, side)
        SELECT account.id, account.seq + 1, line.entry, account.stripe, line.amount,
            account.balance + CASE account.normal_side WHEN line.side THEN line.amount ELSE -line.amount END,
            account.currency, line.side
        FROM (VALUES (900001::int8, 'wallet:ann:paid', 'D', 5::int8), (900001, 'clearing:coins/0', 'C', 5),
                (900001, 'coins:deferred-revenue/0', 'D', 50), (900001, 'clearing:won/0', 'C', 50),
                (900002, 'clearing:coins/3', 'D', 5), (900002, 'wallet:cat:paid', 'C', 5),
                (900002, 'clearing:won/3', 'D', 50), (900002, 'coins:deferred-revenue/3', 'C', 50))
            AS line (entry, code, side, amount)
        JOIN account ON account.code = line.code;
        INSERT INTO lot (id, stripe, user_id, kind, coins, remaining, amount, deferred, currency, acquired_at,
            journal_entry_id, origin_id, origin_purchase_id, expires_at)
        SELECT 900003, 3, 'cat', 'paid', 5, 5, 50, 50, 'KRW', now(), 900002, id, purchase_id, expires_at
        FROM lot WHERE user_id = 'ann';
        INSERT INTO lot_movement (lot_id, seq, stripe, journal_entry_id, remaining, held, deferred, expired, breakage,
            returned_at, recorded_at)
        SELECT id, seq + 1, stripe, 900001, remaining - 5, held, deferred - 50, expired, breakage, returned_at, now()
        FROM lot WHERE user_id = 'ann';
        INSERT INTO gift (id, from_user, to_user, coins, amount, sent_entry_id, received_entry_id, recorded_at)
        VALUES (900000, 'ann', 'cat', 5, 50, 900001, 900002, now());
        INSERT INTO gift_lot (gift_id, from_lot_id, to_lot_id, coins, amount)
        SELECT 900000, id, 900003, 5, 50 FROM lot WHERE user_id = 'ann';
        """

    /// What is forged of it: a text there, and what stands in its place.
    private static let forged: [(name: String, text: String, with: String, constraint: String)] = [
        ("of more coins than it moves", "'cat', 5, 50", "'cat', 6, 50", "transaction_facts_agree"),
        ("of more won than it moves", "'cat', 5, 50", "'cat', 5, 51", "transaction_facts_agree"),
        ("of no lots", "50 FROM lot WHERE user_id = 'ann'", "50 FROM lot WHERE false", "transaction_facts_agree"),
        ("of another user's coins", "'ann', 'cat'", "'eve', 'cat'", "gift_lot_fits_gift"),
        ("to another user", "'ann', 'cat'", "'ann', 'eve'", "gift_lot_fits_gift"),
        ("of a lot that loses fewer", "900003, 5, 50", "900003, 4, 50", "gift_lot_fits_gift"),
        ("with another price", "5, 5, 50, 50", "5, 5, 40, 40", "gift_lot_fits_gift"),
        ("of another purchase", "900002, id, purchase_id", "900002, id, NULL", "gift_lot_fits_gift"),
        ("of another lot", "900002, id, purchase_id", "900002, 7, purchase_id", "gift_lot_fits_gift"),
        (
            "with another expiry", "purchase_id, expires_at\n", "purchase_id, now() + interval '9 days'\n",
            "gift_lot_fits_gift"
        ),
        (
            "of what was recorded before", "900001, 900002, now());", "900001, 900002, now() - interval '1 s');",
            "gift_fits_entries"
        ),
        (
            "that leaves won on its way",
            "(900002, 'clearing:won/3', 'D', 50), (900002, 'coins:deferred-revenue/3', 'C', 50)",
            "(900002, 'clearing:won/3', 'D', 40), (900002, 'coins:deferred-revenue/3', 'C', 40)",
            "transaction_facts_agree"
        ),
        ("for a refund", "'gift_sent'", "'gift_taken_back'", "transaction_facts_agree"),
    ]

    @Test func `the database refuses a forged gift`() async throws {
        try await TestLedger.with { ledger, test in
            for (number, user) in ["ann", "cat"].enumerated() {
                _ = try await ledger.buy(.sample(number + 1, by: user, bonus: 0))
            }
            let service = try await test.connectAsService()
            for (name, text, other, constraint) in Self.forged {
                let place = try #require(Self.byHand.range(of: text), "\(name)")
                let refused = try await service.refusal(
                    ofTransaction: Self.byHand.replacingCharacters(in: place, with: other))
                #expect(refused?.constraint == constraint, "\(name): \(refused?.description ?? "was done")")
            }
            try await test.execute(
                """
                SET session_replication_role = replica;
                INSERT INTO campaign (name, status, coins, most_per_user, budget, starts_at, reason, created_by, can_be_moved)
                VALUES ('kept', 'active', 5, 5, 5, now(), 'x', 'shop', false);
                INSERT INTO campaign_grant (lot_id, campaign_id, user_id, journal_entry_id, coins)
                SELECT lot.id, campaign.id, user_id, journal_entry_id, lot.coins FROM lot, campaign WHERE user_id = 'ann'
                """)
            #expect(try await service.refusal(ofTransaction: Self.byHand)?.constraint == "gift_lot_fits_gift")
            try await test.execute("SET session_replication_role = replica; UPDATE campaign SET can_be_moved = true")
            let honest = try await service.refusal(ofTransaction: Self.byHand)
            #expect(honest == nil, "\(honest?.description ?? "")")
            await service.close()
        }
    }
}
