import Foundation
import Postgres

extension Finding {
    /// Lets others that note a finding for the same order wait, because two APIs may report a payment at the same time.
    static func lock(_ payment: PaymentIdentity) -> PostgresQuery<Int> {
        .affected("SELECT pg_advisory_xact_lock(hashtextextended($1, 7381230996735287913))", [payment.merchantUID])
    }

    /// Adds to the payment's finding, or to the finding of the same payment at the gateway's other API.
    ///
    /// Otherwise it inserts a finding.
    ///
    /// - Parameters:
    ///   - cancelled: what the gateway has cancelled of the payment; nil: the problem is about no such amount.
    ///   - named: whom the payment's own data names; nil: nobody.
    static func note(
        _ kind: Kind, _ payment: PaymentIdentity, of user: UserID?, amount: Int64, currency: String, paidAt: Date?,
        cancelled: Int64? = nil, named: UserID? = nil
    ) -> PostgresQuery<Int> {
        .affected(
            """
            WITH twin AS (
                UPDATE finding AS known
                SET \(added(
                    to: "known", "$1", user: "$6", amount: "$7", currency: "$8", paidAt: "$9", cancelled: "$11",
                    named: "$12"))
                WHERE known.id = (
                    SELECT min(other.id) FROM finding AS other
                    WHERE other.merchant_uid = $4 AND other.gateway <> $2
                        AND other.amount = $7 AND other.currency = $8
                        AND \(PaymentSighting.mayBeSameTime("other.paid_at", "$9")))
                    AND $1 <> $10
                    AND NOT EXISTS (SELECT FROM finding AS own WHERE own.imp_uid = $3 AND own.gateway = $2)
                RETURNING known.id
            )
            INSERT INTO finding AS known (
                kinds, gateway, imp_uid, merchant_uid, payment_id, user_id, amount, currency, paid_at, cancelled_amount,
                named_user)
            SELECT ARRAY[$1], $2, $3, $4, $5, $6, $7, $8, $9, $11, $12 WHERE NOT EXISTS (SELECT FROM twin)
            ON CONFLICT (imp_uid, gateway) DO UPDATE
            SET \(added(
                to: "known", "$1", user: "excluded.user_id", amount: "excluded.amount",
                currency: "excluded.currency", paidAt: "excluded.paid_at",
                cancelled: "excluded.cancelled_amount", named: "excluded.named_user"))
            WHERE NOT ($13 AND known.resolved_at IS NOT NULL AND $1 = ANY (known.kinds))
            """,
            [
                kind.rawValue, payment.gateway, payment.paymentID, payment.merchantUID, payment.merchantPaymentID,
                user?.rawValue, amount, currency, paidAt, Kind.refundUndecided.rawValue, cancelled,
                named?.rawValue, kind.staysResolved,
            ])
    }

    /// Earlier kinds stay, unless the finding was resolved.
    ///
    /// So does a larger amount, because an earlier answer of the gateway can be stored later; but a store that took a refund
    /// back has a smaller one.
    private static func added(
        to row: StaticString, _ kind: StaticString, user: StaticString, amount: StaticString,
        currency: StaticString, paidAt: StaticString, cancelled: StaticString, named: StaticString
    ) -> String {
        """
        kinds = CASE WHEN \(row).resolved_at IS NULL THEN array_remove(\(row).kinds, \(kind)) ELSE '{}' END
                || ARRAY[\(kind)::text],
            user_id = coalesce(\(row).user_id, \(user)), amount = \(amount),
            currency = \(currency), paid_at = coalesce(\(paidAt), \(row).paid_at),
            cancelled_amount = CASE
                WHEN \(row).resolved_at IS NULL AND \(kind)::text <> '\(Kind.refundReversed.rawValue)'
                    THEN greatest(\(cancelled), \(row).cancelled_amount)
                ELSE coalesce(\(cancelled), \(row).cancelled_amount) END, resolved_at = NULL,
            named_user = coalesce(\(named)::text, \(row).named_user)
        """
    }

