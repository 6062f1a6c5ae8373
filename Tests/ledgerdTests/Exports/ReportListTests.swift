import Ledger
import Testing

@testable import LedgerServer

/// What documents list of the reports; `LEDGERD_UPDATE_DOCS=1` writes the list anew.
@Suite(.timeLimit(.minutes(20))) struct ReportListTests {
    @Test func `docs exports md lists the reports as they are declared`() throws {
        let list = Report.all.map { "`\($0.rawValue)`" }.joined(separator: ", ")
        let block = GeneratedBlock(
            page: "docs/exports.md", anchors: ["\n| report | path | argument | "], end: " |\n")
        #expect(try block.committed(comparedWith: list) == list)
    }

    @Test func `each report has a name of its own, by which it is found`() {
        #expect(Set(Report.all.map(\.rawValue)).count == Report.all.count)
        for report in Report.all { #expect(Report(rawValue: report.rawValue) == report, "\(report.rawValue)") }
        #expect(Report(rawValue: "nothing") == nil && Report(rawValue: "") == nil)
    }
}
