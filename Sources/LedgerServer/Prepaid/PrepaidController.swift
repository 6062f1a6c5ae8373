import CivilTime
import Foundation
import Hummingbird
import Ledger
import LedgerWire
import Timing

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
        guard let entered = try await prepaid.enter(draft, key: name, by: caller) else {
            throw Problem.keyReused(for: "custody_balance", at: try await prepaid.entered(under: name, by: caller))
        }
        try await watch.compare()
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

    /// The most won of a balance: more than any company has, and far from overflow.
    static let most: Int64 = 1_000_000_000_000_000

    /// - Throws: `invalid_request` with the pointer of the invalid member.
    func draft(in zone: TimeZone) throws(Problem) -> CustodyBalanceDraft {
        guard let method = CustodyBalance.Method(rawValue: method.value) else {
            let names = CustodyBalance.Method.allCases.map(\.rawValue).joined(separator: ", ")
            throw .invalid(pointer: "/method", "/method must be one of \(names)")
        }
        guard (0...Self.most).contains(balance) else {
            throw .invalid(pointer: "/balance", "/balance must be from 0 to \(Self.most)")
        }
        let heldAt = try heldAt.moment("/held_at", in: zone)
        guard heldAt <= Time.current.now else {
            throw .invalid(pointer: "/held_at", "/held_at must not be in the future")
        }
        return CustodyBalanceDraft(
            custodian: custodian.value, method: method, balance: balance, heldAt: heldAt, note: note?.value)
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
