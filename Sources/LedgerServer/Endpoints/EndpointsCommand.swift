import ArgumentParser
import CivilTime
import Foundation
import Ledger
import LedgerWire
import OutboundHTTP
import StandardWebhooks

struct EndpointsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "endpoints", abstract: "List, add, change and test the URLs that events are sent to.",
        discussion: """
            `ledgerd serve` sends each event to all endpoints that want it, signed by Standard Webhooks. \
            docs/webhooks.md tells how to receive them.
            """,
        subcommands: [
            List.self, Add.self, Change.self, Delete.self, RotateSecret.self, Test.self, Deliveries.self, Replay.self,
            KeyGen.self,
        ], defaultSubcommand: List.self)

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the endpoints, oldest first.")

        @Flag(help: "Print JSON.") var json = false
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let endpoints = try await common.withLedger { ledger in
                try await ledger.endpoints.list(limit: Int(Endpoints.most)).elements
            }
            if json {
                let body = ListBody(
                    name: EndpointBody.listName, items: endpoints.map { EndpointBody($0) }, nextCursor: nil)
                print(String(buffer: try AnswerJSON.encode(body)))
            } else if endpoints.isEmpty {
                print("there are no endpoints; see `ledgerd endpoints add --help`")
            } else {
                print(TextTable.text(Endpoint.columns, endpoints.map(\.row)))
            }
        }
    }

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Add an endpoint, and print its secret.")

        @Argument(help: "The https URL.") var url: String
        @OptionGroup var filter: FilterOptions
        @Option(help: "The event after which to start, 0 for the first of all (default: the next event that happens).")
        var after: Int64?
        @OptionGroup var settings: SettingFlags<EndpointCommandSettings>

        func validate() throws {
            do { try EndpointActs.check(after: after) } catch { throw error.of(Self.self) }
        }

        func run() async throws {
            let draft = EndpointFilter(types: try filter.checkedTypes ?? [], users: try filter.checkedUsers ?? [])
            // `--users "$USERS"` with an empty variable must not send everybody's events.
            guard filter.types == nil || !draft.types.isEmpty, filter.users == nil || !draft.users.isEmpty else {
                throw ValidationError("--types and --users must not be empty: leave them out to send all events")
            }
            try await settings.withSender { acts, sender in
                let endpoint = try await acts.create(
                    url: url, description: filter.description ?? "", filter: draft, after: after, under: .new()
                ).success
                try sender.show(endpoint, "endpoint \(endpoint.id) is added")
            }
        }
    }

    struct Change: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Change an endpoint; values without an option stay.",
            discussion: "An endpoint that is enabled again continues with the first event that it did not get.")

        @Argument(help: "The endpoint's id.") var id: Int64
        @Option(help: "The https URL.") var url: String?
        @OptionGroup var filter: FilterOptions
        @Flag(inversion: .prefixedEnableDisable, help: "Whether events are sent.") var sending: Bool?
        @OptionGroup var settings: SettingFlags<EndpointCommandSettings>

        func run() async throws {
            let change = EndpointChange(
                url: url, description: filter.description, types: try filter.checkedTypes,
                users: try filter.checkedUsers, isEnabled: sending)
            // Only a URL needs the settings of webhooks, which have the rules for it.
            let changed =
                if url == nil {
                    try await settings.withLedger {
                        try await EndpointActs(ledger: $0, sender: nil).change(id, change)
                    }
                } else {
                    try await settings.withSender { acts, _ in try await acts.change(id, change) }
                }
            print(TextTable.text(Endpoint.columns, [changed.row]))
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Delete an endpoint.")

        @Argument(help: "The endpoint's id.") var id: Int64
        @OptionGroup var common: CommonOptions

        func run() async throws {
            try await common.withLedger { try await EndpointActs(ledger: $0, sender: nil).delete(id) }
            print("deleted: endpoint \(id)")
        }
    }

    struct RotateSecret: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Give an endpoint a new secret; the former one signs too for 24 hours.")

        @Argument(help: "The endpoint's id.") var id: Int64
        @OptionGroup var settings: SettingFlags<EndpointCommandSettings>

        func run() async throws {
            try await settings.withSender { acts, sender in
                let rotated = try await acts.rotateSecret(of: id, under: .new()).success
                try sender.show(rotated, "endpoint \(id) has a new secret")
            }
        }
    }

    struct Test: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Send a test event from this machine, and print what became of it.")

        @Argument(help: "The endpoint's id.") var id: Int64
        @OptionGroup var settings: SettingFlags<EndpointCommandSettings>

        func run() async throws {
            try await settings.withSender { acts, sender in
                let attempt = try await sender.test(try await acts.find(id))
                let status = attempt.status.map { ", HTTP \($0)" } ?? ""
                print("\(attempt.outcome.rawValue)\(status), \(Int(attempt.latency / .milliseconds(1))) ms")
                if let answer = attempt.answer, !answer.isEmpty { print(answer) }
                if attempt.outcome != .delivered { throw ExitCode.failure }
            }
        }
    }

    struct Deliveries: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the latest attempts, newest first.")

        @Argument(help: "The endpoint's id.") var id: Int64
        @Flag(help: "Only failed attempts.") var failed = false
        @Option(help: "The number of attempts.") var limit = 20
        @OptionGroup var common: CommonOptions

        func run() async throws {
            let attempts = try await common.withLedger { ledger in
                try await ledger.endpoints.attempts(at: id, onlyFailed: failed, limit: max(1, min(limit, 1000)))
                    .elements
            }
            print(TextTable.text(DeliveryAttempt.columns, attempts.map(\.row)))
        }
    }

    struct Replay: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Send events again.",
            discussion: "`ledgerd serve` sends them, each user's in order, beside new events.")

        @Argument(help: "The endpoint's id.") var id: Int64
        @Option(help: "The event after which to start, 0 for the first of all.") var after: Int64
        @Option(help: "The last event (default: the latest one).") var until: Int64?
        @Flag(help: "Only events that were given up.") var onlyFailed = false
        @OptionGroup var common: CommonOptions

        func validate() throws {
            do { try EndpointActs.check(after: after, until: until) } catch { throw error.of(Self.self) }
        }

        func run() async throws {
            let replay = try await common.withLedger { ledger in
                let acts = EndpointActs(ledger: ledger, sender: nil)
                return try await acts.replay(
                    to: try await acts.find(id), after: after, until: until, onlyFailed: onlyFailed, under: .new()
                ).success
            }
            print("replay \(replay.id): events \(replay.position + 1) to \(replay.until) are sent again")
        }
    }

    struct KeyGen: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "keygen", abstract: "Create the keys of the settings, and print them.")

        func run() {
            let key = WebhookSigningKey()
            print("LEDGERD_ENDPOINT_KEY=\(EndpointKeys.Master.newText())")
            print("LEDGERD_ENDPOINT_SIGNING_KEYS=\(key.text)\n# its public key: \(key.publicKey.text)")
        }
    }
}

