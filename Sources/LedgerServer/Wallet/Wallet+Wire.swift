import Ledger
import LedgerWire
import WireFormats

extension BalanceBody {
    init(_ balance: Balance) {
        self.init(
            user: balance.user.rawValue, total: balance.total, paid: balance.paid, bonus: balance.bonus,
            held: balance.held, available: balance.available, debt: balance.debt)
    }
}

/// The request of several balances.
struct BalanceQueryBody: Decodable {
    let users: [AccountOwner]

    typealias CodingKeys = BalanceQuery.CodingKeys
}

extension BalanceBody: JSONWritten {
    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("available", available)
        json.member("bonus", bonus)
        json.member("debt", debt)
        json.member("held", held)
        json.member("paid", paid)
        json.member("total", total)
        json.member("user", user)
        json.endObject()
    }
}

extension BalancesBody: JSONWritten {
    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("balances", balances)
        json.endObject()
    }
}

extension LotBody {
    init(_ lot: Lot) {
        self.init(
            id: lot.id, user: lot.user.rawValue, kind: lot.kind.rawValue, coins: lot.coins, remaining: lot.remaining,
            held: lot.held, amount: lot.amount, purchaseID: lot.purchaseID, originLotID: lot.originID,
            issuer: lot.issuer,
            acquiredAt: lot.acquiredAt, expiresAt: lot.expiresAt)
    }
}

extension LotUseBody {
    init(_ use: LotUse) {
        self.init(lotID: use.lotID, kind: use.kind.rawValue, coins: use.coins, amount: use.amount)
    }
}
