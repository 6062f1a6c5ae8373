import ArgumentParser
import Foundation
import Ledger
import Logging
import Postgres

struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Export a report of the books, like GET /v1/exports.",
        discussion: """
            Reports of a period: \(Report.names(.period, .days)).
            Reports at a moment: \(Report.names(.moment)).
            Of a run: \(Report.names(.run)).
            A period starts at --from and ends before --to. Both are a date (its first moment in the time
            zone) or an RFC 3339 time. For the reports of a month, set --to to the end of the month. --quarter 2026-Q4
            replaces --from and --to. --as-of shows the books as they were recorded at a moment. The trailer has the row count, totals and the SHA-256 of all lines before
            it. It is the last line, but for CSV and XLSX it goes to standard error, or to FILE.trailer.json next to
            --output FILE. A file gets its name only when it is complete. With replica_url, a standby is read, and the \
            trailer tells up to when the report is complete.
            """)

    @Argument(
        help: ArgumentHelp("One of \(Report.names())."),
        transform: Self.report)
    var report: Report

    @Option(help: "csv, jsonl or xlsx; for the journal also hledger or beancount (default: csv).") var format: String?
    @Option(help: "The first moment of the period.") var from: String?
    @Option(help: "The first moment after the period; for balances, include only entries effective before it.")
    var to: String?
    @Option(help: "A calendar quarter of the books, such as 2026-Q4, instead of --from and --to.") var quarter: String?
    @Option(help: "Include only entries recorded by this moment (default: now).") var asOf: String?
    @Option(help: "The rows of a trial balance: classes or accounts (default: classes).") var detail: String?
    @Option(name: .customLong("run"), help: "The id of the reconciliation (default: the last completed one).")
    var reconciliation: String?
    @Flag(help: "Start a CSV with a byte-order mark, so that Excel shows Korean.") var bom = false
    @Option(name: .customLong("for"), help: "excel: a CSV that Excel opens without changing ids and times.")
    var program: String?
    @Option(help: "The language of the headings of a CSV or an Excel file: en or ko (default: en).")
    var language: String?
    @Option(
        help: "The accounts of an ERP, for vouchers: a CSV file with the columns account, code and name.",
        completion: .file())
    var accounts: String?
    @Option(help: "The output file; - for standard output.") var output = "-"
    @Flag(help: "Replace an existing file.") var force = false
    @Flag(help: "Compress the output with gzip.") var gzip = false
    @Flag(inversion: .prefixedNo, help: "Show the progress (default: on a terminal).") var progress: Bool?
    @OptionGroup var settings: SettingFlags<ReportSettings>

    func validate() throws {
        let request = try request()
        guard !gzip || !request.format.isMadeFirst else {
            throw ValidationError("--gzip does not apply to \(request.format.rawValue), which is compressed.")
        }
    }

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
        if !export.request.format.holdsTrailer { try writeTrailer(trailer) }
        try file.complete()
        line?.end(trailer)
    }

    /// Writes the trailer of a CSV or an Excel file next to the file, before the file gets its name, or to standard error.
    private func writeTrailer(_ trailer: ExportTrailer) throws {
        guard output != "-" else { return StandardError.print("trailer \(trailer.json)") }
        let beside = try OutputFile(output + ".trailer.json", isForced: true)
        try beside.write(Array("\(trailer.json)\n".utf8))
        try beside.complete()
    }

    private func request() throws -> ExportRequest {
        let options: [ExportOption: String?] = [
            .format: format, .from: from, .to: to, .quarter: quarter, .asOf: asOf, .detail: detail,
            .run: reconciliation, .byteOrderMark: bom ? "true" : nil, .program: program,
            .language: language,
        ]
        do {
            let zone = try settings.values()[Settings.books.timeZone]
            return try ExportRequest(report, options.compactMapValues(\.self), in: zone, accounts: voucherAccounts())
        } catch let error as ExportOptionError {
            throw error.inCommand
        } catch {
            throw ValidationError("\(error).")
        }
    }

    /// The accounts of the ERP, for vouchers only.
    private func voucherAccounts() throws -> VoucherAccounts? {
        guard let accounts else { return nil }
        guard report == .vouchers else { throw ValidationError("--accounts applies only to vouchers.") }
        guard let data = try? Data(contentsOf: URL(filePath: accounts)) else {
            throw ValidationError("\(accounts) can't be read.")
        }
        do { return try VoucherAccounts([UInt8](data)) } catch { throw ValidationError("\(accounts): \(error).") }
    }

    private static func report(_ text: String) throws -> Report {
        guard let report = Report(rawValue: text) else {
            throw ValidationError("must be one of \(Report.names()).")
        }
        return report
    }
}

extension Report {
    /// The names of the reports of these coverages; without any, of all.
    fileprivate static func names(_ coverages: Coverage...) -> String {
        all.filter { coverages.isEmpty || coverages.contains($0.coverage) }.map(\.rawValue).joined(separator: ", ")
    }
}

extension ExportOptionError {
    /// As an option of a command.
    var inCommand: ValidationError { ValidationError("\(option.flag) \(rule).") }
}

extension ExportOption {
    fileprivate var flag: String {
        switch self {
        case .asOf: "--as-of"
        case .timeZone: "--time-zone"
        case .program: "--for"
        case .format, .from, .to, .quarter, .detail, .run, .byteOrderMark, .language: "--\(rawValue)"
        }
    }
}

extension VoucherAccounts {
    /// Reads a file; nil: it can't be used.
    init?(path: String) {
        guard let data = try? Data(contentsOf: URL(filePath: path)), let accounts = try? VoucherAccounts([UInt8](data))
        else { return nil }
        self = accounts
    }
}
