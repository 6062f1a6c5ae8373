import ArgumentParser
import CivilTime
import Foundation
import Ledger
import LedgerWire

struct SettlementCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settlement", abstract: "Book the gateway's payouts, and list what is open.",
        subcommands: [
            Import.self, Unmatched.self, Dismiss.self, Unchecked.self, CheckDismissal.self, Returned.self, Match.self,
            Outstanding.self,
        ])

    struct Import: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Import a settlement file (CSV or xlsx) with the gateway's payouts.",
            discussion: """
                Each row is booked once, even if the file is imported repeatedly: the content identifies a file, and \
                the same payout in another file is not booked again. Rows with an unknown payment are listed; a \
                repeated import tries them again. If a row can't be read, no row of the file is booked, unless \
                --skip-bad-rows is given. Rows of totals are left out.
                """)

        @Argument(help: "The settlement file.", completion: .file()) var file: String
        @Option(
            help: """
                What the file is made of: columns (a row for each payout; give --map), google-play (an earnings file) or \
                app-store (a finance report; both with --paid-out-on).
                """) var format = SettlementImport.Format.columns
        @Option(help: ArgumentHelp("The columns of the file.", discussion: "Must be \(SettlementMapping.rule)."))
        var map: String?
        @Option(help: "A JSON file with the same, for column names with a comma.", completion: .file())
        var mapFile: String?
        @Option(help: "The day of the payout, such as 2026-12-15, which files of stores do not tell.") var paidOutOn:
            String?
        @Option(help: "The foreign currency of a finance report to settle, such as USD. Default: won.") var currency:
            String?
        @Option(help: "The won of one unit of it, by Apple's summary of payments.") var exchangeRate: String?
        @Option(help: "The won that Apple paid for all that the report has in it, by the summary.") var proceeds:
            String?
        @Option(help: "The format of days: \(DayText.rule). Default: the usual formats.") var dateFormat: String?
        @Option(help: "The encoding of the file: auto, utf-8 or cp949.") var encoding = TextEncoding.auto
        @Option(help: "The language of what is wrong with the file: en or ko.") var language = Language.english
        @Flag(help: "Skip rows that can't be read.") var skipBadRows = false
        @Flag(help: "Print a preview without booking rows.") var dryRun = false
        @Flag(help: "Print JSON.") var json = false
        @OptionGroup var progress: ProgressOption
        @OptionGroup var settings: SettingFlags<DaySettings>

        func run() async throws {
            let values = try settings.values()
            let work = try await read { try settlementImport(try values[Settings.books.timeZone]) }
            let bytes = try Self.content(of: file)
            let name = SettlementImport.name(of: URL(filePath: file).lastPathComponent)
            let result = try await settings.withLedger { ledger in
                let line = progress.line
                let result = try await read {
                    try await work.perform(bytes, named: name, by: "ledgerd settlement import", in: ledger) {
                        line?.show($0.text)
                    }
                }
                line?.end()
                try await report(result, ledger)
                return result
            }
            if case .refused = result { throw ExitCode(1) }
        }

        /// What is wrong with the mapping or the whole file is told in the language asked for.
        private func read<Result>(_ work: () async throws -> Result) async throws -> Result {
            do { return try await work() } catch let problem as SettlementFileProblem {
                throw Refused(problem.text(in: language))
            }
        }

        private func settlementImport(_ timeZone: TimeZone) throws -> SettlementImport {
            let source =
                if let store = SettlementImport.Source.Store(rawValue: format.rawValue) {
                    try file(of: store, timeZone)
                } else {
                    SettlementImport.Source.rows(try mapped(timeZone))
                }
            return SettlementImport(source, skipsBadRows: skipBadRows, isDryRun: dryRun)
        }

        private func payout() throws(InputFault) -> ForeignPayout? {
            try SettlementImport.payout(for: format) { part in
                switch part {
                case .currency: currency
                case .rate: exchangeRate
                case .proceeds: proceeds
                }
            }
        }

        private func mapped(_ timeZone: TimeZone) throws -> any SettlementFileReading {
            _ = try payout()
            let mapping: SettlementMapping
            switch (map, mapFile, paidOutOn) {
            case (let text?, nil, nil): mapping = try SettlementMapping(text: text)
            case (nil, let path?, nil): mapping = try SettlementMapping(json: try Self.content(of: path))
            default: throw ValidationError("Give --map or --map-file.")
            }
            guard let days = DayText(format: dateFormat, in: timeZone) else {
                throw ValidationError("--date-format must be \(DayText.rule).")
            }
            return SettlementFileReader(mapping: mapping, days: days, encoding: encoding)
        }

        private func file(
            of store: SettlementImport.Source.Store, _ timeZone: TimeZone
        ) throws -> SettlementImport.Source {
            let payout = try payout()
            let source = paidOutOn.flatMap {
                SettlementImport.Source(of: store, paidOutOn: $0, in: timeZone, encoding, payout: payout)
            }
            guard let source, map == nil, mapFile == nil, dateFormat == nil else {
                throw ValidationError("Give --paid-out-on with the day of the payout, and no columns.")
            }
            return source
        }

        private static func content(of path: String) throws -> [UInt8] {
            guard let data = try? Data(contentsOf: URL(filePath: path)) else {
                throw ValidationError("\(path) can't be read.")
            }
            return [UInt8](data)
        }

        private func report(_ result: SettlementImport.Result, _ ledger: Ledger) async throws {
            switch result {
            case .refused(let problems):
                for problem in problems { StandardError.print(problem.text(in: language)) }
                StandardError.print("Error: no rows were booked; --skip-bad-rows skips these rows")
            case .previewed(let preview, let others):
                try print(SettlementPreviewBody(preview, others, in: language)) { preview.text }
                say(others)
            case .imported(let report, let others):
                try print(SettlementReportBody(report, others, in: language)) { report.text }
                if !json { try await list(report.file, ledger) }
                say(others)
            }
        }

        private func print(_ body: some Encodable, text: () -> String) throws {
            Swift.print(json ? String(buffer: try AnswerJSON.encode(body)) : text())
        }

        private func say(_ others: SettlementImport.Others) {
            for problem in others.skipped { StandardError.print("skipped: \(problem.text(in: language))") }
            for row in others.leftOut { StandardError.print("left out: \(row.text(in: language))") }
        }

        /// Prints the rows that could not be booked.
        private func list(_ file: SettlementFile, _ ledger: Ledger) async throws {
            var table = TextTable(SettlementLineDraft.columns)
            var separator = "\n"
            for status in [SettlementLine.Status.unmatched, .refused] {
                var cursor: SettlementCursor?
                repeat {
                    let page = try await ledger.settlements.listLines(of: file.id, status, after: cursor, limit: 500)
                    if !page.elements.isEmpty {
                        let rows = page.elements.map { $0.draft.row(status, $0.reason) }
                        Swift.print(separator + table.lines(rows).joined(separator: "\n"))
                        separator = ""
                    }
                    cursor = page.next
                } while cursor != nil
            }
        }
    }

    struct Unmatched: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the lines of all settlement files whose payment is not in the books.")

        @OptionGroup var common: CommonOptions

        func run() async throws {
            let lines = try await common.withLedger { ledger in
                try await collect { try await ledger.settlements.listUnmatched(after: $0, limit: 500) }
            }
            let columns = [TextTable.Column.number("SETTLEMENT")] + SettlementLineDraft.columns
            print(TextTable.text(columns, lines.map { [.init($0.fileID)] + $0.draft.row($0.status, $0.reason) }))
        }
    }
}

