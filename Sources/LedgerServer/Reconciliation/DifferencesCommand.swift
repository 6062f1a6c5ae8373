import ArgumentParser
import Ledger
import LedgerWire

struct DifferencesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "differences",
        abstract: "Show the payments that differ in a reconciliation, and record who works on them.",
        discussion: """
            `ledgerd reconcile` compares, and so does the service each day. Who works on a payment, and its notes, are of the \
            payment: the next reconciliation shows them too.
            """,
        subcommands: [List.self, Show.self, Assign.self, Note.self], defaultSubcommand: List.self)

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the payments that differ, in the order in which they were found.")

        @Option(name: .customLong("run"), help: "The reconciliation's id (default: the last one that is complete).")
        var reconciliation: Int64?
        @Option(help: "Only payments of this kind, such as paid_not_credited.") var kind: ReconciliationKind?
        @OptionGroup var list: ListOptions
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let kinds = kind.map { [$0] } ?? ReconciliationKind.allCases.filter(\.isDifference)
            let (found, contexts) = try await common.withLedger { ledger in
                let run = try await id(in: ledger)
                let found = try await ledger.reconciliations.listItems(of: run, kinds, limit: list.limit)
                return (found, try await ledger.reconciliations.contexts(of: found.elements))
            }
            try list.show(found, DifferenceRow.columns) {
                DifferenceRow.cells(ReconciliationItemBody($0, contexts[$0.id]))
            } body: {
                ReconciliationItemBody($0, contexts[$0.id])
            }
        }

        private func id(in ledger: Ledger) async throws -> Int64 {
            if let reconciliation {
                guard try await ledger.reconciliations.find(reconciliation) != nil else {
                    throw Problem(.notFound, "the reconciliation does not exist")
                }
                return reconciliation
            }
            guard let last = try await ledger.reconciliations.list(.completed, limit: 1).elements.first else {
                throw Problem(.notFound, "no reconciliation is complete")
            }
            return last.id
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show a payment, with what people did about it.")

        @OptionGroup var difference: DifferenceArguments
        @Flag(help: "Print JSON.") var json = false
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let found = try await common.withLedger { ledger in
                try await DifferenceActs(ledger: ledger).find(difference.item, of: difference.run)
            }
            if json { return try JSONOutput.show(ReconciliationItemBody(found)) }
            print(TextTable.text(DifferenceRow.columns, [DifferenceRow.cells(ReconciliationItemBody(found))]))
            guard !found.acts.isEmpty else { return }
            print("\n" + TextTable.text(DifferenceAct.columns, found.acts.map(\.row)))
        }
    }

    struct Assign: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Record who works on a payment.")

        @OptionGroup var difference: DifferenceArguments
        @Option(help: "Who works on it (default: the person who acts).", transform: TextOption.text) var to: String?
        @Flag(help: "Nobody works on it now.") var nobody = false
        @OptionGroup var person: PersonOption
        @OptionGroup var common: CommonOptions

        func validate() throws {
            guard to == nil || !nobody else { throw ValidationError("Give --to or --nobody, not both.") }
        }

        func run() async throws {
            try await difference.act(
                nobody ? .unassign : .assign, person, common, whom: nobody ? nil : to ?? person.name)
        }
    }

    struct Note: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Add a note to a payment.")

        @OptionGroup var difference: DifferenceArguments
        @Argument(help: "The note.", transform: TextOption.text) var text: String
        @OptionGroup var person: PersonOption
        @OptionGroup var common: CommonOptions

        func run() async throws { try await difference.act(.note, person, common, reason: text) }
    }
}

/// The arguments that name a payment of a reconciliation.
struct DifferenceArguments: ParsableArguments {
    @Argument(help: "The reconciliation's id.") var run: Int64
    @Argument(help: "The payment's id in it.") var item: Int64

    fileprivate func act(
        _ kind: DifferenceAct.Kind, _ person: PersonOption, _ common: CommonOptions, whom: String? = nil,
        reason: String? = nil
    ) async throws {
        let found = try await common.withLedger { ledger in
            try await DifferenceActs(ledger: ledger).act(
                kind, on: item, of: run, by: TerminalDesk.prefix + person.name, whom: whom, reason: reason)
        }
        let owner = found.context?.owner.map { "\($0) works on it" } ?? "nobody works on it"
        print("payment \(found.item.comparison.payment.paymentID): \(owner)")
    }
}

extension ReconciliationKind: ExpressibleByArgument {}

/// A payment of a reconciliation as a row of a table.
private enum DifferenceRow {
    static let columns: [TextTable.Column] = [
        .number("ID"), .text("DIFFERENCE"), .text("IMP_UID"), .text("MERCHANT_UID"), .number("GATEWAY"),
        .number("BOOKS"), .text("OUTCOME"), .number("FINDING"), .text("USER"), .text("ASSIGNEE"), .text("NOTE"),
    ]

    static func cells(_ item: ReconciliationItemBody) -> [TextTable.Cell] {
        [
            .init(item.id), .init(item.kind ?? "", .yellow), .init(item.impUID), .init(item.merchantUID),
            .init(item.atGateway.map { AmountText.text($0.amount - $0.cancelledAmount, $0.currency) } ?? "-"),
            .init(item.inBooks.map { AmountText.text($0.amount - $0.refundedAmount, $0.currency) } ?? "-"),
            .init(item.outcome ?? ""), .init(item.finding.map(String.init) ?? ""), .init(item.user ?? ""),
            .init(item.assignee ?? ""), .init(item.note ?? ""),
        ]
    }
}

extension DifferenceAct {
    fileprivate static let columns: [TextTable.Column] = [
        .text("TIME"), .text("ACT"), .text("BY"), .text("WHOM"), .text("NOTE"),
    ]

    fileprivate var row: [TextTable.Cell] {
        [.init(actedAt), .init(kind.rawValue), .init(by), .init(whom ?? ""), .init(reason ?? "")]
    }
}
