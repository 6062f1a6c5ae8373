import Foundation
package import Ledger

/// The import of a settlement file, for the command and the route.
package struct SettlementImport: Sendable {
    package let reader: any SettlementFileReading
    /// Whether unreadable rows are skipped; otherwise a file with such rows is refused.
    let skipsBadRows: Bool
    /// Whether to make only a preview.
    let isDryRun: Bool

    package init(reader: any SettlementFileReading, skipsBadRows: Bool, isDryRun: Bool) {
        self.reader = reader
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
        let file = try await SettlementReading.shared.read { [reader] in try reader.read(bytes, named: name) }
        guard file.problems.isEmpty || skipsBadRows else { return .refused(file.problems) }
        let others = Others(skipped: file.problems, leftOut: file.leftOut)
        return isDryRun
            ? .previewed(try await ledger.settlements.preview(file), others)
            : .imported(try await ledger.settlements.book(file, by: importer, report: report), others)
    }
}
