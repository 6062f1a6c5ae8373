import Foundation

/// Which column of a settlement file holds what.
package struct SettlementMapping: Sendable, Equatable {
    /// What a row tells.
    package enum Field: String, Sendable, CaseIterable {
        /// The gateway's id of the payment: `imp_uid`, `merchant_uid` or V2's payment id.
        case payment = "payment_id"
        /// What it is about.
        case gross
        /// What the gateway keeps.
        case fee
        /// The tax on that.
        case tax
        /// What reached the bank.
        case net
        /// When it was paid out.
        case paidOutAt = "paid_out_at"
    }

    /// How it is written, for people who wrote it wrong.
    package static let rule =
        "payment_id=COLUMN,gross=COLUMN,fee=COLUMN,tax=COLUMN,net=COLUMN,paid_out_at=COLUMN, where a column is its name "
        + "in the file's header, or #1, #2, … in a file without one; fee and tax may be left out when the file has none"

    /// The column of each field: its name, or `#` and its number from 1.
    package let columns: [Field: String]

    /// Takes a mapping.
    ///
    /// - Throws: ``SettlementFileProblem`` when a needed field is missing.
    package init(_ columns: [Field: String]) throws(SettlementFileProblem) {
        for field in Field.allCases where field != .fee && field != .tax && (columns[field] ?? "").isEmpty {
            throw SettlementFileProblem("the mapping has no column for \(field.rawValue): it must be \(Self.rule)")
        }
        self.columns = columns.filter { !$0.value.isEmpty }
        let named = self.columns.values.filter { Self.number($0) == nil }
        guard named.isEmpty || named.count == self.columns.count else {
            throw SettlementFileProblem("the mapping names some columns and counts others: it must do one for all")
        }
    }

    /// Reads `payment_id=COLUMN,…`.
    ///
    /// - Throws: ``SettlementFileProblem`` for an unknown field, one that is given twice, or a missing one.
    package init(text: String) throws(SettlementFileProblem) {
        var columns: [Field: String] = [:]
        for part in text.split(separator: ",") {
            let pair = part.split(separator: "=", maxSplits: 1).map { String($0).trimmed }
            guard pair.count == 2, let field = Field(rawValue: pair[0]), columns[field] == nil else {
                throw SettlementFileProblem("the mapping has \(part.prefix(60)): it must be \(Self.rule)")
            }
            columns[field] = pair[1]
        }
        try self.init(columns)
    }

    /// Reads a JSON object with the fields as members, for columns whose names hold a comma or an equals sign.
    ///
    /// - Throws: ``SettlementFileProblem``.
    package init(json: [UInt8]) throws(SettlementFileProblem) {
        guard let members = try? JSONDecoder().decode([String: String].self, from: Data(json)) else {
            throw SettlementFileProblem(#"the mapping must be a JSON object such as {"payment_id": "주문번호", …}"#)
        }
        var columns: [Field: String] = [:]
        for (name, column) in members {
            guard let field = Field(rawValue: name) else {
                throw SettlementFileProblem("the mapping has \(name.prefix(60)): it must be \(Self.rule)")
            }
            columns[field] = column
        }
        try self.init(columns)
    }

    /// Where each field is in a record: by number, or by a header that has all the names.
    ///
    /// - Returns: nil when the record is no such header.
    func places(in header: [String]) -> [Field: Int]? {
        let names = header.map(\.trimmed)
        var places: [Field: Int] = [:]
        for (field, column) in columns {
            guard let place = names.firstIndex(of: column.trimmed) else { return nil }
            places[field] = place
        }
        return places
    }

    /// Where each field is when columns are counted; nil when they are named.
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
    /// Without blanks around it.
    var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}
