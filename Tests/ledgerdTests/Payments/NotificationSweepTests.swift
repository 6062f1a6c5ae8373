import Foundation
import Logging
import Synchronization
import TestSupport
import Testing

@testable import LedgerServer
@testable import PGVerifier

@Suite(.timeLimit(.minutes(20))) struct NotificationSweepTests {
    private static let interval: Duration = .seconds(600)
    private static let hour: TimeInterval = 3600

    /// Runs the sweep at the start, and waits until it is over.
    private static func sweep(_ gateway: ListingGateway, _ memory: SweepMemory, at now: Date) async throws -> String {
        try await ManualTime.with(at: now) { time in
            let log = LogCapture()
            let sweep = NotificationSweep(
                gateways: [gateway], interval: interval, logger: log.logger(), store: memory.store)
            let running = Task { try await sweep.run() }
            try await eventually("the sweep is over, and the next one waited for") { time.asleep == 1 }
            running.cancel()
            try await running.value
            return log.events.compactMap { $0["msg"] as? String }.joined(separator: ", ")
        }
    }

    @Test func `the first walk reaches back a week, each later one an hour behind the last complete one`() async throws
    {
        let (gateway, memory) = (ListingGateway(), SweepMemory())
        let noon = ManualTime.noon
        let first = try await Self.sweep(gateway, memory, at: noon)
        #expect(first == "sweep of notifications finished")
        let week = gateway.takeAsked()
        #expect(week.first?.lowerBound == noon - 7 * 24 * Self.hour - Self.hour && week.last?.upperBound == noon)
        #expect(zip(week, week.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound }, "without a gap")
        #expect(week.allSatisfy { $0.upperBound.timeIntervalSince($0.lowerBound) <= 24 * Self.hour })

        _ = try await Self.sweep(gateway, memory, at: noon + 600)
        #expect(gateway.takeAsked() == [noon - Self.hour..<noon + 600])
        // The service was off for a year; the gateway lists thirty days.
        let later = noon + 365 * 24 * Self.hour
        _ = try await Self.sweep(gateway, memory, at: later)
        #expect(gateway.takeAsked().first?.lowerBound == later - 30 * 24 * Self.hour + Self.hour)
    }

    @Test func `after a clock that was fast, the walk reaches an hour back, and people are told`() async throws {
        let (gateway, memory) = (ListingGateway(), SweepMemory())
        let noon = ManualTime.noon
        memory.walk(until: noon + 24 * Self.hour)
        let log = try await Self.sweep(gateway, memory, at: noon)
        #expect(log.hasPrefix("a sweep of notifications ended later than now"))
        #expect(gateway.takeAsked() == [noon - Self.hour..<noon])
    }

    @Test func `a walk that is interrupted goes on at the last day that is complete`() async throws {
        let (gateway, memory) = (ListingGateway(), SweepMemory())
        let noon = ManualTime.noon
        gateway.fail(after: 3)
        #expect(try await Self.sweep(gateway, memory, at: noon) == "sweep of notifications interrupted")
        let asked = gateway.takeAsked()
        try #require(asked.count == 4)
        #expect(memory.end == asked[2].upperBound)
        gateway.fail(after: nil)
        _ = try await Self.sweep(gateway, memory, at: noon + 60)
        #expect(gateway.takeAsked().first?.lowerBound == asked[2].upperBound - Self.hour)
    }

    @Test func `every page is read, each notification is stored once, and one that can't be read stops nothing`()
        async throws
    {
        let (gateway, memory) = (ListingGateway(), SweepMemory())
        gateway.list(["1", "2", "3", "2", "4", "bad\0"], unreadable: true)
        let log = try await Self.sweep(gateway, memory, at: ManualTime.noon)
        #expect(log.contains("a notification can't be read"))
        #expect(log.hasSuffix("sweep of notifications finished"))
        #expect(memory.stored == ["1", "2", "3", "4"])
    }
}

/// What sweeps store.
private final class SweepMemory: Sendable {
    private let state = Mutex<(end: Date?, stored: Set<String>)>((nil, []))

    var end: Date? { state.withLock(\.end) }
    var stored: Set<String> { state.withLock(\.stored) }

    func walk(until end: Date) { state.withLock { $0.end = end } }

    var store: NotificationStore {
        NotificationStore(
            walkedUntil: { _, _ in self.end },
            noteWalk: { _, _, end in self.state.withLock { $0.end = max($0.end ?? end, end) } },
            add: { event in self.state.withLock { $0.stored.insert(event.eventID ?? "").inserted } })
    }
}

/// A gateway that lists two notifications a page, the same for each period, with the periods that it was asked for.
private final class ListingGateway: ListsNotifications {
    static let name = "app-store"

    private struct State {
        var asked: [Range<Date>] = []
        var left: Int?
        var listed: [String] = []
        var isUnreadable = false
    }

    private let state = Mutex(State())

    let notificationLists = [NotificationList(name: "Sandbox", days: 30)]

    /// The periods since the last call.
    func takeAsked() -> [Range<Date>] {
        state.withLock { state in
            defer { state.asked = [] }
            return state.asked
        }
    }

    func fail(after calls: Int?) { state.withLock { $0.left = calls } }

    func list(_ ids: [String], unreadable: Bool) {
        state.withLock { ($0.listed, $0.isUnreadable) = (ids, unreadable) }
    }

    func notifications(
        of list: NotificationList, in period: Range<Date>, at place: String?
    ) async throws(GatewayError) -> NotificationPage {
        let found = state.withLock { state -> (ids: [String], isUnreadable: Bool)? in
            if place == nil { state.asked.append(period) }
            if let left = state.left {
                guard left > 0 else { return nil }
                state.left = left - 1
            }
            return (state.listed, state.isUnreadable)
        }
        guard let found else { throw GatewayError(.timeout, message: "no answer") }
        let from = place.flatMap { Int($0) } ?? 0
        return NotificationPage(
            events: found.ids.dropFirst(from).prefix(2).map {
                WebhookEvent(gateway: Self.name, eventID: $0, kind: .cancelled, type: "REFUND")
            },
            unreadable: found.isUnreadable ? [GatewayError(.malformedAnswer, message: "no type")] : [],
            next: from + 2 < found.ids.count ? String(from + 2) : nil)
    }

    static func receipt(paymentID: String, merchantUID: String) throws(MalformedIdentifier) -> Receipt {
        try AppStore.receipt(paymentID: paymentID, merchantUID: merchantUID)
    }

    func payment(for receipt: Receipt) async throws(GatewayError) -> GatewayPayment {
        throw GatewayError(.timeout, message: "no answer")
    }
}
