/// Suggestions for misspelt names.
enum NearestName {
    /// The known name that is most similar to an unknown one; nil if none is similar.
    static func find(_ name: String, among known: [String]) -> String? {
        guard name.utf8.count <= 64 else { return nil }
        let nearest = known.map { (name: $0, distance: distance(Array(name.utf8), Array($0.utf8))) }
            .min { $0.distance < $1.distance }
        guard let nearest, nearest.distance <= max(1, nearest.name.utf8.count / 3) else { return nil }
        return nearest.name
    }

    /// An error message for an unknown name, with a suggestion or all known names.
    static func sentence(_ problem: String, _ name: String, known: [String]) -> String {
        if let nearest = find(name, among: known) { return "\(problem); did you mean \(nearest)?" }
        return known.isEmpty ? problem : "\(problem); known names: \(known.sorted().joined(separator: ", "))"
    }

    /// The number of letters to insert, remove or replace (Levenshtein distance).
    static func distance(_ one: [UInt8], _ other: [UInt8]) -> Int {
        var row = Array(0...other.count)
        for (index, letter) in one.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for place in other.indices {
                let replaced = diagonal + (letter == other[place] ? 0 : 1)
                diagonal = row[place + 1]
                row[place + 1] = min(replaced, min(row[place], diagonal) + 1)
            }
        }
        return row[other.count]
    }
}
