import ArgumentParser
import CivilTime
import Foundation
import Ledger
import LedgerWire

/// How many lines of a list are shown, and how.
struct ListOptions: ParsableArguments {
    @Option(help: "The most lines, 1 to 1000.") var limit = 50
    @Flag(help: "Print JSON.") var json = false

    func validate() throws {
        guard (1...1000).contains(limit) else { throw ValidationError("--limit must be 1 to 1000") }
    }

    /// Prints a list, as the API's bodies or as a table; says on standard error that there is more.
    func show<Element, Cursor, Body: ListedBody>(
        _ page: Page<Element, Cursor>, _ columns: [TextTable.Column], row: (Element) -> [TextTable.Cell],
        body: (Element) -> Body
    ) throws {
        try show(page.elements, hasMore: page.next != nil, columns, row: row, body: body)
    }

    /// The same, of a list that has no pages.
    func show<Element, Body: ListedBody>(
        _ elements: [Element], hasMore: Bool = false, _ columns: [TextTable.Column],
        row: (Element) -> [TextTable.Cell], body: (Element) -> Body
    ) throws {
        if json {
            try JSONOutput.show(elements.map(body), hasMore: hasMore)
        } else {
            print(TextTable.text(columns, elements.map(row)))
        }
        if hasMore { StandardError.print("There is more: give a larger --limit.") }
    }
}

/// A command's result as JSON.
enum JSONOutput {
    static func show(_ value: some Encodable) throws { print(String(buffer: try AnswerJSON.encode(value))) }

    /// A list under its name in the API, and whether there is more.
    static func show<Body: ListedBody>(_ list: [Body], hasMore: Bool = false) throws {
        try show(JSONList(items: list, hasMore: hasMore))
    }
}

/// A list that has no cursor: a command is given a larger limit.
private struct JSONList<Body: ListedBody>: Encodable {
    let items: [Body]
    let hasMore: Bool

    func encode(to encoder: any Encoder) throws {
        var list = encoder.container(keyedBy: Name.self)
        try list.encode(items, forKey: Name(stringValue: Body.listName))
        try list.encode(hasMore, forKey: Name(stringValue: "has_more"))
    }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}

/// The argument or option that names a user.
enum UserArgument {
    static func user(_ text: String) throws -> UserID {
        guard let user = UserID(rawValue: text) else { throw ValidationError("must be \(UserID.rule)") }
        return user
    }
}

extension TextTable.Cell {
    /// A moment; nil: `-`.
    init(_ moment: Date?) { self.init(moment.map { RFC3339.string(from: $0) } ?? "-") }
}

/// The amount of a payment, as tables show it: in minor units, with the currency.
enum AmountText {
    static func text(_ amount: Int64, _ currency: String) -> String { "\(amount) \(currency)" }
}
