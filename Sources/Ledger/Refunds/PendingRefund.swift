import Postgres

/// A refund that waits for the gateway's definite answer.
package struct PendingRefund: WorkItem, Equatable {
    /// What may become of it in the end; whoever decides it in the books decides the item.
    package enum Decision: String, Sendable {
        /// The gateway gave the money back.
        case completed
        /// The gateway refused.
        case refused
    }

    /// Why a refund waits after the gateway accepted its cancellation: it must not be cancelled again.
    package static let accepted = "cancellation_pending"
    /// Why a refund waits whose cancellation was refused when it was asked for again, without another being known of.
    package static let doubted = "refusal_doubted"
    /// Why a refund waits whose cancellation was refused, until the payment has been looked at once more.
    private static let refusedOnce = "cancellation_refused"
    /// How long it is left to whoever began or took it: longer than a cancellation, its questions and commits take.
    package static let lease = Duration.seconds(120)

    /// The refund.
    package let refund: Refund
    /// Where its money goes, for methods that can't return it by themselves.
    package let account: BankAccount?
    /// How often the work list gave it out; 0: it was just begun.
    package let attempts: Int64
    /// Why it waits.
    package let reason: String

    /// Its refund's.
    package var id: Int64 { refund.id }
    /// Whether the gateway has said that it will carry the cancellation out.
    package var isAccepted: Bool { reason == Self.accepted }

    /// Why a refund waits whose cancellation was refused so when it was first asked for.
    package static func refusedOnce(_ refusal: Refund.GatewayRefusal) -> String {
        ([refusedOnce, refusal.reason] + [refusal.gatewayCode].compactMap(\.self)).joined(separator: " ")
    }

    /// How its cancellation was refused when it was first asked for; nil: it was not, or not yet.
    ///
    /// It is not asked for again. If the payment does not show it by now, it was not carried out.
    package var firstRefusal: Refund.GatewayRefusal? {
        let words = reason.split(separator: " ", maxSplits: 2).map(String.init)
        guard words.count > 1, words[0] == Self.refusedOnce else { return nil }
        return Refund.GatewayRefusal(reason: words[1], gatewayCode: words.count > 2 ? words[2] : nil)
    }

    /// Whether a refusal is the gateway's last word.
    ///
    /// One of a repetition may only mean that the first request is still being carried out. It is believed when the
    /// gateway says so again after a while.
    package var believesRefusals: Bool { attempts == 0 || reason == Self.doubted }

    /// A refund that was just begun, with where its money goes.
    package init(begun refund: Refund, to account: BankAccount?) {
        self.init(refund: refund, account: account, attempts: 0, reason: "begun")
    }

    init(refund: Refund, account: BankAccount?, attempts: Int64, reason: String) {
        self.refund = refund
        self.account = account
        self.attempts = attempts
        self.reason = reason
    }
}

extension PendingRefund: StoredWorkItem {
    static let table = "refund"
    static let waitingStatus = Refund.Status.pending.rawValue
    static let columns = "\(Refund.columns), refund.refund_account, refund.attempts, refund.reason"

    static func decode(_ row: borrowing PostgresRow) throws -> PendingRefund {
        let account = try row.decode(19, as: PostgresJSON?.self)
        return PendingRefund(
            refund: try Refund.decode(row),
            account: account == nil ? nil : try row.decodeJSON(19, as: BankAccount.self), attempts: try row[20],
            reason: try row[21])
    }
}
