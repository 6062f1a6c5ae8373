import Foundation
import Ledger

/// How a settlement file is to be read and booked: what the command and the request have in common.
struct SettlementImport: Sendable {
    let reader: SettlementFileReader
    /// Whether rows that can't be read are left out; otherwise nothing of such a file is booked.
    let skipsBadRows: Bool
    /// Whether only to say what it would come to.
    let isDryRun: Bool

    /// What came of it.
    enum Result: Sendable {
        /// It is booked.
        case imported(SettlementReport, skipped: [SettlementFileProblem])
        /// It would be.
        case previewed(SettlementPreview, skipped: [SettlementFileProblem])
        /// Some rows can't be read, and nothing was booked.
        case refused([SettlementFileProblem])
    }

    /// Reads a settlement file and books it.
    ///
    /// - Throws: ``SettlementFileProblem`` when the file as a whole can't be read; ``LedgerError``.
    func perform(
        _ bytes: [UInt8], named name: String, by importer: String, in ledger: Ledger,
        report: @Sendable (SettlementProgress) -> Void = { _ in }
    ) async throws -> Result {
        let file = try reader.read(bytes, named: name)
        let problems = file.problems
        guard problems.isEmpty || skipsBadRows else { return .refused(problems) }
        return isDryRun
            ? .previewed(try await ledger.settlements.preview(file), skipped: problems)
            : .imported(try await ledger.settlements.book(file, by: importer, report: report), skipped: problems)
    }
}
