import ArgumentParser
import Foundation
import Ledger
import Timing

/// A payment through our bank, as finance states it.
struct BankPayment: Sendable, Equatable {
    /// When the bank paid, or the money reached it.
    let paidAt: Date
    /// What the bank's statement says of the payment.
    let reference: String

    /// The payment, if it is not in the future.
    ///
    /// The clock of the person who states it can be ahead by less than ``CreditPurchase/clockTolerance``.
    ///
    /// - Throws: ``InputFault``.
    func notInFuture() throws(InputFault) -> BankPayment {
        guard paidAt < Time.current.now + CreditPurchase.clockTolerance else {
            throw InputFault(field: "paid_at", rule: "must not be in the future")
        }
        return self
    }
}

/// What is wrong with a value that somebody gives.
///
/// The acts of features throw it, and each door names the value in its own way.
struct InputFault: Error, Equatable {
    /// The name of the member and of the form's field, such as `paid_at`.
    let field: String
    /// The violated rule, worded to follow the name.
    let rule: String

    /// As a member of a JSON body: `/paid_at`.
    var inBody: Problem { .invalid(pointer: "/\(field)", "/\(field) \(rule)") }

    /// As a field of a form: `paid_at`.
    var inForm: Problem { .invalid(member: field, "\(field) \(rule)") }

    /// As an option of a command: `--paid-at`.
    var inOption: ValidationError { ValidationError("--\(field.replacing("_", with: "-")) \(rule)") }
}
