import Ledger
import PGVerifier

/// A stage of a run.
enum ReconciliationStage: Hashable, Sendable {
    /// Payments in one of a gateway's lists.
    case list(gateway: String, String)
    /// Purchases of the period that are in no gateway's list.
    case books
    /// Examination of mismatches, and of what a store lists: a request to the gateway for each payment, or one for many orders.
    case examining
    /// Fixes of differences that the gateway's records settle.
    case healing

    /// The name, which is stored with the run, so it must not change.
    var rawValue: String {
        switch self {
        case .list(let gateway, let list): "\(gateway)/\(list)"
        case .books: "books"
        case .examining: "examining"
        case .healing: "healing"
        }
    }

    /// The stages of a run, in their order.
    static func of(gateways: [String], heals: Bool) -> [Self] {
        let listing = Gateways.known.compactMap { $0 as? any ListsChanges.Type }
        let lists = listing.filter { gateways.contains($0.name) }.flatMap { gateway in
            gateway.lists.map { Self.list(gateway: gateway.name, $0) }
        }
        return lists + [.books, .examining] + (heals ? [.healing] : [])
    }
}

extension ReconciliationRun {
    /// The current stage of the run, and the following ones.
    var stagesLeft: [ReconciliationStage] {
        let stages = ReconciliationStage.of(gateways: gateways, heals: heals)
        return Array(stages.drop { $0.rawValue != stage })
    }
}
