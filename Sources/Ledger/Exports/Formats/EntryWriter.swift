import CivilTime
import Currencies

/// The journal format of an accounting program.
protocol EntryDialect: Sendable {
    /// Writes the beginning of the file.
    func begin(_ out: inout ByteText)

    /// Declares a foreign currency before its first use.
    func declare(commodity: Currencies.Currency, to out: inout ByteText)

    /// Writes a price of a foreign currency, after the currency is declared.
    func price(_ price: CommodityPrice, to out: inout ByteText)

    /// Declares an account before its first use.
    func declare(_ account: UnsafeRawBufferPointer, in currency: UnsafeRawBufferPointer, to out: inout ByteText)

    /// Writes the first line of an entry after its date.
    func head(_ entry: EntryHead, to out: inout ByteText)

    /// The text before a fact's name, between name and value, and after the value.
    func tag(_ value: EntryHead.Fact) -> (before: StaticString, between: StaticString, after: StaticString)

    /// Writes a text as the value of a fact.
    func text(_ text: UnsafeRawBufferPointer, to out: inout ByteText)

    /// Writes the end of an entry's head, after the facts.
    func endHead(_ entry: EntryHead, to out: inout ByteText)

    /// Writes an account's name.
    func name(_ account: UnsafeRawBufferPointer, to out: inout ByteText)
}

/// An entry without its postings.
///
/// It is valid only while its row is.
struct EntryHead {
    let id: Int64
    let effectiveAt: Moment
    let recordedAt: Moment
    let kind: UnsafeRawBufferPointer
    let reference: UnsafeRawBufferPointer?
    let lateFor: Moment?
    let reverses: Int64?
    let reason: UnsafeRawBufferPointer?

    init?(_ row: borrowing ExportRow) {
        guard let id = row.integer(JournalRows.Place.entry), let effectiveAt = row.time(JournalRows.Place.effectiveAt),
            let recordedAt = row.time(JournalRows.Place.recordedAt), let kind = row.text(JournalRows.Place.kind)
        else { return nil }
        self.id = id
        self.effectiveAt = effectiveAt
        self.recordedAt = recordedAt
        self.kind = kind
        reference = row.text(JournalRows.Place.reference)
        lateFor = row.time(JournalRows.Place.lateFor)
        reverses = row.integer(JournalRows.Place.reverses)
        reason = row.text(JournalRows.Place.reason)
    }

    /// The value of a fact.
    enum Fact {
        case id(Int64)
        case text(UnsafeRawBufferPointer)
        case time(Moment)
    }

    /// Calls `body` for each fact with its name.
    ///
    /// The reason is written separately.
    func forEachFact(_ body: (StaticString, Fact) -> Void) {
        body("entry", .id(id))
        if let reference { body("reference", .text(reference)) }
        body("effective_at", .time(effectiveAt))
        body("recorded_at", .time(recordedAt))
        if let lateFor { body("late_for", .time(lateFor)) }
        if let reverses { body("reverses", .id(reverses)) }
    }
}

/// Writes the journal for an accounting program: entries, and before its first use each account, and each foreign currency with its
/// prices.
///
/// Such programs use one signed number per posting: a debit is positive, a credit negative.
struct EntryWriter<Dialect: EntryDialect>: ExportWriter {
    let dialect: Dialect
    let zone: ExportZone
    /// By currency, in the order of days.
    private let prices: [String: [CommodityPrice]]
    private var seen = SeenAccounts()
    private var currencies = ForeignCommodities()
    private var entry: Int64?
    private var declarations = ByteText()
    private var text = ByteText()

    init(dialect: Dialect, zone: ExportZone, prices: [CommodityPrice]) {
        self.dialect = dialect
        self.zone = zone
        self.prices = Dictionary(grouping: prices, by: \.currency)
    }

    func begin(_ out: inout ByteText) {
        dialect.begin(&out)
    }

