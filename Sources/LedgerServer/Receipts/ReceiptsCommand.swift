import ArgumentParser
import CivilTime
import Foundation
import Ledger
import LedgerWire

struct ReceiptsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "receipts", abstract: "Show receipts that could not be decided at once, ask again or stop asking.",
        subcommands: [List.self, Retry.self, Stop.self], defaultSubcommand: List.self)

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the receipts that wait, oldest first; or those of a user, newest first.")

        @Option(help: "Only receipts of this user, also decided ones.", transform: UserArgument.user) var user: UserID?
        @Option(help: "waiting, credited, refused or abandoned; needs --user, except for waiting.")
        var status: StoredReceipt.Status?
        @Option(
            help: "Only receipts that wait for this reason, such as gateway_unavailable.", transform: TextOption.text)
        var reason: String?
        @OptionGroup var list: ListOptions
        @OptionGroup var common: CommonOptions

        func validate() throws {
            guard user != nil || status == nil || status == .waiting else {
                throw ValidationError("--status \(status?.rawValue ?? "") needs --user.")
            }
            guard user == nil || reason == nil else { throw ValidationError("Give --user or --reason, not both.") }
        }

        func run() async throws {
            let found = try await common.withLedger { ledger in
                if let user {
                    let present = try await ledger.merges.user(behind: user)
                    return try await ledger.retries.list(of: present, status, limit: list.limit)
                }
                return try await ledger.retries.listWaiting(because: reason, limit: list.limit)
            }
            try list.show(found, ReceiptRow.columns) {
                ReceiptRow.cells(StoredReceiptBody($0, namingUser: true))
            } body: {
                StoredReceiptBody($0, namingUser: true)
            }
        }
    }

    struct Retry: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Let the service ask the gateway about a waiting receipt now.",
            discussion: "The running service asks within seconds. `ledgerd receipts` shows what became of it.")

        @Argument(help: "The receipt's id.") var id: Int64
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let receipt = try await common.withLedger { ledger in
                let acts = ReceiptActs(ledger: ledger)
                guard let receipt = try await acts.retry(id) else { throw try await acts.isNotWaiting(id) }
                return receipt
            }
            print("receipt \(id) of \(receipt.user.rawValue): the gateway is asked now")
        }
    }

    struct Stop: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Stop asking the gateway about a waiting receipt.",
            discussion: """
                Nothing is credited, and a note on the user says who stopped it and why. If the gateway reports the \
                payment as paid later, the receipt waits again.
                """)

        @Argument(help: "The receipt's id.") var id: Int64
        @Option(help: "The reason.", transform: TextOption.text) var reason: String
        @OptionGroup var person: PersonOption
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let receipt = try await common.withLedger { ledger in
                let acts = ReceiptActs(ledger: ledger)
                guard let receipt = try await acts.stop(id, because: reason, by: person.name) else {
                    throw try await acts.isNotWaiting(id)
                }
                return receipt
            }
            print("receipt \(id) of \(receipt.user.rawValue) is \(receipt.status.rawValue)")
        }
    }
}

extension ReceiptActs {
    fileprivate func isNotWaiting(_ id: Int64) async throws -> Refused {
        let receipt = try await find(id)
        return Refused("the receipt does not wait: it is \(receipt.status.rawValue) (\(receipt.reason))")
    }
}

extension StoredReceipt.Status: ExpressibleByArgument {}

/// A stored receipt as a row of a table.
enum ReceiptRow {
    static let columns: [TextTable.Column] = [
        .number("ID"), .text("STATUS"), .text("USER"), .text("REASON"), .number("ATTEMPTS"), .text("SINCE"),
        .text("NEXT"), .text("PAYMENT"), .text("ORDER"),
    ]

    static func cells(_ receipt: StoredReceiptBody) -> [TextTable.Cell] {
        [
            .init(receipt.id), .init(receipt.status), .init(receipt.user ?? ""), .init(receipt.reason),
            .init(receipt.attempts), .init(receipt.createdAt), .init(receipt.nextAttemptAt), .init(receipt.impUID),
            .init(receipt.merchantUID),
        ]
    }
}
