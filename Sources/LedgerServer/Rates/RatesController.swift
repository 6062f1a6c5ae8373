import CivilTime
import Foundation
import Hummingbird
import Ledger
import LedgerWire
import Timing

/// Rates of foreign currencies, for finance.
struct RatesController: Sendable {
    let acts: RateActs

    private var rates: Rates { acts.ledger.rates }
    private var timeZone: TimeZone { acts.timeZone }

    /// `GET /v1/rates?currency=&from=&to=`: published rates with all their versions, the last published first.
    func list(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let page = try PageRequest(request, position: After<Int64>.self, filters: "currency", "from", "to")
        let filter = RateFilter(
            currency: try page.query["currency"].map { code throws(Problem) in try ForeignCurrency(named: code) },
            from: try page.query.day("from"), to: try page.query.day("to"))
        let found = try await rates.list(filter, after: page.after, limit: page.limit)
        return try page.answer(RateBody.listName, found.elements.map { RateBody($0) }, next: found.next)
    }

    /// `GET /v1/rates/waiting`: the last set first.
    func waiting(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let page = try PageRequest(request, position: After<Int64>.self)
        let found = try await rates.listWaiting(after: page.after, limit: page.limit)
        return try page.answer(RateBody.listName, found.elements.map { RateBody($0) }, next: found.next)
    }

    /// `GET /v1/rates/{currency}?at=`: the rate that holds at a moment; now, if none is named.
    func show(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let currency = try Self.currency(in: context)
        let moment = try request.query("at").moment("at", in: timeZone) ?? Time.current.now
        guard let rate = try await rates.find(currency, at: moment, in: timeZone) else {
            throw Problem(.noRate, "no rate of \(currency.code) was published by then")
        }
        return try Response(json: RateBody(rate))
    }

    /// `PUT /v1/rates/{currency}/{day}`: 202 when it waits for another person, 200 when it is published.
    func set(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let (currency, day) = (try Self.currency(in: context), try Self.day(in: context))
        let body = try await request.decode(as: RateRequestBody.self, context: context)
        let setting = try await acts.set(
            body.rate.value, per: body.per, from: body.source.value, of: currency, for: day,
            by: try context.requirePrincipal().subject)
        switch setting {
        case .published(let rate): return try Response(json: RateBody(rate))
        case .waiting(let proposal): return try Response(status: .accepted, json: RateBody(proposal))
        }
    }

    /// `POST /v1/rates/{currency}/{day}/approval`: by another person than the proposer.
    func approve(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let (currency, day) = (try Self.currency(in: context), try Self.day(in: context))
        let body = try await request.decode(as: RateApprovalRequestBody.self, context: context)
        let rate = try await acts.approve(
            body.rate.value, per: body.per, of: currency, for: day, by: try context.requirePrincipal().subject)
        return try Response(json: RateBody(rate))
    }

    /// `POST /v1/rates/{currency}/{day}/withdrawal`.
    func withdraw(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let withdrawn = try await acts.withdraw(
            of: try Self.currency(in: context), for: try Self.day(in: context),
            by: try context.requirePrincipal().subject)
        return try Response(json: RateBody(withdrawn))
    }

    private static func currency(in context: LedgerdRequestContext) throws(Problem) -> ForeignCurrency {
        try ForeignCurrency(named: context.parameters.get("currency") ?? "")
    }

    private static func day(in context: LedgerdRequestContext) throws(Problem) -> CivilDate {
        guard let day = context.parameters.get("day").flatMap({ CivilDate($0) }) else {
            throw .invalid(member: "day", "day must be \(CivilDate.rule)")
        }
        return day
    }
}

extension Query {
    fileprivate func day(_ name: String) throws(Problem) -> CivilDate? {
        try parsed(name, CivilDate.rule) { CivilDate($0) }
    }
}
