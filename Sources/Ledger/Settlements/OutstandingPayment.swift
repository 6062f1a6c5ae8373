package import Foundation

/// A payment that is not settled: its gateway still owes a part of it, or too much was paid out.
package struct OutstandingPayment: Sendable, Equatable {
    package let purchaseID: Int64
    package let payment: PaymentIdentity
    /// When it was paid.
    package let paidAt: Date
    /// The amount credited, in won.
    package let credited: Int64
    /// The part that the gateway gave back to the user.
    package let refunded: Int64
    /// The part that the gateway paid out, less its deductions for refunds.
    package let settled: Int64

    /// The amount that the gateway has still to pay out; negative: it paid out too much.
    package var outstanding: Int64 { credited - refunded - settled }
}

/// A page of the payments that were outstanding at a moment.
package struct OutstandingPage: Sendable {
    /// Later entries do not count.
    package let asOf: Date
    /// What is owed at that moment, by account: the sum of the outstanding payments of its gateways.
    ///
    /// `gateway:receivable` is first, and an account on which nothing is owed is left out after it.
    package let accounts: [OwedBalance]
    /// The payments, in the order in which they were paid.
    package let payments: [OutstandingPayment]
    /// Where the next page begins; nil: this is the last page.
    package let next: OutstandingCursor?
}

extension OutstandingPage {
    /// What all gateways owe at that moment.
    package var balance: Int64 { accounts.reduce(0) { $0 + $1.balance } }
}

/// What is owed on an account of what gateways owe.
package struct OwedBalance: Sendable, Equatable {
    /// Its name: that of a gateway's won, or of the won that are carried for what gateways owe in a foreign currency.
    package let account: String
    /// In won; negative: more was paid out.
    package let balance: Int64
}

/// Where the next page of outstanding payments begins.
package struct OutstandingCursor: Sendable, Codable, Equatable {
    package let asOf: CursorMoment
    /// When the last one was paid.
    package let paidAt: CursorMoment
    /// Its purchase's id.
    package let id: Int64
}
