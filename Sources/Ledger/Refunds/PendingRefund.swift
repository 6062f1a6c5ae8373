package import Foundation
package import Postgres

/// A refund that waits for the gateway's final answer.
package struct PendingRefund: WorkItem, Equatable {
    /// The final decision.
    ///
    /// The act that decides the refund also decides the work item.
    package enum Decision: String, Sendable {
        /// The gateway gave the money back.
        case completed
        /// The gateway refused.
        case refused
    }

    /// The reason of a refund whose cancellation the gateway accepted.
    ///
    /// It must not be cancelled again.
    package static let accepted = "cancellation_pending"
    /// The reason of a refund whose cancellation was refused.
    ///
    /// The payment will be read once more.
    private static let refusedOnce = "cancellation_refused"
    /// How long a refund is reserved for the process that began or took it: longer than its requests to the gateway and
    /// its commits take.
    package static let lease = Duration.seconds(120)
    /// The time after which a gateway has carried out a request or never will: requests are sent within 30 s, and a
    /// cancellation can take 60 s.
    private static let longestCancellation = "interval '90 seconds'"

    package let refund: Refund
    /// The account that receives the money, for payment methods that can't return it themselves.
    package let account: BankAccount?
    /// How often the work list returned it; 0: it was just begun.
    package let attempts: Int64
    /// Why the refund waits.
    package let reason: String
    /// When the gateway was last asked to cancel; nil: never, or no such request reached it.
    package let askedAt: Date?
    /// Whether a request to cancel that had no answer may still be carried out.
    package let mayBeUnderWay: Bool

    package var id: Int64 { refund.id }
    /// Whether the gateway accepted the cancellation.
    package var isAccepted: Bool { reason == Self.accepted }

    /// The reason to store when the cancellation was refused with `refusal`.
    package static func refusedOnce(_ refusal: Refund.GatewayRefusal) -> String {
        ([refusedOnce, refusal.reason] + [refusal.gatewayCode].compactMap(\.self)).joined(separator: " ")
    }

    /// The refusal of the cancellation; nil: not refused, or not requested yet.
    ///
    /// The cancellation is not requested again. If the payment does not show it by now, it was not carried out.
    package var firstRefusal: Refund.GatewayRefusal? {
        let words = reason.split(separator: " ", maxSplits: 2).map(String.init)
        guard words.count > 1, words[0] == Self.refusedOnce else { return nil }
        return Refund.GatewayRefusal(reason: words[1], gatewayCode: words.count > 2 ? words[2] : nil)
    }

    /// A request to the gateway that is about to be sent.
    package struct Asking: Hashable, Sendable {
        package let at: Date
        /// The tax-free part of the amount, the same in each request of the refund; nil: none is sent.
        package let taxFree: Int64?

        package init(at: Date, taxFree: Int64? = nil) {
            self.at = at
            self.taxFree = taxFree
        }
    }

    /// A refund that was just begun.
    package init(begun refund: Refund, to account: BankAccount?) {
        self.init(
            refund: refund, account: account, attempts: 0, reason: "begun", askedAt: nil, mayBeUnderWay: false)
    }

    init(
        refund: Refund, account: BankAccount?, attempts: Int64, reason: String, askedAt: Date?, mayBeUnderWay: Bool
    ) {
        self.refund = refund
        self.account = account
        self.attempts = attempts
        self.reason = reason
        self.askedAt = askedAt
        self.mayBeUnderWay = mayBeUnderWay
    }
}

extension PendingRefund: StoredWorkItem {
    static let table = "refund"
    static let waitingStatus = Refund.Status.pending.rawValue
    static let columns = """
        \(Refund.columns), refund.refund_account, refund.attempts, refund.reason, refund.asked_at,
        coalesce(refund.asked_at > now() - \(longestCancellation), false)
        """

    package static func read(_ row: borrowing PostgresRow, at column: inout Int) throws -> PendingRefund {
        try row.make(at: &column, PendingRefund.init(refund:account:attempts:reason:askedAt:mayBeUnderWay:))
    }

    /// Sets the time of asking and the tax-free part, unless another process has set the time.
    ///
    /// A part that was set before stays, and a cancellation that was asked for without one stays without one.
    func askingBegins(taxFree: Int64?) -> PostgresQuery<Asking?> {
        .first(
            """
            UPDATE refund SET asked_at = clock_timestamp(), tax_free = coalesce(tax_free, $3)
            WHERE id = $1 AND status = 'pending' AND asked_at IS NOT DISTINCT FROM $2
            RETURNING asked_at, tax_free
            """,
            [id, askedAt, askedAt == nil ? taxFree : nil]
        ) { row in try row.make(Asking.init) }
    }
}
