import Ledger
import PGVerifier

/// What a run does, one after the other.
///
/// The names are kept with the run, so they never change.
enum ReconciliationStage: String, CaseIterable, Sendable {
    /// V1's payments by the time of their present status, which lies in the period.
    case v1Payments = "portone-v1/payments"
    /// V1's payments that were cancelled after the period, among which are some that were paid in it.
    case v1Cancellations = "portone-v1/cancellations"
    /// V2's payments that were begun in the period.
    case v2Payments = "portone-v2/payments"
    /// What happened to V2's payments in the period, whenever they were begun.
    case v2Events = "portone-v2/events"
    /// What was credited as paid in the period, and met at no gateway.
    case books
    /// A second look at whatever does not match: at the gateway, payment by payment.
    case examining
    /// Doing what the gateway's word decides.
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
    /// The stages after the one that the run is in, with that one first.
    var stagesLeft: [ReconciliationStage] {
        let stages = ReconciliationStage.of(gateways: gateways, heals: heals)
        return Array(stages.drop { $0.rawValue != stage })
    }
}
