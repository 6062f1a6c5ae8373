import Postgres

/// Puts entries of the same time in an order in which no account's history runs backwards.
///
/// Times of different transactions are the same only when the server's clock was set back, or by chance.
enum EventOrder {
    /// An entry or occurrence, and the postings of an entry.
    struct Line: Sendable, Equatable {
        let id: Int64
        let recordedAt: Int64
        /// Account and number of each posting.
        var postings: [Posting] = []
    }

    struct Posting: Sendable, Hashable {
        let account: Int64
        let seq: Int64
    }

    /// The ids in order: by time, each after the entries that have its accounts' previous postings, otherwise by id.
    ///
    /// Entries that wait for each other, which the database refuses, come last.
    static func order(_ lines: [Line]) -> [Int64] {
        let lines = lines.sorted { ($0.recordedAt, $0.id) < ($1.recordedAt, $1.id) }
        var places: [Posting: Int] = [:]
        for (place, line) in lines.enumerated() {
            for posting in line.postings { places[posting] = place }
        }
        var missing = [Int](repeating: 0, count: lines.count)
        var followers = [[Int]](repeating: [], count: lines.count)
        for (place, line) in lines.enumerated() {
            for posting in line.postings {
                let previous = Posting(account: posting.account, seq: posting.seq - 1)
                guard let before = places[previous], before != place else { continue }
                missing[place] += 1
                followers[before].append(place)
            }
        }
        var free = SortedPlaces(lines.indices.filter { missing[$0] == 0 })
        var order: [Int] = []
        while let place = free.popFirst() {
            order.append(place)
            for follower in followers[place] {
                missing[follower] -= 1
                if missing[follower] == 0 { free.insert(follower) }
            }
        }
        order += lines.indices.filter { missing[$0] > 0 }
        return order.map { lines[$0].id }
    }

    /// Reads the entries and puts them in order.
    static func read(_ ids: [Int64], on connection: PostgresConnection) async throws -> [Int64] {
        var lines = try await connection.run(lines(ids))
        let postings = try await ChainReader(connection: connection).postings(of: ids)
        for index in lines.indices {
            lines[index].postings = postings[lines[index].id, default: []].map {
                Posting(account: $0.accountID, seq: $0.seq)
            }
        }
        return order(lines)
    }

    private static func lines(_ ids: [Int64]) -> PostgresQuery<[Line]> {
        PostgresQuery(
            """
            SELECT id, (extract(epoch FROM recorded_at) * 1000000)::bigint FROM journal_entry WHERE id = ANY($1)
            UNION ALL
            SELECT id, (extract(epoch FROM recorded_at) * 1000000)::bigint FROM occurrence WHERE id = ANY($1)
            """,
            [ids]
        ) { row in Line(id: try row[0], recordedAt: try row[1]) }
    }
}

/// Places that are taken lowest first.
private struct SortedPlaces {
    /// In descending order.
    private var places: [Int]

    init(_ places: [Int]) { self.places = places.sorted(by: >) }

    mutating func popFirst() -> Int? { places.popLast() }

    mutating func insert(_ place: Int) {
        var (low, high) = (0, places.count)
        while low < high {
            let middle = (low + high) / 2
            if places[middle] > place { low = middle + 1 } else { high = middle }
        }
        places.insert(place, at: low)
    }
}
