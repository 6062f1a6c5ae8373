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
    func line(_ format: ChainFormat) -> [UInt8]? {
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
        out.member(entry.reference, .reference)
        out.member("effective_at", effectiveAt)
        out.member("recorded_at", recordedAt)
        if let reason = entry.reason { out.member(reason, .reason) }
        if let salt = [entry.reference, entry.reason].firstSalt, format == .commitments { out.member("salt", salt) }
        if let reverses = entry.reverses { out.member("reverses", reverses) }
        if let lateFor = entry.lateFor {
            guard let time = RFC3339.exactString(ofMicroseconds: lateFor) else { return nil }
            out.member("late_for", time)
        }
        out.name("postings")
        out.beginArray()
        for posting in entry.postings { posting.write(to: &out, format) }
        out.endArray()
        out.endObject()
        return out.bytes + [UInt8(ascii: "\n")]
    }
}

extension ChainEntry.Posting {
    fileprivate func write(to out: inout JSONWriter, _ format: ChainFormat) {
        out.beginObject()
        out.member("account_id", accountID)
        if let code { out.member(code, .account) }
        if code?.isErased == true { out.member("class", classification.name) }
        if let salt = [code].firstSalt, format == .commitments { out.member("salt", salt) }
        out.member("side", side)
        out.member("amount", amount)
        out.member("currency", currency)
        out.member("balance", balance)
        out.member("seq", seq)
        out.member("stripe", stripe)
        out.endObject()
    }
}

extension JSONWriter {
    /// Writes the text, or the commitment that is left of it.
    fileprivate mutating func member(_ text: ChainText, _ field: ChainText.Field) {
        switch text {
        case .plain(let text), .salted(let text, _): member(field.names.text, text)
        case .erased(let commitment): member(field.names.commitment, commitment.hex)
        }
    }
}

extension ChainText.Field {
    /// The members of an archive.
    fileprivate var names: (text: StaticString, commitment: StaticString) {
        switch self {
        case .reference: ("reference", "reference_commitment")
        case .reason: ("reason", "reason_commitment")
        case .account: ("account", "account_commitment")
        }
    }
}

extension [ChainText?] {
    /// The salt of the texts, which all have the same.
    fileprivate var firstSalt: String? {
        for case .salted(_, let salt) in self { return salt.hex }
        return nil
    }
}

// MARK: - Reading

extension ArchiveEntry {
    /// Reads a line; nil: it is not an entry.
    ///
    /// A member that is unknown, or has no use, is refused: the hash would not cover it.
    init?(line: [UInt8], _ format: ChainFormat) {
        guard let json = try? JSONParser.parse(line), case .object(let members) = json,
            Self.members(format).isSuperset(of: members.keys), let number = json["number"]?.integer,
            let id = json["id"]?.integer, let transactionID = json["transaction_id"]?.integer,
            let stripe = json["stripe"]?.integer, let kind = json["kind"]?.text,
            let salt = json["salt"].optional(\.salt),
            case .some(.some(let reference)) = ChainText.read(.reference, of: json, salt),
            let effectiveAt = json["effective_at"]?.microseconds, let recordedAt = json["recorded_at"]?.microseconds,
            let reason = ChainText.read(.reason, of: json, salt), let reverses = json["reverses"].optional(\.integer),
            let lateFor = json["late_for"].optional(\.microseconds),
            let postings = json["postings"]?.elements?.map({ ChainEntry.Posting(json: $0, format) }),
            postings.allSatisfy({ $0 != nil })
        else { return nil }
        self.number = number
        var entry = ChainEntry(
            position: ChainPosition(transactionID: transactionID, entryID: id), stripe: stripe, kind: kind,
            reference: reference, effectiveAt: effectiveAt, recordedAt: recordedAt, reason: reason, reverses: reverses,
            lateFor: lateFor, postings: postings.compactMap(\.self))
        if entry.referenceIsOfRow, let text = reference.text { entry.reference = .plain(text) }
        guard [entry.reference, entry.reason].firstSalt == salt?.hex else { return nil }
        self.entry = entry
    }

    private static func members(_ format: ChainFormat) -> Set<String> {
        let texts: Set<String> = [
            "number", "id", "transaction_id", "stripe", "kind", "reference", "effective_at", "recorded_at", "reason",
            "reverses", "late_for", "postings",
        ]
        return format == .texts ? texts : texts.union(["salt", "reference_commitment", "reason_commitment"])
    }
}

extension ChainEntry.Posting {
    private static func members(_ format: ChainFormat) -> Set<String> {
        let texts: Set<String> = [
            "account_id", "account", "side", "amount", "currency", "balance", "seq", "stripe",
        ]
        return format == .texts ? texts : texts.union(["salt", "account_commitment", "class"])
    }

    /// - Parameter json: of an erased code it has the kind of account.
    fileprivate init?(json: JSON, _ format: ChainFormat) {
        guard case .object(let members) = json, Self.members(format).isSuperset(of: members.keys),
            let accountID = json["account_id"]?.integer, let salt = json["salt"].optional(\.salt),
            let code = ChainText.read(.account, of: json, salt), [code].firstSalt == salt?.hex,
            let kind = json["class"].optional(\.text), (kind != nil) == (code?.isErased == true),
            let seq = json["seq"]?.integer, let stripe = json["stripe"]?.integer, let side = json["side"]?.text,
            let amount = json["amount"]?.integer, let currency = json["currency"]?.text,
            let balance = json["balance"]?.integer
        else { return nil }
        self.init(
            accountID: accountID, code: code,
            classification: kind.map { AccountClass(name: $0, currency: currency) }
                ?? AccountClass(ofCode: code?.text, currency: currency),
            seq: seq, stripe: stripe, side: side, amount: amount, currency: currency, balance: balance)
    }
}

extension ChainText {
    /// Reads a text, or the commitment that is left of it; nil: it is neither, and `.some(nil)`: it is missing.
    fileprivate static func read(_ field: Field, of json: JSON, _ salt: [UInt8]?) -> ChainText?? {
        guard let text = json["\(field.names.text)"].optional(\.text),
            let commitment = json["\(field.names.commitment)"].optional(\.sha256), text == nil || commitment == nil
        else { return nil }
        if let commitment { return .some(.erased(commitment: commitment)) }
        return .some(text.map { text in salt.map { .salted(text, salt: $0) } ?? .plain(text) })
    }
}

extension JSON {
    fileprivate var salt: [UInt8]? { bytes(16) }
    fileprivate var sha256: [UInt8]? { bytes(32) }

    private func bytes(_ count: Int) -> [UInt8]? {
        text.flatMap { [UInt8](hex: $0[...]) }.flatMap { $0.count == count ? $0 : nil }
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
