package import Foundation
import Postgres

/// Makes and reads seals.
package struct Seals: Sendable {
    private let pools: Pools
    private let chain: Chain

    init(_ pools: Pools, chain: Chain) {
        self.pools = pools
        self.chain = chain
    }

    /// A seal stored in the database.
    package struct Kept: Sendable, Equatable, Identifiable {
        package let id: Int64
        package let seal: Seal
    }

    /// Adds all committed entries to the chain and seals it.
    ///
    /// - Parameter start: seals only if no seal was made since then; nil: always seals.
    /// - Returns: nil when there is a seal since `start`.
    package func make(with key: SealKey, unlessSince start: Date? = nil) async throws(LedgerError) -> Kept? {
        if let start, try await last().map({ $0.seal.content.sealedAt >= start }) ?? false { return nil }
        try await chain.linkUp(waiting: Self.patience)
        return try await reading {
            try await pools.work.withConnection { connection in
                try await connection.execute("BEGIN")
                _ = try await connection.run(ChainLink.lock)
                let (last, link, now) = try await connection.pipeline(Kept.last, ChainLink.last, Self.clock)
                if let start, let last, last.seal.content.sealedAt >= start { return nil }
                let seal = try Seal(SealContent(link?.state ?? ChainState(), sealedAt: now), by: key)
                let id = try await connection.run(Kept.insert(seal))
                try await connection.execute("COMMIT")
                return Kept(id: id, seal: seal)
            }
        }
    }

    /// The last seal.
    package func last() async throws(LedgerError) -> Kept? {
        try await reading { try await pools.reads.run(Kept.last) }
    }

    /// The seal with this id.
    package func find(_ id: Int64) async throws(LedgerError) -> Kept? {
        try await reading { try await pools.reads.run(Kept.find(id)) }
    }

    /// The seals of the period, newest first.
    package func list(
        in period: Period = .always, after cursor: After<Int64>? = nil, limit: Int
    ) async throws(LedgerError) -> Page<Kept, After<Int64>> {
        try await reading {
            let found = try await pools.reads.run(Kept.history(in: period, before: cursor?.id, limit: limit))
            return Page(found, limit: limit)
        }
    }

    /// How long a seal waits for running transactions.
    ///
    /// Transactions that take longer are not sealed.
    private static let patience: Duration = .seconds(2)

    private static let clock = PostgresQuery<Date>.one("SELECT clock_timestamp()")
}

extension Seals.Kept {
    private static let columns = "id, statement, public_key, signature"

    static let last = PostgresQuery<Self?>.first("SELECT \(columns) FROM seal ORDER BY id DESC LIMIT 1", row: decode)

    static func find(_ id: Int64) -> PostgresQuery<Self?> {
        .first("SELECT \(columns) FROM seal WHERE id = $1", [id], row: decode)
    }

    fileprivate static func history(in period: Period, before id: Int64?, limit: Int) -> PostgresQuery<[Self]> {
        PostgresQuery(
            """
            SELECT \(columns) FROM seal WHERE id < $1 AND sealed_at >= $3 AND sealed_at < $4
            ORDER BY id DESC LIMIT $2
            """,
            [id ?? .max, Int64(limit + 1), period.from, period.to], row: decode)
    }

    fileprivate static func insert(_ seal: Seal) -> PostgresQuery<Int64> {
        .one(
            "INSERT INTO seal (statement, public_key, signature, sealed_at) VALUES ($1, $2, $3, $4) RETURNING id",
            [
                seal.content.text, PostgresBytes(seal.publicKey.bytes), PostgresBytes(seal.signature),
                seal.content.sealedAt,
            ])
    }

    private static func decode(_ row: borrowing PostgresRow) throws -> Self {
        guard let content = SealContent(text: try row[1]),
            let key = SealPublicKey(bytes: try row.decode(2, as: PostgresBytes.self).bytes)
        else { throw UnreadableColumn(column: 1, type: "SealContent") }
        return Self(
            id: try row[0],
            seal: Seal(
                content: content, publicKey: key, signature: try row.decode(3, as: PostgresBytes.self).bytes))
    }
}
