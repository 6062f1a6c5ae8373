import Batching
package import Foundation
import Postgres

/// What the books know of a payment that a gateway shows, besides its purchase.
package struct PaymentFacts: Sendable {
    /// The order with the receipt's `merchant_uid`, of any user.
    package let order: Order?
    /// The products that can be the paid ones, as of ``Products/list(since:)``.
    package let products: [Product]
    /// The stored claims to the payment, oldest first.
    package let claims: [Claim]
}

/// Payments that gateways show, and that may be credited next.
package struct ShownPayments: Sendable {
    private let facts: BatchQueue<Question, PaymentFacts>

    private struct Question: Sendable {
        let payment: PaymentIdentity
        let merchantUID: String
        let since: Date
    }

    init(_ pools: Pools) {
        facts = pools.sharedLookups { asked in try await Self.look(asked, in: pools.lookups) }
    }

    /// Order, products and claims of a payment, in one round trip.
    ///
    /// Concurrent look-ups share it; it starts after each of them arrived.
    ///
    /// - Parameters:
    ///   - merchantUID: the order's id in the receipt.
    ///   - moment: products that were on sale at this moment or later can be the paid ones.
    package func facts(
        of payment: PaymentIdentity, presentedAs merchantUID: String, soldSince moment: Date
    ) async throws(LedgerError) -> PaymentFacts {
        try await reading {
            try await facts.submit(Question(payment: payment, merchantUID: merchantUID, since: moment))
        }
    }

    private static func look(_ asked: [Question], in pool: PostgresPool) async throws -> [PaymentFacts] {
        let (orders, products, claims) = try await pool.withConnection { connection in
            try await connection.pipeline(
                Order.named(asked.map(\.merchantUID)),
                Product.onSale(since: asked.map(\.since).min() ?? .distantPast),
                WaitingReceipt.claims(of: asked.map(\.payment)))
        }
        let named = Dictionary(
            orders.map { (ExactText($0.merchantUID), $0) }, uniquingKeysWith: { first, _ in first })
        let claimed = Dictionary(grouping: claims, by: \.place)
        return asked.enumerated().map { place, question in
            PaymentFacts(
                order: named[ExactText(question.merchantUID)], products: products,
                claims: claimed[place]?.map(\.claim) ?? [])
        }
    }

    /// Stops the queue of shared look-ups.
    func close() async { await facts.close() }
}
