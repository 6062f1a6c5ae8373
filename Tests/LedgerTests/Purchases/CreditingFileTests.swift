import Foundation
import TestSupport
import Testing

@testable import Ledger

/// The rule of purchases in the functions that credit them is the plan's, ``PurchaseRule``, and not written twice.
@Suite(.timeLimit(.minutes(20))) struct CreditingFileTests {
    /// `LEDGERD_UPDATE_DOCS=1` writes it anew; the next build has it.
    @Test func `the functions that credit purchases declare the plan's rule`() throws {
        let file = Golden.root.appending(path: "schema/judges/crediting.sql")
        let text = try String(contentsOf: file, encoding: .utf8)
        let rule = PurchaseRule.sql.split(separator: "\n").map { "    \($0)\n" }.joined()
        let (begin, end) = ("    -- @rule\n", "    -- @end\n")
        let parts = text.components(separatedBy: begin)
        let written = try parts.dropFirst().map { part in
            let rest = try #require(part.range(of: end))
            return begin + rule + part[rest.lowerBound...]
        }
        let expected = (parts.prefix(1) + written).joined()
        #expect(written.count == 2)
        if ProcessInfo.processInfo.environment["LEDGERD_UPDATE_DOCS"] == "1" {
            try expected.write(to: file, atomically: true, encoding: .utf8)
        } else {
            #expect(text == expected, "LEDGERD_UPDATE_DOCS=1 ./dev test CreditingFileTests writes it anew")
        }
    }

    /// What else the functions and the plan both say is compared row by row (`CreditingTests`).
    @Test func `each line of a purchase's entry increases an account, and the lines of each currency balance`() {
        var sums: [String: [PurchaseRule.Measure: Int]] = [:]
        for (account, measure) in PurchaseRule.lines {
            let (currency, side) =
                switch account {
                case .system(let account): (account.currency, account.normalSide)
                case .wallet(let account): (Currency.coin, account.normalSide)
                }
            sums[currency.code, default: [:]][measure, default: 0] += side == .debit ? 1 : -1
        }
        #expect(sums.values.allSatisfy { $0.values.allSatisfy { $0 == 0 } })
        #expect(sums["COIN"]?.keys.count == 2 && sums["KRW"]?.keys.count == 2)
    }
}
