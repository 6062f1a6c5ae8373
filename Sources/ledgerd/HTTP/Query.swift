import Hummingbird
import WireFormats

/// The query of a request, whose parameters are all known to the route.
///
/// A name that nobody reads is refused: with a misspelt `from`, the payments of all years would be taken for a month's.
struct Query: Sendable {
    private let values: [String: String]

    /// - Parameter known: the names that the route reads.
    /// - Throws: `invalid_request` naming a parameter that is not known or is given twice.
    init(_ request: Request, _ known: [String]) throws(Problem) {
        guard let pairs = FormText.decodePairs((request.uri.query ?? "").utf8) else {
            throw .invalid(member: "query", "the query is not percent-encoded UTF-8")
        }
        var values: [String: String] = [:]
        for (name, value) in pairs {
            guard known.contains(name) else { throw .unknownParameter(name, known: known) }
            guard values.updateValue(value, forKey: name) == nil else {
                throw .invalid(member: name, "\(name) is given twice")
            }
        }
        self.values = values
    }

    /// The value of a parameter; nil: it is not given.
    subscript(_ name: String) -> String? { values[name] }

    /// The names and values that are given, in alphabetical order.
    var pairs: [(name: String, value: String)] {
        values.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
    }

    /// What a parameter means, if it is given.
    ///
    /// - Parameter rule: what its text must be, for a person.
    func parsed<Value>(_ name: String, _ rule: String, _ parse: (String) -> Value?) throws(Problem) -> Value? {
        guard let text = self[name] else { return nil }
        guard let value = parse(text) else { throw .invalid(member: name, "\(name) must be \(rule)") }
        return value
    }

    /// The one of a few words that a parameter is, if it is given.
    func choice<Value: RawRepresentable<String> & CaseIterable>(
        _ name: String, of _: Value.Type = Value.self
    ) throws(Problem) -> Value? {
        try choice(name, among: Value.allCases.map(\.rawValue)).flatMap(Value.init(rawValue:))
    }

    /// The one of these words that a parameter is, if it is given.
    func choice(_ name: String, among words: [String]) throws(Problem) -> String? {
        try parsed(name, "one of \(words.joined(separator: ", "))") { words.contains($0) ? $0 : nil }
    }
}

extension Request {
    /// The query, whose parameters are these.
    func query(_ known: String...) throws(Problem) -> Query { try Query(self, known) }
}

extension Problem {
    fileprivate static func unknownParameter(_ name: String, known: [String]) -> Problem {
        .invalid(
            member: String(name.prefix(100)), NearestName.sentence("there is no such parameter", name, known: known))
    }
}
