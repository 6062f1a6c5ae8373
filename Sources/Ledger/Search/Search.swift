package import Foundation
import Postgres

/// Something that has a searched name, and the customer that it belongs to.
package struct SearchMatch: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
        case user, purchase, refund, hold, order, receipt
    }

    package let kind: Kind
    /// The id; nil for a user.
    package let id: Int64?
    package let user: UserID
    /// The order's name at the gateway, if it has one.
    package let merchantUID: String?
    /// When it was made; nil for a user.
    package let at: Date?

    /// What is a customer's of what was found; nil: a finding or an event of a gateway.
    fileprivate init?(_ hit: SearchHit) {
        guard let kind = Kind(rawValue: hit.kind.rawValue), let user = hit.user else { return nil }
        self.kind = kind
        id = hit.id
        self.user = user
        merchantUID = hit.merchantUID
        at = hit.at
    }
}

/// Finds payments and customers by what support is told.
package struct Search: Sendable {
    private let pools: Pools

    init(_ pools: Pools) { self.pools = pools }

    /// The most matches of customers that are returned.
    package static let most = 50
    /// The most hits of a kind that are returned.
    package static let mostOfKind = 20

    /// What of a customer has this name: ``named(_:gateways:)`` without findings and events of gateways.
    ///
    /// A name that ends with `*`, such as `kim*`, also finds the first ``mostOfKind`` users that begin with what is before it.
    ///
    /// - Parameter owners: customers whom the name leads to in another way.
    package func find(
        _ name: String, gateways: [String], owners: [SearchHit] = []
    ) async throws(LedgerError) -> [SearchMatch] {
        var found = try await owners + named(name, gateways: gateways).filter { !owners.contains($0) }
        if name.hasSuffix("*") {
            let users = try await users(beginningWith: String(name.dropLast())).prefix(Self.mostOfKind)
            found += users.filter { !found.contains($0) }
        }
        return Array(found.compactMap { SearchMatch($0) }.prefix(Self.most))
    }

    /// What has this name: a user, `imp_uid`, `merchant_uid` or `payment_id`, or the id of a purchase, refund, hold, order,
    /// finding or kept receipt; newest first, a user on top.
    ///
    /// A further name of a purchase's payment is found once the gateway has shown it, or a finding was noted under it.
    ///
    /// Only exact names are found, each through an index.
    ///
    /// - Parameter gateways: the names of the gateways whose kept receipts are searched.
    package func named(_ name: String, gateways: [String]) async throws(LedgerError) -> [SearchHit] {
        guard Self.canBeStored(name) else { return [] }
        return try await reading { try await pools.lookups.run(SearchHit.named(name, gateways)) }
    }

    /// The users whose id begins with this text, in the order of their bytes; at most ``mostOfKind`` and one.
    ///
    /// A user is known by coins, an order, a kept receipt or a finding.
    package func users(beginningWith text: String) async throws(LedgerError) -> [SearchHit] {
        guard !text.isEmpty, Self.canBeStored(text) else { return [] }
        return try await reading { try await pools.lookups.run(SearchHit.users(beginningWith: text)) }
    }

    /// The purchases and findings of payments in a period, newest first; at most ``mostOfKind`` and one of each.
    ///
    /// - Parameters:
    ///   - amount: only payments of this amount in won; nil: any.
    ///   - period: when it was paid; of a finding without that time, when it was found.
    package func paid(_ amount: Int64?, in period: Period) async throws(LedgerError) -> [SearchHit] {
        try await reading { try await pools.lookups.run(SearchHit.paid(amount, in: period)) }
    }

    /// Whether there is any record of the user: an account of coins, an order or a kept receipt.
    package func knows(_ user: UserID) async throws(LedgerError) -> Bool {
        try await reading {
            try await pools.lookups.run(
                .one("SELECT \(SearchHit.isKnown)", [user.rawValue]))
        }
    }

    /// Whether there is anything of the user: a record, or a finding that names it.
    package func finds(_ user: UserID) async throws(LedgerError) -> Bool {
        try await reading {
            try await pools.lookups.run(
                .one("SELECT \(SearchHit.isFound)", [user.rawValue]))
        }
    }

    private static func canBeStored(_ name: String) -> Bool {
        (UserID(rawValue: name) != nil || name.unicodeScalars.count <= 256)
            && name.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }
}

// MARK: - SQL

extension SearchHit {
    /// Whether the user of the first parameter has a record; each is found through an index.
    fileprivate static let isKnown = """
        (EXISTS (SELECT FROM account WHERE owner = $1 AND \(AccountSQL.isOfUser))
            OR EXISTS (SELECT FROM "order" WHERE user_id = $1)
            OR EXISTS (SELECT FROM receipt_retry WHERE user_id = $1))
        """

    fileprivate static let isFound = "(\(isKnown) OR EXISTS (SELECT FROM finding WHERE user_id = $1))"

