import Foundation
import Postgres

extension SettlementLine {
    private static let columns = """
        settlement_row.id, line, settlement_row.payment, gross, fee, tax, net, paid_out_on::text, paid_out_at, place,
        settlement_row.status, settlement_row.reason, settlement_row.purchase_id, settlement_row.journal_entry_id, settled_at,
        settlement_row.file_id, settlement_row.input_vat, settlement_row.foreign_gross, settlement_row.foreign_currency,
        settlement_row.carried, settlement_row.foreign_net
        """

    /// The columns for a reader, who also sees what was dismissed.
    private static let selection = """
        SELECT \(columns), dismissal.reason, dismissed_by, dismissed_at, dismissal.kind, checked_by
        FROM settlement_row
        LEFT JOIN settlement_dismissal AS dismissal ON dismissal.row_id = settlement_row.id
            AND dismissal.payment = settlement_row.payment AND settlement_row.status = 'unmatched'
        LEFT JOIN settlement_dismissal_check AS looked ON looked.row_id = dismissal.row_id
            AND looked.payment = dismissal.payment
        """

    /// The status that a reader sees.
    private static let shownStatus = """
        CASE WHEN dismissal.row_id IS NULL THEN settlement_row.status ELSE 'dismissed' END
        """

    /// Stores a file's lines.
    ///
    /// Booked lines stay unchanged; the others are replaced, because the file may be imported again with another
    /// mapping.
    static func store(_ lines: [SettlementLineDraft], of file: Int64) -> PostgresQuery<Int> {
        .affected(
            """
            INSERT INTO settlement_row AS known (
                file_id, line, payment, gross, fee, tax, net, paid_out_on, paid_out_at, place, status,
                foreign_gross, foreign_currency, foreign_net)
            SELECT $1, line, payment, gross, fee, tax, net, paid_out_on::date, paid_out_at, place, 'waiting', foreign_gross,
                foreign_currency, foreign_net
            FROM unnest(
                $2::int8[], $3::text[], $4::int8[], $5::int8[], $6::int8[], $7::int8[], $8::text[],
                $9::timestamptz[], $10::int8[], $11::int8[], $12::text[], $13::int8[])
                AS new (line, payment, gross, fee, tax, net, paid_out_on, paid_out_at, place, foreign_gross,
                    foreign_currency, foreign_net)
            ON CONFLICT (file_id, line) DO UPDATE
            SET payment = excluded.payment, gross = excluded.gross, fee = excluded.fee, tax = excluded.tax,
                net = excluded.net, paid_out_on = excluded.paid_out_on, paid_out_at = excluded.paid_out_at,
                place = excluded.place, status = 'waiting', reason = NULL, purchase_id = NULL,
                foreign_gross = excluded.foreign_gross, foreign_currency = excluded.foreign_currency,
                foreign_net = excluded.foreign_net
            WHERE known.status <> 'settled'
            """,
            [
                file, lines.map(\.number), lines.map(\.payment), lines.map(\.gross), lines.map(\.fee), lines.map(\.tax),
                lines.map(\.net), lines.map(\.paidOutOn), lines.map(\.paidOutAt), lines.map(\.place),
                lines.map { $0.foreign?.amount }, lines.map { $0.foreign?.currency.code }, lines.map(\.foreignNet),
            ])
    }

    /// The lines with these ids, and the booked lines of these payments.
    ///
    /// `OFFSET 0` keeps the look-ups by key in a plan that PostgreSQL made while the tables were new (decision 0002).
    static func of(_ ids: [Int64], _ payments: [PaymentIdentity]) -> PostgresQuery<[SettlementLine]> {
        PostgresQuery(
            """
            SELECT \(columns) FROM settlement_row WHERE id = ANY($1)
            UNION
            SELECT \(columns)
            FROM unnest($2::text[], $3::text[]) AS asked (gateway, imp_uid)
            CROSS JOIN LATERAL (
                SELECT id FROM purchase WHERE imp_uid = asked.imp_uid AND gateway = asked.gateway OFFSET 0
            ) AS purchase
            CROSS JOIN LATERAL (
                SELECT * FROM settlement_row WHERE purchase_id = purchase.id AND status = 'settled' OFFSET 0
            ) AS settlement_row
            """,
            [ids, payments.map(\.gateway), payments.map(\.paymentID)], row: decode)
    }

