import LedgerTestSupport

/// What the console's pages list beside purchases: written straight into the tables.
struct ConsoleFill: Sendable {
    let firstPurchase: Int64
    let firstFinding: Int64
    let firstFile: Int64

    /// The first purchase of the user with this number: `TestLedger.fill` takes four ids for each.
    func purchase(_ user: Int) -> Int64 { firstPurchase + 4 * Int64(user) }

    /// The most rows of what waits for people.
    private static let waiting = 200
    /// The settlement files; a part of their lines has no payment.
    private static let files = 20

    static func run(in books: TestLedger, users: Int) async throws -> ConsoleFill {
        let waiting = min(Self.waiting, users)
        for statement in [
            findings(waiting), receipts(waiting), audit(max(100, users / 10), users: users), settlementFiles,
            settlementLines(max(10, users / 200)),
            "ANALYZE finding, receipt_retry, audit, settlement_file, settlement_row",
        ] { try await books.execute(statement) }
        return ConsoleFill(
            firstPurchase: try await books.number("SELECT min(id) FROM purchase"),
            firstFinding: try await books.number("SELECT min(id) FROM finding"),
            firstFile: try await books.number("SELECT min(id) FROM settlement_file"))
    }

    private static func findings(_ count: Int) -> String {
        """
        INSERT INTO finding (kinds, gateway, imp_uid, merchant_uid, user_id, amount, currency, found_at)
        SELECT ARRAY['unclaimed'], 'portone-v1', 'imp_found_' || n, 'found_' || n, 'user-' || n - 1, 1000, 'KRW',
            now() - (\(count) - n) * interval '1 hour'
        FROM generate_series(1, \(count)) AS n
        """
    }

    /// Nothing is due while the pages are measured.
    private static func receipts(_ count: Int) -> String {
        """
        INSERT INTO receipt_retry (user_id, gateway, imp_uid, merchant_uid, status, reason, next_attempt_at)
        SELECT 'user-' || n - 1, 'portone-v1', 'imp_waits_' || n, 'waits_' || n, 'waiting', 'awaiting_payment',
            now() + interval '1 day'
        FROM generate_series(1, \(count)) AS n
        """
    }

    private static func audit(_ count: Int, users: Int) -> String {
        """
        INSERT INTO audit (key, acted_at, subject, name, role, act, target, user_id, reason, seen)
        SELECT 'filled-' || n, now() - (\(count) - n) * interval '1 minute', 'person-' || n % 20, 'Person ' || n % 20,
            'support', 'note', 'user:user-' || n % \(users), 'user-' || n % \(users), '', '{}'
        FROM generate_series(1, \(count)) AS n
        """
    }

    private static let settlementFiles = """
        INSERT INTO settlement_file (sha256, name, imported_by)
        SELECT sha256(convert_to('file ' || n, 'UTF8')), 'file ' || n, 'bench' FROM generate_series(1, \(files)) AS n
        """

    private static func settlementLines(_ count: Int) -> String {
        """
        INSERT INTO settlement_row (
            file_id, line, payment, gross, fee, tax, net, paid_out_on, paid_out_at, place, status, reason)
        SELECT file.id, n, 'other_' || file.id || '_' || n, 1000, 30, 3, 967, current_date, now(), 1,
            CASE WHEN n <= 5 THEN 'unmatched' ELSE 'refused' END, CASE WHEN n > 5 THEN 'exceeds_payment' END
        FROM settlement_file AS file CROSS JOIN generate_series(1, \(count)) AS n
        """
    }
}