/// The settings of a command that signs webhooks.
enum EndpointCommandSettings: SettingList {
    static let settings = CommonSettings.settings + Settings.endpoints.settings
}

extension SettingFlags<EndpointCommandSettings> {
    /// Opens the ledger and what is needed to sign and send.
    fileprivate func withSender<Answer>(
        _ body: (EndpointActs, EndpointSender) async throws -> Answer
    ) async throws -> Answer {
        let configuration = try EndpointConfiguration(try values())
        guard let keys = configuration.keys else {
            _ = try values().required(Settings.endpoints.key)
            throw Problem(.endpointsOff)
        }
        let transport = CurlTransport(configuration)
        defer { transport.shutdown() }
        return try await withLedger { ledger in
            let sender = EndpointSender(
                ledger: ledger, keys: keys, urls: EndpointURL(addressGuard: configuration.addressGuard),
                transport: transport)
            return try await body(EndpointActs(ledger: ledger, sender: sender), sender)
        }
    }
}

extension EndpointSender {
    fileprivate func show(_ endpoint: Endpoint, _ what: String) throws {
        guard let secret = secret(of: endpoint) else { throw LedgerError.unexpected("the new secret has no key") }
        print("\(what)\nsecret: \(secret)\nIt is not shown again. The receiver needs it to verify signatures.")
    }
}

extension CallerKey {
    /// A key that nobody used, of the user of the system.
    fileprivate static func new() throws -> CallerKey {
        guard let user = UserID(rawValue: ProcessInfo.processInfo.userName) ?? UserID(rawValue: "command-line"),
            let key = CallerKey(UUID().uuidString, of: user)
        else { throw LedgerError.unexpected("a random key is invalid") }
        return key
    }
}

extension Endpoint {
    fileprivate static let columns: [TextTable.Column] = [
        .number("ID"), .text("URL"), .text("STATUS"), .number("FAILURES"), .text("TYPES"), .text("USERS"),
        .text("DESCRIPTION"),
    ]

    fileprivate var row: [TextTable.Cell] {
        let reason = statusReason.map { " (\($0.rawValue))" } ?? ""
        return [
            .init(id), .init(url), .init(status.rawValue + reason), .init(failures),
            .init(filter.types.isEmpty ? "all" : filter.types.joined(separator: ",")),
            .init(filter.users.isEmpty ? "all" : filter.users.joined(separator: ",")), .init(description),
        ]
    }
}

extension DeliveryAttempt {
    fileprivate static let columns: [TextTable.Column] = [
        .text("TIME"), .number("EVENT"), .text("OUTCOME"), .number("HTTP"), .number("MS"), .text("ANSWER"),
    ]

    fileprivate var row: [TextTable.Cell] {
        [
            .init(RFC3339.string(from: attemptedAt)), .init(seq), .init(outcome), .init(status.map(String.init) ?? "-"),
            .init(latency), .init(String((answer ?? "").prefix(60))),
        ]
    }
}
