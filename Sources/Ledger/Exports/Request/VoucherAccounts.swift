import Foundation

/// The accounts of an ERP for ours: a CSV file with the columns `account`, `code`, `name`, and if wanted `partner_code`
/// and `partner`.
package struct VoucherAccounts: Sendable, Equatable {
    /// An account of the ERP.
    struct Account: Sendable, Equatable, Encodable {
        /// Our account, as the trial balance names it.
        let account: String
        /// The ERP's code and name of the account.
        let code: String
        let name: String
        /// The ERP's code and name of the business partner, such as the gateway; empty: none.
        let partnerCode: String
        let partner: String

        private enum CodingKeys: String, CodingKey {
            case account, code, name, partner
            case partnerCode = "partner_code"
        }
    }

    /// A file that can't be used, and why.
    package struct Invalid: Error, CustomStringConvertible {
        package let description: String
    }

    let accounts: [Account]

    /// Reads a file in UTF-8 or CP949.
    ///
    /// - Throws: ``Invalid`` with the line.
    package init(_ bytes: [UInt8]) throws(Invalid) {
        let text: String
        do { text = try TextEncoding.auto.decode(bytes) } catch { throw Invalid(description: "\(error)") }
        var records = CSVRecords(text)
        guard let header = records.next(), !header.isMalformed,
            ["account", "code", "name"].allSatisfy(header.fields.contains)
        else { throw Invalid(description: "the first line must name the columns account, code and name") }
        var accounts: [Account] = []
        for record in records {
            func field(_ name: String) -> String {
                guard let place = header.fields.firstIndex(of: name), place < record.fields.count else { return "" }
                return record.fields[place]
            }
            let account = Account(
                account: field("account"), code: field("code"), name: field("name"),
                partnerCode: field("partner_code"), partner: field("partner"))
            guard !record.isMalformed, !account.account.isEmpty, !account.code.isEmpty else {
                throw Invalid(description: "line \(record.line) must have an account and a code")
            }
            guard !accounts.contains(where: { $0.account == account.account }) else {
                throw Invalid(description: "line \(record.line) maps \(account.account) a second time")
            }
            accounts.append(account)
        }
        self.accounts = accounts
    }

    /// A `SELECT` of the accounts, as an SQL literal of hexadecimal digits: no text can end it.
    var sql: String {
        let json = (try? JSONEncoder().encode(accounts)) ?? Data("[]".utf8)
        let digits = json.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
        return """
            SELECT * FROM jsonb_to_recordset(convert_from('\\x\(digits)'::bytea, 'UTF8')::jsonb)
                AS mapped (account text, code text, name text, partner_code text, partner text)
            """
    }
}
