import ArgumentParser
import CivilTime
import Foundation
import Ledger
import LedgerWire
import PGVerifier
import Timing

struct FindingsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "findings", abstract: "Show what needs a person, and record what was done about it.",
        subcommands: [List.self, Show.self, Assign.self, Note.self, Resolve.self, Claim.self, Refund.self],
        defaultSubcommand: List.self)

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the open findings, oldest first, or the resolved ones, newest first.")

        @Option(
            help: "Only findings of this user, or of payments whose receipt the user presented.",
            transform: UserArgument.user)
        var user: UserID?
        @Option(help: "Only findings of the payment with this imp_uid or payment_id.", transform: TextOption.text)
        var payment: String?
        @Option(help: "Only findings of the order with this merchant_uid.", transform: TextOption.text)
        var order: String?
        @Option(help: "Only findings of this kind, such as paid_unclaimed.", transform: FindingKindArgument.kind)
        var kind: Finding.Kind?
        @Option(help: "open or resolved.") var status: Finding.Status = .open
        @Option(help: "Only findings that were found this many days ago or earlier.") var olderThan: Int?
        @Option(help: "Only findings that this person works on.", transform: TextOption.text) var assignee: String?
        @Flag(help: "Only findings that nobody works on.") var unassigned = false
        @Option(
            help: "Only findings that this person works on, or has resolved or credited.", transform: TextOption.text)
        var person: String?
        @Option(help: "oldest or newest first (default: open findings oldest first, resolved ones newest first).")
        var sort: FindingFilter.Sort?
        @OptionGroup var list: ListOptions
        @OptionGroup var common: CommonOptions

        func validate() throws {
            guard assignee == nil || !unassigned else {
                throw ValidationError("Give --assignee or --unassigned, not both.")
            }
            guard (0...36_500).contains(olderThan ?? 0) else {
                throw ValidationError("--older-than must be 0 to 36500 days")
            }
        }

        func run() async throws {
            let filter = FindingFilter(
                status: status, kind: kind, assignee: assignee, isAssigned: unassigned ? false : nil, person: person,
                sort: sort, user: user, payment: payment, order: order)
            let until = olderThan.map { Time.current.now - TimeInterval($0) * 86_400 }
            let found = try await common.withLedger { ledger in
                try await ledger.findings.list(in: Period(from: nil, to: until), filter, limit: list.limit)
            }
            try list.show(found, FindingRow.columns) {
                FindingRow.cells(FindingBody($0))
            } body: {
                FindingBody($0)
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show a finding, with what people did about it.")

        @Argument(help: "The finding's id.") var id: Int64
        @Flag(help: "Print JSON.") var json = false
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let found = try await common.withLedger { try await FindingActs(withoutGatewaysOf: $0).find(id) }
            if json { return try JSONOutput.show(FindingBody(found)) }
            print(TextTable.text(FindingRow.columns, [FindingRow.cells(FindingBody(found.finding))]))
            guard !found.acts.isEmpty else { return }
            print("\n" + TextTable.text(FindingAct.columns, found.acts.map(\.row)))
        }
    }

    struct Assign: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Record who works on a finding.")

        @Argument(help: "The finding's id.") var id: Int64
        @Option(help: "Who works on it (default: the person who acts).", transform: TextOption.text) var to: String?
        @Flag(help: "Nobody works on it now.") var nobody = false
        @Option(help: "What the person should know.", transform: TextOption.text) var note: String?
        @OptionGroup var person: PersonOption
        @OptionGroup var common: CommonOptions

        func validate() throws {
            guard to == nil || !nobody else { throw ValidationError("Give --to or --nobody, not both.") }
        }

        func run() async throws {
            try await FindingAtTerminal.act(
                nobody ? .unassign : .assign, on: id, person, common, whom: nobody ? nil : to ?? person.name,
                reason: note)
        }
    }

    struct Note: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Add a note to a finding.")

        @Argument(help: "The finding's id.") var id: Int64
        @Argument(help: "The note.", transform: TextOption.text) var text: String
        @OptionGroup var person: PersonOption
        @OptionGroup var common: CommonOptions

        func run() async throws { try await FindingAtTerminal.act(.note, on: id, person, common, reason: text) }
    }

    struct Resolve: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Take a finding off the list of open findings.",
            discussion: FindingsController.reopening)

        @Argument(help: "The finding's id.") var id: Int64
        @Option(help: "The reason.", transform: TextOption.text) var reason: String
        @OptionGroup var person: PersonOption
        @OptionGroup var common: CommonOptions

        func run() async throws { try await FindingAtTerminal.act(.resolve, on: id, person, common, reason: reason) }
    }
}

