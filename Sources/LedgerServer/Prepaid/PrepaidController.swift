import CivilTime
import Foundation
import Hummingbird
import Ledger
import LedgerWire

/// Prepaid means, for finance: the law's limits, and what custodians hold.
struct PrepaidController: Sendable {
    let prepaid: Prepaid
    let watch: CustodyWatch
    /// The time zone of days and quarters.
    let timeZone: TimeZone

    /// `GET /v1/prepaid`: what is outstanding and issued, and what is kept apart.
    func status(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let status = try await prepaid.status(watch.rules, in: timeZone)
        return try Response(json: PrepaidBody(status, in: timeZone))
    }

    /// `GET /v1/custody-balances`, the last entered first.
    func list(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let page = try PageRequest(request, position: After<Int64>.self)
        let found = try await prepaid.listBalances(after: page.after, limit: page.limit)
        return try page.answer(
            CustodyBalanceBody.listName, found.elements.map(CustodyBalanceBody.init), next: found.next)
    }

    /// `POST /v1/custody-balances`: 201; a repeat of the key returns the same balance.
    func enter(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let key = try request.idempotencyKey(context)
        let body = try await request.decode(as: CustodyBalanceRequestBody.self, context: context)
        let draft = try body.draft(in: timeZone)
        let (name, caller) = ("\(key.caller.rawValue)/\(key.text)", key.caller.rawValue)
        let (entered, safeguard) = try await watch.acts.enter(draft, key: name, by: caller)
        watch.warn(of: safeguard)
        return try Response(
            status: .created, headers: entered.isRepeat ? [.idempotentReplayed: "true"] : [:],
            json: CustodyBalanceBody(entered.balance))
    }
}

/// The request to enter a balance.
struct CustodyBalanceRequestBody: Decodable {
    let custodian: NonEmpty
    let method: NonEmpty
    let balance: Int64
    let heldAt: NonEmpty
    let note: NonEmpty?

    typealias CodingKeys = CustodyBalanceRequest.CodingKeys

    /// - Throws: `invalid_request` with the pointer of the invalid member.
    func draft(in zone: TimeZone) throws(Problem) -> CustodyBalanceDraft {
        CustodyBalanceDraft(
            custodian: custodian.value, method: try method.choice("/method"), balance: balance,
            heldAt: try heldAt.moment("/held_at", in: zone), note: note?.value)
    }
}

extension CustodyBalanceBody {
    init(_ balance: CustodyBalance) {
        self.init(
            id: balance.id, custodian: balance.custodian, method: balance.method.rawValue, balance: balance.balance,
            heldAt: balance.heldAt, note: balance.note, enteredBy: balance.enteredBy, enteredAt: balance.enteredAt)
    }
}

extension PrepaidBody {
    init(_ status: PrepaidStatus, in zone: TimeZone) {
        self.init(
            asOf: status.at, outstanding: status.safeguard.outstanding, bonusCoins: status.safeguard.bonusCoins,
            safeguard: Safeguard(
                required: status.safeguard.required, held: status.safeguard.held,
                shortfall: status.safeguard.shortfall,
                custody: status.safeguard.custody.map(CustodyBalanceBody.init)),
            averageOutstanding: status.averageOutstanding, outstandingLimit: status.rules.outstandingLimit,
            issuedLastYear: status.issuedLastYear, issuedInTwelveMonths: status.issuedInTwelveMonths,
            issuanceLimit: status.rules.issuanceLimit, isAboveLimit: status.isAboveLimit,
            quarters: status.quarters.map { quarter in
                let first = CivilDate(of: quarter.from, in: zone)
                return Quarter(
                    quarter: "\(first.year)-Q\((first.month + 2) / 3)", to: quarter.to,
                    outstanding: quarter.outstanding, issued: quarter.issued)
            })
    }
}
