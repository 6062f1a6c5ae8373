import Foundation
import Postgres

extension PostgresRow {
    /// Decodes a column with JSON.
    func decodeJSON<Value: Decodable>(_ column: Int, as: Value.Type) throws -> Value {
        try JSONDecoder().decode(Value.self, from: Data(decode(column, as: PostgresJSON.self).text.utf8))
    }
}

extension PostgresRow {
    /// Makes a record of a table of the columns from `column` on, of which the first is its id.
    ///
    /// Always inlined, because packs of types are not specialised.
    ///
    /// - Throws: ``UnreadableRow``, which has the table and the id.
    @inline(__always)
    func make<each Value: PostgresReadable, Made>(
        of table: String, at column: inout Int, _ make: (repeat each Value) throws -> Made
    ) throws -> Made {
        let id = column
        do {
            return try self.make(at: &column, make)
        } catch {
            throw UnreadableRow(table: table, id: try? decode(id, as: Int64.self))
        }
    }

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
