import CivilTime
package import Foundation

/// How the days of coins' lifetimes are counted: exactly, or as whole days, which end with a day.
///
/// Whole days are those of the Civil Code: the day on which a lifetime begins is not counted, unless it begins with the day
/// (art. 157), and the lifetime ends with its last day (art. 159). A last day that is a Saturday or a holiday is not
/// moved (art. 161). A lifetime that is no number of days is exact (art. 156).
package struct CoinDays: Sendable, Hashable {
    /// From when lots count whole days; nil: never.
    private let wholeFrom: Date?
    private let zone: TimeZone

    /// Days of 24 hours, to the microsecond.
    package static let exact = CoinDays(wholeFrom: nil, in: .gmt)

    private init(wholeFrom: Date?, in zone: TimeZone) {
        self.wholeFrom = wholeFrom
        self.zone = zone
    }

    /// Whole days of a time zone, for lots that are credited at this moment or later.
    package static func whole(from start: Date, in zone: TimeZone) -> CoinDays { CoinDays(wholeFrom: start, in: zone) }

    /// When a lifetime that begins at a moment ends.
    func end(of expiry: CoinExpiry, from start: Date) -> Date {
        expiry.days.flatMap { end(ofDays: $0, from: start) } ?? expiry.moment.inMicroseconds
    }

    /// When whole days that begin at a moment end; nil: days are counted exactly then.
    func end(ofDays days: Int64, from start: Date) -> Date? {
        guard let wholeFrom, start >= wholeFrom else { return nil }
        return midnight(firstDayCounted(from: start) + days)
    }

    /// The moments from which every lifetime ends as from this one, if ``CoinExpiry/moment`` is the same: those after the
    /// first and up to the last; nil: no limit.
    func span(of start: Date) -> (after: Date?, until: Date?) {
        guard let wholeFrom else { return (nil, nil) }
        let justBefore = wholeFrom.previousMicrosecond
        guard start >= wholeFrom else { return (nil, justBefore) }
        let first = firstDayCounted(from: start)
        return (max(midnight(first - 1), justBefore), midnight(first))
    }

    /// The day after a moment; its own if it is the first moment of the day.
    private func firstDayCounted(from start: Date) -> Int64 {
        let day = CivilDate(of: start, in: zone).daysSince1970
        return midnight(day) == start.inMicroseconds ? day : day + 1
    }

    /// The first moment of a day, which is the end of the day before.
    private func midnight(_ day: Int64) -> Date { Date(microsecondsSince1970: zone.startOfDay(day) * 1_000_000) }
}

extension CoinDays {
    /// What is set, which can leave it to the ledger.
    package enum Setting: Sendable, Hashable {
        case these(CoinDays)
        /// Whole days of the time zone, if the ledger began with them.
        case ofLedger(in: TimeZone)

        func inForce(in chart: SystemChart) -> CoinDays {
            switch self {
            case .these(let days): days
            case .ofLedger(let zone): chart.beganWithWholeDays ? .whole(from: .distantPast, in: zone) : .exact
            }
        }
    }
}

/// When coins expire that are credited about now.
package struct CoinExpiry: Sendable, Hashable {
    /// The moment, if days are counted exactly.
    package let moment: Date
    /// The days of the lifetime; nil: it is no number of days, and ``moment`` applies.
    package let days: Int64?

    /// A moment, however days are counted.
    package init(at moment: Date) {
        self.moment = moment
        days = nil
    }

    /// The end of a lifetime.
    ///
    /// - Parameter start: when it begins, if days are counted exactly.
    package init(after lifetime: Duration, from start: Date) {
        moment = start.addingTimeInterval(lifetime / .seconds(1))
        let (days, rest) = lifetime.components.seconds.quotientAndRemainder(dividingBy: 86_400)
        self.days = days > 0 && rest == 0 && lifetime.components.attoseconds == 0 ? days : nil
    }
}
