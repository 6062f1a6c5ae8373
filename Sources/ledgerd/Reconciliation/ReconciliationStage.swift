import Ledger
import PGVerifier

/// The stages of a run, in their order.
///
/// The names are stored with the run, so they must not change.
enum ReconciliationStage: String, CaseIterable, Sendable {
    /// V1's payments that got their present status in the period.
    case v1Payments = "portone-v1/payments"
    /// V1's payments that were cancelled after the period; some of them were paid in it.
    case v1Cancellations = "portone-v1/cancellations"
    /// V2's payments that were started in the period.
    case v2Payments = "portone-v2/payments"
    /// Events of V2's payments in the period, whenever the payments were started.
    case v2Events = "portone-v2/events"
    /// Purchases of the period that are in no gateway's list.
    case books
    /// Examination of mismatches, with one request to the gateway per payment.
    case examining
    /// Fixes of differences that the gateway's records settle.
    case healing

    /// The stages of a run.
    static func of(gateways: [String], heals: Bool) -> [Self] {
        allCases.filter { stage in
            switch stage {
            case .v1Payments, .v1Cancellations: gateways.contains(PortOneV1.name)
            case .v2Payments, .v2Events: gateways.contains(PortOneV2.name)
            case .books, .examining: true
            case .healing: heals
            }
        }
    }
}

extension ReconciliationRun {
    /// The current stage of the run, and the following ones.
    var stagesLeft: [ReconciliationStage] {
        let stages = ReconciliationStage.of(gateways: gateways, heals: heals)
        return Array(stages.drop { $0.rawValue != stage })
    }
}
