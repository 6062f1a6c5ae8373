import Foundation
package import Postgres

extension Lot {
    static let columns = "lot.id, lot.stripe, lot.user_id, \(contents)"

    /// The same of lots without coins, too: a merge leaves these as they are, and they are the other user's.
    static let columnsOfAny = """
        lot.id, coalesce((SELECT stripe FROM user_alias WHERE former = lot.user_id), lot.stripe),
        \(UserAliases.now("lot.user_id")), \(contents)
        """

    private static let contents = """
        lot.kind, lot.coins, lot.amount, lot.acquired_at, lot.expires_at,
        lot.purchase_id, lot.issuer, lot.journal_entry_id, lot.remaining, lot.held, lot.deferred,
        lot.expired, lot.breakage, lot.seq, lot.returned_at, lot.vat, lot.taxed, lot.taxed_breakage,
        lot.is_voided, lot.origin_id, lot.origin_purchase_id, lot.began_taxed
        """

    /// The lots of these payments that have coins left, expired coins or VAT.
    static func open(of payments: [PaymentIdentity]) -> PostgresQuery<[Lot]> {
        // Lots with coins left are found in the index of the user's open lots, by the time of the purchase: a user may
        // have thousands. An index by purchase would slow down every purchase; the index of expired lots, and of those
        // with VAT, is written only when a lot expires, or if VAT is on. The second half uses no join, because a join
        // would read that index as a whole while it is small. `OFFSET 0` keeps the look-ups by key in a plan that
        // PostgreSQL made while the tables were new (decision 0002).
        PostgresQuery(
            """
            WITH asked AS (
                SELECT purchase.id, purchase.user_id, purchase.credited_at
                FROM unnest($1::text[], $2::text[]) AS payment (gateway, imp_uid)
                CROSS JOIN LATERAL (
                    SELECT id, user_id, credited_at FROM purchase
                    WHERE purchase.imp_uid = payment.imp_uid AND purchase.gateway = payment.gateway
                    OFFSET 0
                ) AS purchase
            )
            SELECT \(columns)
            FROM asked
            CROSS JOIN LATERAL (
                SELECT * FROM lot WHERE \(isOpenLotOfAsked) OFFSET 0
            ) AS lot
            UNION
            SELECT \(columnsOfAny)
            FROM lot
            WHERE lot.purchase_id = ANY(ARRAY(SELECT id FROM asked)) AND (lot.expired > 0 OR lot.vat IS NOT NULL)
            ORDER BY id
            """,
            [payments.map(\.gateway), payments.map(\.paymentID)])
    }

    /// The lots with coins left of these purchases, and of the purchases of these refunds.
    static func open(ofPurchases ids: [Int64], ofRefunds refunds: [Int64] = []) -> PostgresQuery<[Lot]> {
        // `OFFSET 0` keeps the look-ups by key in a plan that PostgreSQL made while the tables were new, and only the
        // primary keys have the orders of the ids. The index by user has all other columns but not the status, which each
        // purchase has, so it is no answer (decision 0002).
        PostgresQuery(
            """
            SELECT \(columns)
            FROM (
                SELECT id, user_id, credited_at FROM purchase
                WHERE id = ANY($1::int8[] || ARRAY(\(Refund.purchases("$2")))) AND status IS NOT NULL
                ORDER BY id
            ) AS asked
            CROSS JOIN LATERAL (
                SELECT * FROM lot WHERE \(isOpenLotOfAsked) OFFSET 0
            ) AS lot
            ORDER BY lot.id
            """,
            [ids, refunds])
    }

    /// A purchase's lots are acquired when it is credited, which the doctor proves (`recorded_time_differs`).
    private static let isOpenLotOfAsked = """
        lot.user_id = asked.user_id AND lot.is_open AND lot.acquired_at = asked.credited_at AND lot.purchase_id = asked.id
        """

    /// The first lots of each user in the order in which they are used, at most `limit`.
    ///
    /// For ``LotOrdering/standard`` an index has this order, so the cost does not grow with the user's lots.
    static func first(of users: [UserID], in order: LotOrdering, limit: Int) -> PostgresQuery<[Lot]> {
        PostgresQuery(
            """
            SELECT \(columns)
            FROM unnest($1::text[]) AS taker (user_id)
            CROSS JOIN LATERAL (
                \(firstLots(of: "taker.user_id", in: order))
            ) AS lot
            """,
            [users.map(\.rawValue), Int64(limit)])
    }

    /// The same, of those of the users who are in debt.
    static func first(ofDebtorsAmong users: [UserID], in order: LotOrdering, limit: Int) -> PostgresQuery<[Lot]> {
        PostgresQuery(
            """
            SELECT \(columns)
            FROM account AS debt
            CROSS JOIN LATERAL (
                \(firstLots(of: "debt.owner", in: order))
            ) AS lot
            WHERE debt.owner = ANY($1) AND debt.owes
            """,
            [users.map(\.rawValue), Int64(limit)])
    }

    private static func firstLots(of user: String, in order: LotOrdering) -> String {
        """
        SELECT * FROM lot
        WHERE lot.user_id = \(user) AND is_open AND remaining > 0
            AND (expires_at IS NULL OR expires_at > clock_timestamp())
        ORDER BY \(order.sql)
        LIMIT $2
        """
    }

