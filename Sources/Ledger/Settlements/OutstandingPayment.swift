package import Foundation

/// A payment of which `gateway:receivable` still holds something, or owes something to.
package struct OutstandingPayment: Sendable, Equatable {
    /// Its purchase.
    package let purchaseID: Int64
    /// The payment.
    package let payment: PaymentIdentity
    /// When it was paid.
    package let paidAt: Date
    /// What was credited, in won.
    package let credited: Int64
    /// What of it went back to the user.
    package let refunded: Int64
    /// What of it the gateway paid out, less what it kept back for refunds.
    package let settled: Int64

    /// What is still to come of it; below zero: what was paid out too much.
    package var outstanding: Int64 { credited - refunded - settled }
}

/// Some of the payments that are outstanding, as of a moment.
package struct OutstandingPage: Sendable {
    /// The moment: what was recorded later does not count.
    package let asOf: Date
    /// What `gateway:receivable` held then: the sum of all that is outstanding.
    package let balance: Int64
    /// The payments, in the order of their purchases' ids.
    package let payments: [OutstandingPayment]
    /// Where the list goes on; nil at its end.
    package let next: OutstandingCursor?
}

/// Where the list of outstanding payments goes on.
package struct OutstandingCursor: Sendable, Codable, Equatable {
    /// The moment.
    package let asOf: CursorMoment
    /// The last purchase's id.
    package let id: Int64
}
