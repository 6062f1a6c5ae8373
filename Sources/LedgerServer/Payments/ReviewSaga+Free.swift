import Foundation
import Ledger
import PGVerifier

/// What a store sold for nothing.
extension ReviewSaga {
    /// What it took back is voided as far as it is left, and what it gave again is granted again.
    func follow(
        _ payment: GatewayPayment, _ free: FreePurchase, after review: Review?, at now: Date
    ) -> Step {
        switch payment.status {
        case .ready, .failed, .unknown: return .end(review ?? .nothingPaid)
        case .paid, .partiallyCancelled, .cancelled: break
        }
        let part = payment.partTakenBack
        if let change = free.change(toPart: part, mayFall: payment.totalMayFall, at: now) {
            return .perform(.changeFree(change, payment))
        }
        return .end(free.isOnHold(ofPart: part) ? .onHold : review ?? .agrees)
    }

    func after(
        _ change: FreePurchaseChange, _ changed: FreePurchases.Changed, _ payment: GatewayPayment
    ) -> Step {
        switch changed {
        case .outdated: return .end(.outdated)
        case .refused: return .end(.agrees)
        case .done: break
        }
        let review: Review =
            switch change {
            case .takeBack: .clawedBack
            case .giveAgain: .givenBack
            }
        guard payment.totalMayFall, let receipt = PaymentIdentity(payment).receipt else {
            return .perform(.findFree(payment, then: review))
        }
        return .perform(.askAboutFree(receipt, then: review))
    }
}
