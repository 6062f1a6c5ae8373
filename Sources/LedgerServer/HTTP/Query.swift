package import Hummingbird
import WireFormats

/// The query of a request, in which all parameters are known.
///
/// Unknown parameters are refused. Otherwise, a report with a misspelt `from` would silently include all years.
package struct Query: Sendable {
    private let values: [String: String]

    /// - Parameter known: the parameters of the route.
    /// - Throws: `invalid_request` with the name of a parameter that is unknown, repeated or has control characters.
    init(_ request: Request, _ known: [String]) throws(Problem) {
        guard let pairs = FormText.decodePairs((request.uri.query ?? "").utf8) else {
            throw .invalid(member: "query", "the query is not percent-encoded UTF-8")
        }
        var values: [String: String] = [:]
        for (name, value) in pairs {
            // PostgreSQL can't store U+0000, at which a function of C ends a text: `UTC%00x` would be the zone UTC.
            guard !name.hasControls, !value.hasControls else {
                let shown = known.contains(name) ? name : "query"
                throw .invalid(member: shown, "\(shown) must not have control characters")
            }
            guard known.contains(name) else { throw .unknownParameter(name, known: known) }
            guard values.updateValue(value, forKey: name) == nil else {
                throw .invalid(member: name, "\(name) is given twice")
            }
        }
        self.values = values
    }

    /// The value of a parameter, if given.
    package subscript(_ name: String) -> String? { values[name] }

    /// The given names and values, in alphabetical order.
    var pairs: [(name: String, value: String)] {
        values.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
    }

    /// The parsed value of a parameter, if given.
    ///
    /// - Parameter rule: the description of valid texts, worded to follow "must be".
    func parsed<Value>(_ name: String, _ rule: String, _ parse: (String) -> Value?) throws(Problem) -> Value? {
        guard let text = self[name] else { return nil }
        guard let value = parse(text) else { throw .invalid(member: name, "\(name) must be \(rule)") }
        return value
    }

    /// The whole number in a parameter, if given.
    func whole(_ name: String, _ range: ClosedRange<Int64>) throws(Problem) -> Int64? {
        try parsed(name, "an integer from \(range.lowerBound) to \(range.upperBound)") { text in
            Int64(digits: text).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// The value of a parameter with several choices, if given.
    func choice<Value: RawRepresentable<String> & CaseIterable>(
        _ name: String, of _: Value.Type = Value.self
    ) throws(Problem) -> Value? {
        try choice(name, among: Value.allCases.map(\.rawValue)).flatMap(Value.init(rawValue:))
    }

    /// The value of a parameter with these choices, if given.
    func choice(_ name: String, among words: [String]) throws(Problem) -> String? {
        try parsed(name, "one of \(words.joined(separator: ", "))") { words.contains($0) ? $0 : nil }
    }
}

extension Request {
    /// The query, with these parameters allowed.
    package func query(_ known: String...) throws(Problem) -> Query { try Query(self, known) }
}

extension Problem {
    fileprivate static func unknownParameter(_ name: String, known: [String]) -> Problem {
        .invalid(
            member: String(name.prefix(100)), NearestName.sentence("the parameter is unknown", name, known: known))
    }
}
