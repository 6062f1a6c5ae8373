import CivilTime
import WireFormats

/// A line of an archive: an entry with its number in the chain.
struct ArchiveEntry {
    let number: Int64
    let entry: ChainEntry
}

// MARK: - Writing

extension ArchiveEntry {
    /// The line, with its line feed; nil: an entry's time is not in the years 0000 to 9999.
    var line: [UInt8]? {
        guard let effectiveAt = RFC3339.exactString(ofMicroseconds: entry.effectiveAt),
            let recordedAt = RFC3339.exactString(ofMicroseconds: entry.recordedAt)
        else { return nil }
        var out = JSONWriter(reserving: 1024)
        out.beginObject()
        out.member("number", number)
        out.member("id", entry.position.entryID)
        out.member("transaction_id", entry.position.transactionID)
        out.member("stripe", entry.stripe)
        out.member("kind", entry.kind)
        out.member("reference", entry.reference)
        out.member("effective_at", effectiveAt)
        out.member("recorded_at", recordedAt)
        if let reason = entry.reason { out.member("reason", reason) }
        if let reverses = entry.reverses { out.member("reverses", reverses) }
        if let lateFor = entry.lateFor {
            guard let time = RFC3339.exactString(ofMicroseconds: lateFor) else { return nil }
            out.member("late_for", time)
        }
        out.name("postings")
        out.beginArray()
        for posting in entry.postings { posting.write(to: &out) }
        out.endArray()
        out.endObject()
        return out.bytes + [UInt8(ascii: "\n")]
    }
}

extension ChainEntry.Posting {
    fileprivate func write(to out: inout JSONWriter) {
        out.beginObject()
        out.member("account_id", accountID)
        if let code { out.member("account", code) }
        out.member("side", side)
        out.member("amount", amount)
        out.member("currency", currency)
        out.member("balance", balance)
        out.member("seq", seq)
        out.member("stripe", stripe)
        out.endObject()
    }
}

// MARK: - Reading

extension ArchiveEntry {
    /// Reads a line; nil: it is not an entry.
    ///
    /// A member that is unknown is refused: the hash would not cover it.
    init?(line: [UInt8]) {
        guard let json = try? JSONParser.parse(line), case .object(let members) = json,
            Self.members.isSuperset(of: members.keys), let number = json["number"]?.integer,
            let id = json["id"]?.integer, let transactionID = json["transaction_id"]?.integer,
            let stripe = json["stripe"]?.integer, let kind = json["kind"]?.text,
            let reference = json["reference"]?.text, let effectiveAt = json["effective_at"]?.microseconds,
            let recordedAt = json["recorded_at"]?.microseconds,
            let reason = json["reason"].optional(\.text), let reverses = json["reverses"].optional(\.integer),
            let lateFor = json["late_for"].optional(\.microseconds),
            let postings = json["postings"]?.elements?.map(ChainEntry.Posting.init(json:)),
            postings.allSatisfy({ $0 != nil })
        else { return nil }
        self.number = number
        entry = ChainEntry(
            position: ChainPosition(transactionID: transactionID, entryID: id), stripe: stripe, kind: kind,
            reference: reference, effectiveAt: effectiveAt, recordedAt: recordedAt, reason: reason, reverses: reverses,
            lateFor: lateFor, postings: postings.compactMap(\.self))
    }

    private static let members: Set<String> = [
        "number", "id", "transaction_id", "stripe", "kind", "reference", "effective_at", "recorded_at", "reason",
        "reverses", "late_for", "postings",
    ]
}

extension ChainEntry.Posting {
    private static let members: Set<String> = [
        "account_id", "account", "side", "amount", "currency", "balance", "seq", "stripe",
    ]

    fileprivate init?(json: JSON) {
        guard case .object(let members) = json, Self.members.isSuperset(of: members.keys),
            let accountID = json["account_id"]?.integer, let code = json["account"].optional(\.text),
            let seq = json["seq"]?.integer, let stripe = json["stripe"]?.integer, let side = json["side"]?.text,
            let amount = json["amount"]?.integer, let currency = json["currency"]?.text,
            let balance = json["balance"]?.integer
        else { return nil }
        self.init(
            accountID: accountID, code: code, classification: AccountClass(ofCode: code, currency: currency), seq: seq,
            stripe: stripe, side: side, amount: amount, currency: currency, balance: balance)
    }
}

extension JSON {
    fileprivate var microseconds: Int64? { text.flatMap { TimeReader.microseconds($0) } }
}

extension JSON? {
    /// A member that may be missing: nil if it has another type.
    fileprivate func optional<Value>(_ value: (JSON) -> Value?) -> Value?? {
        guard let self else { return .some(nil) }
        return value(self).map { .some($0) }
    }
}

extension AccountClass {
    /// The kind of an account, told from its code alone; ``AccountSQL/classification`` says it in SQL.
    ///
    /// - Parameter code: nil: the account does not exist.
    init(ofCode code: String?, currency: String) {
        self.init(name: code.map(Self.name(ofCode:)) ?? "", currency: currency)
    }

    /// A user's id may have any text, so only the beginning and the end count, and bytes, because a colon with an accent of the
    /// id is another character.
    private static func name(ofCode code: String) -> String {
        let kind = String(decoding: code.utf8.prefix { $0 != UInt8(ascii: ":") }, as: UTF8.self)
        switch kind {
        case "wallet", "held":
            let ending = code.utf8.lastIndex(of: UInt8(ascii: ":")).map { code.utf8[$0...] } ?? code.utf8[...]
            return kind + String(decoding: ending, as: UTF8.self)
        case "debt", "earnings", "payable": return kind
        default:
            let end = code.utf8.lastIndex(of: UInt8(ascii: "/")) ?? code.utf8.endIndex
            return String(decoding: code.utf8[..<end], as: UTF8.self)
        }
    }
}
