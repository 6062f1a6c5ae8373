extension String {
    /// The non-empty parts between commas, without surrounding spaces.
    var commaSeparated: [String] {
        split(separator: ",").compactMap { part in
            let start = part.drop { $0 == " " }
            return start.lastIndex { $0 != " " }.map { String(start[...$0]) }
        }
    }
}
