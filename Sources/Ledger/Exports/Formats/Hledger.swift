/// hledger's journal format.
///
/// Account names are ours. Of an owner's id only letters, digits, `-`, `.`, `_`, `~` and `@` stay as they are; every
/// other byte of its UTF-8 is written as `%` and two hexadecimal digits, so that neither two spaces nor a `;` end a name
/// early, and a `:` makes no level of the tree.
struct Hledger: EntryDialect {
    func begin(_ out: inout ByteText) {
        out.append("; ledgerd journal\ncommodity 1000. KRW\ncommodity 1000. COIN\n")
    }

    func declare(_ account: UnsafeRawBufferPointer, in currency: UnsafeRawBufferPointer, to out: inout ByteText) {
        out.append("\naccount ")
        name(account, to: &out)
        out.append("  ; type:")
        out.append(AccountName(account).statement.hledgerType)
        out.append(UInt8(ascii: "\n"))
    }

    func head(_ row: borrowing ExportRow, in zone: ExportZone, to out: inout ByteText) {
        guard let id = row.integer(JournalRows.Place.entry), let effectiveAt = row.time(JournalRows.Place.effectiveAt),
            let recordedAt = row.time(JournalRows.Place.recordedAt), let kind = row.text(JournalRows.Place.kind)
        else { return }
        out.append(UInt8(ascii: "\n"))
        out.append(dateOf: effectiveAt, offset: zone.offset(at: effectiveAt))
        out.append(" (")
        out.append(id)
        out.append(") ")
        out.append(kind)
        out.append("  ; entry:")
        out.append(id)
        if let reference = row.text(JournalRows.Place.reference) {
            out.append(", reference:")
            out.append(tagValue: reference)
        }
        out.append(", effective_at:")
        out.append(time: effectiveAt, offset: zone.offset(at: effectiveAt))
        out.append(", recorded_at:")
        out.append(time: recordedAt, offset: zone.offset(at: recordedAt))
        if let lateFor = row.time(JournalRows.Place.lateFor) {
            out.append(", late_for:")
            out.append(time: lateFor, offset: zone.offset(at: lateFor))
        }
        if let reverses = row.integer(JournalRows.Place.reverses) {
            out.append(", reverses:")
            out.append(reverses)
        }
        if let reason = row.text(JournalRows.Place.reason) {
            out.append(", reason:")
            out.append(tagValue: reason)
        }
        out.append(UInt8(ascii: "\n"))
    }

    func name(_ account: UnsafeRawBufferPointer, to out: inout ByteText) {
        switch AccountName(account) {
        case .system(let name): out.append(name)
        case .owned(let kind, let owner, let purse):
            out.append(kind.rawValue)
            out.append(UInt8(ascii: ":"))
            for byte in owner { out.append(byte, percentEncodedUnless: byte.staysInName) }
            guard let purse else { return }
            out.append(UInt8(ascii: ":"))
            out.append(purse.rawValue)
        }
    }
}

extension AccountKind {
    fileprivate var hledgerType: StaticString {
        switch self {
        case .asset: "A"
        case .liability: "L"
        case .equity: "E"
        case .income: "R"
        case .expense: "X"
        }
    }
}

extension ByteText {
    /// A tag's value ends at a comma or the line's end, so these are encoded, and `%` with them.
    fileprivate mutating func append(tagValue text: UnsafeRawBufferPointer) {
        for byte in text {
            append(byte, percentEncodedUnless: byte >= 0x20 && byte != UInt8(ascii: ",") && byte != UInt8(ascii: "%"))
        }
    }

    fileprivate mutating func append(_ byte: UInt8, percentEncodedUnless stays: Bool) {
        if stays { return append(byte) }
        append(UInt8(ascii: "%"))
        append(hex: byte)
    }
}

extension UInt8 {
    /// A letter or digit of ASCII.
    var isPlain: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    fileprivate var staysInName: Bool {
        isPlain
            || [UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "@")]
                .contains(self)
    }
}
