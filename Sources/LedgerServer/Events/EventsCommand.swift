import ArgumentParser
import CivilTime
import Foundation
import Ledger
import LedgerWire
import Timing
import WireFormats

struct EventsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "events", abstract: "Show what happens: purchases, spends, refunds and more.",
        subcommands: [Tail.self])

    struct Tail: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print events as they happen.",
            discussion: """
                Each event has a number. `--after 0` begins with the first event of the ledger. Without --after, only \
                new events are printed.
                """)

        @Option(help: "Print the events after this number.", transform: Self.number) var after: Int64?
        @Option(
            help: "Only these types, separated by commas, such as purchase.credited,coins.spent.",
            transform: Self.types) var types: [EventType] = []
        @Option(help: "Only this user's events.", transform: Self.user) var user: UserID?
        @Flag(help: "End after the last event; do not wait for new ones.") var noFollow = false
        @Flag(help: "Print JSON: one event a line.") var json = false
        @OptionGroup var common: CommonOptions

        /// How often the database is asked for new events.
        private static let interval: Duration = .milliseconds(500)

        func run() async throws {
            try await common.withLedger { ledger in
                var printer = EventPrinter(asJSON: json)
                var last = if let after { after } else { try await ledger.events.last() }
                while true {
                    let page = try await ledger.events.list(
                        after: last, EventFilter(types: types, user: user), limit: Events.mostInPage)
                    try printer.print(page.events)
                    last = page.next
                    if page.hasMore { continue }
                    if noFollow { return }
                    try await Time.current.sleep(for: Self.interval)
                }
            }
        }

        private static func number(_ text: String) throws -> Int64 {
            guard let number = Int64(digits: text) else {
                throw ValidationError("--after must be an integer, 0 or more.")
            }
            return number
        }

        private static func types(_ text: String) throws -> [EventType] {
            // An empty name is none: `--types "$TYPES,"` must not print events of all types.
            try text.split(separator: ",", omittingEmptySubsequences: false).map { name in
                let type = EventType(rawValue: String(name))
                guard EventType.all.contains(type) else {
                    let known = EventType.all.map(\.rawValue)
                    throw ValidationError(NearestName.sentence("the type \(name) is unknown", "\(name)", known: known))
                }
                return type
            }
        }

        private static func user(_ text: String) throws -> UserID {
            guard let user = UserID(rawValue: text) else { throw ValidationError("--user must be \(UserID.rule).") }
            return user
        }
    }
}

/// Prints events as the rows of a table, or as lines of JSON.
private struct EventPrinter {
    private let asJSON: Bool
    private var table = TextTable([
        .number("SEQ"), .text("TIME"), .text("TYPE"), .text("USER"), .number("COINS"), .number("AVAILABLE"),
        .text("ABOUT"),
    ])

    init(asJSON: Bool) { self.asJSON = asJSON }

    mutating func print(_ events: [Event]) throws {
        defer { fflush(nil) }  // A reader of a pipe gets each page at once.
        if asJSON {
            for event in events { Swift.print(String(buffer: try AnswerJSON.encode(EventBody(event)))) }
        } else if !events.isEmpty {
            for line in table.lines(events.map(\.row)) { Swift.print(line) }
        }
    }
}

extension Event {
    fileprivate var row: [TextTable.Cell] {
        let (coins, available) = coins
        return [
            TextTable.Cell(seq), TextTable.Cell(RFC3339.string(from: recordedAt)), TextTable.Cell(type.rawValue),
            TextTable.Cell(user?.rawValue ?? ""), TextTable.Cell(coins), TextTable.Cell(available),
            TextTable.Cell(about),
        ]
    }

    /// What it did to the wallet, and what can be spent after it.
    private var coins: (change: String, available: String) {
        guard case .entry(let entry) = content, let change = entry.change, let balance = entry.balance else {
            return ("", "")
        }
        let coins = change.paid + change.bonus
        return ((coins > 0 ? "+" : "") + "\(coins)", "\(balance.available)")
    }

    private var about: String {
        switch content {
        case .occurrence(let occurrence): occurrence.subject
        case .entry(let entry):
            switch entry.fact {
            case .purchase(let purchase), .clawBack(let purchase, _, _, _, _), .settlement(_, let purchase):
                "\(purchase.payment.paymentID) \(purchase.payment.merchantUID)"
            case .hold(let hold, _, _): "hold:\(hold.id)"
            case .refund(let refund, _, _): "refund:\(refund.id)"
            case .debtPayment: entry.change.map { "debt \($0.debt)" } ?? ""
            case .lot(let lot): "lot:\(lot.id)"
            case .reversal(let redemption, _, _, _): "entry:\(redemption)"
            case .gift(let id, _, _, _): "gift:\(id)"
            case .payout(let id, _, _, _): "payout:\(id)"
            case .repayment(let provider, _, _, _): "provider:\(provider)"
            case .adjustment(let adjustment): "\(adjustment.subject.rawValue) of \(adjustment.month)"
            case .revaluation(let revaluation): "\(revaluation.currency.code) of \(revaluation.month)"
            case nil: entry.reference ?? ""
            }
        }
    }
}
