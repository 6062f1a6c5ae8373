import ArgumentParser
import Ledger
import LedgerWire

struct BalanceAlertsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "balance-alerts", abstract: "Show, set and remove thresholds of available coins.",
        discussion: """
            Available coins that cross a threshold are an event balance.fell_below or balance.rose_above. Without --user the \
            thresholds are those of all users without thresholds of their own.
            """,
        subcommands: [Show.self, Set.self, Remove.self], defaultSubcommand: Show.self)

    /// Whose thresholds they are.
    struct OwnerOptions: ParsableArguments {
        @Option(help: "The user's id (default: the ledger's thresholds).", transform: UserArgument.user) var user:
            UserID?

        func owner(in ledger: Ledger) async throws -> BalanceAlertOwner {
            guard let user else { return .ledger }
            return .user(try await ledger.merges.user(behind: user))
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show the thresholds.")

        @OptionGroup var of: OwnerOptions
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let found = try await common.withLedger { ledger in
                let owner = try await of.owner(in: ledger)
                return try await ledger.balanceAlerts.find(of: owner).map { BalanceAlertsBody($0, of: owner) }
            }
            guard let found else { throw Refused("there are no thresholds") }
            try JSONOutput.show(found)
        }
    }

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Set the thresholds in place of those before.",
            discussion: "Without --below and --above, the user gets no events.")

        @Option(
            help: "Tell of coins that fall below this number; up to \(BalanceAlert.most) times.",
            transform: CoinsOption.coins)
        var below: [Coins] = []
        @Option(
            help: "Tell of coins that rise above this number; up to \(BalanceAlert.most) times.",
            transform: CoinsOption.coins)
        var above: [Coins] = []
        @OptionGroup var of: OwnerOptions
        @OptionGroup var person: PersonOption
        @OptionGroup var common: CommonOptions

        func validate() throws {
            do throws(InputFault) {
                try BalanceAlert.check(below: below, above: above)
            } catch {
                throw error.of(Self.self)
            }
        }

        func run() async throws {
            let set = try await common.withLedger { ledger in
                let owner = try await of.owner(in: ledger)
                return BalanceAlertsBody(
                    try await ledger.balanceAlerts.set(below: below, above: above, of: owner, by: person.name),
                    of: owner)
            }
            try JSONOutput.show(set)
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Remove the thresholds. A repeat changes nothing.")

        @OptionGroup var of: OwnerOptions
        @OptionGroup var common: CommonOptions

        func run() async throws {
            try await common.withLedger { try await $0.balanceAlerts.remove(of: try await of.owner(in: $0)) }
        }
    }
}
