import Foundation
import PGVerifier
import Testing

@testable import Ledger
@testable import LedgerServer

/// The gateway repeats its first answer under a key: what is asked for otherwise needs another one.
@Suite(.timeLimit(.minutes(20))) struct FindingRefundKeyTests {
    private static let account = BankAccount(bank: "SHINHAN", number: "110-1", holder: "홍길동", phone: "010")

    @Test func `the same rest to the same account is the same cancellation`() throws {
        #expect(try FindingRefunds.key(of: 3, 5000, to: nil).text == "ledgerd-finding-3-5000")
        let key = try FindingRefunds.key(of: 3, 5000, to: Self.account)
        #expect(try key == FindingRefunds.key(of: 3, 5000, to: Self.account))
        #expect(!key.text.contains("110-1"))
    }

    @Test func `another account is another cancellation, and so is the first one that is given`() throws {
        let accounts: [BankAccount?] = [
            nil, Self.account, BankAccount(bank: "SHINHAN", number: "110-2", holder: "홍길동", phone: "010"),
            BankAccount(bank: "KB", number: "110-1", holder: "홍길동", phone: "010"),
            BankAccount(bank: "SHINHAN", number: "110-1", holder: "홍길순", phone: "010"),
            BankAccount(bank: "SHINHAN", number: "110-1", holder: "홍길동"),
        ]
        let keys = try accounts.map { try FindingRefunds.key(of: 3, 5000, to: $0) }
        #expect(Set(keys).count == accounts.count)
    }

    @Test func `the longest key can be sent`() throws {
        #expect(throws: Never.self) { try FindingRefunds.key(of: .max, .max, to: Self.account) }
    }

    @Test func `a dispute that is not over, or can't be read, can give the money back as well`() {
        func payment(_ disputes: [GatewayDispute], unreadable: String? = nil) -> GatewayPayment {
            var payment = GatewayPayment(
                gateway: "portone-v2", paymentID: "tx_1", merchantUID: "order_1", status: .paid, amount: 1000,
                currency: "KRW")
            payment.disputes = disputes
            payment.unreadableDispute = unreadable
            return payment
        }
        let open = GatewayDispute(isResolved: false, reason: "r", openedAt: Date(timeIntervalSince1970: 1))
        let over = GatewayDispute(isResolved: true, reason: "r", openedAt: Date(timeIntervalSince1970: 2))
        #expect(!payment([]).isUnderDispute && !payment([over]).isUnderDispute)
        #expect(payment([open]).isUnderDispute && payment([over, open]).isUnderDispute)
        #expect(payment([], unreadable: "disputes.status").isUnderDispute)
    }
}
