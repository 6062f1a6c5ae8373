import Foundation
import LedgerTestSupport
import Postgres
import Testing

@testable import Ledger

/// What pages and answers read is bounded by what they show, not by the age of the ledger.
///
/// Told by the rows that the statements' plans have in hand.
@Suite(.timeLimit(.minutes(20))) struct BoundedReadTests {
    /// The rows of each kind that a page must not read as a whole.
    private static let filling = 5000
    /// A page of 20, and what is read beside it.
    private static let most = 200

    @Test func `pages of settlements, payouts and outstanding payments read what they show`() async throws {
        try await PlanSession.with { session in
            try await session.execute(Self.settlements)
            try await session.execute(Self.payout)
            try await session.execute("BEGIN; \(FilledTables.sql(rows: Self.filling, into: Self.books)); COMMIT")
            try await session.execute("ANALYZE")
            func check<Output>(_ what: String, _ query: PostgresQuery<Output>) async throws {
                let inHand = try await session.inHand(query).rows
                #expect(inHand <= Self.most, "\(what): \(inHand) rows in hand\n\(query.sql)")
            }
            try await check("open lines among dismissed ones", SettlementLine.unmatched(after: 0, limit: 20))
            try await check("the first open line", OpenWork.settlementLines.rows(before: .distantFuture))
            try await check("a settlement file", SettlementFile.find(1))
            try await check("settlement files", SettlementFile.list(in: .always, before: nil, limit: 20))
            try await check("a payout's providers", PayoutItem.list(of: 1, after: nil, limit: 20))
            try await check("a payout's captures", PayoutShare.list(of: 1, nil, after: nil, limit: 20))
            let middle = PayoutShareCursor(provider: "pia", journalEntryID: Int64(Self.filling / 2))
            try await check("captures from the middle on", PayoutShare.list(of: 1, nil, after: middle, limit: 20))
            try await check("a provider's captures", PayoutShare.list(of: 1, .named("pia"), after: middle, limit: 20))
            try await check(
                "outstanding payments",
                OutstandingPayment.list(asOf: .distantFuture, accounts: [1_000_001], after: nil, limit: 20))
        }
    }

    private static let books = ["account", "journal_entry", "posting", "purchase"]

    /// A file whose lines were all dismissed, but the last.
    private static let settlements = """
        BEGIN;
        INSERT INTO settlement_file (id, sha256, name, imported_by) OVERRIDING SYSTEM VALUE VALUES (1, 'x', 'x', 'x');
        INSERT INTO settlement_row (
            id, file_id, line, payment, gross, fee, tax, net, paid_out_on, paid_out_at, place, status)
        OVERRIDING SYSTEM VALUE
        SELECT n, 1, n, 'other-' || n, 100, 0, 0, 100, '2026-01-01', now(), 1, 'unmatched'
        FROM generate_series(1, \(filling)) AS n;
        SET LOCAL session_replication_role = replica;
        UPDATE settlement_row SET is_dismissed = true WHERE id < \(filling);
        INSERT INTO settlement_dismissal (row_id, payment, reason, dismissed_by)
        SELECT id, payment, 'x', 'x' FROM settlement_row WHERE id < \(filling);
        COMMIT
        """

    /// A payout of one provider's captures.
    private static let payout = """
        BEGIN;
        SET LOCAL session_replication_role = replica;
        INSERT INTO payout (id, key, proposed_by, cut_off, proposed_at, status) OVERRIDING SYSTEM VALUE
        VALUES (1, 'x', 'x', now(), now(), 'paid');
        INSERT INTO payout_item (payout_id, provider, amount, income_tax, local_tax, shares)
        VALUES (1, 'pia', 5, 0, 0, \(filling));
        INSERT INTO provider_share (
            journal_entry_id, capture_id, provider, stripe, terms_id, amount, share, recorded_at, payout_id)
        SELECT n, n, 'pia', 0, 1, 10, 5, now(), 1 FROM generate_series(1, \(filling)) AS n;
        COMMIT
        """
}
