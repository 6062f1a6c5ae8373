import Foundation
import Postgres

extension PostgresRow {
    /// Decodes a text column to a domain value.
    func decode<Value: RawRepresentable<String>>(_ column: Int, as: Value.Type = Value.self) throws -> Value {
        let text = try decode(column, as: String.self)
        guard let value = Value(rawValue: text) else { throw UnreadableColumn(column: column, type: "\(Value.self)") }
        return value
    }

    /// Decodes a column with one or more coins.
    func decode(_ column: Int, as: Coins.Type) throws -> Coins {
        guard let coins = Coins(try decode(column, as: Int64.self)) else {
            throw UnreadableColumn(column: column, type: "Coins")
        }
        return coins
    }

    /// Decodes a column with a price.
    func decode(_ column: Int, as: Price.Type) throws -> Price {
        guard let price = Price(won: try decode(column, as: Int64.self)) else {
            throw UnreadableColumn(column: column, type: "Price")
        }
        return price
    }

    /// Decodes a column with JSON.
    func decodeJSON<Value: Decodable>(_ column: Int, as: Value.Type) throws -> Value {
        try JSONDecoder().decode(Value.self, from: Data(decode(column, as: PostgresJSON.self).text.utf8))
    }
}

extension PostgresRow {
    /// Decodes a row of a table.
    ///
    /// `id` is the index of its id column.
    ///
    /// - Throws: ``UnreadableRow``, which has the table and the id.
    func decode<Value>(
        of table: String, id: Int = 0, _ read: (borrowing PostgresRow) throws -> Value
    ) throws -> Value {
        do {
            return try read(self)
        } catch {
            throw UnreadableRow(table: table, id: try? decode(id, as: Int64.self))
        }
    }
}

/// A row that this version can't read: a newer version wrote it, or somebody changed it by hand.
struct UnreadableRow: Error {
    let table: String
    let id: Int64?
}

/// A column's value that this version can't decode.
struct UnreadableColumn: Error {
    let column: Int
    let type: String
}

extension PostgresJSON {
    /// Encodes a value as JSON.
    init(encoding value: some Encodable) {
        do {
            self.init(String(decoding: try JSONEncoder().encode(value), as: UTF8.self))
        } catch {
            preconditionFailure("the value can't be encoded: \(error)")
        }
    }
}
