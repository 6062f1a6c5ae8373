package import Foundation

/// Purchases that a customer has probably made twice by mistake.
package enum LikelyDoubles {
    /// The most seconds between two payments of which the second is probably a mistake.
    package static let window: TimeInterval = 600

    /// The ids of the purchases of one user, product and amount of which another one was paid within ten minutes.
    ///
    /// A purchase that is refunded whole is no double: it is settled.
    package static func ids(in purchases: [Purchase]) -> Set<Int64> {
        let groups = Dictionary(grouping: purchases.filter { $0.status != .refunded }) { purchase in
            [purchase.user.rawValue, purchase.product, purchase.currency.code, String(purchase.amount)]
        }
        return groups.values.reduce(into: []) { ids, group in
            let sorted = group.sorted { ($0.paidAt, $0.id) < ($1.paidAt, $1.id) }
            for (one, next) in zip(sorted, sorted.dropFirst())
            where next.paidAt.timeIntervalSince(one.paidAt) <= window {
                ids.formUnion([one.id, next.id])
            }
        }
    }
}
