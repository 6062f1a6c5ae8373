import Foundation

/// What Sources/LedgerWire declares of bodies, read from its text: names, types and sentences of members.
///
/// The text has what a program can't ask a type for: the names of typealiases, and the doc comments. `Member` and the doc
/// comments say which values a member has; see ``DocComment``.
struct WireSource: Sendable {
    /// A structure, and its members in their order.
    struct Body: Sendable {
        let name: String
        let comment: DocComment
        var members: [Member] = []
        /// Whether it is a request, which the service reads strictly: by the cases of its `CodingKeys`.
        var isRequest = false
    }

    /// A member of a body.
    struct Member: Sendable {
        /// Its name in JSON.
        var name: String
        /// Its type without the question mark.
        let type: String
        let isOptional: Bool
        let comment: DocComment
    }

    /// The structures by name; a nested one is `PayoutBody.Decision`.
    private(set) var bodies: [String: Body] = [:]
    /// The typealiases by name: `Member.ID`, `SpendBody.Act`.
    private(set) var aliases: [String: Member] = [:]
    /// The names of lists by the structure of their items.
    private(set) var lists: [String: String] = [:]
    /// The text of each structure's `CodingKeys`.
    private var keys: [String: String] = [:]

    /// Reads all files of a folder.
    init(folder: URL) throws {
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        for file in files where file.pathExtension == "swift" {
            read(try String(contentsOf: file, encoding: .utf8))
        }
        for (body, text) in keys { name(body, by: text) }
    }

    /// The structure or typealias that a type means where it is written.
    func resolve(_ type: String, in owner: String) -> String? {
        let parts = owner.split(separator: ".")
        let scopes = (0...parts.count).reversed().map { parts.prefix($0).map { "\($0)." }.joined() }
        return scopes.map { $0 + type }.first { bodies[$0] != nil || aliases[$0] != nil }
    }

    /// Reads a file.
    ///
    /// Its indentation, which the formatter checks, tells what belongs to what.
    private mutating func read(_ text: String) {
        var scope: [String] = []
        var comment: [String] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let content = line.drop { $0 == " " }
            if content.hasPrefix("///") {
                comment.append(String(content.dropFirst(3)))
                continue
            }
            let depth = (line.count - content.count) / 4
            if content == "}" { scope = Array(scope.prefix(depth)) }
            read(content, of: &scope, depth: depth, comment: DocComment(comment))
            comment = []
        }
    }

    private mutating func read(_ line: Substring, of scope: inout [String], depth: Int, comment: DocComment) {
        let owner = scope.prefix(depth).joined(separator: ".")
        if let match = line.prefixMatch(of: /(?:public |private )?(struct|enum|extension) (\w+).*\{/) {
            scope = scope.prefix(depth) + [String(match.2)]
            let name = scope.joined(separator: ".")
            if match.1 == "struct" { bodies[name] = Body(name: name, comment: comment) }
            if match.2 == "CodingKeys" {
                keys[owner] = String(line[match.range.upperBound...].prefix { $0 != "}" })
                bodies[owner]?.isRequest = line.contains("CaseIterable") && owner != "ProblemBody"
            }
            if line.hasSuffix("}") { scope.removeLast() }
        } else if scope.last == "CodingKeys" {
            keys[scope.dropLast().joined(separator: "."), default: ""] += " \(line)"
        } else if let match = line.wholeMatch(of: /public (?:let|var) (\w+): ([^={?]+)(\??)/) {
            bodies[owner]?.members.append(
                Member(name: String(match.1), type: String(match.2), isOptional: !match.3.isEmpty, comment: comment))
        } else if let match = line.wholeMatch(of: /public typealias (\w+) = (\w+)/) {
            let name = owner + "." + match.1
            aliases[name] = Member(name: name, type: String(match.2), isOptional: false, comment: comment)
        } else if let match = line.wholeMatch(of: /public static let listName = "(\w+)"/) {
            lists[owner] = String(match.1)
        }
    }

    /// Gives members their names in JSON.
    private mutating func name(_ body: String, by keys: String) {
        for key in keys.matches(of: /(\w+) = "(\w+)"/) {
            guard let index = bodies[body]?.members.firstIndex(where: { $0.name == key.1 }) else { continue }
            bodies[body]?.members[index].name = String(key.2)
        }
    }
}

/// A doc comment: sentences, and the facts below them, such as ``- Values: `open`, `paid` ``.
struct DocComment: Sendable {
    /// The sentences, for readers of JSON.
    let text: String
    /// The facts' values by the facts' names.
    private let facts: [Substring: [String]]

    init(_ lines: [String]) {
        let all = lines.joined(separator: " ").replacing(#/ +/#, with: " ")
        let start = all.firstMatch(of: #/ - [A-Z][a-z ]*: /#)?.range.lowerBound ?? all.endIndex
        text = all[..<start].trimmingCharacters(in: .whitespaces)
            .replacing(/\bnil\b/, with: "absent").replacing(/\bNil\b/, with: "Absent")
        let found = all[start...].matches(of: /- ([A-Z][a-z ]*): ((?:[^-`]|`[^`]*`)*)/)
        facts = Dictionary(
            found.map { fact in
                let quoted = fact.2.matches(of: /`([^`]*)`/).map { String($0.1) }
                return (fact.1, quoted.isEmpty ? [fact.2.trimmingCharacters(in: .whitespaces)] : quoted)
            }, uniquingKeysWith: { first, _ in first })
    }

    /// The facts that ``DocumentSchemas`` writes.
    static let known: Set<String> = [
        "Values", "Known values", "Always", "Range", "Length", "Count", "Items", "Pattern", "Format", "Default", "Null",
        "Keys", "Further keys", "Schema",
    ]

    /// The names of the comment's facts.
    var names: [String] { facts.keys.map(String.init) }

    /// The values of a fact; nil if the comment does not state it.
    subscript(fact: String) -> [String]? { facts[fact[...]] }

    /// The two ends of a fact such as ``- Range: `1...100` ``; an end that is left out is nil.
    func range(_ fact: String) -> (lower: String?, upper: String?) {
        guard let range = self[fact]?.first else { return (nil, nil) }
        let ends = range.replacing("...", with: " ").split(separator: " ", omittingEmptySubsequences: false)
        return (ends[0].isEmpty ? nil : String(ends[0]), ends[1].isEmpty ? nil : String(ends[1]))
    }
}
