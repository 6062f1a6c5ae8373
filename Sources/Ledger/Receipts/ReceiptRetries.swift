import Foundation
import Postgres

/// The receipts that wait for the gateway.
package typealias ReceiptRetries = WorkList<WaitingReceipt>

extension ReceiptRetries {
    /// The most receipts of one user that may wait: invented ones must not fill the table while the gateway is away.
    package static var mostPerUser: Int64 { 32 }

    /// Keeps a receipt, to be asked again after `delay`.
    ///
    /// One that is kept already is not kept twice.
    ///
    /// - Returns: false when the user has too many waiting; it was not kept.
    package func keep(
        _ payment: PaymentIdentity, of user: UserID, because reason: String, askAgainAfter delay: Duration
    ) async throws(LedgerError) -> Bool {
        try await reading {
            try await pools.work.run(WaitingReceipt.keep(payment, of: user, because: reason, askAgainAfter: delay)) == 1
        }
    }

    /// Has a receipt that was given up taken up again at once, because its payment turns out to be paid.
    ///
    /// Only if one user alone has presented the payment: of several, nobody says whose it is.
    ///
    /// - Returns: whether there is one.
    package func takeUpAgain(_ payment: PaymentIdentity) async throws(LedgerError) -> Bool {
        try await reading { try await pools.work.run(WaitingReceipt.takeUpAgain(payment)) > 0 }
    }

    /// Who has presented this payment and had it kept, the first one first.
    package func claims(of payment: PaymentIdentity) async throws(LedgerError) -> [Claim] {
        try await reading { try await pools.lookups.run(WaitingReceipt.claims(of: payment)) }
    }

    /// Keeps that a user has presented a payment that is credited to nobody; a claim that is known keeps its time.
    package func claim(
        _ payment: PaymentIdentity, of user: UserID, because reason: String
    ) async throws(LedgerError) {
        try await reading { _ = try await pools.work.run(WaitingReceipt.claim(payment, of: user, because: reason)) }
    }

    /// Takes the receipts that wait for this payment, whoever presented them, and puts their next turn `lease` ahead.
    package func take(of payment: PaymentIdentity, lease: Duration) async throws(LedgerError) -> [WaitingReceipt] {
        try await reading { try await pools.work.run(WaitingReceipt.take(of: payment, lease: lease)) }
    }
}
