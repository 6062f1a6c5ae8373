extension String {
    /// The parts between commas, trimmed of spaces, without empty ones.
    var commaSeparated: [String] {
        split(separator: ",").compactMap { part in
            let start = part.drop { $0 == " " }
            return start.lastIndex { $0 != " " }.map { String(start[...$0]) }
        }
    }
}
