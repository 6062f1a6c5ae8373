extension Reference {
    /// The operation's requests as commands to copy, and what comes back.
    func samples(of operation: APIDocument.Operation) -> [[String: String]] {
        requests(of: operation) + responses(of: operation)
    }

    /// The variables of the commands.
    var variables: [[String: Any]] {
        let callers = document.operations.flatMap { $0.callers.first ?? [] }
        let used = document.callers.map(\.name).filter(callers.contains).map(variable)
        let names = ["LEDGERD_URL"] + used
        return names.map { ["name": $0, "last": $0 == names.last] }
    }

    private func requests(of operation: APIDocument.Operation) -> [[String: String]] {
        var bodies: [(title: String, body: CurlCommand.Body?)] = operation.bodies.flatMap { media in
            media.examples.map { (title: $0.summary ?? "", body: body(of: $0.value, as: media.type)) }
        }
        if bodies.isEmpty { bodies = [(title: "", body: nil)] }
        return zip(bodies, 1...).map { request, number in
            // Two requests never share a key, also when both are copied.
            let command = command(operation, request.body, key: "\(operation.id)-\(number)")
            return [
                "title": request.title.isEmpty ? "Request" : "Request: \(request.title)",
                "code": escape(command.text),
            ]
        }
    }

    private func command(
        _ operation: APIDocument.Operation, _ body: CurlCommand.Body?, key: String
    ) -> CurlCommand {
        func given(_ place: String) -> [(name: String, value: String)] {
            operation.parameters.filter { $0.place == place }.compactMap { parameter in
                parameter.example.map { (name: parameter.name, value: $0.text ?? $0.line) }
            }
        }
        // The query of a write is a part of it; that of a read narrows it down.
        let left = Set(operation.parameters.filter { body == nil && !$0.isRequired && !$0.isOneOf }.map(\.name))
        return CurlCommand(
            method: operation.method.uppercased(),
            path: given("path").reduce(operation.path) { $0.replacing("{\($1.name)}", with: $1.value) },
            query: given("query").filter { !left.contains($0.name) },
            headers: (operation.callers.first ?? []).compactMap(credential)
                + given("header").map { (name: $0.name, value: $0.name == "Idempotency-Key" ? key : $0.value) },
            body: body)
    }

    private func body(of value: OrderedJSON, as media: String) -> CurlCommand.Body {
        switch media {
        case "application/json": .json(value)
        case "application/x-www-form-urlencoded": .form(value.members)
        default: .text(value.text ?? "", media: media)
        }
    }

    private func credential(_ caller: String) -> (name: String, value: String)? {
        document.callers.first { $0.name == caller }.map { scheme in
            scheme.header.map { (name: $0, value: "$\(variable(caller))") }
                ?? (name: "Authorization", value: "Bearer $\(variable(caller))")
        }
    }

    /// The variable in dev.env: `SERVICE_TOKEN` for `service`, `APP_KEY` for `appKey`.
    private func variable(_ caller: String) -> String {
        let words = caller.replacing(/[A-Z]/) { "_\($0.output)" }.uppercased()
        return words == caller.uppercased() ? "\(words)_TOKEN" : words
    }

    private func responses(of operation: APIDocument.Operation) -> [[String: String]] {
        var shown: [(statuses: [String], code: String)] = []
        for answer in operation.answers where answer.status.hasPrefix("2") {
            for body in answer.bodies {
                let values = body.examples.isEmpty ? [document.example(of: body.schema)] : body.examples.map(\.value)
                for code in values.compactMap({ $0.map(code) }) {
                    if let place = shown.firstIndex(where: { $0.code == code }) {
                        shown[place].statuses.append(answer.status)
                    } else {
                        shown.append((statuses: [answer.status], code: code))
                    }
                }
            }
        }
        return shown.map { ["title": "Response \($0.statuses.joined(separator: ", "))", "code": $0.code] }
    }
}
