import Foundation
import Ledger

@testable import LedgerServer
@testable import PGVerifier

/// A payment gateway like PortOne V1: its payments, the cancellations that are under way, and the webhooks that it has
/// not delivered yet.
struct ModelGateway: Hashable {
    struct Payment: Hashable {
        enum Status: Hashable { case ready, paid, failed }

        var status: Status
        var paidAt: Date?
        var cancellations: [Cancellation] = []

        var cancelled: Int64 { cancellations.reduce(0) { $0 + $1.amount } }
        var balance: Int64 { ModelGateway.amount - cancelled }
    }

    struct Cancellation: Hashable {
        /// The key in its reason; nil: the console's.
        let key: String?
        let amount: Int64
    }

    /// A cancellation that can still be carried out.
    struct Late: Hashable {
        enum Kind: Hashable {
            /// Its sender got no response.
            case unanswered
            /// The gateway has promised it.
            case accepted
            /// The gateway has refused it, and carries it out nevertheless.
            case refused
        }

        let kind: Kind
        let payment: Int
        let key: String
        let amount: Int64
        /// The balance that the gateway compares; nil: it does not.
        let believedBalance: Int64?

        /// Whether the balance of the payment, which only falls, still allows it.
        func canSucceed(on payment: Payment) -> Bool {
            amount <= payment.balance && (kind != .unanswered || believedBalance ?? payment.balance == payment.balance)
        }
    }

    static let amount: Int64 = 1000

    var payments: [Payment]
    /// Whether the gateway's other API shows the first payment too, under the name ``twin``.
    var isInBoth = false
    var late: [Late] = []
    /// Undelivered webhooks: the payments that they name.
    var messages: [Message] = []

    struct Message: Hashable {
        let payment: Int
        /// V2's id of the event; V1 has none.
        let id: Int?
    }

    /// Cancels a payment if its balance is the expected one.
    ///
    /// - Returns: whether it was cancelled.
    mutating func cancel(_ payment: Int, _ amount: Int64, under key: String?, if believedBalance: Int64?) -> Bool {
        let balance = payments[payment].balance
        guard payments[payment].status == .paid, amount <= balance, believedBalance ?? balance == balance else {
            return false
        }
        payments[payment].cancellations.append(Cancellation(key: key, amount: amount))
        return true
    }

    /// The number of the first payment's name in the other API.
    static let twin = 9

    /// The numbers of all names.
    var names: [Int] { Array(payments.indices) + (isInBoth ? [Self.twin] : []) }

    /// The payment with this name.
    static func place(of name: Int) -> Int { name == twin ? 0 : name }

    /// Tells of a payment, in each API that shows it.
    mutating func tell(of payment: Int, id: Int) {
        messages.append(Message(payment: payment, id: id))
        if isInBoth, payment == 0 { messages.append(Message(payment: Self.twin, id: id + 200)) }
    }

    /// The gateway's description of a payment under one of its names.
    func answer(_ name: Int) -> GatewayPayment {
        let payment = payments[Self.place(of: name)]
        let status: GatewayPayment.Status =
            switch payment.status {
            case .ready: .ready
            case .failed: .failed
            case .paid: payment.cancelled == 0 ? .paid : .cancelled
            }
        let names = PaymentIdentity.model(name)
        // V1 tells whole seconds, V2 milliseconds.
        let paidAt = payment.paidAt.map { name == Self.twin ? $0 + 0.4 : $0 }
        return GatewayPayment(
            gateway: names.gateway, paymentID: names.paymentID, merchantUID: names.merchantUID,
            merchantPaymentID: names.merchantPaymentID, status: status, amount: Self.amount,
            cancelledAmount: payment.cancelled,
            cancellations: payment.cancellations.enumerated().map { number, cancellation in
                GatewayCancellation(
                    id: "cancellation-\(number)", amount: cancellation.amount,
                    reason: cancellation.key.map { "[\($0)]" } ?? "console")
            },
            currency: "KRW", isTest: false, startedAt: ModelBooks.now, paidAt: paidAt)
    }
}

extension PaymentIdentity {
    /// All payments of a walk are for the same order.
    static func model(_ payment: Int) -> PaymentIdentity {
        payment == ModelGateway.twin
            ? PaymentIdentity(
                gateway: "portone-v2", paymentID: "imp_\(payment)", merchantUID: "order-1", merchantPaymentID: "order-1"
            )
            : PaymentIdentity(gateway: "portone-v1", paymentID: "imp_\(payment)", merchantUID: "order-1")
    }
}
