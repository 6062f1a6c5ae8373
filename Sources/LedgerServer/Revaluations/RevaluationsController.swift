package import CivilTime
package import Foundation
import Hummingbird
package import Ledger
import LedgerWire

/// Revaluations of what is open in foreign currencies, for finance.
struct RevaluationsController: Sendable {
    let acts: KeyedActs
    /// The time zone of months.
    let timeZone: TimeZone

    private var revaluations: Revaluations { acts.ledger.revaluations }

    /// `GET /v1/revaluations`: the last one first.
    func list(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let page = try PageRequest(request, position: After<Int64>.self)
        let found = try await revaluations.list(after: page.after, limit: page.limit)
        return try page.answer(
            RevaluationBody.listName, found.elements.map { RevaluationBody($0) }, next: found.next)
    }

    /// `GET /v1/revaluations/{id}`.
    func show(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        try Response(json: try await body(of: try context.pathID()))
    }

    /// `POST /v1/revaluations`: that of the month and currency, if it is booked.
    func book(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        try await acts.perform(request, context, as: RevaluationRequestBody.self) { body, key in
            try await acts.ledger.perform(
                try await revaluations.revaluation(
                    ofNamed: body.currency.value, in: try CivilMonth(body.month), timeZone, key: key))
        } respond: { booked in
            try Response(json: try await body(of: booked.revaluationID))
        }
    }

    private func body(of id: Int64) async throws -> RevaluationBody {
        guard let revaluation = try await revaluations.find(id) else {
            throw Problem(.notFound, "the revaluation does not exist")
        }
        return RevaluationBody(revaluation)
    }
}

/// The request of a revaluation.
struct RevaluationRequestBody: Decodable {
    let currency: NonEmpty
    let month: NonEmpty

    typealias CodingKeys = RevaluationRequest.CodingKeys
}

extension Revaluations {
    /// The act that books the revaluation of a month.
    ///
    /// - Throws: `unknown_currency`; `currency_of_books`; `no_rate`; ``LedgerError``.
    package func revaluation(
        ofNamed code: String, in month: CivilMonth, _ zone: TimeZone, key: CallerKey
    ) async throws -> BookRevaluation {
        let currency = try ForeignCurrency(named: code)
        guard let act = try await revaluation(of: currency, in: month, zone, key: key) else {
            throw Problem(.noRate, "\(code) has no rate of \(month.lastDays)")
        }
        return act
    }
}

extension CivilMonth {
    /// The last seven days, of which one has the rate of the month's end, for messages: `2026-01-25 to 2026-01-31`.
    package var lastDays: String {
        let next = next.firstDay.daysSince1970
        return "\(CivilDate(daysSince1970: next - 7)) to \(CivilDate(daysSince1970: next - 1))"
    }
}

extension RevaluationBody {
    init(_ revaluation: Revaluation) {
        let basis = revaluation.basis
        self.init(
            id: revaluation.id, currency: revaluation.currency.code, month: revaluation.month.description,
            open: basis.open, carried: basis.carried, worth: basis.worth, amount: basis.amount, rateID: basis.rateID,
            rate: basis.quotation.text, per: basis.quotation.per, rateDay: basis.rateDay.description,
            journalEntryID: revaluation.journalEntryID, reversalEntryID: revaluation.reversalEntryID,
            revaluedBy: revaluation.revaluedBy, recordedAt: revaluation.recordedAt)
    }
}
