import CivilTime
import Foundation
import TestSupport
import Testing

/// Times are written in milliseconds, and stored in microseconds.
@Suite(.timeLimit(.minutes(20))) struct MicrosecondTests {
    /// As a row of the database is read: from 2001, where a `Date` begins.
    private static func read(_ microseconds: Int64) -> Date {
        Date(timeIntervalSinceReferenceDate: Double(microseconds - 978_307_200_000_000) / 1_000_000)
    }

    @Test func `a time is written in its own millisecond, also when it begins or ends one`() {
        var random = SplitMix64(seed: Effort.seed)
        for day in 20_000..<24_000 {
            let millisecond = Int64(day) * 86_400_000 + .random(in: 0..<86_400_000, using: &random)
            for microsecond in [0, 1, 499, 500, 998, 999] + [Int64.random(in: 0..<1000, using: &random)] {
                let moment = Self.read(millisecond * 1000 + microsecond)
                let readBack = RFC3339.date(from: RFC3339.string(from: moment))
                #expect(readBack == Self.read(millisecond * 1000), "\(millisecond) ms, \(microsecond) µs")
            }
        }
    }

    @Test func `equal microseconds are equal dates, wherever they come from`() {
        var random = SplitMix64(seed: Effort.seed)
        for day in stride(from: Int64(-20_000), to: 60_000, by: 7) {
            let microseconds = day * 86_400_000_000 + .random(in: 0..<86_400_000_000, using: &random)
            let moment = Date(microsecondsSince1970: microseconds)
            #expect(moment == Self.read(microseconds) && moment.microsecondsSince1970 == microseconds)
        }
        for second in 800_000_000..<800_010_000 {
            let moment = Self.read(Int64(second) * 1_000_000 + .random(in: 0..<1_000_000, using: &random))
            #expect((moment + 0.000_000_2).inMicroseconds == moment)
            #expect((moment - 0.000_000_2).inMicroseconds == moment)
        }
    }

    @Test func `times beyond 64 bits are clamped`() {
        #expect(Date(timeIntervalSince1970: 1e15).microsecondsSince1970 == .max)
        #expect(Date(timeIntervalSince1970: -1e15).microsecondsSince1970 == .min)
        #expect(Date(timeIntervalSince1970: 9_223_372_036_854).microsecondsSince1970 > 0)
        #expect(Date(microsecondsSince1970: .min) < Date(microsecondsSince1970: .min + 1_000_000_000_000_000))
        #expect(Date(microsecondsSince1970: .max) > Date(microsecondsSince1970: .max - 1_000_000))
    }
}
