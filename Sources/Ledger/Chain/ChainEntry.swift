/// A journal entry with its postings, exactly as the database has it.
struct ChainEntry: Sendable {
    let position: ChainPosition
    let stripe: Int64
    let kind: String
    var reference: ChainText
    /// Times are microseconds since 1970, because a hash allows no rounding.
    let effectiveAt: Int64
    let recordedAt: Int64
    var reason: ChainText?
    let reverses: Int64?
    let lateFor: Int64?
    /// Ordered by account, then number.
    var postings: [Posting] = []

    /// Whether texts of it are gone, so that the first format can't prove it any more.
    var isErased: Bool {
        reference.isErased || reason?.isErased == true || postings.contains { $0.code?.isErased == true }
    }

    struct Posting: Sendable {
        let accountID: Int64
        /// The account's code; nil: the account does not exist.
        var code: ChainText?
        /// The kind of account, with the posting's currency.
        let classification: AccountClass
        let seq: Int64
        let stripe: Int64
        let side: String
        let amount: Int64
        let currency: String
        let balance: Int64
    }
}

// MARK: - The bytes that are hashed

// docs/seals.md describes the formats byte by byte. A change here is a new format of seals.
extension ChainEntry {
    /// Appends the bytes that are hashed for the entry.
    func encode(_ format: ChainFormat, into bytes: inout [UInt8]) {
        bytes.append(number: position.entryID)
        bytes.append(number: position.transactionID)
        bytes.append(number: stripe)
        bytes.append(text: kind)
        reference.encode(format, .reference, into: &bytes)
        bytes.append(number: effectiveAt)
        bytes.append(number: recordedAt)
        bytes.append(optional: reason) { $1.encode(format, .reason, into: &$0) }
        bytes.append(optional: reverses) { $0.append(number: $1) }
        bytes.append(optional: lateFor) { $0.append(number: $1) }
        bytes.append(number: Int64(postings.count))
        for posting in postings { posting.encode(format, into: &bytes) }
    }
}

extension ChainEntry.Posting {
    fileprivate func encode(_ format: ChainFormat, into bytes: inout [UInt8]) {
        bytes.append(number: accountID)
        // A commitment says nothing of the kind of account, which the totals are made of.
        if format == .commitments { bytes.append(text: classification.name) }
        bytes.append(optional: code) { $1.encode(format, .account, into: &$0) }
        bytes.append(number: seq)
        bytes.append(number: stripe)
        bytes.append(text: side)
        bytes.append(number: amount)
        bytes.append(text: currency)
        bytes.append(number: balance)
    }
}

extension [UInt8] {
    /// Appends eight bytes, big-endian.
    mutating func append(number: Int64) {
        Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
    }

    /// Appends the length in UTF-8 bytes, then the UTF-8 bytes.
    mutating func append(text: String) {
        append(number: Int64(text.utf8.count))
        append(contentsOf: text.utf8)
    }

    /// Appends 0 for nil, or 1 and the value.
    fileprivate mutating func append<Value>(optional value: Value?, _ write: (inout [UInt8], Value) -> Void) {
        append(number: value == nil ? 0 : 1)
        if let value { write(&self, value) }
    }
}
