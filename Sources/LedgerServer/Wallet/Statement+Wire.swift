import Ledger
import LedgerWire
import WireFormats

extension StatementEntryBody {
    init(_ entry: StatementEntry) {
        let movements = entry.movements.map {
            MovementBody(account: $0.account, coins: $0.coins, balance: $0.balance)
        }
        self.init(
            journalEntryID: entry.journalEntryID, kind: entry.kind, reference: entry.reference, reason: entry.reason,
            coins: entry.coins, balance: entry.balance, movements: movements, effectiveAt: entry.effectiveAt,
            recordedAt: entry.recordedAt, formerID: entry.former?.rawValue)
    }
}

extension StatementCursor: JSONWritten {
    func write(to json: inout JSONWriter) {
        json.beginObject()
        if let former { json.member("former", former.rawValue) }
        json.name("seqByAccount")
        json.beginObject()
        for (account, seq) in seqByAccount.sorted(by: { $0.key < $1.key }) {
            json.name(account)
            json.value(seq)
        }
        json.endObject()
        json.endObject()
    }
}

extension StatementEntryBody: JSONWritten {
    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("balance", balance)
        json.member("coins", coins)
        json.member("effective_at", effectiveAt)
        if let formerID { json.member("former_id", formerID) }
        json.member("journal_entry_id", journalEntryID)
        json.member("kind", kind)
        json.member("movements", movements)
        if let reason { json.member("reason", reason) }
        json.member("recorded_at", recordedAt)
        json.member("reference", reference)
        json.endObject()
    }
}

extension StatementEntryBody.MovementBody: JSONWritten {
    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.member("account", account)
        json.member("balance", balance)
        json.member("coins", coins)
        json.endObject()
    }
}
