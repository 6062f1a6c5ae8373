package import FoundationEssentials

/// A payment as the gateway describes it, in one type for all gateways.
package struct GatewayPayment: Hashable, Sendable {
    /// The status of a payment.
    package enum Status: Hashable, Sendable {
        /// Started, or a virtual account without deposit: not paid yet.
        case ready
        /// Approved, and the money taken.
        case paid
        /// Declined, abandoned, or a virtual account closed without deposit.
        case failed
        /// Cancelled whole.
        case cancelled
        /// Cancelled in part; money is left.
        case partiallyCancelled
        /// A status this version doesn't know: not paid yet, and not an error (PortOne V1 contract, status).
        case unknown(String)
    }

    /// The name of the gateway.
    package var gateway: String

    /// The gateway's identifier of the attempt: V1 `imp_uid`, V2 `transactionId`.
    package var paymentID: String

    /// The merchant's identifier of the order: V1 `merchant_uid`, V2 payment id.
    package var merchantUID: String

    /// V2: the payment id; Google Play: the order's id, which people know, and which can come later than the payment.
    package var merchantPaymentID: String?

    package var status: Status

    /// The requested amount, in minor units; cancellations don't reduce it.
    package var amount: Int64

    /// The sum of all cancellations so far, in minor units.
    package var cancelledAmount: Int64

    /// The cancellations, oldest first.
    ///
    /// V2 also lists pending and failed ones.
    package var cancellations: [GatewayCancellation]

    /// ISO 4217 code, upper case.
    package var currency: String

    /// Whether it went through a test channel; nil if the gateway doesn't tell.
    package var isTest: Bool?

    /// When the payment window was opened.
    package var startedAt: Date?

    /// When the money was taken; a cancellation keeps it.
    package var paidAt: Date?

    /// When it failed.
    package var failedAt: Date?

    /// When it was last cancelled.
    package var cancelledAt: Date?

    /// The payment method, such as `card` or `vbank`.
    package var payMethod: String?

    /// The payment company behind the gateway, such as `html5_inicis`.
    package var pgProvider: String?

    /// That company's own identifier of the payment.
    package var pgTransactionID: String?

    /// The gateway's failure message.
    package var failReason: String?

    /// When a virtual account expires.
    package var virtualAccountDue: Date?

    /// The custom data of the payment, a JSON text; the payer may have written it.
    package var customData: String?

    /// V2 only: the app's id of the buyer.
    package var customerID: String?

    /// The gateway's receipt for the buyer, an https link; nil: it shows none.
    package var receiptURL: String?

    /// V2 only: the part of the amount that has no VAT, in minor units; nil if the gateway tells none that can be true.
    package var taxFreeAmount: Int64?

    /// V2 only: the buyer's disputes, which the gateway lists while the payment stands.
    package var disputes: [GatewayDispute] = []

    /// V2 only: which member of a dispute could not be read; nil: all disputes could.
    ///
    /// The rest of the payment is usable all the same.
    package var unreadableDispute: String?

    /// Stores only: what was sold.
    package var store: StorePurchase?

    /// Whether a store took a price in a currency that ISO 4217 does not have.
    ///
    /// All amounts are 0 then, and only the status says whether it was given back (docs/decisions/0220).
    package var isAmountUnknown: Bool { amount == 0 && (store?.price ?? 0) > 0 }

    /// Whether a store sold it for nothing, as with a code of an offer; in which currency does not matter.
    package var isFree: Bool { store != nil && amount == 0 && !isAmountUnknown }

    /// The part that a store took back, in thousandths of a percent: the amounts of what was free tell nothing.
    package var partTakenBack: Int64 {
        status == .cancelled ? StorePurchase.whole : store?.refundedPart ?? 0
    }

    /// What can still be cancelled, in minor units.
    package var balance: Int64 { amount - cancelledAmount }

    /// Whether a cancellation is pending.
    package var isBeingCancelled: Bool { cancellations.contains(where: \.isPending) }

    /// Whether a cancellation of all that is left is pending: another one could give the money back twice.
    package var isRestBeingCancelled: Bool { cancellations.contains { $0.isPending && $0.amount >= balance } }

    /// A payment; nil members are unknown.
    package init(
        gateway: String, paymentID: String, merchantUID: String, merchantPaymentID: String? = nil, status: Status,
        amount: Int64,
        cancelledAmount: Int64 = 0, cancellations: [GatewayCancellation] = [], currency: String, isTest: Bool? = nil,
        startedAt: Date? = nil, paidAt: Date? = nil, failedAt: Date? = nil, cancelledAt: Date? = nil,
        payMethod: String? = nil, pgProvider: String? = nil, pgTransactionID: String? = nil,
        failReason: String? = nil, virtualAccountDue: Date? = nil, customData: String? = nil,
        customerID: String? = nil
    ) {
        self.gateway = gateway
        self.paymentID = paymentID
        self.merchantUID = merchantUID
        self.merchantPaymentID = merchantPaymentID
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

extension GatewayPayment {
    /// The most characters of a link that is shown.
    private static let longestLink = 2000

    /// A gateway's link that people may be shown: https, and nothing that a page would have to escape.
    ///
    /// The gateway's answer comes from outside: any other text, such as one with another scheme, is no link.
    static func shownLink(_ text: String?) -> String? {
        guard let text, text.hasPrefix("https://"), text.utf8.count <= longestLink,
            text.utf8.allSatisfy({ (0x21...0x7e).contains($0) && !Self.isQuote($0) })
        else { return nil }
        return text
    }

    private static func isQuote(_ byte: UInt8) -> Bool {
        [UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\")].contains(byte)
    }
}
