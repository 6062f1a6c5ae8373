import ArgumentParser
import Ledger
import LedgerWire

// The lines of settlement files without a payment: which are not ours, who looked at them, and those whose payment came later.

extension SettlementCommand {
    struct Dismiss: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Dismiss an unmatched line that is not ours, such as another shop's.",
            discussion: """
                The line is no longer listed as unmatched, and no longer open before a closing. If its payment is \
                credited after all, an import of the file books it.
                """)

        @OptionGroup var named: LineArguments
        @Option(help: "Why the line is not ours.", transform: TextOption.text) var reason: String
        @Option(help: "What the line is: other_goods, total or other.") var kind = SettlementLine.Dismissal.Kind.other
        @OptionGroup var person: PersonOption
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let dismissed = try await common.withLedger { ledger in
                try await ledger.settlements.dismiss(
                    named.line, of: named.settlement, as: kind, because: reason, by: TerminalDesk.prefix + person.name)
            }
            let found = try dismissed.line
            print("line \(found.number) of settlement \(found.fileID) is dismissed: \(found.dismissal?.reason ?? "")")
        }
    }

    struct Unchecked: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the dismissed lines at which nobody else has looked, newest first.")

        @OptionGroup var list: ListOptions
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let found = try await common.withLedger { try await $0.settlements.listUnchecked(limit: list.limit) }
            try list.show(found)
        }
    }

    struct CheckDismissal: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check-dismissal",
            abstract: "Record that you looked at a line that another person dismissed, and agree.")

        @OptionGroup var named: LineArguments
        @OptionGroup var person: PersonOption
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let checked = try await common.withLedger { ledger in
                try await ledger.settlements.checkDismissal(
                    named.line, of: named.settlement, by: TerminalDesk.prefix + person.name)
            }
            let found = try checked.line
            print("line \(found.number) of settlement \(found.fileID): the dismissal is checked")
        }
    }

    struct Returned: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the lines without a payment whose payment is in the books by now, dismissed ones too.")

        @OptionGroup var list: ListOptions
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let found = try await common.withLedger { try await $0.settlements.listReturned(limit: list.limit) }
            try list.show(found)
        }
    }

    struct Match: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Book the lines without a payment whose payment is in the books by now, dismissed ones too.")

        @OptionGroup var common: CommonOptions

        func run() async throws {
            let (booked, looked) = try await common.withLedger { try await $0.settlements.matchAgain() }
            print("\(booked) of \(looked) lines booked")
        }
    }
}

extension SettlementCommand {
    /// The arguments that name a line of a file.
    struct LineArguments: ParsableArguments {
        @Argument(help: "The settlement's id.") var settlement: Int64
        @Argument(help: "The line's number in the file.") var line: Int64
    }
}

extension SettlementLine.Dismissal.Kind: ExpressibleByArgument {}

extension ListOptions {
    /// Shows lines with who dismissed them.
    fileprivate func show(_ found: Page<SettlementLine, SettlementCursor>) throws {
        try show(found, SettlementLine.columns, row: \.rowOfDismissal) {
            SettlementRowBody($0.draft, $0, namingFile: true)
        }
    }
}

extension SettlementLine {
    fileprivate static let columns: [TextTable.Column] = [
        .number("SETTLEMENT"), .number("LINE"), .text("STATUS"), .text("PAYMENT"), .number("NET"), .text("PAID OUT"),
        .text("KIND"), .text("REASON"), .text("BY"),
    ]

    /// A line with who dismissed it, and why.
    fileprivate var rowOfDismissal: [TextTable.Cell] {
        [
            .init(fileID), .init(draft.number), .init(status.rawValue, .yellow), .init(draft.payment),
            .init(draft.net), .init(draft.paidOutOn), .init(dismissal?.kind?.rawValue ?? "-"),
            .init(dismissal?.reason ?? "-"), .init(dismissal?.by ?? "-"),
        ]
    }
}