    static func resolve(under name: PaymentIdentity) -> PostgresQuery<Int> {
        .affected(
            "UPDATE finding SET resolved_at = now() WHERE imp_uid = $1 AND gateway = $2 AND resolved_at IS NULL",
            [name.paymentID, name.gateway])
    }

    /// Ends one kind of a payment's finding: its other kinds stay, and without any the finding is resolved.
    ///
    /// - Parameter cancelled: what the gateway has cancelled by the answer that disproves the kind; a finding of a later
    ///   answer, with a larger amount, stays. nil: the kind is about no such amount.
    static func end(_ kind: Kind, under name: PaymentIdentity, cancelled: Int64? = nil) -> PostgresQuery<Int> {
        .affected(
            """
            UPDATE finding
            SET kinds = CASE kinds WHEN ARRAY[$3] THEN kinds ELSE array_remove(kinds, $3) END,
                resolved_at = CASE kinds WHEN ARRAY[$3] THEN now() END
            WHERE imp_uid = $1 AND gateway = $2 AND resolved_at IS NULL AND $3 = ANY(kinds)
                AND ($4::bigint IS NULL OR cancelled_amount IS NULL OR cancelled_amount <= $4)
            """, [name.paymentID, name.gateway, kind.rawValue, cancelled])
    }

    static func resolve(underEveryNameOf sighting: PaymentSighting) -> PostgresQuery<Int> {
        .affected(
            """
            UPDATE finding SET resolved_at = now()
            WHERE resolved_at IS NULL AND (imp_uid = $1 AND gateway = $2 OR \(isUnderOtherName))
            """, named(sighting))
    }

    private static let isUnderOtherName = """
        merchant_uid = $3 AND gateway <> $2 AND amount = $4 AND currency = $5
            AND \(PaymentSighting.isSameTime("paid_at", "$6::timestamptz"))
        """

    private static func named(_ sighting: PaymentSighting) -> PostgresParameters {
        [
            sighting.payment.paymentID, sighting.payment.gateway, sighting.payment.merchantUID, sighting.amount,
            sighting.currency, sighting.paidAt,
        ]
    }

    /// Findings of the period, in the order of the filter.
    static func list(
        in period: Period, _ filter: FindingFilter, after cursor: After<Int64>?, limit: Int
    ) -> PostgresQuery<[Finding]> {
        let isAscending = filter.isOldestFirst
        let place =
            (filter.status == .open ? "resolved_at IS NULL AND \(isOpenSQL)" : "NOT (\(isOpenSQL))")
            + " AND finding.id \(isAscending ? ">" : "<") $1"
        let named = FindingNames(filter, firstParameter: 8)
        return PostgresQuery(
            """
            \(select)
            WHERE \(place) AND found_at >= $3 AND found_at < $4 AND ($5::text IS NULL OR $5 = ANY(matter.kinds))
                AND ($6::text IS NULL OR assigned_to = $6) AND ($7::boolean IS NULL OR (assigned_to IS NOT NULL) = $7)
                \(named.conditions)
            ORDER BY finding.id \(isAscending ? "ASC" : "DESC")
            LIMIT $2
            """,
            [
                cursor?.id ?? (isAscending ? 0 : Int64.max), Int64(limit + 1), period.from, period.to,
                filter.kind?.rawValue, filter.assignee, filter.isAssigned,
            ] + named.values, row: decode)
    }

    /// The finding with this id, open or resolved.
    static func find(_ id: Int64) -> PostgresQuery<Finding?> {
        .first("\(select) WHERE finding.id = $1", [id], row: decode)
    }

    /// The number of open findings, at most `most`.
    static func countOpen(upTo most: Int64) -> PostgresQuery<Int64> {
        .one("SELECT count(*) FROM (SELECT FROM \(openRows()) LIMIT $1) AS counted", [most])
    }

