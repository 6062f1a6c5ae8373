import Foundation
import Testing

@testable import LedgerServer

@Suite(.timeLimit(.minutes(20))) struct RetryScheduleTests {
    @Test func `ten retries in three and a half days, then the event is given up`() {
        let delays = (1...10).compactMap { RetrySchedule.delay(afterFailures: $0) { _ in 0 } }
        let hours = delays.map { $0 / .seconds(3600) }
        #expect(delays.first == .seconds(5) && delays.count == 10)
        #expect(hours.suffix(7).elementsEqual([2, 5, 10, 10, 14, 20, 24]))
        #expect((85...86).contains(hours.reduce(0, +)))
        #expect(RetrySchedule.delay(afterFailures: 11) == nil)
    }

    @Test func `delays differ by up to a tenth`() {
        for _ in 0..<1000 {
            let delay = RetrySchedule.delay(afterFailures: 2) ?? .zero
            #expect((.seconds(270)...(.seconds(330))).contains(delay))
        }
        #expect(Set((0..<10).map { _ in RetrySchedule.delay(afterFailures: 3) }).count > 1)
    }

    @Test func `a longer delay that is asked for is kept, a shorter one is not, and none is endless`() {
        func delay(_ seconds: Int) -> Duration? {
            RetrySchedule.delay(afterFailures: 2, requested: .seconds(seconds)) { _ in 0 }
        }
        #expect(delay(1) == .seconds(300))
        #expect(delay(1000) == .seconds(1000))
        #expect(delay(1_000_000_000) == .seconds(86_400))
    }

    @Test func `Retry-After is seconds or a date`() {
        let now = Date(timeIntervalSince1970: 784_111_777)  // Sun, 06 Nov 1994 08:49:37 GMT
        func read(_ text: String) -> Duration? { RetrySchedule.requestedDelay(text, now: now) }
        #expect(read("120") == .seconds(120))
        #expect(read("Sun, 06 Nov 1994 08:50:37 GMT") == .seconds(60))
        #expect(read("Sun, 06 Nov 1994 08:40:00 GMT") == .zero)
        #expect(read("99999999999999999") == .seconds(86_400))
        #expect(read("Sun, 06 Nov 2094 08:50:37 GMT") == .seconds(86_400))
        for text in ["", "soon", "-1", "1.5", "999999999999999999999999"] { #expect(read(text) == nil, "\(text)") }
    }
}
