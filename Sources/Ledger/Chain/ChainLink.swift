import Foundation
import Postgres

/// The state of the chain after some entries were added.
struct ChainLink: Sendable {
    /// The number of the link, from 1.
    let id: Int64
    /// The number of the link's first entry, from 1.
    let firstPosition: Int64
    /// The position of the link's last entry.
    let last: ChainPosition
    let previousHash: [UInt8]
    /// The state after the last entry.
    let state: ChainState
}

extension ChainLink {
    /// The link for the entries between two states.
    ///
    /// The first one of a format begins with the first entry.
    init(after before: ChainLink?, to state: ChainState, at last: ChainPosition) {
        let start = before.map(\.state).flatMap { $0.format == state.format ? $0 : nil } ?? ChainState(state.format)
        self.init(
            id: (before?.id ?? 0) + 1, firstPosition: start.entries + 1, last: last, previousHash: start.hash,
            state: state)
    }
}

// MARK: - SQL

extension ChainLink {
    private static let columns = """
        id, first_position, last_position, transaction_id::text::bigint, entry_id, previous_hash, hash, totals, format
        """

    /// Locks out others that add links or seals until the transaction ends.
    ///
    /// The key is "ledgseal" in ASCII.
    static let lock = PostgresQuery<Int>.affected("SELECT pg_advisory_xact_lock(7810759524224426348)")

    static let last = PostgresQuery<ChainLink?>.first(
        "SELECT \(columns) FROM chain_link ORDER BY id DESC LIMIT 1", row: decode)

    /// Links in order, at most `limit`.
    static func after(_ id: Int64, limit: Int) -> PostgresQuery<[ChainLink]> {
        PostgresQuery(
            "SELECT \(columns) FROM chain_link WHERE id > $1 ORDER BY id LIMIT $2", [id, Int64(limit)], row: decode)
    }

    var insertion: PostgresQuery<Int> {
        .affected(
            """
            INSERT INTO chain_link (
                id, first_position, last_position, transaction_id, entry_id, previous_hash, hash, totals, format)
            VALUES ($1, $2, $3, $4::xid8, $5, $6, $7, $8, $9)
            """,
            [
                id, firstPosition, state.entries, String(last.transactionID), last.entryID, PostgresBytes(previousHash),
                PostgresBytes(state.hash), TotalsJSON(state.totals).column, state.format.rawValue,
            ])
    }

    private static func decode(_ row: borrowing PostgresRow) throws -> ChainLink {
        let totals = try row.decodeJSON(7, as: TotalsJSON.self)
        guard let format = ChainFormat(rawValue: try row[8]) else {
            throw UnreadableColumn(column: 8, type: "ChainFormat")
        }
        return ChainLink(
            id: try row[0], firstPosition: try row[1],
            last: ChainPosition(transactionID: try row[3], entryID: try row[4]),
            previousHash: try row.decode(5, as: PostgresBytes.self).bytes,
            state: ChainState(
                format, entries: try row[2], hash: try row.decode(6, as: PostgresBytes.self).bytes,
                totals: totals.totals))
    }
}

/// The JSON of stored totals.
private struct TotalsJSON: Codable {
    private let list: [Total]

    private struct Total: Codable {
        let account: String
        let currency: String
        let debits: Int64
        let credits: Int64
    }

    init(_ totals: [AccountClass: ChainTotal]) {
        list = totals.sorted { $0.key < $1.key }.map { kind, total in
            Total(account: kind.name, currency: kind.currency, debits: total.debits, credits: total.credits)
        }
    }

    init(from decoder: any Decoder) throws { list = try decoder.singleValueContainer().decode([Total].self) }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(list)
    }

    /// If somebody wrote an account twice, only the first counts, so the totals differ from the computed ones.
    var totals: [AccountClass: ChainTotal] {
        Dictionary(
            list.map {
                (
                    AccountClass(name: $0.account, currency: $0.currency),
                    ChainTotal(debits: $0.debits, credits: $0.credits)
                )
            },
            uniquingKeysWith: { first, _ in first })
    }

    var column: PostgresJSON {
        do {
            return PostgresJSON(String(decoding: try JSONEncoder().encode(self), as: UTF8.self))
        } catch {
            preconditionFailure("totals can't be encoded: \(error)")
        }
    }
}
