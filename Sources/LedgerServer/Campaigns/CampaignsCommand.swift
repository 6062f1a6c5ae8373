import ArgumentParser
import CivilTime
import Foundation
import Ledger
import LedgerWire

struct CampaignsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "campaigns",
        abstract: "Give coins to many users: create, fill, approve, pause, resume and void campaigns.",
        discussion: """
            The service gives the coins, and voids what is left of them. A campaign with a larger budget than \
            LEDGERD_CONSOLE_GRANT_LIMIT waits until another person than its creator approves it.
            """,
        subcommands: [
            List.self, Show.self, Create.self, Add.self, Approve.self, Pause.self, Resume.self, VoidAll.self,
        ])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the campaigns, newest first.")

        @OptionGroup var list: ListOptions
        @OptionGroup var settings: SettingFlags<DaySettings>

        func run() async throws {
            let found = try await settings.withCampaigns { try await $0.ledger.campaigns.list(limit: list.limit) }
            try list.show(found, Campaign.columns) {
                $0.row
            } body: {
                CampaignBody($0)
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show a campaign, how far it is, and what became of its coins.")

        @Argument(help: "The id of the campaign.") var id: Int64
        @OptionGroup var settings: SettingFlags<DaySettings>

        func run() async throws {
            try JSONOutput.show(CampaignBody(try await settings.withCampaigns { try await $0.find(id) }))
        }
    }

    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Create a campaign. A repeat of the same shows it.",
            discussion: "With --code, users claim the coins. Without it, add the users.")

        @Argument(help: "The name, which no other campaign has.", transform: TextOption.text) var name: String
        @Option(help: "The coins of each user.", transform: CoinsOption.coins) var coins: Coins
        @Option(help: "The most coins of a user (default: --coins).", transform: CoinsOption.coins)
        var mostPerUser: Coins?
        @Option(help: "The most coins of all users.", transform: CoinsOption.coins) var budget: Coins
        @Option(help: "When it begins to give: \(CalendarMoment.rule) (default: now).") var startsAt: String?
        @Option(help: "Nothing is given from then on: \(CalendarMoment.rule).") var endsAt: String?
        @Option(help: "When unused coins expire: \(CalendarMoment.rule) (default: never).") var coinsExpireAt: String?
        @Option(help: "The days after which the unused coins of each user expire, 1 to 36500.") var coinDays: Int64?
        @Option(help: "The reason of the grants, in the books.", transform: TextOption.text) var reason: String
        @Option(help: "What the users are told.", transform: TextOption.text) var note: String?
        @Option(help: "The code by which users claim the coins.", transform: TextOption.text) var code: String?
        @Flag(help: "Users may give the coins to others.") var canBeMoved = false
        @OptionGroup var person: PersonOption
        @OptionGroup var settings: SettingFlags<DaySettings>

        func validate() throws {
            if let coinDays, !(1...36_500).contains(coinDays) {
                throw ValidationError("--coin-days must be 1 to 36500")
            }
        }

        func run() async throws {
            let zone = try settings.values()[Settings.books.timeZone]
            let draft = CampaignDraft(
                name: name, coins: coins, mostPerUser: mostPerUser ?? coins, budget: budget,
                startsAt: try startsAt.map { try CalendarMoment.date(of: "--starts-at", $0, in: zone) },
                endsAt: try endsAt.map { try CalendarMoment.date(of: "--ends-at", $0, in: zone) },
                coinsExpireAt: try coinsExpireAt.map { try CalendarMoment.date(of: "--coins-expire-at", $0, in: zone) },
                coinDays: coinDays, reason: reason, note: note, code: code, canBeMoved: canBeMoved)
            let creator = try person.user
            do {
                let made = try await settings.withCampaigns { try await $0.create(draft, by: creator) }
                try JSONOutput.show(CampaignBody(made))
            } catch let fault as InputFault {
                throw fault.of(Self.self)
            }
        }
    }

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Add the users of a CSV file to the list of a campaign.",
            discussion: """
                Each line has the id of a user, and the coins, if they are others than the campaign's. A first line with the \
                names user,coins is skipped. Who is on the list already stays, so a repeat adds nobody twice.
                """)

        @Argument(help: "The id of the campaign.") var id: Int64
        @Argument(help: "The file, in UTF-8.", completion: .file()) var file: String
        @Flag(help: "Count the users without adding them.") var dryRun = false
        @OptionGroup var settings: SettingFlags<DaySettings>

        func run() async throws {
            guard let data = try? Data(contentsOf: URL(filePath: file)) else {
                throw ValidationError("\(file) can't be read.")
            }
            let users: CampaignUserFile
            do throws(CampaignUserFile.Fault) { users = try CampaignUserFile([UInt8](data)) } catch {
                throw ValidationError("\(file) \(error.rule)")
            }
            let added = try await settings.withCampaigns { [id, dryRun] acts in
                try await acts.add(users, to: id, isDryRun: dryRun)
            }
            try JSONOutput.show(CampaignUsersBody(added, isDryRun: dryRun))
        }
    }

    struct Approve: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Let a campaign begin that waits for a second person. A repeat changes nothing.")

        @Argument(help: "The id of the campaign.") var id: Int64
        @OptionGroup var person: PersonOption
        @OptionGroup var settings: SettingFlags<DaySettings>

        func run() async throws {
            let name = person.name
            try JSONOutput.show(
                CampaignBody(try await settings.withCampaigns { [id] in try await $0.approve(id, by: name) }))
        }
    }

    struct Pause: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Pause a campaign: it gives nothing until it is resumed. A repeat changes nothing.")

        @Argument(help: "The id of the campaign.") var id: Int64
        @Option(help: "The reason.", transform: TextOption.text) var reason: String
        @OptionGroup var person: PersonOption
        @OptionGroup var settings: SettingFlags<DaySettings>

        func run() async throws {
            let name = person.name
            let paused = try await settings.withCampaigns { [id, reason] acts in
                try await acts.pause(id, because: reason, by: name)
            }
            try JSONOutput.show(CampaignBody(paused))
        }
    }

    struct Resume: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Resume a paused campaign. A repeat changes nothing.")

        @Argument(help: "The id of the campaign.") var id: Int64
        @OptionGroup var person: PersonOption
        @OptionGroup var settings: SettingFlags<DaySettings>

        func run() async throws {
            let name = person.name
            try JSONOutput.show(
                CampaignBody(try await settings.withCampaigns { [id] in try await $0.resume(id, by: name) }))
        }
    }

    struct VoidAll: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "void",
            abstract: "Void what is left of a campaign's coins; nothing is given from now on.",
            discussion: """
                The service does it, which takes time: show tells how far it is. Coins on hold stay. When their holds have \
                ended, void the campaign again.
                """)

        @Argument(help: "The id of the campaign.") var id: Int64
        @Option(help: "The reason.", transform: TextOption.text) var reason: String
        @OptionGroup var person: PersonOption
        @OptionGroup var settings: SettingFlags<DaySettings>

        func run() async throws {
            let name = person.name
            let voided = try await settings.withCampaigns { [id, reason] acts in
                try await acts.void(id, because: reason, by: name)
            }
            try JSONOutput.show(CampaignBody(voided))
        }
    }
}

extension SettingFlags<DaySettings> {
    /// Lends the acts on campaigns.
    fileprivate func withCampaigns<Output: Sendable>(
        _ body: @escaping @Sendable (CampaignActs) async throws -> Output
    ) async throws -> Output {
        let limits = try GrantLimits(try values())
        return try await withLedger { try await body(CampaignActs(ledger: $0, limits: limits)) }
    }
}

extension Campaign {
    fileprivate static let columns: [TextTable.Column] = [
        .number("ID"), .text("NAME"), .text("STATUS"), .number("COINS"), .number("BUDGET"), .number("USERS"),
        .number("GIVEN"), .number("USED"), .number("EXPIRED"), .number("VOIDED"), .number("OPEN"),
    ]

    fileprivate var row: [TextTable.Cell] {
        [
            .init(id), .init(name), .init(status.rawValue), .init(terms.coins), .init(terms.budget),
            .init(progress.users), .init(progress.given), .init(progress.used), .init(progress.expired),
            .init(progress.voided), .init(progress.remaining),
        ]
    }
}
