import CivilTime
import Foundation
import Ledger

/// What finance does with periods.
package struct PeriodActs: Sendable {
    let ledger: Ledger

    /// Closes everything effective before a moment; the moment is the key.
    ///
    /// - Throws: `period_already_closed` for a moment before the last closing's; `period_not_over`.
    func close(until: Date, by person: String) async throws -> Performed<ClosedPeriod> {
        switch try await ledger.periods.close(until: until, by: person) {
        case .closed(let period): return Performed(success: period, isRepeat: false)
        case .already(let period): return Performed(success: period, isRepeat: true)
        case .behind(let period): throw Problem.alreadyClosed(until: period.until)
        case .notOver: throw Problem.notOver
        }
    }
}

extension Problem {
    /// The period can't be closed yet.
    static let notOver = Problem(.periodNotOver, "the period is not over: close it after its end")

    static func alreadyClosed(until: Date) -> Problem {
        let moment = RFC3339.string(from: until)
        return Problem(
            .periodAlreadyClosed, "everything before \(moment) is already closed",
            members: ["closed_until": .string(moment)])
    }
}
