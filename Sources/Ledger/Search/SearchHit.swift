package import Foundation
import Postgres

/// Something that a search found.
package struct SearchHit: Sendable, Equatable {
    /// What it is, in the order in which groups are shown.
    package enum Kind: String, Sendable, CaseIterable {
        case user, finding, receipt, purchase, refund, hold, order, webhook
    }

    package let kind: Kind
    /// The id; nil for a user.
    package let id: Int64?
    /// The customer that it belongs to; nil: a finding or an event of a gateway of which none is known.
    package let user: UserID?
    /// The gateway's id of the payment, if it is about one.
    package let paymentID: String?
    /// The order's name at the gateway; of a hold its reference.
    package let merchantUID: String?
    /// In minor units of ``currency``; nil: it has none.
    package let amount: Int64?
    package let currency: String?
    /// Its status, as stored; of a finding its latest kind.
    package let state: String?
    /// Of a receipt why it waits or was refused, of a finding whether it is open, of an event its type.
    package let detail: String?
    /// When it was made; nil for a user.
    package let at: Date?
}

extension SearchHit {
    /// A customer.
    package static func customer(_ user: UserID) -> SearchHit {
        SearchHit(
            kind: .user, id: nil, user: user, paymentID: nil, merchantUID: nil, amount: nil, currency: nil, state: nil,
            detail: nil, at: nil)
    }

    /// The columns of a hit, as those of the first query of a union: each has its type.
    static let user = """
        SELECT 'user' AS kind, NULL::bigint AS id, $1::text AS user_id, NULL::text AS imp_uid,
            NULL::text AS merchant_uid, NULL::bigint AS amount, NULL::text AS currency, NULL::text AS state,
            NULL::text AS detail, NULL::timestamptz AS at
        """
    static let purchase = """
        SELECT 'purchase', purchase.id, purchase.user_id, purchase.imp_uid, purchase.merchant_uid, purchase.amount,
            purchase.currency, purchase.status, NULL, purchase.credited_at
        FROM purchase
        """
    static let finding = """
        SELECT 'finding', finding.id, finding.user_id, finding.imp_uid, finding.merchant_uid, finding.amount,
            finding.currency, finding.kinds[cardinality(finding.kinds)],
            CASE WHEN finding.resolved_at IS NULL THEN 'open' ELSE 'resolved' END,
            coalesce(finding.paid_at, finding.found_at)
        FROM finding
        """
    static let receipt = """
        SELECT 'receipt', id, user_id, imp_uid, merchant_uid, NULL, NULL, status, reason, created_at FROM receipt_retry
        """
    static let refund = """
        SELECT 'refund', id, user_id, NULL, NULL, amount, currency, status, NULL, requested_at FROM refund
        """
    static let hold = "SELECT 'hold', id, user_id, NULL, reference, NULL, NULL, status, NULL, placed_at FROM hold"
    static let order = """
        SELECT 'order', id, user_id, NULL, merchant_uid, amount, currency, NULL, NULL, created_at FROM "order"
        """
    static let webhook = """
        SELECT 'webhook', id, NULL, imp_uid, coalesce(payment_id, merchant_uid), NULL, NULL, status, type, received_at
        FROM webhook_event
        """

    static func decode(_ row: borrowing PostgresRow) throws -> SearchHit { try row.make(SearchHit.init) }
}

extension SearchHit.Kind: PostgresRawRepresentable {}
