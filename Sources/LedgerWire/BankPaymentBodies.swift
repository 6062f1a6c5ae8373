public import Foundation

/// A payment through our bank, which finance records: of a refund to a user, or of a user who pays a refund back.
public struct RefundPaymentRequest: Codable, Hashable, Sendable {
    /// When the bank paid it, or the money reached our bank, not in the future; a date means its first moment.
    public var paidAt: Member.Moment
    /// What the bank's statement says of the payment; no account number.
    public var bankReference: Member.Text

    /// The names of its members.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case paidAt = "paid_at"
        case bankReference = "bank_reference"
    }

    /// Creates a request.
    public init(paidAt: String, bankReference: String) {
        self.paidAt = paidAt
        self.bankReference = bankReference
    }
}

/// A request to reverse an approved refund.
public struct RefundReversalRequest: Codable, Hashable, Sendable {
    /// The reason.
    public var reason: Member.Text

    /// The names of its members.
    public enum CodingKeys: String, CodingKey, CaseIterable { case reason }

    /// Creates a request.
    public init(reason: String) { self.reason = reason }
}

/// An approved refund, which finance has to pay or to reverse.
public struct ApprovedRefundBody: Codable, Hashable, Sendable {
    /// The refund.
    public let refund: RefundBody
    /// The user whose coins were taken.
    public let user: String
    /// The kinds of the open findings of the payment; nil: the service does not list them.
    ///
    /// With `refunded_twice`, the gateway gave the same money back: reverse the refund, do not pay it.
    ///
    /// - Known values: `refunded_twice`
    public let findings: [String]?

    /// Creates it from its members.
    public init(refund: RefundBody, user: String, findings: [String]? = nil) {
        self.refund = refund
        self.user = user
        self.findings = findings
    }
}

extension ApprovedRefundBody: ListedBody {
    /// `refunds`.
    public static let listName = "refunds"
}

/// A payment of owed coins in won.
public struct DebtPaymentRequest: Codable, Hashable, Sendable {
    /// The won that the user paid.
    public var amount: Member.Amount
    /// The owed coins that are paid; nil: all.
    ///
    /// - Null: refused
    public var coins: Member.Amount?
    /// When the money reached our bank, not in the future; a date means its first moment.
    public var paidAt: Member.Moment
    /// What the bank's statement says of the payment; no account number.
    public var bankReference: Member.Text

    /// The names of its members.
    public enum CodingKeys: String, CodingKey, CaseIterable {
        case amount, coins
        case paidAt = "paid_at"
        case bankReference = "bank_reference"
    }

    /// Creates a request.
    public init(amount: Int64, coins: Int64? = nil, paidAt: String, bankReference: String) {
        self.amount = amount
        self.coins = coins
        self.paidAt = paidAt
        self.bankReference = bankReference
    }
}

/// A payment of a debt and the user's balance after it.
public struct DebtPaymentBody: Codable, Hashable, Sendable {
    /// The payment.
    public let payment: Act
    /// The user's balance after the act.
    public let balance: BalanceBody

    /// The posted payment.
    public struct Act: Codable, Hashable, Sendable {
        /// The id of the journal entry.
        public let journalEntryID: Member.ID
        /// The owed coins that were paid.
        public let coins: Int64
        /// The won that were paid for them.
        public let amount: Int64
        /// When the money reached our bank.
        public let paidAt: Date
        /// What the bank's statement says of the payment.
        public let bankReference: String

        private enum CodingKeys: String, CodingKey {
            case coins, amount
            case journalEntryID = "journal_entry_id"
            case paidAt = "paid_at"
            case bankReference = "bank_reference"
        }

        /// Creates it from its members.
        public init(journalEntryID: Int64, coins: Int64, amount: Int64, paidAt: Date, bankReference: String) {
            self.journalEntryID = journalEntryID
            self.coins = coins
            self.amount = amount
            self.paidAt = paidAt
            self.bankReference = bankReference
        }
    }

    /// Creates it from its members.
    public init(payment: Act, balance: BalanceBody) {
        self.payment = payment
        self.balance = balance
    }
}

/// A write-off of owed coins.
public struct DebtWriteOffRequest: Codable, Hashable, Sendable {
    /// The owed coins to write off; nil: all.
    ///
    /// - Null: refused
    public var coins: Member.Amount?
    /// The reason.
    public var reason: Member.Text

    /// The names of its members.
    public enum CodingKeys: String, CodingKey, CaseIterable { case coins, reason }

    /// Creates a request.
    public init(coins: Int64? = nil, reason: String) {
        self.coins = coins
        self.reason = reason
    }
}

/// A write-off and the user's balance after it.
public struct DebtWriteOffBody: Codable, Hashable, Sendable {
    /// The write-off.
    public let writeOff: Act
    /// The user's balance after the act.
    public let balance: BalanceBody

    private enum CodingKeys: String, CodingKey {
        case balance
        case writeOff = "write_off"
    }

    /// The posted write-off.
    public struct Act: Codable, Hashable, Sendable {
        /// The id of the journal entry.
        public let journalEntryID: Member.ID
        /// The owed coins that were written off.
        public let coins: Int64
        /// The reason.
        public let reason: String

        private enum CodingKeys: String, CodingKey {
            case coins, reason
            case journalEntryID = "journal_entry_id"
        }

        /// Creates it from its members.
        public init(journalEntryID: Int64, coins: Int64, reason: String) {
            self.journalEntryID = journalEntryID
            self.coins = coins
            self.reason = reason
        }
    }

    /// Creates it from its members.
    public init(writeOff: Act, balance: BalanceBody) {
        self.writeOff = writeOff
        self.balance = balance
    }
}
