/// Suggestions for misspelt paths.
///
/// The work for one path is bounded: a longer path, or one with more parts, gets no suggestion.
struct NearestPath: Sendable {
    private let known: [Known]

    private struct Known: Sendable {
        let path: String
        /// Who may call an operation of it.
        let callers: Set<Callers>
        /// The parts; nil: a part such as `{id}`, which can be anything.
        let parts: [[UInt8]?]
        /// The largest difference at which this path is suggested.
        let limit: Int
    }

    private static let mostBytes = 256
    private static let mostParts = 10

    /// - Parameter operations: those that are offered, with patterns such as `/v1/holds/{id}`.
    init(_ operations: [Operation]) {
        let callers = Dictionary(grouping: operations, by: \.path).mapValues { Set($0.map(\.callers)) }
        known = callers.sorted { $0.key < $1.key }.map { path, callers in
            let parts = Self.parts(path).map { $0.first == UInt8(ascii: "{") ? nil : $0 }
            return Known(
                path: path, callers: callers, parts: parts,
                limit: max(4, parts.reduce(0) { $0 + ($1?.count ?? 0) } / 3))
        }
    }

    /// The known path that is most similar to an unknown one, among those that the caller may call.
    ///
    /// - Parameter scopes: those of the caller's token; empty: there is no valid token.
    /// - Returns: nil: none is similar, or the path itself is known.
    func find(_ path: String, for scopes: Scope) -> String? {
        guard path.utf8.count <= Self.mostBytes else { return nil }
        let parts = Self.parts(path)
        guard (1...Self.mostParts).contains(parts.count) else { return nil }
        let callable = known.lazy.filter { $0.callers.contains { $0.missing(from: scopes) == nil } }
        let nearest = callable.map { (known: $0, difference: Self.difference(parts, $0.parts)) }
            .min { $0.difference < $1.difference }
        guard let nearest, nearest.difference > 0, nearest.difference <= nearest.known.limit else { return nil }
        return nearest.known.path
    }

    private static func parts(_ path: String) -> [[UInt8]] {
        path.utf8.split(separator: UInt8(ascii: "/")).map(Array.init)
    }

    /// The least cost of changing, adding and removing parts until both paths are equal.
    private static func difference(_ parts: [[UInt8]], _ known: [[UInt8]?]) -> Int {
        var row = known.reduce(into: [0]) { row, part in row.append((row.last ?? 0) + cost(part)) }
        for part in parts {
            var diagonal = row[0]
            row[0] += cost(part)
            for place in known.indices {
                let changed = change(part, known[place]).map { diagonal + $0 }
                diagonal = row[place + 1]
                row[place + 1] = min(changed ?? .max, row[place] + cost(known[place]), diagonal + cost(part))
            }
        }
        return row.last ?? 0
    }

    /// The cost of adding or removing a part; of one that can be anything, as many letters as an id often has.
    private static func cost(_ part: [UInt8]?) -> Int { (part?.count ?? 2) + 1 }

    /// The cost of changing a part into another; nil: they are not similar.
    private static func change(_ part: [UInt8], _ known: [UInt8]?) -> Int? {
        guard let known else { return 0 }
        let most = max(1, known.count / 3)
        guard abs(part.count - known.count) <= most else { return nil }
        let distance = NearestName.distance(part, known)
        return distance <= most ? distance : nil
    }
}
