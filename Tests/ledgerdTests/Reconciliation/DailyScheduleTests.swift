import Foundation
import Testing

@testable import LedgerServer

@Suite(.timeLimit(.minutes(20))) struct DailyScheduleTests {
    private static func zone(_ name: String) throws -> TimeZone { try #require(TimeZone(identifier: name)) }
    private static func time(_ text: String) throws -> Date { try Date(text, strategy: .iso8601) }
    private static func schedule(_ at: String, _ zone: String = "Asia/Seoul") throws -> DailySchedule {
        DailySchedule(at: try #require(TimeOfDay(text: at)), in: try Self.zone(zone))
    }

    @Test func `a day is due when the next day reaches the set time`() throws {
        let schedule = try Self.schedule("04:30")
        // 04:29 and 04:30 in Seoul.
        #expect(try schedule.latest(at: Self.time("2026-11-20T19:29:59Z"))?.name == "2026-11-19")
        let due = try schedule.latest(at: Self.time("2026-11-20T19:30:00Z"))
        #expect(due?.name == "2026-11-20")
        #expect(try due?.period == Self.time("2026-11-19T15:00:00Z")..<Self.time("2026-11-20T15:00:00Z"))
        #expect(try Self.schedule("00:00").latest(at: Self.time("2026-11-20T15:00:00Z"))?.name == "2026-11-20")
        #expect(try Self.schedule("off").latest(at: Date()) == nil)
    }

    @Test func `missed days are caught up with, a week at most`() throws {
        let schedule = try Self.schedule("04:30")
        let now = try Self.time("2026-11-20T20:00:00Z")
        #expect(schedule.due(after: nil, at: now).map(\.name) == ["2026-11-20"])
        #expect(schedule.due(after: "2026-11-20", at: now).isEmpty)
        #expect(schedule.due(after: "2026-11-21", at: now).isEmpty)
        #expect(
            schedule.due(after: "2026-11-17", at: now).map(\.name) == ["2026-11-18", "2026-11-19", "2026-11-20"])
        #expect(schedule.due(after: "2025-01-01", at: now).count == 7)
        #expect(try Self.schedule("off").due(after: nil, at: now).isEmpty)
    }

    @Test func `days are as long as they are where the clocks change`() throws {
        let schedule = try Self.schedule("04:30", "Europe/Berlin")
        let days = try schedule.due(after: "2026-03-27", at: Self.time("2026-03-30T12:00:00Z"))
        #expect(days.map(\.name) == ["2026-03-28", "2026-03-29"])
        #expect(days.map { $0.period.upperBound.timeIntervalSince($0.period.lowerBound) / 3600 } == [24, 23])
        #expect(days[0].period.upperBound == days[1].period.lowerBound)
    }

    @Test(arguments: [
        ("04:30", true), ("00:00", true), ("23:59", true), ("off", true), ("OFF", true), ("4:30", false),
        ("24:00", false), ("12:60", false), ("", false), ("12", false), ("12:30:00", false), ("+1:30", false),
    ])
    func `a time of day is two digits each, or off`(text: String, isValid: Bool) {
        #expect((TimeOfDay(text: text) != nil) == isValid)
    }
}
