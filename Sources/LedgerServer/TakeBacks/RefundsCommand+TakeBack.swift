import ArgumentParser
import Ledger
import LedgerWire

extension RefundsCommand {
    struct TakeBack: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "take-back",
            abstract: "Take back spends of a purchase and refund it, or propose it to a second person above a limit.",
            discussion: """
                Without --amount it only shows what would happen. Give the spends and the amount that it shows: if the amount \
                is another one meanwhile, nothing is done. The limits are LEDGERD_CONSOLE_REFUND_LIMIT for the money and \
                LEDGERD_CONSOLE_GRANT_LIMIT for the coins.
                """)

        @Argument(help: "The purchase's id.") var purchase: Int64
        @Option(
            help: "The journal entries of the spends and captures, separated by commas (default: all of the purchase).",
            transform: SpendsOption.spends)
        var spends: SpendChoice?
        @Option(
            help: """
                The amount that was shown: take back and refund. Of a payment in a foreign currency, in its minor units.
                """)
        var amount: Int64?
        @Option(help: "The reason.", transform: TextOption.text) var reason: String?
        @Option(
            help: "A name of the request: another one with the same spends and reason needs another name.",
            transform: TextOption.text)
        var key: String?
        @OptionGroup var proposing: ProposingOptions

        func validate() throws {
            guard amount == nil || spends != nil && reason != nil else {
                throw ValidationError("Give --spends and --reason with --amount.")
            }
        }

        func run() async throws {
            guard let amount, let spends, let reason else { return try await preview() }
            try await proposing.order { [purchase, key] desk, beside in
                let ordered = try await desk.takeBack(
                    spends, ofPurchase: purchase, amount: amount, because: reason, named: key ?? "", beside: beside)
                return try await desk.line(of: "taking back the spends of purchase \(purchase)", ordered)
            }
        }

        private func preview() async throws {
            let (quote, needsApproval) = try await proposing.settings.withTerminalDesk { [spends, purchase] desk in
                try await desk.quote(takingBack: spends, ofPurchase: purchase)
            }
            if !quote.spends.isEmpty {
                print(TextTable.text(PurchaseSpend.columns, quote.spends.map { $0.row(quote) }) + "\n")
            }
            if let refusal = quote.refusal { throw RefusedAct(refusal) }
            guard let made = quote.made else { return }
            let refund = made.refund
            print(
                "\(made.returned) coins come back, and \(refund.coins) paid and \(refund.bonusCoins) bonus coins are"
                    + " refunded: \(RefundRow.amount(of: RefundBody(refund)))"
                    + " (fee \(AmountText.text(refund.paidFee, refund.paidCurrency.code))).")
            if let missing = quote.missing {
                print(
                    "Not refunded: \(missing.notChosen) coins in spends that are not chosen, \(missing.notInWallet) on"
                        + " hold, expired or used otherwise.")
            }
            print(
                needsApproval ? "A second person has to approve it." : "One person can do it.",
                "Give --spends \(quote.chosen.map(String.init).joined(separator: ",")) --amount \(refund.paidBack).")
        }
    }
}

/// The option that names spends.
private enum SpendsOption {
    static func spends(_ text: String) throws -> SpendChoice {
        guard let spends = SpendChoice(text) else { throw ValidationError("must be \(SpendChoice.rule)") }
        return spends
    }
}

extension PurchaseSpend {
    fileprivate static let columns: [TextTable.Column] = [
        .number("ENTRY"), .text("CHOSEN"), .number("COINS"), .number("OF PURCHASE"), .text("PROVIDER"), .text("TIME"),
        .text("REASON"),
    ]

    fileprivate func row(_ quote: TakeBackQuote) -> [TextTable.Cell] {
        [
            .init(id), .init(quote.chosen.contains(id) ? "yes" : "no"), .init(redemption.coins), .init(ofPurchase),
            .init(redemption.provider?.rawValue ?? ""), .init(recordedAt), .init(reason ?? ""),
        ]
    }
}
