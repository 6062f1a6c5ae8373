package import Foundation

/// A payment that is not settled: a part of it is still in `gateway:receivable`, or too much was paid out.
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
    /// The balance of `gateway:receivable` at that moment: the sum of all outstanding payments.
    package let balance: Int64
    /// The payments, in the order in which they were paid.
    package let payments: [OutstandingPayment]
    /// Where the next page begins; nil: this is the last page.
    package let next: OutstandingCursor?
}

/// Where the next page of outstanding payments begins.
package struct OutstandingCursor: Sendable, Codable, Equatable {
    package let asOf: CursorMoment
    /// When the last one was paid.
    package let paidAt: CursorMoment
    /// Its purchase's id.
    package let id: Int64
}
