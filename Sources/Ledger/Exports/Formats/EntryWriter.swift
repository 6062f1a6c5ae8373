/// How an accounting program wants entries written.
protocol EntryDialect: Sendable {
    /// Writes what comes before everything.
    func begin(_ out: inout ByteText)

    /// Writes that an account is used from here on.
    func declare(_ account: UnsafeRawBufferPointer, in currency: UnsafeRawBufferPointer, to out: inout ByteText)

    /// Writes what comes before an entry's postings: its date, kind and everything that is told of it.
    func head(_ row: borrowing ExportRow, in zone: ExportZone, to out: inout ByteText)

    /// Writes an account's name.
    func name(_ account: UnsafeRawBufferPointer, to out: inout ByteText)
}

/// Writes the journal for an accounting program: its accounts, each before it is first used, and its entries.
///
/// Such programs know one number an account: a debit is positive, a credit negative.
struct EntryWriter<Dialect: EntryDialect>: ExportWriter {
    let dialect: Dialect
    let zone: ExportZone
    private var seen = SeenAccounts()
    private var entry: Int64?
    private var declarations = ByteText()
    private var text = ByteText()

    init(dialect: Dialect, zone: ExportZone) {
        self.dialect = dialect
        self.zone = zone
    }

    func begin(_ out: inout ByteText) {
        dialect.begin(&out)
    }

    mutating func write(_ row: borrowing ExportRow, to out: inout ByteText) {
        let id = row.integer(JournalRows.Place.entry)
        if id != entry {
            end(&out)
            entry = id
            dialect.head(row, in: zone, to: &text)
        }
        guard let account = row.text(JournalRows.Place.account),
            let accountID = row.integer(JournalRows.Place.accountID),
            let currency = row.text(JournalRows.Place.currency)
        else { return }
        if seen.insert(accountID, account) { dialect.declare(account, in: currency, to: &declarations) }
        text.append("    ")
        dialect.name(account, to: &text)
        text.append("  ")
        if let debit = row.integer(JournalRows.Place.debit) {
            text.append(debit)
        } else if let credit = row.integer(JournalRows.Place.credit) {
            text.append(-credit)
        }
        text.append(UInt8(ascii: " "))
        text.append(currency)
        text.append(UInt8(ascii: "\n"))
    }

    /// Writes the entry that is complete, behind the accounts that are new in it.
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

/// Accounts seen before: millions of users' names would not fit the memory that an export has, so a bit for each id.
private struct SeenAccounts: Sendable {
    private var ids = IDSet()
    /// The names of accounts that every stripe has one of.
    private var stripedNames: Set<[UInt8]> = []

    /// - Returns: whether no account of this name was seen before.
    mutating func insert(_ id: Int64, _ name: UnsafeRawBufferPointer) -> Bool {
        guard ids.insert(id) else { return false }
        return AccountName(name).isStriped ? stripedNames.insert(Array(name)).inserted : true
    }
}
