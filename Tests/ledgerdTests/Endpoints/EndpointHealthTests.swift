import Foundation
import Testing

@testable import LedgerServer

@Suite(.timeLimit(.minutes(20))) struct EndpointHealthTests {
    private let now = Date(timeIntervalSince1970: 1_767_225_600)

    private func failed(_ times: Int, requestedPause: Duration? = nil) -> EndpointHealth {
        var health = EndpointHealth()
        for _ in 0..<times { health.fail(at: now, requestedPause: requestedPause) { $0.upperBound } }
        return health
    }

    @Test func `one event that fails does not slow the endpoint`() {
        #expect(failed(2).width(of: 8) == 8 && !failed(2).isPaused(at: now))
    }

    @Test func `an endpoint that fails again and again gets one attempt at a time, with pauses`() {
        #expect(failed(3).width(of: 8) == 1)
        #expect(
            [3, 4, 5, 6, 7, 1000].map { failed($0).pausedUntil?.timeIntervalSince(now) } == [5, 10, 20, 40, 60, 60])
        #expect(failed(3).isPaused(at: now + 4.9) && !failed(3).isPaused(at: now + 5))
    }

    @Test func `one success ends it`() {
        var health = failed(1000)
        health.succeed()
        #expect(health == EndpointHealth() && health.width(of: 8) == 8)
    }

    @Test func `five days of failures alone are hopeless`() {
        var health = failed(1)
        health.fail(at: now + 4.9 * 86_400, requestedPause: nil)
        #expect(!health.isHopeless(at: now + 4.9 * 86_400) && health.isHopeless(at: now + 5 * 86_400))
        health.succeed()
        #expect(!health.isHopeless(at: now + 50 * 86_400))
    }

    @Test func `a pause that the receiver asks for is kept, for five minutes at most`() {
        #expect(failed(1, requestedPause: .seconds(30)).pausedUntil == now + 30)
        #expect(failed(1, requestedPause: .seconds(3000)).pausedUntil == now + 300)
        #expect(failed(3, requestedPause: .seconds(30)).pausedUntil == now + 30)
    }
}
