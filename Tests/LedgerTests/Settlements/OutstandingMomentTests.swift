import Foundation
import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

/// The list of outstanding payments has one moment, to which nothing is added while it is read.
@Suite(.timeLimit(.minutes(20))) struct OutstandingMomentTests {
    @Test(arguments: [nil, Date()])
    func `a list begins when what was recorded before it is committed`(_ asked: Date?) async throws {
        try await TestLedger.with { ledger, test in
            // A batch that has its time, and is not committed.
            let batch = try await test.connectAsService()
            try await batch.execute("BEGIN")
            _ = try await batch.run(ClosedPeriod.openFrom)
            async let page = ledger.settlements.listOutstanding(asOf: asked, limit: 10)
            try await test.waitUntilBlocked()
            let during = try await batch.run(ClosedPeriod.clock)
            try await batch.execute("COMMIT")
            await batch.close()
            let asOf = try await page.asOf
            #expect(asked.map { asOf == $0 } ?? (asOf > during))
        }
    }

    @Test func `payments are listed in the order in which they were paid, page by page`() async throws {
        try await TestLedger.with { ledger, _ in
            // Two were paid at the same moment, and those that were paid first are credited last.
            let paid = [50, 40, 40, 30, 20, 10].map { Date(timeIntervalSince1970: 1_767_225_600 + $0) }
            for (number, moment) in paid.enumerated() {
                _ = try await ledger.credit(.sample(number, by: "user-\(number)", paidAt: moment))
            }
            var page = try await ledger.settlements.listOutstanding(limit: 2)
            var found = page.payments
            while let next = page.next {
                page = try await ledger.settlements.listOutstanding(after: next, limit: 2)
                found += page.payments
            }
            #expect(found.map(\.paidAt) == paid.sorted())
            #expect(Set(found.map(\.purchaseID)).count == paid.count)
        }
    }

    @Test func `all pages add up to the balance while purchases go on`() async throws {
        try await TestLedger.with { ledger, test in
            let buying = Task {
                _ = try await together(200) { try await ledger.credit(.sample($0, by: "user-\($0 % 20)")) }
            }
            for _ in 1...5 {
                var page = try await ledger.settlements.listOutstanding(limit: 7)
                let balance = page.balance
                var sum = page.payments.reduce(0) { $0 + $1.outstanding }
                while let next = page.next {
                    page = try await ledger.settlements.listOutstanding(after: next, limit: 7)
                    #expect(page.balance == balance)
                    sum += page.payments.reduce(0) { $0 + $1.outstanding }
                }
                #expect(sum == balance)
            }
            try await buying.value
        }
    }
}