extension FindingsCommand {
    struct Claim: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Credit a finding's payment to a user, or propose it to a second person above the limit.",
            discussion: """
                The gateway must confirm the payment, as for a receipt. The limit is LEDGERD_CONSOLE_REFUND_LIMIT; a \
                proposal is decided in the console.
                """)

        @Argument(help: "The finding's id.") var id: Int64
        @Option(help: "The user to whom the payment belongs.", transform: UserArgument.user) var user: UserID
        @Flag(help: "There is no record of the user, and the id is no slip.") var newUser = false
        @Option(help: "The reason.", transform: TextOption.text) var reason: String
        @Option(
            help: "A name of the claim: another proposal of the same claim needs another name.",
            transform: TextOption.text)
        var key: String?
        @OptionGroup var proposing: ProposingOptions

        func run() async throws {
            try await proposing.order { [id, user, newUser, reason, key] desk, beside in
                let ordered = try await desk.claim(
                    id, for: user, isNewUser: newUser, because: reason, named: key ?? "", beside: beside)
                return try await desk.line(ofFinding: id, ordered)
            }
        }
    }
}

extension FindingsCommand {
    struct Refund: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Give a finding's payment back at the gateway, or propose it to a second person above the limit.",
            discussion: """
                All that is left of the payment is cancelled. The limit is LEDGERD_CONSOLE_REFUND_LIMIT; a proposal is \
                decided in the console or with `ledgerd refunds approve`.
                """)

        @Argument(help: "The finding's id.") var id: Int64
        @Option(help: "The reason.", transform: TextOption.text) var reason: String
        @Option(
            help: "A name of the refund: another proposal of the same refund needs another name.",
            transform: TextOption.text)
        var key: String?
        @OptionGroup var proposing: ProposingOptions

        func run() async throws {
            try await proposing.order { [id, reason, key] desk, beside in
                let ordered = try await desk.refund(
                    finding: id, because: reason, named: key ?? "", beside: beside)
                return try await desk.line(ofFinding: id, ordered)
            }
        }
    }
}

/// What people do about findings, at a terminal.
private enum FindingAtTerminal {
    static func act(
        _ kind: FindingAct.Kind, on id: Int64, _ person: PersonOption, _ common: CommonOptions, whom: String? = nil,
        reason: String? = nil
    ) async throws {
        let found = try await common.withLedger { ledger in
            try await FindingActs(withoutGatewaysOf: ledger).act(
                kind, on: id, by: person.name, whom: whom, reason: reason)
        }
        let finding = found.finding
        print(
            "finding \(id) is \(finding.isOpen ? "open" : "resolved"), "
                + (finding.assignee.map { "\($0) works on it" } ?? "nobody works on it"))
    }
}

extension FindingActs {
    /// What needs no gateway: all but crediting a payment.
    fileprivate init(withoutGatewaysOf ledger: Ledger) {
        self.init(
            crediter: ReceiptCrediter(
                gateways: Gateways(), ledger: ledger,
                rules: ReceiptRules(policy: VerdictPolicy(allowTestPayments: false), requireOrders: false)))
    }
}

/// The option that names a kind of findings.
private enum FindingKindArgument {
    static func kind(_ text: String) throws -> Finding.Kind {
        let known = Finding.Kind.all.map(\.rawValue)
        guard known.contains(text) else {
            throw ValidationError(NearestName.sentence("the kind is unknown", text, known: known))
        }
        return Finding.Kind(rawValue: text)
    }
}

extension Finding.Status: ExpressibleByArgument {}
extension FindingFilter.Sort: ExpressibleByArgument {}

/// A finding as a row of a table.
enum FindingRow {
    static let columns: [TextTable.Column] = [
        .number("ID"), .text("STATUS"), .text("KIND"), .text("USER"), .number("AMOUNT"), .text("PAID"), .text("FOUND"),
        .text("ASSIGNEE"), .text("PAYMENT"), .text("ORDER"),
    ]

    static func cells(_ finding: FindingBody) -> [TextTable.Cell] {
        let amount =
            finding.amount.map { AmountText.text($0, finding.currency ?? "") } ?? finding.measured.map(String.init)
        return [
            .init(finding.id), .init(finding.status), .init(finding.kind), .init(finding.user ?? ""),
            .init(amount ?? ""), .init(finding.paidAt), .init(finding.foundAt), .init(finding.assignee ?? ""),
            .init(finding.impUID ?? ""), .init(finding.merchantUID ?? ""),
        ]
    }
}

extension FindingAct {
    fileprivate static let columns: [TextTable.Column] = [
        .text("TIME"), .text("ACT"), .text("BY"), .text("WHOM"), .text("REASON"),
    ]

    fileprivate var row: [TextTable.Cell] {
        [.init(actedAt), .init(kind.rawValue), .init(by), .init(whom ?? ""), .init(reason ?? "")]
    }
}
