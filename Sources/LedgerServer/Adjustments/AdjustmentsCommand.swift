import ArgumentParser
import CivilTime
import Foundation
import Ledger
import LedgerWire

struct AdjustmentsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "adjustments", abstract: "Show and book the adjustments that accounting policies ask for.",
        discussion:
            "An adjustment books what is missing to the balance that the policy of a month says. See docs/month-end.md.",
        subcommands: [List.self, Preview.self, Book.self], defaultSubcommand: List.self)

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the adjustments, the last one first.")

        @OptionGroup var common: CommonOptions

        func run() async throws {
            let found = try await common.withLedger { ledger in
                try await collect { try await ledger.adjustments.list(after: $0, limit: 100) }
            }
            print(TextTable.text(Adjustment.columns, found.map(\.row)))
        }
    }

    struct Preview: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Preview an adjustment, by month of sale.")

        @Argument(help: "breakage or bonus.") var subject: AccountingPolicy.Subject
        @Option(help: "The month, such as 2026-01.", transform: MonthOption.month) var month: CivilMonth
        @Flag(help: "Print JSON.") var json = false
        @OptionGroup var settings: SettingFlags<DaySettings>

        func run() async throws {
            let zone = try settings.values()[Settings.books.timeZone]
            let preview = try await settings.withLedger { ledger in
                try await ledger.adjustments.preview(subject, of: month, in: zone)
            }
            let body = AdjustmentPreviewBody(preview, of: subject, in: month)
            print(json ? String(buffer: try AnswerJSON.encode(body)) : body.text)
        }
    }

    struct Book: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Book the adjustments of a month.",
            discussion: "Run it again after late entries: it books the difference, or nothing.")

        @Option(help: "The month, such as 2026-01.", transform: MonthOption.month) var month: CivilMonth
        @Option(help: "breakage or bonus. Default: what policies ask for.") var subject: AccountingPolicy.Subject?
        @OptionGroup var person: PersonOption
        @OptionGroup var settings: SettingFlags<DaySettings>

        func run() async throws {
            let zone = try settings.values()[Settings.books.timeZone]
            try await settings.withLedger { ledger in
                let policies = try await ledger.adjustments.policies(in: month)
                let asked = subject.map { [$0] } ?? AccountingPolicy.Subject.allCases.filter { policies[$0] != nil }
                if asked.isEmpty { print("no policy asks for an adjustment of \(month)") }
                for one in asked { print(try await book(one, on: ledger, zone)) }
            }
        }

        private func book(_ one: AccountingPolicy.Subject, on ledger: Ledger, _ zone: TimeZone) async throws -> String {
            let key = try person.key("ledgerd adjustments book/\(UUID().uuidString)")
            let answer = try await ledger.submit(
                try await ledger.adjustments.adjustment(one, of: month, in: zone, key: key))
            switch answer.outcome {
            case .refused(.noAccountingPolicy): return "\(one.rawValue): no policy asks for an adjustment of \(month)"
            case .refused(let refusal): throw RefusedAct(refusal)
            case .done(let booked):
                guard !answer.isRepeat, let adjustment = try await ledger.adjustments.find(booked.adjustmentID) else {
                    return "\(one.rawValue): nothing is left to book for \(month)"
                }
                return "\(one.rawValue): \(adjustment.amount) KRW booked for \(month), balance \(adjustment.target)"
            }
        }
    }
}

extension Adjustment {
    fileprivate static let columns: [TextTable.Column] = [
        .number("ADJUSTMENT"), .text("SUBJECT"), .text("MONTH"), .number("AMOUNT"), .number("BALANCE"), .text("ENTRY"),
        .text("BY"), .text("AT"),
    ]

    fileprivate var row: [TextTable.Cell] {
        [
            .init(id), .init(subject.rawValue), .init(month.description), .init(amount), .init(target),
            .init(journalEntryID.map { "\($0)" } ?? ""), .init(adjustedBy), .init(RFC3339.string(from: recordedAt)),
        ]
    }
}

extension AdjustmentPreviewBody {
    /// The figures for a terminal.
    fileprivate var text: String {
        let rows = cohorts.map { cohort -> [TextTable.Cell] in
            [
                .init(cohort.soldIn), .init(cohort.purchases), .init(cohort.sold), .init(cohort.refunded),
                .init(cohort.used), .init(cohort.expired), .init(cohort.deferred),
                .init(cohort.allocated.map { "\($0)" } ?? ""), .init(cohort.target),
            ]
        }
        return """
            policy: \(policy?.method ?? "none")
            booked \(booked), balance by the policy \(target), to book \(amount) KRW
            expired of 1000 coins, where none are left: \(observedBreakage.map { "\($0)" } ?? "not known yet")

            \(TextTable.text([
                .text("SOLD IN"), .number("PURCHASES"), .number("SOLD"), .number("REFUNDED"), .number("USED"),
                .number("EXPIRED"), .number("DEFERRED"), .number("ALLOCATED"), .number("BALANCE"),
            ], rows))
            """
    }
}
