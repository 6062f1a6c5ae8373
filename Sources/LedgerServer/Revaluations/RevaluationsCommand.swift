import ArgumentParser
import CivilTime
import Foundation
import Ledger

struct RevaluationsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revaluations", abstract: "Show and book the revaluations of what is open in foreign currencies.",
        discussion: """
            A month of a currency is revalued once, at the last rate of its last seven days. See docs/month-end.md.
            """,
        subcommands: [List.self, Book.self], defaultSubcommand: List.self)

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the revaluations, the last one first.")

        @OptionGroup var common: CommonOptions

        func run() async throws {
            let found = try await common.withLedger { ledger in
                try await collect { try await ledger.revaluations.list(after: $0, limit: 100) }
            }
            print(TextTable.text(Revaluation.columns, found.map(\.row)))
        }
    }

    struct Book: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Revalue what is open in a foreign currency at the end of a month.",
            discussion: "Book it before the month is closed: a month of a currency is revalued once.")

        @Argument(help: "The currency, such as USD.") var currency: String
        @Option(help: "The month, such as 2026-01.", transform: MonthOption.month) var month: CivilMonth
        @OptionGroup var person: PersonOption
        @OptionGroup var settings: SettingFlags<DaySettings>

        func run() async throws {
            let zone = try settings.values()[Settings.books.timeZone]
            try await settings.withLedger { ledger in
                let key = try person.key("ledgerd revaluations book/\(UUID().uuidString)")
                let answer = try await ledger.submit(
                    try await ledger.revaluations.revaluation(ofNamed: currency, in: month, zone, key: key))
                switch answer.outcome {
                case .refused(let refusal): throw RefusedAct(refusal)
                case .done(let booked):
                    guard !answer.isRepeat,
                        let found = try await ledger.revaluations.find(booked.revaluationID)
                    else { return print("\(currency): \(month) is revalued already") }
                    print(found.told)
                }
            }
        }
    }
}

extension Revaluation {
    fileprivate static let columns: [TextTable.Column] = [
        .number("REVALUATION"), .text("CURRENCY"), .text("MONTH"), .number("OPEN"), .number("CARRIED"),
        .number("WORTH"), .number("AMOUNT"), .number("RATE"), .text("OF"), .text("ENTRY"), .text("BY"), .text("AT"),
    ]

    /// What was booked, and where it comes from.
    fileprivate var told: String {
        let done = basis.amount == 0 ? "nothing to book" : "\(basis.amount) KRW booked"
        return "\(currency.code): \(done) for \(month): \(Currency.text(basis.open, currency.code)) open, "
            + "carried at \(basis.carried) KRW, worth \(basis.worth) KRW at \(basis.quotation.textOfOne) of \(basis.rateDay)"
    }

    fileprivate var row: [TextTable.Cell] {
        [
            .init(id), .init(currency.code), .init(month.description), .init(basis.open), .init(basis.carried),
            .init(basis.worth), .init(basis.amount), .init(basis.quotation.textOfOne),
            .init(basis.rateDay.description), .init(journalEntryID.map { "\($0)" } ?? ""), .init(revaluedBy),
            .init(RFC3339.string(from: recordedAt)),
        ]
    }
}
