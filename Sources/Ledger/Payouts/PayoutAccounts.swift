/// Bank accounts of providers, for the file of a payout: a CSV file with the columns `provider`, `bank`, `account` and
/// `holder`.
///
/// Personal data: it is printed as asterisks, and stored nowhere.
package struct PayoutAccounts: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// A file that can't be used, and why, without anything that it contains.
    package struct Invalid: Error, Sendable, Equatable, CustomStringConvertible {
        package let description: String
    }

    private static let columns = ["provider", "bank", "account", "holder"]
    /// The longest text of an account, in characters.
    private static let longest = 100

    private let accounts: [UserID: BankAccount]

    /// Reads a file in UTF-8, UTF-16 or CP949; other columns are ignored.
    ///
    /// - Throws: ``Invalid`` with the line.
    package init(_ bytes: [UInt8]) throws(Invalid) {
        let text: String
        do { text = try TextEncoding.auto.decode(bytes) } catch { throw Invalid(description: error.message) }
        var (records, places) = try Self.header(of: Array(text.utf8))
        var accounts: [UserID: BankAccount] = [:]
        while let record = records.next() {
            guard !record.isBlank else { continue }
            let fields = try Self.fields(of: record, places)
            guard let provider = UserID(rawValue: fields[0]) else {
                throw Invalid(description: "line \(record.line): provider must be \(UserID.rule)")
            }
            let account = BankAccount(bank: fields[1], number: fields[2], holder: fields[3])
            guard accounts.updateValue(account, forKey: provider) == nil else {
                throw Invalid(description: "line \(record.line): the provider has an account in a line before")
            }
        }
        self.accounts = accounts
    }

    subscript(provider: UserID) -> BankAccount? { accounts[provider] }

    private static func header(of bytes: [UInt8]) throws(Invalid) -> (CSVRecords, places: [Int]) {
        for separator in CSVRecords.separators {
            var records = CSVRecords(bytes, separator: separator)
            let names = records.next()?.fields.map(\.trimmed) ?? []
            let places = columns.compactMap(names.firstIndex)
            if places.count == columns.count, Set(places.map { names[$0] }).count == names.count(in: columns) {
                return (records, places)
            }
        }
        throw Invalid(description: "the first line must name the columns \(columns.joined(separator: ", ")), each once")
    }

    private static func fields(of record: CSVRecords.Record, _ places: [Int]) throws(Invalid) -> [String] {
        let fields = places.map { $0 < record.fields.count ? record.fields[$0].trimmed : "" }
        for (name, field) in zip(columns, fields) {
            guard !record.isMalformed, (1...longest).contains(field.unicodeScalars.count),
                field.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
            else {
                throw Invalid(
                    description:
                        "line \(record.line): \(name) must have 1 to \(longest) characters, without control characters")
            }
        }
        return fields
    }

    /// Always `****`.
    package var description: String { "****" }

    /// Always `****`.
    package var debugDescription: String { "****" }

    /// Shows no members.
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension [String] {
    /// How many elements are among these.
    fileprivate func count(in others: [String]) -> Int { count { others.contains($0) } }
}
