import Foundation

/// A day of November 2026 in Seoul, or of the days around it.
struct MonthDay: Comparable, Sendable {
    /// The days from the month's first on.
    private let number: Int

    /// The month's first midnight.
    private static let first = Date(timeIntervalSince1970: 1_793_458_800)
    private static let length: Double = 86_400

    /// The days of the month.
    static let all = (0..<30).map(MonthDay.init(number:))

    private init(number: Int) { self.number = number }

    init(of moment: Date) {
        number = Int((moment.timeIntervalSince(Self.first) / Self.length).rounded(.down))
    }

    var midnight: Date { at(hour: 0) }

    /// `2026-11-20`.
    var name: String { "2026-11-" + (number < 9 ? "0" : "") + "\(number + 1)" }

    func at(hour: Int) -> Date { Self.first.addingTimeInterval(Double(number) * Self.length + Double(hour) * 3600) }

    func after(_ days: Int) -> MonthDay { MonthDay(number: number + days) }

    static func < (left: MonthDay, right: MonthDay) -> Bool { left.number < right.number }
}
