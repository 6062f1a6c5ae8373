import ArgumentParser
import CivilTime
import Foundation
import Ledger
import LedgerWire
import Logging
import OutboundHTTP
import PGVerifier

struct VerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Look a payment up at the gateway, and show whether it would be credited.",
        discussion: """
            The command changes nothing: it does not credit coins and does not write to the database. Give the ids of \
            the receipt: --imp-uid and --merchant-uid for PortOne V1, --payment-id for V2, --transaction-id for the \
            App Store, --purchase-token for Google Play. The settings for the gateway and the database are the same \
            as for `ledgerd serve`.
            """)

    @Option(name: .customLong("imp-uid"), help: "V1: the gateway's payment id.") var impUID: String?
    @Option(name: .customLong("merchant-uid"), help: "V1: the merchant's payment id.") var merchantUID: String?
    @Option(name: .customLong("payment-id"), help: "V2: the payment id.") var paymentID: String?
    @Option(name: .customLong("transaction-id"), help: "App Store: the transaction's id.") var transactionID: String?
    @Option(name: .customLong("purchase-token"), help: "Google Play: the purchase token.") var purchaseToken: String?
    @OptionGroup var settings: SettingFlags<GatewayCommandSettings>

    func validate() throws { _ = try receipt() }

    func run() async throws {
        let values = try settings.values()
        let configuration = try GatewayConfiguration(values)
        let receipt = try receipt()
        let requireOrders = try values.requireOrders
        let timeZone = try values[Settings.books.timeZone]
        let transport = CurlTransport(configuration)
        let gateways = try Gateways.build(configuration, transport: transport, logger: Logger(label: "ledgerd"))
        let lines = try await settings.withLedger { ledger in
            let crediter = ReceiptCrediter(
                gateways: gateways, ledger: ledger,
                rules: ReceiptRules(
                    policy: VerdictPolicy(allowTestPayments: configuration.allowTestPayments),
                    requireOrders: requireOrders, timeZone: timeZone))
            return try await Inspection(crediter: crediter).lines(of: receipt)
        }
        for line in lines { print(line) }
        transport.shutdown()
    }

    private func receipt() throws -> Receipt {
        do {
            switch (impUID, merchantUID, paymentID, transactionID, purchaseToken) {
            case (let impUID?, let merchantUID?, nil, nil, nil):
                return .v1(impUID: try ImpUID(impUID), merchantUID: try MerchantUID(merchantUID))
            case (nil, nil, let paymentID?, nil, nil): return .v2(paymentID: try PaymentID(paymentID))
            case (nil, nil, nil, let id?, nil): return .appStore(try TransactionID(id))
            case (nil, nil, nil, nil, let token?): return .googlePlay(try PurchaseToken(token))
            default:
                throw ValidationError(
                    "Give --imp-uid and --merchant-uid, or --payment-id, or --transaction-id, or --purchase-token.")
            }
        } catch let error as MalformedIdentifier {
            throw ValidationError("\(error).")
        }
    }
}

/// Verifies a receipt without any change.
private struct Inspection {
    let crediter: ReceiptCrediter

    func lines(of receipt: Receipt) async throws -> [String] {
        guard let gateway = crediter.gateways.gateway(for: receipt) else {
            return ["gateway    \(receipt.gatewayName) is not configured"]
        }
        let purchases = crediter.ledger.purchases
        let named = try await purchases.find(of: PaymentIdentity(receipt))
        let payment: GatewayPayment
        do {
            payment = try await crediter.payment(for: receipt, at: gateway)
        } catch {
            return ["gateway    \(error)", books(named), "verdict    \(PGVerifier.verdict(after: error).line)"]
        }
        var purchase = named
        if purchase == nil { purchase = try await purchases.find(of: PaymentSighting(payment)) }
        return describe(payment) + [books(purchase), try await verdict(on: payment, receipt, purchase)]
    }

    private func describe(_ payment: GatewayPayment) -> [String] {
        [
            "gateway    \(payment.gateway)",
            "payment    imp_uid \(payment.paymentID), merchant_uid \(payment.merchantUID)"
                + (payment.merchantPaymentID.map { ", payment_id \($0)" } ?? ""),
            "status     \(payment.status)",
            "amount     \(payment.amount) \(payment.currency), cancelled \(payment.cancelledAmount)",
            "channel    \(payment.isTest.map { $0 ? "test" : "live" } ?? "unknown")",
            "paid at    \(payment.paidAt.map { RFC3339.string(from: $0) } ?? "-")",
        ]
    }

    private func books(_ purchase: Purchase?) -> String {
        guard let purchase else { return "books      not credited" }
        return "books      purchase \(purchase.id) of \(purchase.user.rawValue): \(purchase.coins) coins, "
            + "\(purchase.status.rawValue), refunded \(purchase.refundedAmount)"
    }

    private func verdict(
        on payment: GatewayPayment, _ receipt: Receipt, _ purchase: Purchase?
    ) async throws -> String {
        if let purchase {
            let owed = purchase.due(cancelled: payment.cancelledInAll) - purchase.cancelledAmount
            let difference = AmountText.text(abs(owed), purchase.currency.code)
            if owed > 0 { return "verdict    claw back: the gateway has cancelled \(difference) more than the books" }
            return owed < 0 && payment.totalMayFall
                ? "verdict    give back: the gateway has cancelled \(difference) less than the books"
                : "verdict    nothing to do: already credited as purchase \(purchase.id)"
        }
        if let free = try await crediter.ledger.freePurchases.find(of: PaymentIdentity(payment)) {
            return "verdict    nothing to do: already given as grant \(free.grantID)"
        }
        let assessment = try await crediter.assess(payment, presentedAs: receipt)
        let sale =
            assessment.sale.map { sale in
                " as \(sale.product), \(sale.coins.count) coins" + (sale.price == nil ? ", free" : "")
            } ?? ""
        let wrong =
            assessment.verdict == .refuse(.amountMismatch) ? try await crediter.wrongAmount(of: payment) : nil
        return "verdict    \(assessment.verdict.line)\(sale)" + (wrong.map { "\nreason     \($0.sentence)" } ?? "")
    }
}

extension Verdict {
    /// The verdict in one line for a terminal.
    fileprivate var line: String {
        switch self {
        case .credit: "credit"
        case .alreadyCredited: "nothing to do: already credited"
        case .wait(let reason): "wait: \(reason.rawValue)"
        case .refuse(let reason): "refuse: \(reason.rawValue)"
        }
    }
}
