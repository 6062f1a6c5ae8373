import Foundation
import Testing

@testable import LedgerServer

/// The name under which a settlement file is kept.
@Suite(.timeLimit(.minutes(20))) struct SettlementFileNameTests {
    @Test func `a file is kept under its name, which is cut as the name of a request is counted`() {
        #expect(SettlementImport.name(of: "정산 2026-01.csv") == "정산 2026-01.csv")
        // As macOS has names: 정 is three characters of Unicode.
        let long = String(repeating: "정", count: 100).decomposedStringWithCanonicalMapping
        #expect(long.count == 100 && long.unicodeScalars.count == 300)
        let kept = SettlementImport.name(of: long)
        #expect(kept.unicodeScalars.count == 198 && long.hasPrefix(kept.prefix(66)))
        #expect(SettlementImport.name(of: "") == "settlement.csv")
    }
}
