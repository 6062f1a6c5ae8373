import Foundation
import PGVerifier

extension GatewayPayment {
    /// The cancelled amount.
    ///
    /// A payment that is cancelled without an amount is cancelled in full.
    var cancelledInAll: Int64 {
        status == .cancelled && cancelledAmount == 0 ? amount : cancelledAmount
    }

    /// Whether all that was paid is given back, or nothing was paid.
    var isGivenBack: Bool { isAmountUnknown ? status == .cancelled : cancelledInAll >= amount }

    /// The time of the last cancellation that is not a refund by ledgerd, if the gateway tells it.
    ///
    /// If all cancellations are refunds, it is the time of the last one.
    var lastCancelledAt: Date? {
        let carriedOut = cancellations.filter { $0.status == .succeeded }
        return carriedOut.filter { !$0.isOfRefund }.compactMap(\.cancelledAt).max()
            ?? carriedOut.compactMap(\.cancelledAt).max() ?? cancelledAt
    }
}

extension GatewayPayment {
    /// Whether what was given back in all can be less than before: Apple takes refunds back.
    ///
    /// Elsewhere a smaller total is an answer that knows less.
    var totalMayFall: Bool { Gateways.takesRefundsBack(gateway) }

    /// Whether the gateway shows a dispute, readable or not.
    var isDisputed: Bool { !disputes.isEmpty || unreadableDispute != nil }
}
