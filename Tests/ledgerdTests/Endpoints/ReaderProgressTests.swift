import Foundation
import Ledger
import Testing

@testable import LedgerServer

@Suite(.timeLimit(.minutes(20))) struct ReaderProgressTests {
    private let now = Date(timeIntervalSince1970: 1_767_225_600)

    private func overview(
        _ id: Int64, position: Int64 = 10, _ filter: EndpointFilter = EndpointFilter(), pausedUntil: Date? = nil,
        nextLane: Date? = nil, until: Int64? = nil
    ) -> ReaderOverview {
        ReaderOverview(
            reader: DeliveryReader(id: id, endpointID: id, position: position, until: until, onlyFailed: false),
            filter: filter, pausedUntil: pausedUntil, nextLane: nextLane, waitingSince: nextLane)
    }

    private func event(_ seq: Int64, _ type: String = "coins.spent", _ user: String? = "ann") -> EventHeading {
        EventHeading(seq: seq, type: type, user: user)
    }

    @Test func `only endpoints that want a new event have work`() {
        var progress = ReaderProgress(head: 10)
        _ = progress.update([
            overview(1), overview(2, EndpointFilter(types: ["lot.expired"])),
            overview(3, EndpointFilter(users: ["ann"])),
            overview(4, EndpointFilter(types: ["coins.spent"], users: ["bob"])),
        ])
        #expect(progress.endpointsWithWork(at: now).isEmpty)
        progress.advance(over: [event(11), event(12, "coins.granted", "bob")])
        #expect(progress.endpointsWithWork(at: now) == [1, 3])
        progress.finish(.init(looked: [1: 12, 3: 12], pausedUntil: nil))
        #expect(progress.endpointsWithWork(at: now).isEmpty)
        progress.advance(over: [event(13, "coins.spent", "bob"), event(14, "period.closed", nil)])
        #expect(progress.endpointsWithWork(at: now) == [1, 4])
    }

    @Test func `what was there before this process began is work`() {
        var progress = ReaderProgress(head: 10)
        _ = progress.update([overview(1, position: 9, EndpointFilter(types: ["lot.expired"]))])
        #expect(progress.endpointsWithWork(at: now) == [1])
    }

    @Test func `a replay has work until its end`() {
        var progress = ReaderProgress(head: 10)
        _ = progress.update([overview(1, position: 4, until: 6), overview(2, position: 6, until: 6)])
        #expect(progress.endpointsWithWork(at: now) == [1])
    }

    @Test func `a lane is work when it is due, and a pause is kept`() {
        var progress = ReaderProgress(head: 10)
        _ = progress.update([
            overview(1, nextLane: now), overview(2, nextLane: now + 1),
            overview(3, pausedUntil: now + 1, nextLane: now),
        ])
        #expect(progress.endpointsWithWork(at: now) == [1])
        #expect(progress.endpointsWithWork(at: now + 1) == [1, 2, 3])
        progress.finish(.init(looked: [1: 10], pausedUntil: nil))
        #expect(progress.endpointsWithWork(at: now).isEmpty)
    }

    @Test func `the lag is that of the event that waits longest`() {
        var progress = ReaderProgress(head: 10)
        _ = progress.update([overview(1), overview(2, nextLane: now - 60)])
        progress.advance(over: [event(11)])
        #expect(progress.lags(at: now) == [1: 0, 2: 60])
        #expect(progress.lags(at: now + 5) == [1: 5, 2: 65])
        progress.finish(.init(looked: [1: 11, 2: 11], pausedUntil: nil))
        #expect(progress.lags(at: now + 6)[1] == 0)
        #expect(progress.update([overview(1)]) == [2])
    }
}