    /// Each condition is an index's own, so that no branch of the union reads more than what has the name.
    ///
    /// Other indexes end with the id. Only the primary key has its order, so no plan looks for it in them (decision 0002).
    static func named(_ name: String, _ gateways: [String]) -> PostgresQuery<[SearchHit]> {
        func withID(_ table: String, _ condition: String = "true") -> String {
            "(\(table) WHERE id = ANY(ARRAY[$2::bigint]) AND \(condition) ORDER BY id)"
        }
        return PostgresQuery(
            """
            SELECT DISTINCT kind, id, user_id, imp_uid, merchant_uid, amount, currency, state, detail, at FROM (
                \(user) WHERE \(isFound)
                UNION ALL
                \(purchase) WHERE imp_uid = $1
                UNION ALL
                \(purchase) WHERE merchant_uid = $1
                UNION ALL
                \(withID(purchase))
                UNION ALL
                (\(purchase)
                    WHERE id = ANY(ARRAY(SELECT purchase_id FROM (\(Purchase.furtherNames("= $1"))) AS name)) ORDER BY id)
                UNION ALL
                \(finding) WHERE imp_uid = $1
                UNION ALL
                \(finding) WHERE merchant_uid = $1
                UNION ALL
                \(withID(finding))
                UNION ALL
                \(receipt) WHERE gateway = ANY($4) AND imp_uid = $1 AND status <> 'credited'
                UNION ALL
                \(receipt) WHERE merchant_uid = $1 AND status <> 'credited'
                UNION ALL
                \(withID(receipt, "status <> 'credited'"))
                UNION ALL
                \(withID(refund))
                UNION ALL
                \(withID(hold))
                UNION ALL
                \(order) WHERE merchant_uid = $1
                UNION ALL
                \(withID(order))
                UNION ALL
                (\(webhook) WHERE imp_uid = $1 ORDER BY id DESC LIMIT \(Search.mostOfKind + 1))
                UNION ALL
                (\(webhook) WHERE coalesce(payment_id, merchant_uid) = $1 ORDER BY id DESC LIMIT \(Search.mostOfKind + 1))
            ) AS hit
            ORDER BY at DESC NULLS FIRST, kind, id
            LIMIT $3
            """,
            [name, Int64(name) ?? 0, Int64(200), gateways], row: decode)
    }

    /// Goes from user to user, each time to the next one in any of the four indexes: an index that begins with a user's id
    /// has a row for each account, order or receipt, and these are passed over.
    static func users(beginningWith text: String) -> PostgresQuery<[SearchHit]> {
        func next(_ name: String, _ table: String, _ condition: String = "true") -> String {
            """
            (SELECT \(name) AS name FROM \(table)
                WHERE \(name) ~>~ known.name AND \(name) ~<~ $2 AND \(condition)
                ORDER BY \(name) USING ~<~ LIMIT 1)
            """
        }
        return PostgresQuery(
            """
            WITH RECURSIVE known (name, place) AS (
                SELECT $1::text, 0
                UNION ALL
                SELECT following.name, known.place + 1
                FROM known CROSS JOIN LATERAL (
                    SELECT name FROM (
                        \(next("owner", "account", AccountSQL.isOfUser))
                        UNION ALL
                        \(next("user_id", "\"order\""))
                        UNION ALL
                        \(next("user_id", "receipt_retry"))
                        UNION ALL
                        \(next("user_id", "finding", "user_id IS NOT NULL"))
                    ) AS nearest ORDER BY name USING ~<~ LIMIT 1
                ) AS following
                WHERE known.place <= \(Search.mostOfKind)
            )
            SELECT 'user', NULL::bigint, name, NULL::text, NULL::text, NULL::bigint, NULL::text, NULL::text, NULL::text,
                NULL::timestamptz
            FROM known
            WHERE place > 0 OR \(isFound)
            ORDER BY place LIMIT \(Search.mostOfKind + 1)
            """,
            // No text that begins with the given one is behind the last character of Unicode.
            [text, text + "\u{10FFFF}"], row: decode)
    }

    static func paid(_ amount: Int64?, in period: Period) -> PostgresQuery<[SearchHit]> {
        let isAsked = amount == nil ? "" : "AND amount = $3 AND currency = '\(Currency.won.code)'"
        let parameters: PostgresParameters = [period.from, period.to]
        return PostgresQuery(
            """
            (\(purchase) WHERE paid_at >= $1 AND paid_at < $2 \(isAsked)
                ORDER BY paid_at DESC LIMIT \(Search.mostOfKind + 1))
            UNION ALL
            (\(finding) WHERE coalesce(paid_at, found_at) >= $1 AND coalesce(paid_at, found_at) < $2 \(isAsked)
                ORDER BY coalesce(paid_at, found_at) DESC LIMIT \(Search.mostOfKind + 1))
            """,
            amount.map { parameters + [$0] } ?? parameters, row: decode)
    }
}
