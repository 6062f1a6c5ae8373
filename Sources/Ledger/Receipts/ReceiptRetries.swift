import Foundation
import Postgres

/// The receipts that wait for the gateway.
package typealias ReceiptRetries = WorkList<WaitingReceipt>

extension ReceiptRetries {
    /// The most waiting receipts of one user, so that invented receipts can't fill the table while the gateway is
    /// unavailable.
    package static var mostPerUser: Int64 { 32 }

    /// Stores a receipt, to be verified again after `delay`.
    ///
    /// A stored receipt is not stored twice.
    ///
    /// - Parameters:
    ///   - isPaid: whether the gateway has confirmed that the payment is paid: such a receipt is stored however many wait,
    ///     because users can't make it up, and nothing else would credit the payment later.
    ///   - most: the most waiting receipts of the user, without those that wait for a rate.
    /// - Returns: false when the user has too many waiting receipts, and this one was not stored.
    package func keep(
        _ payment: PaymentIdentity, of user: UserID, because reason: String, askAgainAfter delay: Duration,
        isPaid: Bool = false, most: Int64 = Self.mostPerUser
    ) async throws(LedgerError) -> Bool {
        let kept = WaitingReceipt.keep(
            payment, of: user, because: reason, askAgainAfter: delay, most: isPaid ? .max : most)
        return try await reading { try await pools.work.run(kept) == 1 }
    }

    /// Lets a receipt that was abandoned, or refused as failed or not found, wait again, because its payment is paid
    /// after all.
    ///
    /// Only if exactly one user presented the payment. With several users, the owner is unknown.
    ///
    /// - Returns: whether there is such a receipt.
    package func takeUpAgain(_ payment: PaymentIdentity) async throws(LedgerError) -> Bool {
        try await reading { try await pools.work.run(WaitingReceipt.takeUpAgain(payment)) > 0 }
    }

    /// Stores that a user presented a payment that is credited to nobody.
    ///
    /// A repeated claim keeps the time of the first one.
    package func claim(
        _ payment: PaymentIdentity, of user: UserID, because reason: String
    ) async throws(LedgerError) {
        try await reading { _ = try await pools.work.run(WaitingReceipt.claim(payment, of: user, because: reason)) }
    }

    /// Makes the receipts due at once that wait for a payment of the same order at another gateway, because it may be this
    /// payment; only that gateway can tell.
    ///
    /// Who is working on one of them can't end it: the answer may be older.
    ///
    /// - Returns: whether there are such receipts.
    package func expedite(ofOtherNamesOf payment: PaymentIdentity) async throws(LedgerError) -> Bool {
        try await reading { try await pools.work.run(WaitingReceipt.expedite(ofOtherNamesOf: payment)) > 0 }
    }

    /// Makes receipts due at once that wait for a reason, because it may be gone.
    package func expedite(because reason: String) async throws(LedgerError) {
        try await reading { _ = try await pools.work.run(WaitingReceipt.expedite(because: reason)) }
    }

    /// Whether a receipt waits for a payment of the same order at another gateway, which may be this payment.
    package func isWaiting(underOtherNamesOf payment: PaymentIdentity) async throws(LedgerError) -> Bool {
        try await reading { try await pools.work.run(WaitingReceipt.isWaiting(underOtherNamesOf: payment)) }
    }

    /// Takes all receipts that wait for this payment, of any user, and makes them due again after `lease`.
    package func take(of payment: PaymentIdentity, lease: Duration) async throws(LedgerError) -> [WaitingReceipt] {
        try await reading {
            try await pools.work.run(WaitingReceipt.take(of: payment, lease: lease, by: presence.leaseHolder))
        }
    }
}
