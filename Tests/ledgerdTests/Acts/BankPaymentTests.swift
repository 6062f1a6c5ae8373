import Foundation
import TestSupport
import Testing

@testable import Console
@testable import Ledger
@testable import LedgerServer

/// The dates of payments through our bank: one rule for all that state them.
@Suite(.timeLimit(.minutes(20))) struct BankPaymentTests {
    @Test(arguments: [(-86_400.0, true), (0, true), (599, true), (600, false), (86_400, false)])
    func `a payment may be dated ahead of our clock by less than ten minutes`(
        ahead: TimeInterval, isTaken: Bool
    ) async {
        await ManualTime.with { time in
            let paidAt = time.now + ahead
            let result = Result { () throws(InputFault) in try BankPayment(paidAt: paidAt, reference: "KB 42") }
            let fault = InputFault("paid_at", "must not be in the future")
            #expect(result.map(\.paidAt) == (isTaken ? .success(paidAt) : .failure(fault)))
        }
    }

    @Test func `each door names a value in its own way`() {
        let fault = InputFault("paid_at", "must be a day")
        let problem = Problem(any: fault)
        #expect(problem.detail == "/paid_at must be a day" && problem.code == .invalidRequest)
        #expect(problem.members.map(\.name) == ["pointer"])
        #expect(ConsoleRefusal.text(problem, .english) == "\(problem.code.title) Paid_at must be a day.")
        #expect(fault.of(PayoutsCommand.Pay.self).message == "--paid-at must be a day")
    }

    @Test func `a command names an argument without dashes, and a list by its option`() {
        let url = InputFault("url", "must be short")
        #expect(url.of(EndpointsCommand.Add.self).message == "url must be short")
        #expect(url.of(EndpointsCommand.Change.self).message == "--url must be short")
        let fourth = InputFault("users/3", "must be an id").of(EndpointsCommand.Add.self)
        #expect(fourth.message == "--users, number 4, must be an id")
    }
}
