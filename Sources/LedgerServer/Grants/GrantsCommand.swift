import ArgumentParser
import Ledger
import LedgerWire

struct GrantsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "grants", abstract: "List a user's grants, and void those that were a mistake.",
        subcommands: [List.self, VoidOne.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the grants of a user of which coins are left, newest first, with what can be voided.")

        @Argument(help: "The user's id.", transform: UserArgument.user) var user: UserID
        @OptionGroup var list: ListOptions
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let found = try await common.withLedger { ledger in
                try await ledger.lots.listVoidable(
                    of: try await ledger.merges.user(behind: user), limit: list.limit + 1)
            }
            let shown = Array(found.prefix(list.limit))
            try list.show(shown, hasMore: found.count > shown.count, VoidableGrant.columns) {
                $0.row
            } body: {
                VoidableGrantBody($0)
            }
        }
    }

    struct VoidOne: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "void",
            abstract: "Void a grant, whole or in part, or propose it to a second person above the limit.",
            discussion: """
                Without --available it only shows what would happen. Give the number that it shows: if another number of \
                coins can be voided meanwhile, nothing is done. Without --coins it is all of them, and what comes back later \
                by a reversal is voided, too. The limit is LEDGERD_CONSOLE_GRANT_LIMIT; a proposal is decided in the console.
                """)

        @Argument(help: "The journal entry of the grant.") var grant: Int64
        @Option(help: "The coins to void (default: all that are in the wallet).", transform: CoinsOption.coins)
        var coins: Coins?
        @Option(help: "The coins that can be voided, as they were shown: void the grant.") var available: Int64?
        @Option(help: "The reason.", transform: TextOption.text) var reason: String?
        @Option(
            help: "A name of the request: another void of the same coins with the same reason needs another name.",
            transform: TextOption.text)
        var key: String?
        @OptionGroup var proposing: ProposingOptions

        func validate() throws {
            guard available == nil || reason != nil else { throw ValidationError("Give --reason with --available.") }
        }

        func run() async throws {
            guard let available, let reason else { return try await preview() }
            try await proposing.order { [grant, coins, key] desk, beside in
                let ordered = try await desk.void(
                    coins, ofGrant: grant, available: available, because: reason, named: key ?? "", beside: beside)
                return try await desk.line(ofGrant: grant, ordered)
            }
        }

        private func preview() async throws {
            let (found, needsApproval) = try await proposing.settings.withTerminalDesk { [grant, coins] desk in
                try await desk.quote(voiding: coins, ofGrant: grant)
            }
            print(TextTable.text(VoidableGrant.columns, [found.row]) + "\n")
            let asked = coins?.count ?? found.available
            if let refusal = found.refusal(of: asked) { throw RefusedAct(refusal) }
            print(
                "\(asked) coins would be voided: \(found.available - asked) of the grant stay in the wallet, "
                    + "\(found.lot.held) on hold.")
            print(
                needsApproval ? "A second person has to approve it." : "One person can do it.",
                "Give \(coins.map { "--coins \($0.count) " } ?? "")--available \(found.available).")
        }
    }
}

/// A grant with what of it can be voided, as a command prints it.
private struct VoidableGrantBody: ListedBody {
    static let listName = "grants"

    /// The entry of the grant, which names it.
    let journalEntryID: Int64
    let lotID: Int64
    let user: String
    let coins: Int64
    /// The coins that can be voided.
    let available: Int64
    let held: Int64
    /// The coins that were voided because somebody asked for it.
    let voided: Int64
    let issuer: String?

    enum CodingKeys: String, CodingKey {
        case user, coins, available, held, voided, issuer
        case journalEntryID = "journal_entry_id"
        case lotID = "lot_id"
    }

    init(_ grant: VoidableGrant) {
        let lot = grant.lot
        (journalEntryID, lotID, user, coins) = (lot.journalEntryID, lot.id, lot.user.rawValue, lot.coins)
        (available, held, voided, issuer) = (grant.available, lot.held, grant.voided, lot.issuer)
    }
}

extension VoidableGrant {
    fileprivate static let columns: [TextTable.Column] = [
        .number("GRANT"), .number("LOT"), .text("USER"), .number("GRANTED"), .number("AVAILABLE"), .number("HELD"),
        .number("VOIDED"), .text("ISSUER"),
    ]

    fileprivate var row: [TextTable.Cell] {
        [
            .init(lot.journalEntryID), .init(lot.id), .init(lot.user.rawValue), .init(lot.coins), .init(available),
            .init(lot.held), .init(voided), .init(lot.issuer ?? ""),
        ]
    }
}
