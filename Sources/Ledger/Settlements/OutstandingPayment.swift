public import Foundation

/// A payment of which `gateway:receivable` still holds something, or owes something to.
public struct OutstandingPayment: Sendable, Equatable {
    /// Its purchase.
    public let purchaseID: Int64
    /// The payment.
    public let payment: PaymentIdentity
    /// When it was paid.
    public let paidAt: Date
    /// What was credited, in won.
    public let credited: Int64
    /// What of it went back to the user.
    public let refunded: Int64
    /// What of it the gateway paid out, less what it kept back for refunds.
    public let settled: Int64

    /// What is still to come of it; below zero: what was paid out too much.
    public var outstanding: Int64 { credited - refunded - settled }
}

/// Some of the payments that are outstanding, as of a moment.
public struct OutstandingPage: Sendable {
    /// The moment: what was recorded later does not count.
    public let asOf: Date
    /// What `gateway:receivable` held then: the sum of all that is outstanding.
    public let balance: Int64
    /// The payments, in the order of their purchases' ids.
    public let payments: [OutstandingPayment]
    /// Where the list goes on; nil at its end.
    public let next: OutstandingCursor?
}

/// Where the list of outstanding payments goes on.
public struct OutstandingCursor: Sendable, Codable, Equatable {
    /// The moment.
    public let asOf: CursorMoment
    /// The last purchase's id.
    public let id: Int64
}
