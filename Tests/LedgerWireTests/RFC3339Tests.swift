import Foundation
import LedgerWire
import Testing

@Suite(.timeLimit(.minutes(1))) struct RFC3339Tests {
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
        #expect(RFC3339.string(from: Date(timeIntervalSince1970: seconds)) == text)
    }

    @Test func `times agree with Foundation's formatter from 1583 on`() {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            let seconds = Int64.random(in: -12_212_553_600...200_000_000_000, using: &generator)
            let date = Date(timeIntervalSince1970: Double(seconds))
            #expect(RFC3339.string(from: date) == date.formatted(style))
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
}
