import ArgumentParser
import Ledger
import Logging
import Postgres

struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Take a report out of the books: what GET /v1/exports answers.",
        discussion: """
            Reports: journal, purchases and lots of a period; trial-balance and liability at a moment; reconciliation of a
            run. A period goes from --from until before --to; both take a date, meant as its first moment in the time
            zone, or an RFC 3339 time. A month's reports take the month's end as --to; --as-of tells what was known at a
            moment. The trailer holds row count, totals and the SHA-256 of all lines before it. It is the last line; of a
            CSV, where it would be a row, it is written to standard error, or to FILE.trailer.json beside --output FILE.
            A file gets its name only when it is complete.
            """)

    @Argument(help: "journal, purchases, lots, trial-balance, liability or reconciliation.", transform: Self.report)
    var report: Report

    @Option(help: "csv, jsonl; for the journal also hledger and beancount (default: csv).") var format: String?
    @Option(help: "The period's first moment.") var from: String?
    @Option(help: "The first moment after the period; of a balance, count only what took effect before it.")
    var to: String?
    @Option(help: "Count only what was recorded by this moment (default: now).") var asOf: String?
    @Option(help: "Of a trial balance: classes, or accounts for each account (default: classes).") var detail: String?
    @Option(name: .customLong("run"), help: "Which reconciliation (default: the last that is completed).")
    var reconciliation: String?
    @Flag(help: "Begin a CSV with a byte-order mark, so that Excel shows Korean.") var bom = false
    @Option(help: "The file to write; - for standard output.") var output = "-"
    @Flag(help: "Replace the file if it is there.") var force = false
    @Flag(help: "Compress it with gzip.") var gzip = false
    @Flag(inversion: .prefixedNo, help: "Tell how far it is (default: on a terminal).") var progress: Bool?
    @OptionGroup var settings: SettingFlags<DaySettings>

    func validate() throws { _ = try request() }

    func run() async throws {
        let request = try request()
        try await settings.withLedger { ledger in
            try await write(try await ledger.exports.begin(request).get())
        }
    }

    private func write(_ export: Export) async throws {
        let file = try OutputFile(output, isForced: force)
        var line = progress ?? ProgressLine.hasReader ? ProgressLine() : nil
        let compressor = gzip ? Gzip() : nil
        let trailer = try await export.run { part in
            try file.write(compressor?.compress(part.bytes) ?? part.bytes)
            line?.show(part)
        }
        if let end = compressor?.finish() { try file.write(end) }
        if !export.request.format.holdsTrailer { try tell(trailer) }
        try file.complete()
        line?.end(trailer)
    }

    /// Writes the trailer where nobody takes it for a row: beside the file, before that has its name.
    private func tell(_ trailer: ExportTrailer) throws {
        guard output != "-" else { return StandardError.print("trailer \(trailer.json)") }
        let beside = try OutputFile(output + ".trailer.json", isForced: true)
        try beside.write(Array("\(trailer.json)\n".utf8))
        try beside.complete()
    }

    private func request() throws -> ExportRequest {
        let options: [ExportOption: String?] = [
            .format: format, .from: from, .to: to, .asOf: asOf, .detail: detail,
            .run: reconciliation, .byteOrderMark: bom ? "true" : nil,
        ]
        do {
            let zone = try settings.values()[Settings.books.timeZone]
            return try ExportRequest(report, options.compactMapValues(\.self), in: zone)
        } catch let error as ExportOptionError {
            throw ValidationError("\(error.option.flag) \(error.rule).")
        } catch {
            throw ValidationError("\(error).")
        }
    }

    private static func report(_ text: String) throws -> Report {
        guard let report = Report(rawValue: text) else {
            throw ValidationError("must be one of \(Report.allCases.map(\.rawValue).joined(separator: ", ")).")
        }
        return report
    }
}

extension ExportOption {
    fileprivate var flag: String {
        switch self {
        case .asOf: "--as-of"
        case .timeZone: "--time-zone"
        case .format, .from, .to, .detail, .run, .byteOrderMark: "--\(rawValue)"
        }
    }
}