    /// Stores booked lines with all their fields, because the file may have been imported with another mapping since
    /// they were read.
    static func update(_ lines: [SettlementLine]) -> PostgresQuery<Int> {
        .affected(
            """
            UPDATE settlement_row
            SET status = new.status, purchase_id = new.purchase_id, journal_entry_id = new.journal_entry_id,
                settled_at = new.settled_at, reason = NULL, payment = new.payment, gross = new.gross, fee = new.fee,
                tax = new.tax, net = new.net, paid_out_on = new.paid_out_on::date, paid_out_at = new.paid_out_at,
                place = new.place, input_vat = new.input_vat, foreign_gross = new.foreign_gross,
                foreign_currency = new.foreign_currency, carried = new.carried, foreign_net = new.foreign_net
            FROM unnest(
                $1::int8[], $2::text[], $3::int8[], $4::int8[], $5::timestamptz[], $6::text[], $7::int8[], $8::int8[],
                $9::int8[], $10::int8[], $11::text[], $12::timestamptz[], $13::int8[], $14::int8[], $15::int8[], $16::text[],
                $17::int8[], $18::int8[])
                AS new (id, status, purchase_id, journal_entry_id, settled_at, payment, gross, fee, tax, net,
                    paid_out_on, paid_out_at, place, input_vat, foreign_gross, foreign_currency, carried, foreign_net)
            WHERE settlement_row.id = new.id
            """,
            [
                lines.map(\.id), lines.map(\.status.rawValue), lines.map(\.purchaseID), lines.map(\.journalEntryID),
                lines.map(\.settledAt), lines.map(\.payment), lines.map(\.gross), lines.map(\.fee), lines.map(\.tax),
                lines.map(\.net), lines.map(\.paidOutOn), lines.map(\.paidOutAt), lines.map(\.place),
                lines.map(\.inputVAT), lines.map { $0.foreign?.amount }, lines.map { $0.foreign?.currency.code },
                lines.map(\.carried), lines.map(\.foreignNet),
            ])
    }

    /// Stores why lines can't be booked; nil: no payment has the line's id.
    static func leave(_ lines: [(id: Int64, reason: String?)]) -> PostgresQuery<Int> {
        .affected(
            """
            UPDATE settlement_row
            SET status = CASE WHEN new.reason IS NULL THEN 'unmatched' ELSE 'refused' END, reason = new.reason
            FROM unnest($1::int8[], $2::text[]) AS new (id, reason)
            WHERE settlement_row.id = new.id AND settlement_row.status IN ('waiting', 'unmatched')
            """,
            [lines.map(\.id), lines.map(\.reason)])
    }

    /// A file's lines in the file's order, at most `limit`.
    static func list(
        of file: Int64, _ status: Status?, after number: Int64, limit: Int
    ) -> PostgresQuery<[SettlementLine]> {
        PostgresQuery(
            """
            \(selection)
            WHERE file_id = $1 AND ($2 IS NULL OR \(shownStatus) = $2) AND line > $3
            ORDER BY line LIMIT $4
            """,
            [file, status?.rawValue, number, Int64(limit)], row: decodeShown)
    }

    /// A file's line with this number.
    static func find(_ number: Int64, of file: Int64) -> PostgresQuery<SettlementLine?> {
        .first("\(selection) WHERE file_id = $1 AND line = $2", [file, number], row: decodeShown)
    }

    /// Dismisses a line, if it is unmatched and not dismissed yet.
    static func dismiss(
        _ number: Int64, of file: Int64, as kind: Dismissal.Kind, because reason: String, by person: String
    ) -> PostgresQuery<Int> {
        .affected(
            """
            INSERT INTO settlement_dismissal (row_id, payment, reason, dismissed_by, kind)
            SELECT id, payment, $3, $4, $5 FROM settlement_row
            WHERE file_id = $1 AND line = $2 AND status = 'unmatched'
            ON CONFLICT (row_id, payment) DO NOTHING
            """,
            [file, number, reason, person, kind.rawValue])
    }

    /// Records that another person looked at a dismissal, if nobody did before.
    static func check(_ number: Int64, of file: Int64, by person: String) -> PostgresQuery<Int> {
        .affected(
            """
            INSERT INTO settlement_dismissal_check (row_id, payment, checked_by)
            SELECT dismissal.row_id, dismissal.payment, $3
            FROM settlement_row JOIN settlement_dismissal AS dismissal ON dismissal.row_id = settlement_row.id
                AND dismissal.payment = settlement_row.payment AND settlement_row.status = 'unmatched'
            WHERE file_id = $1 AND line = $2 AND dismissed_by <> $3
            ON CONFLICT (row_id, payment) DO NOTHING
            """,
            [file, number, person])
    }

