/// Bank accounts of providers, for the file of a payout: those that are kept, or a CSV file with the columns `provider`,
/// `bank`, `account` and `holder`.
///
/// Personal data: it is printed as asterisks. A list is stored nowhere; what is kept was proposed and approved.
package struct PayoutAccounts: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// A file that can't be used, and why, without anything that it contains.
    package struct Invalid: Error, Sendable, Equatable, CustomStringConvertible {
        package let description: String
    }

    private static let columns = ["provider", "bank", "account", "holder"]
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

    private init(_ accounts: [UserID: BankAccount]) { self.accounts = accounts }

    /// The accounts in force, and those of a list for the providers of whom two people never agreed on one.
    ///
    /// A list can't lead money away from the account that two people agreed on, nor can who erases that account first.
    ///
    /// - Parameter agreed: ``ProviderAccount/agreed(of:)``.
    /// - Throws: ``PayoutAccountsDiffer`` for a list that has another number than the account in force, or any number of a
    ///   provider whose account was erased.
    static func agreed(
        _ agreed: [ProviderAccount], and list: PayoutAccounts?
    ) throws(PayoutAccountsDiffer) -> PayoutAccounts {
        let (given, inForce) = (list?.accounts ?? [:], ProviderAccount.inForce(agreed))
        let others = Set(agreed.map(\.provider)).filter { provider in
            given[provider].map { $0.digits != inForce[provider]?.digits } ?? false
        }
        guard others.isEmpty else {
            throw PayoutAccountsDiffer(providers: others.sorted { $0.rawValue < $1.rawValue })
        }
        return PayoutAccounts(given.merging(inForce) { $1 })
    }

    /// The account of a provider; nil: it is not among them.
    package subscript(provider: UserID) -> BankAccount? { accounts[provider] }

    /// The providers, by name.
    package var providers: [UserID] { accounts.keys.sorted { $0.rawValue < $1.rawValue } }

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
            guard !record.isMalformed, BankAccount.isPart(field) else {
                throw Invalid(description: "line \(record.line): \(name) \(BankAccount.rule)")
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
