import ArgumentParser
import Ledger

struct GrantsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "grants", abstract: "Void grants that were a mistake.", subcommands: [VoidOne.self])

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
                return try await desk.line(of: "the void of grant \(grant)", ordered)
            }
        }

        private func preview() async throws {
            // Nobody acts: the name is not kept.
            let (found, needsApproval) = try await proposing.settings.withTerminalDesk(for: "nobody") {
                [grant, coins] desk in
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
