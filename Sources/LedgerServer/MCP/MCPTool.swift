import WireFormats

/// A tool: a look-up of the API, under the name of its operation.
///
/// Names, descriptions, arguments and results are those of the API's document.
struct MCPTool: Sendable {
    let operation: Operation
    /// As `tools/list` shows it.
    let listed: JSON

    /// The operations that are tools, in the order in which they are listed: what customer support and finance look up.
    static let names = [
        "searchCustomers", "getUserBalance", "listUserPurchases", "findPurchases", "getPurchase", "listUserStatement",
        "listUserTimeline", "listUserReceipts",
        "listFindings", "getFinding", "listReconciliations", "getReconciliation", "listReconciliationItems",
        "getOpenItems", "listPeriods", "getClosingChecklist", "examineBooks",
    ]

    /// All tools; made once, when the first is asked for.
    static let all: [MCPTool] = {
        guard let root = try? JSONParser.parse(APIDocument.json) else { return [] }
        let document = MCPSchemas(root: root)
        return names.compactMap { name in
            Operation.all.first { $0.id == name && $0.method == .get }.flatMap { MCPTool($0, in: document) }
        }
    }()

    /// - Returns: nil for an operation that is not in the document, or does not answer with an object.
    private init?(_ operation: Operation, in document: MCPSchemas) {
        guard let input = document.input(of: operation), let output = document.output(of: operation) else { return nil }
        self.operation = operation
        let sentences = [operation.summary + "."] + [operation.description].compactMap(\.self)
        listed = .object([
            "name": .string(operation.id), "title": .string(operation.summary),
            "description": .string(sentences.joined(separator: " ")),
            "inputSchema": input, "outputSchema": output,
            // It changes nothing, and what it reads is the shop's own.
            "annotations": .object([
                "readOnlyHint": .bool(true), "destructiveHint": .bool(false), "idempotentHint": .bool(true),
                "openWorldHint": .bool(false),
            ]),
        ])
    }

    /// Where the API looks this up.
    ///
    /// What no parameter is becomes one of the query, which the API refuses by its name.
    ///
    /// - Throws: `invalid_request` for an argument that is an object, and without one that the path needs.
    func path(with arguments: [String: JSON]) throws(Problem) -> String {
        var (path, rest) = (operation.path, arguments)
        for parameter in operation.parameters where parameter.place == .path {
            let text = try rest.removeValue(forKey: parameter.name).flatMap { value throws(Problem) in
                try Self.text(of: value, parameter.name)
            }
            guard let text, !text.isEmpty else {
                throw .invalid(member: parameter.name, "\(parameter.name) is required")
            }
            path.replace("{\(parameter.name)}", with: FormText.encode(text))
        }
        var query: [String] = []
        for (name, value) in rest.sorted(by: { $0.key < $1.key }) {
            guard let text = try Self.text(of: value, name) else { continue }
            query.append(FormText.encode(name) + "=" + FormText.encode(text))
        }
        return query.isEmpty ? path : path + "?" + query.joined(separator: "&")
    }

    /// The text of a parameter: several values stand with commas between them; nil: it is left out.
    private static func text(of value: JSON, _ name: String) throws(Problem) -> String? {
        switch value {
        case .null: return nil
        case .bool(let flag): return "\(flag)"
        case .number(let digits): return digits
        case .string(let text): return text
        case .array(let elements):
            var texts: [String] = []
            for element in elements { texts.append(try text(of: element, name) ?? "") }
            return texts.joined(separator: ",")
        case .object:
            let shown = String(name.prefix(100))
            throw .invalid(member: shown, "\(shown) must not be an object")
        }
    }
}
