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
                purchase. A repeat by the same person with the same reason changes nothing.
                """)

        @Argument(help: "The dispute's id.") var id: Int64
        @Argument(help: "won or lost.") var outcome: DisputeOutcome
        @Option(help: "The reason.", transform: TextOption.text) var reason: String
        @OptionGroup var person: PersonOption
        @OptionGroup var settings: SettingFlags<DisputeSettings>

        func run() async throws {
            let usedBonus = try settings.values()[Settings.coins.refundUsedBonus]
            let key = try person.key("dispute-\(id)-\(outcome.rawValue)")
            let recorded = try await settings.withLedger { ledger in
                guard let found = try await ledger.disputes.find(id) else {
                    throw Refused("the dispute does not exist")
                }
                let act = DecideDispute(
                    idempotencyKey: key, user: found.dispute.user, purchaseID: found.purchase.id, disputeID: id,
                    isWon: outcome == .won, explanation: reason, usedBonus: usedBonus)
                switch try await ledger.submit(act).outcome {
                case .done(let recorded): return recorded
                case .refused(let refusal): throw Refused(refusal)
                }
            }
            print(
                "dispute \(id) is \(recorded.dispute.status.rawValue): \(recorded.coins) paid and "
                    + "\(recorded.bonusCoins) bonus coins taken back, \(recorded.amount) won")
        }
    }
}

/// The settings of a command that decides a dispute.
enum DisputeSettings: SettingList {
    static let settings = CommonSettings.settings + [Settings.coins.refundUsedBonus]
}

/// How a dispute ends by a person's decision.
enum DisputeOutcome: String, ExpressibleByArgument {
    case won, lost
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
