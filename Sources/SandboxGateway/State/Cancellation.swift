import FoundationEssentials

/// One cancellation of a payment, in whole or in part.
///
/// Amounts are in the payment's currency.
struct Cancellation: Hashable, Codable, Sendable {
    /// Its status; V1 shows only succeeded ones.
    enum Status: String, Hashable, Codable, Sendable, CaseIterable {
        case succeeded = "SUCCEEDED"
        /// The payment company decides later.
        case requested = "REQUESTED"
        case failed = "FAILED"
    }

    /// Who requested it.
    enum Trigger: String, Hashable, Codable, Sendable {
        case console = "CONSOLE"
        case api = "API"
        case chargeback = "CHARGEBACK"
    }

    let id: String
    let amount: Decimal
    var taxFree: Decimal = 0
    var vat: Decimal?
    let reason: String
    let trigger: Trigger
    let requestedAt: Date
    private(set) var status: Status
    private(set) var cancelledAt: Date?

    /// A cancellation that starts now and, unless it is `requested`, also ends now.
    init(
        amount: Decimal, taxFree: Decimal = 0, vat: Decimal? = nil, reason: String, trigger: Trigger,
        status: Status = .succeeded, now: Date
    ) {
        id = UUID().uuidString.lowercased()
        self.amount = amount
        self.taxFree = taxFree
        self.vat = vat
        self.reason = reason
        self.trigger = trigger
        requestedAt = now
        self.status = status
        cancelledAt = status == .succeeded ? now : nil
    }

    /// Ends a cancellation that was requested.
    mutating func decide(_ status: Status, now: Date) {
        self.status = status
        cancelledAt = status == .succeeded ? now : nil
    }
}

/// The payment company's result for cancellations.
enum CancelOutcome: String, Hashable, Codable, Sendable, CaseIterable {
    case succeeded
    /// Accepts, and decides later.
    case requested
    /// Accepts, but has failed when the response is sent.
    case failed
    /// Refuses.
    case refused
}
