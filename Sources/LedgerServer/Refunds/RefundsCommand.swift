import ArgumentParser
import CivilTime
import Foundation
import Ledger
import LedgerWire

struct RefundsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refunds", abstract: "Show refunds, and request, approve, decline and withdraw them.",
        discussion: """
            Above LEDGERD_CONSOLE_REFUND_LIMIT a second person has to approve a refund, here or in the console. A refund \
            that needs the payer's bank account is requested in the console.
            """,
        subcommands: [
            List.self, Show.self, Quote.self, Request.self, TakeBack.self, Proposals.self, Approve.self, Decline.self,
            Withdraw.self,
        ], defaultSubcommand: List.self)

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "List the pending refunds of all users, oldest first; or those by bank transfer that are not paid.")

        @Flag(help: "Refunds by bank transfer that finance has to pay.") var approved = false
        @OptionGroup var list: ListOptions
        @OptionGroup var common: CommonOptions

        func run() async throws {
            if approved {
                let found = try await common.withLedger { try await $0.refunds.listTransfers(limit: list.limit) }
                return try list.show(found, RefundRow.columns) {
                    RefundRow.cells(RefundBody($0.refund))
                } body: {
                    ApprovedRefundBody($0)
                }
            }
            let found = try await common.withLedger { try await $0.refunds.listWaiting(limit: list.limit) }
            try list.show(found, RefundRow.columns + WaitingRefund.columns) {
                RefundRow.cells(RefundBody($0.refund)) + $0.row
            } body: {
                WaitingRefundBody($0)
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show a refund.")

        @Argument(help: "The refund's id.") var id: Int64
        @Flag(help: "Print JSON.") var json = false
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let refund = try await common.withLedger { ledger in
                guard let refund = try await ledger.refunds.find(id) else { throw RefusedAct(.noSuchRefund) }
                return RefundBody(refund)
            }
            if json { return try JSONOutput.show(refund) }
            print(TextTable.text(RefundRow.columns, [RefundRow.cells(refund)]))
            if let refusal = refund.refusal {
                let text = "the gateway refused it: \(refusal.reason)" + (refusal.gatewayCode.map { " (\($0))" } ?? "")
                print(TextTable.Cell(text).text)
            }
        }
    }

    struct Quote: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Preview a refund of a purchase.")

        @Argument(help: "The purchase's id.") var purchase: Int64
        @Option(help: "The paid coins to refund (default: all that can be refunded).", transform: CoinsOption.coins)
        var coins: Coins?
        @OptionGroup var settings: SettingFlags<GatewayCommandSettings>

        func run() async throws {
            let (quote, needsApproval) = try await settings.withTerminalDesk { [coins, purchase] desk in
                try await desk.quote(coins, ofPurchase: purchase)
            }
            print(TextTable.text(RefundQuote.columns, [quote.row]))
            if let refusal = quote.refusal { throw RefusedAct(refusal) }
            print(
                needsApproval
                    ? "A second person has to approve it." : "One person can refund it.",
                "Request it with --coins \(quote.coins) --amount \(quote.paidBack).")
        }
    }

    struct Request: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Refund a purchase, or propose it to a second person above the limit.",
            discussion: """
                Give the coins and the amount that `ledgerd refunds quote` shows: if the amount is another one meanwhile, \
                nothing is done. A repeat by the same person with the same reason refunds nothing more.
                """)

        @Argument(help: "The purchase's id.") var purchase: Int64
        @Option(help: "The paid coins to refund.", transform: CoinsOption.coins) var coins: Coins
        @Option(help: "The amount that the quote says; of a payment in a foreign currency, in its minor units.")
        var amount: Int64
        @Option(help: "The reason.", transform: TextOption.text) var reason: String
        @Option(
            help: "A name of the request: another refund with the same coins and reason needs another name.",
            transform: TextOption.text)
        var key: String?
        @OptionGroup var proposing: ProposingOptions

        func run() async throws {
            try await proposing.order { [coins, purchase, amount, reason, key] desk, beside in
                let ordered = try await desk.refund(
                    coins, ofPurchase: purchase, amount: amount, because: reason, named: key ?? "", beside: beside)
                return try await desk.line(of: "the refund of purchase \(purchase)", ordered)
            }
        }
    }
}

extension RefundsCommand {
    struct Proposals: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the refunds that wait for a second person, oldest first.")

