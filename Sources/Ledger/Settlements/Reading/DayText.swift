import CivilTime
package import Foundation

/// Parses the days and times of settlement files.
package struct DayText: Sendable, Equatable {
    /// The rule for formats, as a text for messages.
    package static let rule =
        "made of yyyy, MM, dd, HH, mm, ss and the characters between them, such as dd.MM.yyyy HH:mm"

    /// The formats that are accepted when none is given.
    private static let usual = ["yyyy-MM-dd", "yyyy/MM/dd", "yyyy.MM.dd", "yyyyMMdd"]
    private static let usualTimes = ["", " HH:mm:ss", " HH:mm", "THH:mm:ss"]
    private static let usualFormats = usual.flatMap { day in usualTimes.map { day + $0 } }

    /// As ``SheetPart`` writes the days of cells.
    private static let ofCells = ["yyyy-MM-dd", "yyyy-MM-dd HH:mm:ss", "yyyy-MM-ddTHH:mm:ss"].map(pieces)

    private let patterns: [[Piece]]
    private let calendar: Calendar

    private enum Piece: Equatable, Sendable {
        case number(Unicode.Scalar, digits: Int)
        case text(Unicode.Scalar)

        /// Whether the number has at most four digits.
        var isShort: Bool {
            switch self {
            case .number(_, let digits): digits <= 4
            case .text: true
            }
        }
    }

    /// A day, and the moment of the payout.
    struct Day: Equatable {
        /// `2026-11-20`.
        let name: String
        /// The start of the day, or the given time.
        let moment: Date
    }

    /// A parser for days of the time zone.
    ///
    /// Without a format it accepts the usual ones.
    ///
    /// - Returns: nil when the format does not have exactly one year, month and day.
    package init?(format: String?, in timeZone: TimeZone) {
        self.init(format.map { [$0] } ?? Self.usualFormats, in: timeZone)
        let needed: [Piece] = [.number("y", digits: 4), .number("M", digits: 2), .number("d", digits: 2)]
        guard
            patterns.allSatisfy({ pattern in
                needed.allSatisfy { part in pattern.count { $0 == part } == 1 } && pattern.allSatisfy(\.isShort)
            })
        else { return nil }
    }

    /// A parser for days of the time zone in the usual formats.
    package init(in timeZone: TimeZone) { self.init(Self.usualFormats, in: timeZone) }

    private init(_ formats: [String], in timeZone: TimeZone) {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        self.calendar = calendar
        patterns = formats.map(Self.pieces)
    }

    /// Parses a day, with or without a time.
    ///
    /// - Parameter isCell: whether it is of a workbook, whose days have no format of their own.
    func parse(_ text: String, isCell: Bool = false) -> Day? {
        let scalars = Array(text.trimmed.unicodeScalars)
        for pattern in isCell ? patterns + Self.ofCells : patterns { if let day = day(scalars, pattern) { return day } }
        return nil
    }

    private static func pieces(of format: String) -> [Piece] {
        var pieces: [Piece] = []
        for scalar in format.unicodeScalars {
            if case .number(scalar, let digits)? = pieces.last {
                pieces[pieces.count - 1] = .number(scalar, digits: digits + 1)
            } else {
                pieces.append("yMdHms".unicodeScalars.contains(scalar) ? .number(scalar, digits: 1) : .text(scalar))
            }
        }
        return pieces
    }

    private func day(_ scalars: [Unicode.Scalar], _ pattern: [Piece]) -> Day? {
        var parts: [Unicode.Scalar: Int] = [:]
        var rest = scalars[...]
        for piece in pattern {
            switch piece {
            case .text(let scalar):
                guard rest.popFirst() == scalar else { return nil }
            case .number(let name, let count):
                let digits = rest.prefix(count)
                guard digits.count == count, digits.allSatisfy({ ("0"..."9").contains($0) }) else { return nil }
                parts[name] = digits.reduce(0) { $0 * 10 + Int($1.value - 0x30) }
                rest = rest.dropFirst(count)
            }
        }
        return rest.isEmpty ? day(parts) : nil
    }

    private func day(_ parts: [Unicode.Scalar: Int]) -> Day? {
        guard let year = parts["y"], let month = parts["M"], let number = parts["d"], (2000...9999).contains(year),
            (0...23).contains(parts["H"] ?? 0), (0...59).contains(parts["m"] ?? 0), (0...59).contains(parts["s"] ?? 0),
            let date = CivilDate(year: Int64(year), month: Int64(month), day: Int64(number))
        else { return nil }
        let seconds = calendar.timeZone.startOfDay(date.daysSince1970)
        let start = Date(timeIntervalSince1970: Double(seconds))
        guard let hour = parts["H"] else { return Day(name: date.description, moment: start) }
        let moment = calendar.date(
            bySettingHour: hour, minute: parts["m"] ?? 0, second: parts["s"] ?? 0, of: start)
        return moment.map { Day(name: date.description, moment: $0) }
    }
}
