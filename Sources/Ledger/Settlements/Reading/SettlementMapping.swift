import Foundation

/// Maps the fields of a settlement line to the columns of a file.
package struct SettlementMapping: Sendable, Equatable {
    /// A field of a settlement line.
    package enum Field: String, Sendable, CaseIterable {
        /// The payment's id: `imp_uid`, `merchant_uid` or V2's payment id.
        case payment = "payment_id"
        /// The gross amount.
        case gross
        /// The gateway's fee.
        case fee
        /// The tax on the fee.
        case tax
        /// The amount paid to the bank account.
        case net
        /// When it was paid out.
        case paidOutAt = "paid_out_at"
        /// The code of the currency of the amounts; without it, all are in won.
        case currency = "payment_currency"
        /// The won of one unit of the currency, at which it was paid out.
        case payoutRate = "payout_rate"
        /// The won of the net amount.
        case payoutWon = "payout_won"

        /// Whether a file may have no column for it.
        package var isOptional: Bool {
            switch self {
            case .payment, .gross, .net, .paidOutAt: false
            case .fee, .tax, .currency, .payoutRate, .payoutWon: true
            }
        }
    }

    /// The rule for mappings, as a text for messages.
    package static let rule =
        "payment_id=COLUMN,gross=COLUMN,fee=COLUMN,tax=COLUMN,net=COLUMN,paid_out_at=COLUMN, where COLUMN is a name "
        + "in the file's header, or #1, #2, … in a file without one; omit fee and tax if the file has no such columns; "
        + "of amounts in several currencies, add payment_currency=COLUMN with payout_rate=COLUMN, payout_won=COLUMN or both"

    /// The same in Korean.
    static let koreanRule =
        "payment_id=열,gross=열,fee=열,tax=열,net=열,paid_out_at=열(열은 제목 행의 이름, 제목 행이 없으면 #1, #2, …; fee와 tax는 없으면 생략, "
        + "여러 통화의 금액이면 payment_currency=열과 payout_rate=열, payout_won=열 중 하나 이상을 추가)"

    /// The column of each field: its name, or `#` and its number from 1.
    package let columns: [Field: String]

    /// Checks a mapping.
    ///
    /// - Throws: ``SettlementFileProblem`` when a required field is missing.
    package init(_ columns: [Field: String]) throws(SettlementFileProblem) {
        self.columns = columns.filter { !$0.value.isEmpty }
        // A rate or won without a currency would be of nothing.
        let needed: [Field] =
            self.columns[.payoutRate] == nil && self.columns[.payoutWon] == nil ? [] : [.currency]
        for field in Field.allCases.filter({ !$0.isOptional }) + needed where self.columns[field] == nil {
            throw SettlementFileProblem(.columnNotMapped(field))
        }
        let named = self.columns.values.filter { Self.number($0) == nil }
        guard named.isEmpty || named.count == self.columns.count else {
            throw SettlementFileProblem(.namesAndNumbers)
        }
    }

    /// Reads `payment_id=COLUMN,…`.
    ///
    /// - Throws: ``SettlementFileProblem`` for an unknown, repeated or missing field.
    package init(text: String) throws(SettlementFileProblem) {
        var columns: [Field: String] = [:]
        for part in text.split(separator: ",") {
            let pair = part.split(separator: "=", maxSplits: 1).map { String($0).trimmed }
            guard pair.count == 2, let field = Field(rawValue: pair[0]), columns[field] == nil else {
                throw SettlementFileProblem(.unknownMapping(String(part.prefix(60))))
            }
            columns[field] = pair[1]
        }
        try self.init(columns)
    }

    /// Reads a JSON object with the fields as members, for columns whose names contain a comma or an equals sign.
    ///
    /// - Throws: ``SettlementFileProblem`` as ``init(text:)`` does.
    package init(json: [UInt8]) throws(SettlementFileProblem) {
        guard let members = try? JSONDecoder().decode([String: String].self, from: Data(json)) else {
            throw SettlementFileProblem(.mappingNotJSON)
        }
        var columns: [Field: String] = [:]
        for (name, column) in members {
            guard let field = Field(rawValue: name) else {
                throw SettlementFileProblem(.unknownMapping(String(name.prefix(60))))
            }
            columns[field] = column
        }
        try self.init(columns)
    }

    /// How a header fits the mapping.
    enum Fit: Equatable {
        /// The index of each field's column.
        case whole([Field: Int])
        /// It lacks these names, in alphabetical order.
        case lacking([String])
        /// It has all names, and this one several times.
        case repeating(String)
    }

    /// How a record fits as the header.
    ///
    /// Line breaks and several spaces within a name are one space, because spreadsheets wrap long names.
    func fit(_ header: [String]) -> Fit {
        let names = header.map(\.asColumnName)
        var places: [Field: Int] = [:]
        var missing: Set<String> = []
        var repeated: String?
        for (field, column) in columns {
            let found = names.indices.filter { names[$0] == column.asColumnName }
            places[field] = found.first
            if found.isEmpty { missing.insert(column) }
            if found.count > 1 { repeated = min(repeated ?? column, column) }
        }
        guard missing.isEmpty else { return .lacking(missing.sorted()) }
        return repeated.map { .repeating($0) } ?? .whole(places)
    }

    /// The names of the columns, in alphabetical order, each once.
    var names: [String] { Set(columns.values).sorted() }

    /// The index of each field's column, if the mapping uses numbers; nil: it uses names.
    var countedPlaces: [Field: Int]? {
        let places = columns.compactMapValues { Self.number($0).map { $0 - 1 } }
        return places.count == columns.count ? places : nil
    }

    private static func number(_ column: String) -> Int? {
        guard column.hasPrefix("#"), let number = Int(column.dropFirst()), number > 0 else { return nil }
        return number
    }
}

extension String {
    /// Without leading and trailing whitespace.
    var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }

    /// With one space for line breaks and several spaces, because spreadsheets wrap long names.
    var asColumnName: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}
