extension String {
    /// The text, if a store can have made it as an id: nothing in it can change a request path.
    ///
    /// - Throws: the rule that is broken.
    func checkedAsStoreID(
        of field: String, longest: Int = 64, allowsDots: Bool = false
    ) throws(MalformedIdentifier) -> String {
        guard (1...longest).contains(utf8.count) else {
            throw MalformedIdentifier(field: field, rule: "must have 1 to \(longest) characters")
        }
        let marks = allowsDots ? "'.', '_' and '-'" : "'_' and '-'"
        guard unicodeScalars.allSatisfy({ $0.isInStoreIDs || (allowsDots && $0 == ".") }), isOnePathSegment else {
            throw MalformedIdentifier(field: field, rule: "must contain only letters, digits, \(marks)")
        }
        return self
    }
}

extension Unicode.Scalar {
    fileprivate var isInStoreIDs: Bool {
        switch self {
        case "a"..."z", "A"..."Z", "0"..."9", "_", "-": true
        default: false
        }
    }
}
