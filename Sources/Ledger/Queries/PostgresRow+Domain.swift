import Foundation
import Postgres

extension PostgresRow {
    /// A column that holds a domain value's text.
    func decode<Value: RawRepresentable<String>>(_ column: Int, as: Value.Type = Value.self) throws -> Value {
        let text = try decode(column, as: String.self)
        guard let value = Value(rawValue: text) else { throw UnreadableColumn(column: column, type: "\(Value.self)") }
        return value
    }

    /// A column that holds a number of coins, one at least.
    func decode(_ column: Int, as: Coins.Type) throws -> Coins {
        guard let coins = Coins(try decode(column, as: Int64.self)) else {
            throw UnreadableColumn(column: column, type: "Coins")
        }
        return coins
    }

    /// A column that holds a price.
    func decode(_ column: Int, as: Price.Type) throws -> Price {
        guard let price = Price(won: try decode(column, as: Int64.self)) else {
            throw UnreadableColumn(column: column, type: "Price")
        }
        return price
    }

    /// A column that holds a value as JSON.
    func decodeJSON<Value: Decodable>(_ column: Int, as: Value.Type) throws -> Value {
        try JSONDecoder().decode(Value.self, from: Data(decode(column, as: PostgresJSON.self).text.utf8))
    }
}

extension PostgresRow {
    /// Reads a row of a table, whose id is its first column unless another is named.
    ///
    /// - Throws: ``UnreadableRow``, which names it.
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

/// A row that this version can't read: an older one is beside a newer, or somebody changed it by hand.
struct UnreadableRow: Error {
    let table: String
    let id: Int64?
}

/// The database holds a value that this version can't mean.
struct UnreadableColumn: Error {
    let column: Int
    let type: String
}

extension PostgresJSON {
    /// A value of ours as JSON.
    init(encoding value: some Encodable) {
        do {
            self.init(String(decoding: try JSONEncoder().encode(value), as: UTF8.self))
        } catch {
            preconditionFailure("a value of ours has nothing that can't be written: \(error)")
        }
    }
}
