package import FoundationEssentials

/// A payment as the gateway described it to us, in one shape for every gateway.
package struct GatewayPayment: Hashable, Sendable {
    /// Where a payment stands.
    package enum Status: Hashable, Sendable {
        /// Begun, or a virtual account that waits for its deposit: nothing is paid yet.
        case ready
        /// Approved, and the money taken.
        case paid
        /// Declined, given up, or a virtual account closed before its deposit.
        case failed
        /// Cancelled whole.
        case cancelled
        /// Cancelled in part; money is left.
        case partiallyCancelled
        /// A status this version doesn't know: not paid yet, and not an error (PortOne V1 contract, status).
        case unknown(String)
    }

    /// The gateway that said it, such as `portone-v1`.
    package var gateway: String

    /// The gateway's identifier of the attempt: V1 `imp_uid`, V2 `transactionId`.
    package var impUID: String

    /// The merchant's identifier of the order: V1 `merchant_uid`, V2 payment id.
    package var merchantUID: String

    /// V2 only: the payment id.
    package var paymentID: String?

    /// Where the payment stands.
    package var status: Status

    /// What was asked of the buyer, in minor units; cancellations don't lower it.
    package var amount: Int64

    /// The sum of all cancellations so far, in minor units.
    package var cancelledAmount: Int64

    /// Every cancellation that the gateway tells of, oldest first; V2 also tells of those under way and of those that
    /// failed.
    package var cancellations: [GatewayCancellation]

    /// ISO 4217 code, upper case.
    package var currency: String

    /// Whether it went through a test channel; nil when the gateway didn't say.
    package var isTest: Bool?

    /// When the payment window was opened.
    package var startedAt: Date?

    /// When the money was taken; it outlives a cancellation.
    package var paidAt: Date?

    /// When it failed.
    package var failedAt: Date?

    /// When it was last cancelled.
    package var cancelledAt: Date?

    /// The gateway's word for the method, such as `card` or `vbank`.
    package var payMethod: String?

    /// The payment company behind the gateway, such as `html5_inicis`.
    package var pgProvider: String?

    /// That company's own identifier of the payment.
    package var pgTransactionID: String?

    /// Why it failed, in the gateway's words.
    package var failReason: String?

    /// Until when a virtual account waits for its deposit.
    package var virtualAccountDue: Date?

    /// What the app gave the gateway to keep with the payment, a JSON text; whoever paid may have written it.
    package var customData: String?

    /// V2 only: the app's own id of the buyer.
    package var customerID: String?

    /// What can still be cancelled, in minor units.
    package var balance: Int64 { amount - cancelledAmount }

    /// Whether money that was taken may be on its way back already.
    package var isBeingCancelled: Bool {
        cancellations.contains { cancellation in
            switch cancellation.status {
            case .requested, .unknown: true
            case .succeeded, .failed: false
            }
        }
    }

    /// Describes a payment; what is left out is what the gateway didn't say.
    package init(
        gateway: String, impUID: String, merchantUID: String, paymentID: String? = nil, status: Status, amount: Int64,
        cancelledAmount: Int64 = 0, cancellations: [GatewayCancellation] = [], currency: String, isTest: Bool? = nil,
        startedAt: Date? = nil, paidAt: Date? = nil, failedAt: Date? = nil, cancelledAt: Date? = nil,
        payMethod: String? = nil, pgProvider: String? = nil, pgTransactionID: String? = nil,
        failReason: String? = nil, virtualAccountDue: Date? = nil, customData: String? = nil,
        customerID: String? = nil
    ) {
        self.gateway = gateway
        self.impUID = impUID
        self.merchantUID = merchantUID
        self.paymentID = paymentID
        self.status = status
        self.amount = amount
        self.cancelledAmount = cancelledAmount
        self.cancellations = cancellations
        self.currency = currency
        self.isTest = isTest
        self.startedAt = startedAt
        self.paidAt = paidAt
        self.failedAt = failedAt
        self.cancelledAt = cancelledAt
        self.payMethod = payMethod
        self.pgProvider = pgProvider
        self.pgTransactionID = pgTransactionID
        self.failReason = failReason
        self.virtualAccountDue = virtualAccountDue
        self.customData = customData
        self.customerID = customerID
    }
}
