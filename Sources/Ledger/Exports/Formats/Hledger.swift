import Currencies

/// hledger's journal format.
///
/// Account names are ledgerd's. In an owner's id, only letters, digits, `-`, `.`, `_`, `~` and `@` stay unchanged;
/// every other UTF-8 byte becomes `%` and two hexadecimal digits. So two spaces or a `;` can't end a name early, and a
/// `:` adds no level to the account tree.
struct Hledger: EntryDialect {
    func begin(_ out: inout ByteText) {
        out.append(
            "; ledgerd journal\ncommodity 1000. \(Currency.won.code)\ncommodity 1000. \(Currency.coin.code)\n")
    }

    func declare(commodity: Currencies.Currency, to out: inout ByteText) {
        out.append("\ncommodity \(commodity.sample) \(commodity.code)\n")
    }

    func price(_ price: CommodityPrice, to out: inout ByteText) {
        out.append("P \(price.day) \(price.currency) \(price.quotation.textOfOne) \(Currency.won.code)\n")
    }

    func declare(_ account: UnsafeRawBufferPointer, in currency: UnsafeRawBufferPointer, to out: inout ByteText) {
        out.append("\naccount ")
        name(account, to: &out)
        out.append("  ; type:")
        out.append(AccountName(account).statement.hledgerType)
        out.append(UInt8(ascii: "\n"))
    }

    func head(_ entry: EntryHead, to out: inout ByteText) {
        out.append(" (")
        out.append(entry.id)
        out.append(") ")
        out.append(entry.kind)
        out.append("  ;")
    }

    func tag(_ value: EntryHead.Fact) -> (before: StaticString, between: StaticString, after: StaticString) {
        (" ", ":", ",")
    }

    func endHead(_ entry: EntryHead, to out: inout ByteText) {
        if let reason = entry.reason {
            out.append(" reason:")
            text(reason, to: &out)
        } else {
            out.removeLast()
        }
        out.append(UInt8(ascii: "\n"))
    }

    /// A tag's value ends at a comma or at the end of the line, so these are encoded, and `%` too.
    func text(_ text: UnsafeRawBufferPointer, to out: inout ByteText) {
        for byte in text {
            out.append(
                byte, percentEncodedUnless: byte >= 0x20 && byte != UInt8(ascii: ",") && byte != UInt8(ascii: "%"))
        }
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

extension Currencies.Currency {
    /// A thousand units, with all decimals.
    fileprivate var sample: String { "1000." + String(repeating: "0", count: decimals) }
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
    fileprivate mutating func append(_ byte: UInt8, percentEncodedUnless stays: Bool) {
        if stays { return append(byte) }
        append(UInt8(ascii: "%"))
        append(hex: byte)
    }
}

extension UInt8 {
    /// An ASCII letter or digit.
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
