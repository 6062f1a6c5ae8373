import CivilTime
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct RFC3339Tests {
    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"),
            (1_709_256_000, "2024-03-01T01:20:00.000Z"),
            (1_709_164_799.999, "2024-02-28T23:59:59.999Z"),
            (1_709_164_800, "2024-02-29T00:00:00.000Z"),
            (-1, "1969-12-31T23:59:59.000Z"),
            (4_107_542_400, "2100-03-01T00:00:00.000Z"),
            (951_782_400, "2000-02-29T00:00:00.000Z"),
            (1e15, "9999-12-31T23:59:59.999Z"),
            (-1e15, "0000-01-01T00:00:00.000Z"),
        ] as [(Double, String)])
    func `times are RFC 3339 in UTC with milliseconds`(seconds: Double, text: String) {
        let date = Date(timeIntervalSince1970: seconds)
        #expect(RFC3339.string(from: date) == text)
        var bytes = Array("at ".utf8)
        RFC3339.append(date, to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == "at \(text)")
    }

    @Test func `times agree with Foundation's formatter from 1583 on, before which it counts Julian days`() {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        var generator = SplitMix64(seed: Effort.seed)
        for _ in 0..<2000 {
            let seconds = Int64.random(in: -12_212_553_600...200_000_000_000, using: &generator)
            let date = Date(timeIntervalSince1970: Double(seconds))
            #expect(RFC3339.string(from: date) == date.formatted(style))
        }
    }

    @Test func `a time with all its microseconds is read as it was written, or is not written`() {
        #expect(RFC3339.exactString(ofMicroseconds: 1) == "1970-01-01T00:00:00.000001Z")
        #expect(RFC3339.exactString(ofMicroseconds: -1) == "1969-12-31T23:59:59.999999Z")
        #expect(RFC3339.exactString(ofMicroseconds: 253_402_300_799_999_999) == "9999-12-31T23:59:59.999999Z")
        #expect(RFC3339.exactString(ofMicroseconds: -62_167_219_200_000_000) == "0000-01-01T00:00:00.000000Z")
        for time in [Int64.min, -62_167_219_200_000_001, 253_402_300_800_000_000, .max] {
            #expect(RFC3339.exactString(ofMicroseconds: time) == nil)
        }
        var generator = SplitMix64(seed: Effort.seed)
        for _ in 0..<2000 {
            let time = Int64.random(in: -62_167_219_200_000_000..<253_402_300_800_000_000, using: &generator)
            #expect(RFC3339.exactString(ofMicroseconds: time).flatMap { TimeReader.microseconds($0) } == time)
        }
    }

    @Test func `times are read with and without a fraction, and nothing else is`() {
        for text in ["2024-03-01T01:20:00Z", "2024-03-01T01:20:00.000Z", "2024-03-01T10:20:00+09:00"] {
            #expect(RFC3339.date(from: text) == Date(timeIntervalSince1970: 1_709_256_000), "\(text)")
        }
        for text in ["", "soon", "2024-03-01", "2024-03-01T01:20:00", "1709256000"] {
            #expect(RFC3339.date(from: text) == nil, "\(text)")
        }
    }

    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0.0), ("2026-01-01T00:00:00Z", 1_767_225_600),
        ("2026-01-01T00:00:48.5Z", 1_767_225_648.5), ("2026-01-01T00:00:48.500000000000Z", 1_767_225_648.5),
        ("2026-01-01T09:00:00+09:00", 1_767_225_600), ("2025-12-31T19:00:00.000-05:00", 1_767_225_600),
        ("2026-01-01t00:00:00z", 1_767_225_600), ("2024-02-29T12:00:00Z", 1_709_208_000),
        ("2000-03-01T00:00:00Z", 951_868_800), ("2100-03-01T00:00:00Z", 4_107_542_400),
        ("1969-12-31T23:59:59Z", -1), ("2016-12-31T23:59:60Z", 1_483_228_800),
        ("2017-01-01T08:59:60.75+09:00", 1_483_228_800.75),
    ])
    func `a time of any precision and offset is read, a leap second as the second after it`(
        text: String, seconds: Double
    ) {
        #expect(RFC3339.date(from: text)?.timeIntervalSince1970 == seconds)
    }

    @Test func `nanoseconds are read to the microsecond`() {
        let date = RFC3339.date(from: "2026-09-07T07:12:38.366979621Z")
        #expect(abs((date?.timeIntervalSince1970 ?? 0) - 1_788_765_158.366979) < 0.000001)
    }

    @Test(arguments: [
        "", "2026-01-01", "2026-01-01T00:00:00", "2026-01-01T00:00Z", "2026-13-01T00:00:00Z", "2026-02-29T00:00:00Z",
        "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z", "2026-01-01T00:00:61Z", "2026-01-01T00:00:00.Z",
        "2026-01-01T00:00:60Z", "2016-12-31T23:59:60+09:00", "2026-01-01 00:00:00Z",
        "2026-01-01T00:00:00+0900", "2026-01-01T00:00:00ZZ", "26-01-01T00:00:00Z", "2026-00-01T00:00:00Z",
        "2026-01-00T00:00:00Z", "2026-01-01T00:00:00+24:00", "-026-01-01T00:00:00Z", "２026-01-01T00:00:00Z",
    ])
    func `what isn't a time is none`(text: String) {
        #expect(RFC3339.date(from: text) == nil)
    }

    @Test func `what is written is read again, through four centuries`() {
        for day in stride(from: -60_000, to: 90_000, by: 37) {
            let date = Date(timeIntervalSince1970: Double(day) * 86_400 + 3723.25)
            #expect(RFC3339.date(from: RFC3339.string(from: date)) == date)
        }
    }
}
