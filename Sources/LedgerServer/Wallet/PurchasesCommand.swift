import ArgumentParser
import CivilTime
import Foundation
import Ledger
import LedgerWire

struct PurchasesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "purchases", abstract: "Show credited payments, by user, payment or order.",
        subcommands: [Show.self, List.self])

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show a purchase with its refunds and its payment's open findings.")

        @Argument(help: "The purchase's id.") var id: Int64
        @Flag(help: "Print JSON: the purchase with its refunds.") var json = false
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let (purchase, findings) = try await common.withLedger { ledger in
                let found = try await ledger.purchases.require(id)
                let refunds = try await ledger.refunds.list(ofPurchase: id)
                let findings = try await ledger.findings.list(
                    FindingFilter(payment: found.payment.paymentID), limit: 100
                ).elements
                return (PurchaseBody(found, refunds: refunds, namingUser: true), findings.map { FindingBody($0) })
            }
            if json { return try JSONOutput.show(purchase) }
            print(TextTable.text(PurchaseRow.columns, [PurchaseRow.cells(purchase)]))
            let refunds = purchase.refunds ?? []
            if !refunds.isEmpty {
                print("\nRefunds\n" + TextTable.text(RefundRow.columns, refunds.map(RefundRow.cells)))
            }
            guard !findings.isEmpty else { return }
            print("\nOpen findings\n" + TextTable.text(FindingRow.columns, findings.map(FindingRow.cells)))
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the purchases of a user, newest first, or of a payment or an order.")

        @Option(help: "The user's id.", transform: UserArgument.user) var user: UserID?
        @Option(help: "The payment's id: imp_uid, or V2's payment_id.", transform: TextOption.text) var payment: String?
        @Option(help: "The order's merchant_uid.", transform: TextOption.text) var order: String?
        @OptionGroup var list: ListOptions
        @OptionGroup var common: CommonOptions

        func validate() throws {
            guard [user != nil, payment != nil, order != nil].filter(\.self).count == 1 else {
                throw ValidationError("Give one of --user, --payment and --order.")
            }
        }

        func run() async throws {
            let (found, hasMore) = try await common.withLedger { try await find(in: $0) }
            try list.show(found, hasMore: hasMore, PurchaseRow.columns) {
                PurchaseRow.cells(PurchaseBody($0.purchase, namingUser: true))
            } body: {
                PurchaseBody($0.purchase, refunds: $0.refunds, namingUser: true)
            }
        }

        private func find(in ledger: Ledger) async throws -> (found: [RefundablePurchase], hasMore: Bool) {
            let purchases = ledger.purchases
            if let user {
                let present = try await ledger.merges.user(behind: user)
                let page = try await purchases.latest(of: present, limit: list.limit)
                return (page.elements, page.next != nil)
            }
            if let order { return (try await purchases.list(named: .merchantUID(order)), false) }
            let named = payment ?? ""
            let found = try await purchases.list(named: .paymentID(named))
            // V2's payment id is the name of its order.
            return (found.isEmpty ? try await purchases.list(named: .merchantUID(named)) : found, false)
        }
    }
}

/// A purchase as a row of a table.
enum PurchaseRow {
    static let columns: [TextTable.Column] = [
        .number("ID"), .text("STATUS"), .text("USER"), .text("PRODUCT"), .number("AMOUNT"), .number("REFUNDED"),
        .number("COINS"), .number("BONUS"), .text("PAID"), .text("PAYMENT"), .text("ORDER"),
    ]

    static func cells(_ purchase: PurchaseBody) -> [TextTable.Cell] {
        [
            .init(purchase.id), .init(purchase.status), .init(purchase.user ?? ""), .init(purchase.product),
            .init(amount(of: purchase)), .init(purchase.refundedAmount),
            .init(purchase.coins), .init(purchase.bonusCoins), .init(purchase.paidAt), .init(purchase.impUID),
            .init(purchase.merchantUID),
        ]
    }

    /// What was paid, with its worth if it was in a foreign currency.
    private static func amount(of purchase: PurchaseBody) -> String {
        let amount = AmountText.text(purchase.amount, purchase.currency)
        return purchase.foreign.map { "\(AmountText.text($0.amount, $0.currency)) = \(amount)" } ?? amount
    }
}