    /// The tables and condition of open findings, read by the index `finding_open`.
    ///
    /// The index also has those that the books have ended since ``Findings/settle(pagesOf:)`` last looked, at most a minute ago.
    ///
    /// - Parameter most: only the oldest so many of those that are not resolved are looked at; nil: all.
    static func openRows(amongOldest most: Int64? = nil) -> String {
        let rows = most.map {
            "(SELECT * FROM finding WHERE resolved_at IS NULL ORDER BY id LIMIT \($0)) AS finding"
        }
        return "\(rows ?? "finding") \(standing) WHERE \(isOpenSQL)"
    }

    /// The open findings by main kind, with the seconds for which the oldest of each has been open.
    ///
    /// - Parameter most: how many are looked at, from the first one on. The index of open findings leads to them.
    static func waiting(upTo most: Int64) -> PostgresQuery<[WaitingForPeople.Group]> {
        PostgresQuery(
            """
            SELECT matter.kind, count(*),
                extract(epoch FROM now() - min(coalesce(finding.reopened_at, finding.found_at)))::bigint
            FROM \(openRows(amongOldest: most))
            GROUP BY matter.kind
            """, [], row: WaitingForPeople.Group.init)
    }

    /// The open findings of payments and of what was found before a moment.
    static func open(before moment: Date) -> PostgresQuery<OpenRows> {
        .one(
            """
            SELECT \(OpenRows.columns) FROM (
                SELECT finding.id::text AS name, least(finding.paid_at, finding.found_at) AS since
                FROM \(openRows()) AND least(finding.paid_at, finding.found_at) < $1 LIMIT $2
            ) AS open
            """,
            [moment, OpenItems.most], row: OpenRows.init)
    }

    private static let select = """
        SELECT finding.id, coalesce(matter.kind, finding.kinds[cardinality(finding.kinds)]),
            coalesce(matter.kinds, finding.kinds), gateway, imp_uid, merchant_uid, payment_id, user_id, finding.amount,
            currency, paid_at, found_at, resolved_at, claim.users, claim.times, endpoint_id, assigned_to, \(isOpenSQL),
            named_user, hour, measured, hour_limit
        FROM finding
        CROSS JOIN LATERAL (
            SELECT coalesce(array_agg(user_id ORDER BY claimed_at, user_id), '{}') AS users,
                coalesce(array_agg((extract(epoch FROM claimed_at) * 1000000)::bigint
                    ORDER BY claimed_at, user_id), '{}') AS times
            FROM (
                SELECT user_id, min(claimed_at) AS claimed_at FROM receipt_retry
                WHERE \(WaitingReceipt.isClaim(
                    gateway: "finding.gateway", names: "ARRAY[finding.imp_uid, finding.payment_id]",
                    merchantUID: "finding.merchant_uid"))
                GROUP BY user_id ORDER BY min(claimed_at), user_id LIMIT 100
            ) AS presenter
        ) AS claim
        \(standing)
        """

    /// Joins `finding` with what of it stands: `matter.kinds`, and `matter.kind`, the main one; null: nothing.
    ///
    /// It is the one rule of what the books have ended: lists, counts and ``Findings/settle(pagesOf:)`` have it from here.
    static let standing = """
        LEFT JOIN LATERAL (
            -- Two APIs of a gateway may return the same payment. It is credited through one of them.
            SELECT purchase.id, purchase.amount, purchase.transferred_amount FROM purchase
            WHERE purchase.imp_uid = finding.imp_uid AND purchase.gateway = finding.gateway
            UNION ALL
            SELECT purchase.id, purchase.amount, purchase.transferred_amount
            -- By its order: an empty table's plan may read the index by time to find an amount (decision 0002).
            FROM (SELECT * FROM purchase WHERE purchase.merchant_uid = finding.merchant_uid OFFSET 0) AS purchase
            WHERE \(PaymentSighting.isPurchasedElsewhere("finding"))
            LIMIT 1
        ) AS credited ON true
        CROSS JOIN LATERAL (
            -- The main kind: any other kind goes before 'unclaimed', and later findings before earlier ones.
            SELECT array_agg(one.kind ORDER BY one.place) AS kinds,
                (array_agg(one.kind ORDER BY one.kind <> '\(Kind.unclaimed.rawValue)' DESC, one.place DESC))[1] AS kind
            FROM unnest(finding.kinds) WITH ORDINALITY AS one (kind, place)
            WHERE \(stands("one.kind", credited: "credited"))
        ) AS matter
        """

