import Foundation
import WireFormats

/// The period from a moment on and before another; nil: no limit on that side.
struct ExportPeriod: Sendable, Equatable {
    let from: Moment?
    let to: Moment?
}

extension ExportPeriod {
    /// The rule for the text of a quarter.
    static let rule = "must be a calendar quarter such as 2026-Q4, of a year from 1971 to 9998"

    /// A calendar quarter, such as `2026-Q4`: from its first moment on, and before the first moment of the next quarter.
    ///
    /// - Returns: nil when the text violates ``rule``.
    init?(quarter text: String, in zone: ExportZone) {
        let parts = text.split(separator: "-Q", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, parts[0].utf8.count == 4, parts[1].utf8.count == 1,
            let year = Int64(digits: parts[0]), (1971...9998).contains(year),
            let number = Int64(digits: parts[1]), (1...4).contains(number)
        else { return nil }
        func start(_ year: Int64, _ quarter: Int64) -> Moment? {
            Moment(text: "\(year)-\(quarter == 4 ? "10" : "0\(quarter * 3 - 2)")-01", in: zone)
        }
        guard let from = start(year, number), let to = number == 4 ? start(year + 1, 1) : start(year, number + 1) else {
            return nil
        }
        self.init(from: from, to: to)
    }
}