    mutating func write(_ row: borrowing ExportRow, to out: inout ByteText) {
        let id = row.integer(JournalRows.Place.entry)
        if id != entry {
            end(&out)
            entry = id
            if let head = EntryHead(row) { write(head) }
        }
        guard let account = row.text(JournalRows.Place.account),
            let accountID = row.integer(JournalRows.Place.accountID),
            let currency = row.text(JournalRows.Place.currency)
        else { return }
        let foreign = currencies.currency(of: currency)
        if seen.insert(accountID, account) {
            if let foreign, currencies.isNew(foreign) { declare(foreign) }
            dialect.declare(account, in: currency, to: &declarations)
        }
        text.append("    ")
        dialect.name(account, to: &text)
        text.append("  ")
        if let debit = row.integer(JournalRows.Place.debit) {
            append(debit, in: foreign)
        } else if let credit = row.integer(JournalRows.Place.credit) {
            append(-credit, in: foreign)
        }
        text.append(UInt8(ascii: " "))
        text.append(currency)
        text.append(UInt8(ascii: "\n"))
    }

    private mutating func declare(_ foreign: Currencies.Currency) {
        dialect.declare(commodity: foreign, to: &declarations)
        for price in prices[foreign.code, default: []] { dialect.price(price, to: &declarations) }
    }

    /// Won and coins have no decimals.
    private mutating func append(_ amount: Int64, in foreign: Currencies.Currency?) {
        if let foreign { text.append(foreign.decimal(amount)) } else { text.append(amount) }
    }

    private mutating func write(_ head: EntryHead) {
        text.append(UInt8(ascii: "\n"))
        text.append(dateOf: head.effectiveAt, offset: zone.offset(at: head.effectiveAt))
        dialect.head(head, to: &text)
        head.forEachFact { name, value in
            let tag = dialect.tag(value)
            text.append(tag.before)
            text.append(name)
            text.append(tag.between)
            switch value {
            case .id(let id): text.append(id)
            case .time(let time): text.append(time: time, offset: zone.offset(at: time))
            case .text(let value): dialect.text(value, to: &text)
            }
            text.append(tag.after)
        }
        dialect.endHead(head, to: &text)
    }

    /// Writes the complete entry, after its new accounts.
    mutating func end(_ out: inout ByteText) {
        out.append(declarations.bytes)
        out.append(text.bytes)
        declarations.removeAll()
        text.removeAll()
    }

    func write(_ trailer: ExportTrailer, to out: inout ByteText) {
        out.append("; trailer \(trailer.json)\n")
    }
}

/// The foreign currencies of the journal.
private struct ForeignCommodities: Sendable {
    private static let ofBooks = [Currency.won, .coin].map { Array($0.code.utf8) }
    private var known: [[UInt8]: Currencies.Currency] = [:]
    private var declared: Set<String> = []

    /// The currency of a code; nil: won or coins.
    mutating func currency(of code: UnsafeRawBufferPointer) -> Currencies.Currency? {
        guard !Self.ofBooks.contains(where: code.elementsEqual) else { return nil }
        if let found = known[Array(code)] { return found }
        let found = Currencies.Currency(String(decoding: code, as: UTF8.self))
        known[Array(code)] = found
        return found
    }

    mutating func isNew(_ currency: Currencies.Currency) -> Bool { declared.insert(currency.code).inserted }
}

/// The accounts seen so far, as one bit per id: the names of millions of users would need too much memory.
private struct SeenAccounts: Sendable {
    private var ids = IDSet()
    /// The names of accounts that exist in every stripe.
    private var stripedNames: Set<[UInt8]> = []

    /// - Returns: whether the name is new.
    mutating func insert(_ id: Int64, _ name: UnsafeRawBufferPointer) -> Bool {
        guard ids.insert(id) else { return false }
        return AccountName(name).isStriped ? stripedNames.insert(Array(name)).inserted : true
    }
}

/// A set of record ids, with about one bit per id: ids come from one sequence in blocks, so they are dense.
struct IDSet: Sendable {
    private static let pageBits: Int64 = 4096

    private var pages: [Int64: [UInt64]] = [:]

    /// - Returns: whether the id is new.
    mutating func insert(_ id: Int64) -> Bool {
        let (page, bit) = id.flooredDivision(by: Self.pageBits)
        let mask: UInt64 = 1 << UInt64(bit % 64)
        let word = Int(bit / 64)
        let empty = { [UInt64](repeating: 0, count: Int(Self.pageBits / 64)) }
        if pages[page, default: empty()][word] & mask != 0 { return false }
        pages[page, default: empty()][word] |= mask
        return true
    }
}
