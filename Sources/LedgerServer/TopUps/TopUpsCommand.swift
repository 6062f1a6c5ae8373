import ArgumentParser
import Ledger
import LedgerWire

struct TopUpsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "top-ups", abstract: "Show, pause, resume and revoke a user's automatic top-up.",
        discussion: """
            A user's consent is stored by a service (PUT /v1/users/{user}/top-up). Spends and captures that leave fewer coins \
            than its threshold charge the user's card.
            """,
        subcommands: [Show.self, Pause.self, Resume.self, Revoke.self])

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show the consent in force, or else the last one, with the latest charges.")

        @Argument(help: "The user's id.", transform: UserArgument.user) var user: UserID
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let found = try await common.withLedger { [user] ledger in
                try await TopUpActs(ledger: ledger).find(of: try await ledger.merges.user(behind: user))
            }
            guard let found else {
                throw Refused("the user has not agreed to top-ups")
            }
            try JSONOutput.show(found)
        }
    }

    struct Pause: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Pause: no charge starts until it is resumed. A repeat changes nothing.")

        @Argument(help: "The user's id.", transform: UserArgument.user) var user: UserID
        @Option(help: "The reason.", transform: TextOption.text) var reason: String
        @OptionGroup var person: PersonOption
        @OptionGroup var common: CommonOptions

        func run() async throws {
            try JSONOutput.show(
                try await common.withTopUps { try await $0.pause(of: user, because: reason, by: person.name) })
        }
    }

    struct Resume: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Resume, without the failures and the rest from before. A repeat changes nothing.")

        @Argument(help: "The user's id.", transform: UserArgument.user) var user: UserID
        @OptionGroup var person: PersonOption
        @OptionGroup var common: CommonOptions

        func run() async throws {
            try JSONOutput.show(try await common.withTopUps { try await $0.resume(of: user, by: person.name) })
        }
    }

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "End the consent for good. A repeat changes nothing.",
            discussion: "A charge that the gateway was asked for before is credited all the same.")

        @Argument(help: "The user's id.", transform: UserArgument.user) var user: UserID
        @OptionGroup var person: PersonOption
        @OptionGroup var common: CommonOptions

        func run() async throws {
            try JSONOutput.show(try await common.withTopUps { try await $0.revoke(of: user, by: person.name) })
        }
    }
}

extension CommonOptions {
    /// Lends the acts on consents; only a service stores one, so no gateway is needed.
    fileprivate func withTopUps<Output: Sendable>(
        _ body: @Sendable (TopUpActs) async throws -> Output
    ) async throws -> Output {
        try await withLedger { try await body(TopUpActs(ledger: $0)) }
    }
}