    /// Whether a kind of `finding` stands.
    ///
    /// A purchase ends the problems of a claim, a refund's end that of the refund, and closing the period that of an entry
    /// that was booked at another time: none of them updates the finding. What ends a dispute, and a double refund, does.
    ///
    /// - Parameter purchase: the payment's row of `purchase`; its columns are null if the payment is not credited.
    static func stands(_ kind: StaticString, credited purchase: StaticString) -> String {
        let others = Kind.endedBySomebody.map { "'\($0.rawValue)'" }.joined(separator: ", ")
        return """
            CASE
            WHEN \(kind) = '\(Kind.refundUndecided.rawValue)' THEN EXISTS (
                SELECT FROM refund WHERE refund.purchase_id = \(purchase).id AND refund.status = 'pending')
            WHEN \(kind) = '\(Kind.refundedTwice.rawValue)' THEN \(isRefundedTwice(purchase))
            WHEN \(kind) = '\(Kind.paidInFuture.rawValue)'
                THEN NOT EXISTS (SELECT FROM closed_period WHERE closed_period.until > finding.found_at)
            WHEN \(kind) IN (\(others)) THEN true
            ELSE \(purchase).id IS NULL END
            """
    }

    /// Whether more goes back of a payment than was paid: ``Purchase/refundedTwice(cancelled:)`` of what the gateway had
    /// cancelled when the finding was noted.
    ///
    /// Findings from before that was stored have no such amount: for them any transfer counts.
    static func isRefundedTwice(_ purchase: StaticString) -> String {
        """
        \(purchase).transferred_amount
            > \(purchase).amount - least(coalesce(finding.cancelled_amount, \(purchase).amount), \(purchase).amount)
        """
    }

    /// Whether a finding needs a decision.
    private static let isOpenSQL = "resolved_at IS NULL AND matter.kind IS NOT NULL"

    private static func decode(_ row: borrowing PostgresRow) throws -> Finding {
        let gateway: String? = try row[3]
        return Finding(
            id: try row[0], kind: Kind(rawValue: try row[1]),
            kinds: try row.decode(2, as: [String].self).map(Kind.init(rawValue:)),
            payment: try gateway.map { gateway in
                PaymentIdentity(
                    gateway: gateway, paymentID: try row[4], merchantUID: try row[5], merchantPaymentID: try row[6])
            },
            endpointID: try row[15],
            user: try row.decode(7, as: String?.self).flatMap(UserID.init(rawValue:)),
            namedUser: try row.decode(18, as: String?.self).flatMap(UserID.init(rawValue:)),
            claims: claims(try row.decode(13, as: [String].self), try row.decode(14, as: [Int64].self)),
            amount: try row[8], currency: try row[9], paidAt: try row[10],
            excess: try row.decode(19, as: Date?.self).map { hour in
                HourlyExcess(kind: Kind(rawValue: try row[1]), hour: hour, measured: try row[20], limit: try row[21])
            },
            foundAt: try row[11],
            isOpen: try row[17], resolvedAt: try row[12], assignee: try row[16])
    }

    private static func claims(_ users: [String], _ microseconds: [Int64]) -> [Claim] {
        zip(users, microseconds).compactMap { user, time in
            UserID(rawValue: user).map { Claim(user: $0, claimedAt: Date(microsecondsSince1970: time)) }
        }
    }
}