        @OptionGroup var list: ListOptions
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let found = try await common.withLedger { try await TerminalDesk.proposedRefunds(in: $0) }
            let shown = found.prefix(list.limit).map(RefundProposalBody.init)
            try list.show(shown, hasMore: found.count > shown.count, RefundProposalBody.columns) {
                $0.row
            } body: {
                $0
            }
        }
    }

    struct Approve: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Approve a refund that another person proposed, and carry it out.")

        @Argument(help: "The proposal's id.") var id: Int64
        @Option(help: "A reason, if there is something to say.", transform: TextOption.text) var reason: String?
        @OptionGroup var person: PersonOption
        @OptionGroup var settings: SettingFlags<GatewayCommandSettings>

        func run() async throws {
            print(
                try await settings.withTerminalDesk(for: person.name) { [id, reason] desk in
                    try await desk.approveRefund(id, because: reason ?? "")
                })
        }
    }

    struct Decline: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Decline a refund that another person proposed.")

        @Argument(help: "The proposal's id.") var id: Int64
        @Option(help: "The reason.", transform: TextOption.text) var reason: String
        @OptionGroup var person: PersonOption
        @OptionGroup var settings: SettingFlags<GatewayCommandSettings>

        func run() async throws {
            print(
                try await settings.withTerminalDesk(for: person.name) { [id, reason] desk in
                    try await desk.declineRefund(id, because: reason)
                })
        }
    }

    struct Withdraw: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Withdraw a proposal that the same person made at a terminal.")

        @Argument(help: "The proposal's id.") var id: Int64
        @OptionGroup var person: PersonOption
        @OptionGroup var settings: SettingFlags<GatewayCommandSettings>

        func run() async throws {
            try await settings.withTerminalDesk(for: person.name) { [id] desk in try await desk.withdraw(id) }
            print("proposal \(id) is withdrawn")
        }
    }
}

/// The option that gives a number of coins.
enum CoinsOption {
    static func coins(_ text: String) throws -> Coins {
        guard let coins = Int64(text).flatMap(Coins.init) else {
            throw ValidationError("must be an integer from 1 to \(Coins.most)")
        }
        return coins
    }
}

/// A refund as a row of a table.
enum RefundRow {
    static let columns: [TextTable.Column] = [
        .number("ID"), .text("STATUS"), .number("PURCHASE"), .text("METHOD"), .number("COINS"), .number("BONUS"),
        .number("FEE"), .number("AMOUNT"), .text("REQUESTED"), .text("REASON"),
    ]

    static func cells(_ refund: RefundBody) -> [TextTable.Cell] {
        [
            .init(refund.id), .init(refund.status), .init(refund.purchaseID), .init(refund.method ?? ""),
            .init(refund.coins), .init(refund.bonusCoins), .init(fee(of: refund)), .init(amount(of: refund)),
            .init(refund.requestedAt), .init(refund.reason),
        ]
    }

    /// What the payer gets, with its worth if that is in a foreign currency.
    static func amount(of refund: RefundBody) -> String {
        text(refund.amount, refund.currency, refund.foreign.map { ($0.amount, $0.currency) })
    }

    /// What is kept, likewise.
    private static func fee(of refund: RefundBody) -> String {
        refund.foreign.map { text(refund.fee, refund.currency, ($0.fee, $0.currency)) } ?? String(refund.fee)
    }

    static func text(_ amount: Int64, _ currency: String, _ foreign: (amount: Int64, currency: String)?) -> String {
        let worth = AmountText.text(amount, currency)
        return foreign.map { "\(AmountText.text($0.amount, $0.currency)) = \(worth)" } ?? worth
    }
}

extension WaitingRefund {
    fileprivate static let columns: [TextTable.Column] = [
        .text("USER"), .text("WAITS FOR"), .number("ATTEMPTS"), .text("NEXT"),
    ]

    fileprivate var row: [TextTable.Cell] {
        [.init(refund.user.rawValue), .init(reason), .init(attempts), .init(nextAttemptAt)]
    }
}

extension RefundQuote {
    fileprivate static let columns: [TextTable.Column] = [
        .number("UNUSED"), .number("COINS"), .number("BONUS"), .number("CHARGED"), .number("VALUE"), .number("FEE"),
        .number("AMOUNT"),
    ]

    fileprivate var row: [TextTable.Cell] {
        [
            .init(unusedCoins), .init(coins), .init(bonusCoins), .init(bonusCharged), .init(text(value, paidValue)),
            .init(text(fee, paidFee)),
            .init(RefundRow.text(amount, purchase.currency.code, foreign.map { ($0.amount, $0.currency.code) })),
        ]
    }

    /// An amount in won; of a payment in a foreign currency, that with its worth.
    private func text(_ won: Int64, _ paid: Int64) -> String {
        foreign.map { RefundRow.text(won, purchase.currency.code, (paid, $0.currency.code)) } ?? String(won)
    }
}