    /// The lots that meet a condition.
    static func find(where condition: String, _ parameters: PostgresParameters) -> PostgresQuery<[Lot]> {
        PostgresQuery("SELECT \(columnsOfAny) FROM lot WHERE \(condition)", parameters)
    }

    /// The lots of these purchases that have expired coins or VAT.
    ///
    /// `id + 0`: no index has this order, so a plan of an empty table does not read all lots in the order of their ids
    /// (decision 0002).
    static func expiredOrTaxed(ofPurchases ids: [Int64]) -> PostgresQuery<[Lot]> {
        PostgresQuery(
            """
            SELECT \(columnsOfAny) FROM lot WHERE purchase_id = ANY($1) AND (expired > 0 OR vat IS NOT NULL) ORDER BY id + 0
            """, [ids])
    }

    /// The lots with these ids, and the lots of these holds.
    ///
    /// Only the primary keys have these orders, so only they are read (decision 0002).
    static func find(_ ids: [Int64], ofHolds holds: [Int64]) -> PostgresQuery<[Lot]> {
        PostgresQuery(
            """
            SELECT \(columnsOfAny) FROM lot
            WHERE id = ANY($1::int8[] || ARRAY(SELECT lot_id FROM hold_lot WHERE hold_id = ANY($2) ORDER BY hold_id, place))
            ORDER BY id
            """,
            [ids, holds])
    }

    /// A user's lots with coins left, by expiry.
    ///
    /// Returns up to `limit` + 1 rows, to show whether there are more.
    static func open(
        of user: UserID, _ kind: LotKind?, expiringBefore end: Date?, after cursor: LotCursor?, limit: Int
    ) -> PostgresQuery<[Lot]> {
        PostgresQuery(
            """
            SELECT \(columns) FROM lot
            WHERE user_id = $1 AND is_open AND ($2::timestamptz IS NULL OR expires_at < $2)
                AND (coalesce(expires_at, $3), id) > ($4, $5) AND ($7 IS NULL OR kind = $7)
            ORDER BY coalesce(expires_at, $3), id
            LIMIT $6
            """,
            [
                user.rawValue, end, Date.endOfHistory, cursor?.date ?? Date(timeIntervalSince1970: 0), cursor?.id ?? 0,
                Int64(limit + 1), kind?.rawValue,
            ])
    }

    /// Lots of all users that expire before the moment and have coins in the wallet, earliest first.
    ///
    /// Returns up to `limit` + 1 rows, to show whether there are more.
    static func expiring(
        before end: Date, _ kind: LotKind?, after cursor: LotCursor?, limit: Int
    ) -> PostgresQuery<[Lot]> {
        PostgresQuery(
            """
            SELECT \(columns) FROM lot
            WHERE is_open AND remaining > 0 AND expires_at IS NOT NULL AND expires_at < $1 AND (expires_at, id) > ($2, $3)
                AND ($5 IS NULL OR kind = $5)
            ORDER BY expires_at, id
            LIMIT $4
            """,
            [
                end, cursor?.date ?? Date(timeIntervalSince1970: 0), cursor?.id ?? 0, Int64(limit + 1),
                kind?.rawValue,
            ])
    }

    /// Expired lots with coins in the wallet, earliest expiry first.
    static func due(limit: Int) -> PostgresQuery<[Readable<Lot>]> {
        PostgresQuery(
            """
            SELECT \(columns) FROM lot
            WHERE is_open AND remaining > 0 AND expires_at IS NOT NULL AND expires_at <= now()
            ORDER BY expires_at, id
            LIMIT $1
            """,
            [Int64(limit)], row: Readable.init)
    }

    /// Inserts lots in their first state: all coins in the wallet, no revenue recognised.
    ///
    /// The database then applies their movements.
    static let insert = BulkInsert<Lot>(
        into: "lot",
        [
            .init("id", \.id), .init("stripe", \.stripe), .init("user_id", \.user), .init("kind", \.kind),
            .init("coins", \.coins), .init("amount", \.amount), .init("acquired_at", \.acquiredAt),
            .init("expires_at", \.expiresAt), .init("purchase_id", \.purchaseID), .init("issuer", \.issuer),
            .init("journal_entry_id", \.journalEntryID), .init("vat", \.vat), .init("origin_id", \.originID),
            .init("origin_purchase_id", \.originPurchaseID), .init("began_taxed", \.beganTaxed),
        ],
        and: [
            "remaining": "coins", "deferred": "amount", "currency": "'\(Currency.won.code)'", "taxed": "began_taxed",
        ])
}

extension Lot: PostgresReadable {
    package static func read(_ row: borrowing PostgresRow, at column: inout Int) throws -> Lot {
        try row.make(of: "lot", at: &column, Lot.init)
    }
}

extension LotOrdering {
    /// The `ORDER BY` terms, with ids last, as in ``precedes(_:_:)``.
    var sql: String { (terms.map(\.sql) + ["id"]).joined(separator: ", ") }
}

extension LotOrdering.Term {
    fileprivate var sql: String {
        switch self {
        case .earliestExpiry: "expires_at"  // NULL (never) comes last
        case .bonusFirst: "kind"
        case .paidFirst: "kind DESC"
        case .oldestFirst: "acquired_at"
        case .newestFirst: "acquired_at DESC"
        }
    }
}
