import Foundation
import Synchronization
import Testing

@testable import Ledger
@testable import LedgerServer

/// Sums of many outstanding payments are not added up for each request.
@Suite(.timeLimit(.minutes(20))) struct KeptAgesTests {
    private static let start = Date(timeIntervalSince1970: 1_800_000_000)

    /// Counts how often the sums are added up.
    private final class Reader: Sendable {
        private let count = Mutex(0)
        private let payments: Int64

        init(payments: Int64) { self.payments = payments }

        var reads: Int { count.withLock { $0 } }
        var known: [OutstandingAge] {
            [OutstandingAge(fromDays: 0, toDays: nil, payments: payments, outstanding: 1000 * payments)]
        }

        @Sendable func read() -> [OutstandingAge] {
            count.withLock { $0 += 1 }
            return known
        }
    }

    @Test(arguments: [(10_000, [1, 2, 3, 4]), (10_001, [1, 1, 2, 3])] as [(Int64, [Int])])
    func `sums of many payments are of a moment in the last ten minutes, others of now`(
        payments: Int64, reads: [Int]
    ) async throws {
        let (ages, reader) = (KeptAges(), Reader(payments: payments))
        // The last one is of a clock that was set back.
        for (seconds, expected) in zip([0, 599, 600, -1] as [TimeInterval], reads) {
            let now = Self.start.addingTimeInterval(seconds)
            let answer = try await ages.list(now: now, reader.read)
            #expect(reader.reads == expected && answer.ages == reader.known)
            #expect(answer.asOf == (payments > 10_000 && seconds == 599 ? Self.start : now))
        }
    }
}
