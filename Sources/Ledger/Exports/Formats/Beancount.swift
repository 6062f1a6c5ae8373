import Currencies

/// Beancount's format.
///
/// In Beancount, account names begin with one of five roots, each part begins with a capital, and parts consist of
/// letters, digits and dashes. So `coins:issued` becomes `Equity:Coins:Issued`, and `wallet:ann:paid` becomes
/// `Liabilities:Wallet:Uann:Paid`: an owner's id follows a `U`, and each UTF-8 byte that is not a letter or digit
/// becomes `-` and two hexadecimal digits. The metadata of the `open` directive has ledgerd's name.
struct Beancount: EntryDialect {
    /// The date of what is declared, before any entry in any time zone: an entry of 1970 in UTC is of 1969 west of it.
    private static let beginning: StaticString = "1900-01-01"

    func begin(_ out: inout ByteText) {
        out.append("option \"title\" \"ledgerd\"\noption \"operating_currency\" \"\(Currency.won.code)\"\n\n")
        for currency in [Currency.won, .coin] {
            out.append(Self.beginning)
            out.append(" commodity ")
            out.append(currency.code)
            out.append("\n")
        }
    }

    func declare(commodity: Currencies.Currency, to out: inout ByteText) {
        out.append("\n")
        out.append(Self.beginning)
        out.append(" commodity \(commodity.code)\n")
    }

    func price(_ price: CommodityPrice, to out: inout ByteText) {
        out.append("\(price.day) price \(price.currency) \(price.quotation.textOfOne) \(Currency.won.code)\n")
    }

    func declare(_ account: UnsafeRawBufferPointer, in currency: UnsafeRawBufferPointer, to out: inout ByteText) {
        out.append("\n")
        out.append(Self.beginning)
        out.append(" open ")
        name(account, to: &out)
        out.append(UInt8(ascii: " "))
        out.append(currency)
        out.append("\n  name: ")
        out.append(beancountString: account)
        out.append(UInt8(ascii: "\n"))
    }

    func head(_ entry: EntryHead, to out: inout ByteText) {
        out.append(" * ")
        text(entry.kind, to: &out)
        out.append(UInt8(ascii: " "))
        text(entry.reason ?? UnsafeRawBufferPointer(start: nil, count: 0), to: &out)
        out.append(UInt8(ascii: "\n"))
    }

    func tag(_ value: EntryHead.Fact) -> (before: StaticString, between: StaticString, after: StaticString) {
        if case .time = value { ("  ", ": \"", "\"\n") } else { ("  ", ": ", "\n") }
    }

    func endHead(_ entry: EntryHead, to out: inout ByteText) {}

    func text(_ text: UnsafeRawBufferPointer, to out: inout ByteText) {
        out.append(beancountString: text)
    }

    func name(_ account: UnsafeRawBufferPointer, to out: inout ByteText) {
        let name = AccountName(account)
        out.append(name.statement.beancountRoot)
        switch name {
        case .system(let name):
            for part in name.split(separator: UInt8(ascii: ":")) {
                out.append(UInt8(ascii: ":"))
                out.append(capitalised: part)
            }
        case .owned(let kind, let owner, let purse):
            out.append(UInt8(ascii: ":"))
            out.append(kind.rawValue.capitalised)
            out.append(":U")
            for byte in owner { out.append(accountByte: byte) }
            guard let purse else { return }
            out.append(UInt8(ascii: ":"))
            out.append(purse.rawValue.capitalised)
        }
    }
}

extension AccountKind {
    fileprivate var beancountRoot: StaticString {
        switch self {
        case .asset: "Assets"
        case .liability: "Liabilities"
        case .equity: "Equity"
        case .income: "Income"
        case .expense: "Expenses"
        }
    }
}

extension ByteText {
    /// Appends a part of a system account's name with a capital first letter.
    fileprivate mutating func append(capitalised part: Slice<UnsafeRawBufferPointer>) {
        guard let first = part.first else { return }
        append((UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first) ? first - 0x20 : first)
        append(UnsafeRawBufferPointer(rebasing: part.dropFirst()))
    }

    fileprivate mutating func append(accountByte byte: UInt8) {
        if byte.isPlain { return append(byte) }
        append(UInt8(ascii: "-"))
        append(hex: byte)
    }

    fileprivate mutating func append(beancountString text: UnsafeRawBufferPointer) {
        append(UInt8(ascii: "\""))
        for byte in text {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                append(UInt8(ascii: "\\"))
                append(byte)
            case 0x0A: append(#"\n"#)
            default: append(byte)
            }
        }
        append(UInt8(ascii: "\""))
    }
}

extension String {
    fileprivate var capitalised: String { prefix(1).uppercased() + dropFirst() }
}
