import CivilTime
import Foundation
import Hummingbird
import Ledger
import LedgerWire

/// Closings of the books by finance.
struct PeriodsController: Sendable {
    let ledger: Ledger
    /// The time zone of days.
    let timeZone: TimeZone

    /// `GET /v1/periods`: the closings, newest first; `?from=&to=` filters by their time.
    func list(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let page = try PageRequest(request, position: After<Int64>.self, filters: "from", "to")
        let found = try await ledger.periods.list(
            in: try page.query.period(in: timeZone), after: page.after, limit: page.limit)
        return try page.answer("periods", found.elements.map(ClosedPeriodBody.init), next: found.next)
    }

    /// `GET /v1/periods/checklist?until=&unsettled_days=`: what is open before a closing.
    func checklist(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let query = try request.query("until", "unsettled_days")
        guard let until = try query.moment("until", in: timeZone) else {
            throw Problem.invalid(member: "until", "until must be \(CalendarMoment.rule)")
        }
        let days = try query.whole("unsettled_days", 0...ClosingChecklist.mostUnsettledDays)
        let checklist = try await ledger.periods.checklist(
            until: until, unsettledDays: days ?? ClosingChecklist.unsettledDays, in: timeZone)
        return try Response(json: ClosingChecklistBody(checklist))
    }

    /// `POST /v1/periods/close`: closes everything effective before a moment.
    ///
    /// The moment is the key: a repeat has no effect.
    func close(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let body = try await request.decode(as: CloseRequestBody.self, context: context)
        let until = try body.until.moment("/until", in: timeZone)
        let closed = try await PeriodActs(ledger: ledger).close(
            until: until, by: try context.requirePrincipal().subject)
        return try Response(status: closed.isRepeat ? .ok : .created, json: ClosingBody(closed.success))
    }
}

/// The request of a closing.
struct CloseRequestBody: Decodable {
    let until: NonEmpty

    typealias CodingKeys = CloseRequest.CodingKeys
}

extension ClosedPeriodBody {
    init(_ period: ClosedPeriod) {
        self.init(until: period.until, closedBy: period.closedBy, closedAt: period.closedAt)
    }
}

extension ClosingBody {
    init(_ period: ClosedPeriod) { self.init(period: ClosedPeriodBody(period)) }
}