    /// Dismissed lines at which nobody else has looked, newest first.
    ///
    /// Looks at the newest ``uncheckedDepth`` dismissals, by the primary key of each table. A dismissal whose line was booked
    /// since, or is another payment's by another mapping, is none any more.
    static func unchecked(before id: Int64, limit: Int) -> PostgresQuery<[SettlementLine]> {
        PostgresQuery(
            """
            \(selection)
            WHERE settlement_row.id IN (
                SELECT row_id FROM settlement_dismissal WHERE row_id < $2 ORDER BY row_id DESC
                LIMIT \(uncheckedDepth))
                AND dismissal.kind IS NOT NULL AND looked.row_id IS NULL
            ORDER BY settlement_row.id DESC LIMIT $1
            """,
            [Int64(limit), id], row: decodeShown)
    }

    /// How many dismissals are looked at for one without a second look.
    private static let uncheckedDepth = 2000

    /// Lines without a payment, dismissed or not, whose payment is in the books now, oldest first.
    ///
    /// Reads the newest ``returnedDepth`` lines without a payment by `settlement_row_unmatched`, and looks up each payment by
    /// the indexes of names of `purchase` and `payment_name`.
    static func returned(after id: Int64, limit: Int) -> PostgresQuery<[SettlementLine]> {
        PostgresQuery(
            """
            WITH recent AS MATERIALIZED (
                SELECT id, payment FROM settlement_row WHERE status = 'unmatched' ORDER BY id DESC LIMIT \(returnedDepth)
            ), found AS MATERIALIZED (
                SELECT id FROM recent
                WHERE id > $2 AND (
                    EXISTS (SELECT FROM purchase WHERE purchase.imp_uid = recent.payment)
                    OR EXISTS (SELECT FROM purchase WHERE purchase.merchant_uid = recent.payment)
                    OR EXISTS (
                        SELECT FROM purchase
                        WHERE purchase.payment_id = recent.payment AND purchase.gateway = '\(StoreName.googlePlay)')
                    OR EXISTS (SELECT FROM payment_name WHERE payment_name.imp_uid = recent.payment))
                ORDER BY id LIMIT $1
            )
            \(selection) WHERE settlement_row.id IN (SELECT id FROM found) ORDER BY settlement_row.id
            """,
            [Int64(limit), id], row: decodeShown)
    }

    /// How many lines without a payment are looked at again.
    private static let returnedDepth = 2000

    /// All lines of a file for these payments, in the file's order.
    static func siblings(of file: Int64, _ payments: [String]) -> PostgresQuery<[SettlementLine]> {
        PostgresQuery(
            "SELECT \(columns) FROM settlement_row WHERE file_id = $1 AND payment = ANY($2) ORDER BY line",
            [file, payments], row: decode)
    }

    /// Lines of all files whose payment is not in the books and that are not dismissed, oldest first, at most `limit`.
    static func unmatched(after id: Int64, limit: Int) -> PostgresQuery<[SettlementLine]> {
        PostgresQuery(
            "SELECT \(columns) FROM settlement_row WHERE \(OpenWork.settlementLines.condition) AND id > $1 ORDER BY id LIMIT $2",
            [id, Int64(limit)], row: decode)
    }

    private static func decode(_ row: borrowing PostgresRow) throws -> SettlementLine {
        try row.decode(of: "settlement_row") { try read($0, status: try $0[10], dismissal: nil) }
    }

    private static func decodeShown(_ row: borrowing PostgresRow) throws -> SettlementLine {
        try row.decode(of: "settlement_row") { row in
            guard let reason = try row.decode(21, as: String?.self) else {
                return try read(row, status: try row[10], dismissal: nil)
            }
            return try read(
                row, status: .dismissed,
                dismissal: Dismissal(
                    kind: try row.decode(24, as: String?.self).flatMap(Dismissal.Kind.init(rawValue:)), reason: reason,
                    by: try row[22], at: try row[23], checkedBy: try row[25]))
        }
    }

    private static func read(
        _ row: borrowing PostgresRow, status: Status, dismissal: Dismissal?
    ) throws -> SettlementLine {
        SettlementLine(
            id: try row[0], fileID: try row[15],
            draft: SettlementLineDraft(
                number: try row[1], payment: try row[2], gross: try row[3], fee: try row[4], tax: try row[5],
                net: try row[6], paidOutOn: try row[7], paidOutAt: try row[8], place: try row[9],
                foreign: try foreignGross(row), foreignNet: try row.decode(20, as: Int64?.self)),
            status: status, reason: try row[11], purchaseID: try row[12], journalEntryID: try row[13],
            inputVAT: try row[16], carried: try row[19], settledAt: try row[14], dismissal: dismissal)
    }

    private static func foreignGross(_ row: borrowing PostgresRow) throws -> ForeignGross? {
        guard let amount = try row.decode(17, as: Int64?.self),
            let currency = try row.decode(18, as: ForeignCurrency?.self)
        else { return nil }
        return ForeignGross(amount: amount, currency: currency)
    }
}

extension SettlementLine.Status: PostgresRawRepresentable {}
