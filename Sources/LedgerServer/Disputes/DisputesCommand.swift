import ArgumentParser
import CivilTime
import Foundation
import Ledger
import LedgerWire

struct DisputesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "disputes", abstract: "List disputes of payments, and decide those that the gateway does not.",
        subcommands: [List.self, Decide.self], defaultSubcommand: List.self)

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the open disputes, oldest first, or those that were won or lost, newest first.")

        @Option(help: "open, won or lost.") var status: Dispute.Status = .open
        @Flag(help: "Print JSON.") var json = false
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let found = try await common.withLedger { ledger in
                try await collect { try await ledger.disputes.list(status, after: $0, limit: 100) }
            }
            guard !json else { return print(String(buffer: try AnswerJSON.encode(found.map(DisputeBody.init)))) }
            print(TextTable.text(DisputedPurchase.columns, found.map(\.row)))
        }
    }

    struct Decide: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Book how a dispute ended, if the gateway's record does not tell.",
            discussion: """
                A dispute that is won releases its frozen coins. One that is lost takes back what is left of the \
                purchase. One that is won after it was booked as lost gives back what it took. A repeat by the same \
                person with the same reason changes nothing.
                """)

        @Argument(help: "The dispute's id.") var id: Int64
        @Argument(help: "won or lost.") var outcome: DisputeOutcome
        @Option(help: "The reason.", transform: TextOption.text) var reason: String
        @OptionGroup var person: PersonOption
        @OptionGroup var settings: SettingFlags<DisputeSettings>

        func run() async throws {
            let values = try settings.values()
            let usedBonus = try values[Settings.coins.refundUsedBonus]
            let grace = try values[Settings.coins.returnGrace]
            let recorded = try await settings.withLedger { ledger in
                let disputes = DisputeActs(ledger: ledger, usedBonus: usedBonus, grace: grace)
                let found = try await disputes.find(id)
                return try await disputes.decide(
                    found, outcome, because: reason, under: try person.key(outcome.key(of: found))
                ).success
            }
            print(
                "dispute \(id) is \(recorded.dispute.status.rawValue): \(recorded.coins) paid and "
                    + "\(recorded.bonusCoins) bonus coins \(outcome == .won ? "given" : "taken") back, "
                    + "\(recorded.amount) won")
        }
    }
}

/// The settings of a command that decides a dispute.
enum DisputeSettings: SettingList {
    static let settings = CommonSettings.settings + [Settings.coins.refundUsedBonus, Settings.coins.returnGrace]
}

extension DisputeOutcome: ExpressibleByArgument {
    /// What identifies the decision.
    ///
    /// A dispute can be lost, won and lost again: a decision on one that was decided otherwise is a new one. Its repeat
    /// finds the dispute decided as it says, and the decision before it.
    fileprivate func key(of found: DisputedPurchase) -> String {
        let dispute = found.dispute
        let key = "dispute-\(dispute.id)-\(rawValue)"
        let before = dispute.status.rawValue == rawValue ? found.decidedOtherwiseAt : dispute.decidedAt
        return before.map { "\(key)-after-\(RFC3339.string(from: $0))" } ?? key
    }
}

extension Dispute.Status: ExpressibleByArgument {}

extension DisputedPurchase {
    fileprivate static let columns: [TextTable.Column] = [
        .number("ID"), .text("STATUS"), .text("USER"), .text("PAYMENT"), .number("NOT REFUNDED"), .text("OPENED"),
        .text("REASON"),
    ]

    fileprivate var row: [TextTable.Cell] {
        [
            .init(dispute.id), .init(dispute.status.rawValue), .init(dispute.user.rawValue),
            .init(purchase.payment.merchantUID), .init(purchase.amount - purchase.refundedAmount),
            .init(RFC3339.string(from: dispute.openedAt)), .init(dispute.reason),
        ]
    }
}
