import Foundation
import TestSupport
import Testing

@testable import Ledger
@testable import ledgerd

/// The dates of payments through our bank: one rule for all that state them.
@Suite(.timeLimit(.minutes(20))) struct BankPaymentTests {
    @Test(arguments: [(-86_400.0, true), (0, true), (599, true), (600, false), (86_400, false)])
    func `a payment may be dated ahead of our clock by less than ten minutes`(
        ahead: TimeInterval, isTaken: Bool
    ) async {
        await ManualTime.with { time in
            let payment = BankPayment(paidAt: time.now + ahead, reference: "KB 42")
            let result = Result { () throws(InputFault) in try payment.notInFuture() }
            let fault = InputFault(field: "paid_at", rule: "must not be in the future")
            #expect(result == (isTaken ? .success(payment) : .failure(fault)))
        }
    }

    @Test func `each door names a value in its own way`() {
        let fault = InputFault(field: "paid_at", rule: "must be a day")
        #expect(fault.inBody.detail == "/paid_at must be a day" && fault.inForm.detail == "paid_at must be a day")
        #expect(fault.inOption.description == "--paid-at must be a day")
    }
}