extension TextEncoding: ExpressibleByArgument {}
extension SettlementImport.Format: ExpressibleByArgument {}
extension Language: ExpressibleByArgument {}

extension SettlementProgress {
    /// For a person, such as `booking: 2000 of 9500 lines`.
    fileprivate var text: String { "\(stage.rawValue): \(done) of \(total) lines" }
}

extension SettlementReport {
    /// How many lines stand how, and what the booked ones add up to.
    fileprivate var text: String {
        let counts = SettlementLine.Status.allCases.map { status -> [TextTable.Cell] in
            let count = file.lines[status] ?? 0
            return [
                .init(status.rawValue),
                .init(count, status != .settled && status != .dismissed && count > 0 ? .yellow : nil),
            ]
        }
        return """
            settlement \(file.id), \(TextTable.Cell(file.name).text), lines booked now: \(settledNow)

            \(TextTable.text([.text("STATUS"), .number("LINES")], counts))

            \(file.settled.table)
            """
    }
}

extension SettlementPreview {
    /// How many lines would stand how, and what those to be booked add up to.
    fileprivate var text: String {
        let counts: [[TextTable.Cell]] = [["settled", .init(matched)], ["unmatched", .init(unmatchedCount)]]
        let parts = [
            "preview: nothing is booked", TextTable.text([.text("STATUS"), .number("LINES")], counts), totals.table,
            unmatched.isEmpty
                ? nil : TextTable.text(SettlementLineDraft.columns, unmatched.map { $0.row(.unmatched, nil) }),
        ]
        return parts.compactMap(\.self).joined(separator: "\n\n")
    }
}

extension SettlementTotals {
    fileprivate var table: String {
        TextTable.text(
            [.number("GROSS"), .number("FEE"), .number("TAX"), .number("NET")],
            [[.init(gross), .init(fee), .init(tax), .init(net)]])
    }
}

extension SettlementLineDraft {
    fileprivate static let columns: [TextTable.Column] = [
        .number("LINE"), .text("STATUS"), .text("PAYMENT"), .number("GROSS"), .text("PAID OUT"), .text("REASON"),
    ]

    fileprivate func row(_ status: SettlementLine.Status, _ reason: String?) -> [TextTable.Cell] {
        [
            .init(number), .init(status.rawValue, .yellow), .init(payment), .init(gross), .init(paidOutOn),
            .init(reason ?? "-"),
        ]
    }
}
