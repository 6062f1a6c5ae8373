package import Foundation
package import Ledger

/// The import of a settlement file, for the command and the route.
package struct SettlementImport: Sendable {
    let source: Source
    /// Whether unreadable rows are skipped; otherwise a file with such rows is refused.
    let skipsBadRows: Bool
    /// Whether to make only a preview.
    let isDryRun: Bool

    package init(_ source: Source, skipsBadRows: Bool, isDryRun: Bool) {
        self.source = source
        self.skipsBadRows = skipsBadRows
        self.isDryRun = isDryRun
    }

    /// The rows of a file that were not taken.
    package struct Others: Sendable {
        /// Rows that can't be read, and are skipped on request.
        let skipped: [SettlementFileProblem]
        /// Rows that are no payouts, such as totals.
        let leftOut: [LeftOutRow]
    }

    /// What a settlement file is made of.
    package enum Format: String, Sendable, CaseIterable {
        /// A row for each payout, whose columns are mapped.
        case columns
        /// Google Play's earnings file, as it is.
        case googlePlay = "google-play"
        /// The App Store's finance report, as it is.
        case appStore = "app-store"
    }

    /// How the lines of a file are found.
    package enum Source: Sendable {
        case rows(any SettlementFileReading)
        /// The lines are those of purchases in the books.
        case report(FinanceReportReader)

        /// A file of a store, whose columns are always the same; nil if the day can't be read.
        ///
        /// - Parameters:
        ///   - day: the day of the payout.
        ///   - payout: what the App Store paid for what a report has in a foreign currency.
        package init?(
            of store: Store, paidOutOn day: String, in zone: TimeZone, _ encoding: TextEncoding = .auto,
            payout: ForeignPayout? = nil
        ) {
            let source: Source? =
                switch store {
                case .googlePlay:
                    EarningsFileReader(paidOutOn: day, in: zone, encoding: encoding).map(Source.rows)
                case .appStore:
                    FinanceReportReader(paidOutOn: day, in: zone, encoding: encoding, payout: payout)
                        .map(Source.report)
                }
            guard let source else { return nil }
            self = source
        }

        package enum Store: String, Sendable {
            case googlePlay = "google-play"
            case appStore = "app-store"
        }
    }

    /// What a person tells of the payout of a report in a foreign currency; nil: nothing, as of all other files.
    ///
    /// - Parameter text: what was given for a part; nil or empty: nothing.
    /// - Throws: ``InputFault`` for a part that is missing or can't be read, and for one beside a file that has its rates itself.
    package static func payout(
        for format: Format, _ text: (ForeignPayout.Part) -> String?
    ) throws(InputFault) -> ForeignPayout? {
        var given: [ForeignPayout.Part: String] = [:]
        for part in ForeignPayout.Part.allCases {
            guard let text = text(part), !text.isEmpty else { continue }
            guard format == .appStore else { throw InputFault(part.rawValue, "is for a report of the App Store only") }
            given[part] = text
        }
        do throws(ForeignPayout.Fault) {
            return try ForeignPayout(given)
        } catch {
            throw InputFault(error.part.rawValue, "must be \(error.part.rule)")
        }
    }

    /// The content type of an Excel workbook.
    static let workbookType = ExportFormat.xlsx.mediaType

    /// The most characters (Unicode scalars) of a file's name.
    package static let longestName = 200

    /// The name under which a file is kept: without control characters, and cut if it is longer.
    ///
    /// macOS gives names of three scalars for a Korean syllable.
    package static func name(of file: String) -> String {
        var (kept, length) = ("", 0)
        for character in file where !String(character).hasControls {
            length += character.unicodeScalars.count
            guard length <= longestName else { break }
            kept.append(character)
        }
        return kept.isEmpty ? "settlement.csv" : kept
    }

    package enum Result: Sendable {
        case imported(SettlementReport, Others)
        case previewed(SettlementPreview, Others)
        /// Some rows can't be read, and no row was booked.
        case refused([SettlementFileProblem])
    }

    /// Reads a settlement file, and books it or makes a preview.
    ///
    /// - Throws: ``SettlementFileProblem`` when the whole file is unreadable; `overloaded` when too many files are read;
    ///   ``LedgerError``.
    package func perform(
        _ bytes: [UInt8], named name: String, by importer: String, in ledger: Ledger,
        report: @Sendable (SettlementProgress) -> Void = { _ in }
    ) async throws -> Result {
        let file = try await read(bytes, named: name, in: ledger)
        guard file.problems.isEmpty || skipsBadRows else { return .refused(file.problems) }
        let others = Others(skipped: file.problems, leftOut: file.leftOut)
        return isDryRun
            ? .previewed(try await ledger.settlements.preview(file), others)
            : .imported(try await ledger.settlements.book(file, by: importer, report: report), others)
    }

    /// Reads a file without booking anything.
    ///
    /// - Throws: as ``perform(_:named:by:in:report:)``.
    package func read(
        _ bytes: [UInt8], named name: String, in ledger: Ledger
    ) async throws -> SettlementFileDraft {
        switch source {
        case .rows(let reader):
            return try await SettlementReading.shared.read { try reader.read(bytes, named: name) }
        case .report(let reader):
            let report = try await SettlementReading.shared.read { try reader.read(bytes, named: name) }
            return try await ledger.settlements.lines(of: report)
        }
    }
}
