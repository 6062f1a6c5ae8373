package import FoundationEssentials
package import Hummingbird

/// The members of a control request, read strictly: unknown members are refused.
package struct ControlMembers {
    private let members: [String: JSONValue]

    package init(_ value: JSONValue, known: Set<String>) throws(ControlError) {
        guard case .object(let members) = value else {
            throw ControlError(.badRequest, "body", "must be a JSON object")
        }
        if let unknown = members.keys.sorted().first(where: { !known.contains($0) }) {
            throw ControlError(
                .badRequest, String(unknown.prefix(40)),
                "is unknown; known members: " + known.sorted().joined(separator: ", "))
        }
        self.members = members
    }

    package static func body(of request: Request) async throws -> JSONValue {
        let body = try await request.body.collect(upTo: Request.maxBodyBytes)
        guard let value = try? JSONDecoder().decode(JSONValue.self, from: Data(body.readableBytesView)) else {
            throw ControlError(.badRequest, "body", "must be JSON")
        }
        return value
    }

    /// The raw member; nil if it is missing or null.
    package func value(_ name: String) -> JSONValue? {
        members[name].flatMap { $0 == .null ? nil : $0 }
    }

    package func text(_ name: String, atMost limit: Int = 255) throws(ControlError) -> String? {
        guard let value = value(name) else { return nil }
        guard case .string(let text) = value, (1...limit).contains(text.unicodeScalars.count) else {
            throw ControlError(.badRequest, name, "must be a string of 1 to \(limit) characters")
        }
        return text
    }

    package func amount(_ name: String) throws(ControlError) -> Decimal? {
        guard let value = value(name) else { return nil }
        guard case .number(let amount) = value, amount >= 0, amount.hasAtMost(4) else {
            throw ControlError(.badRequest, name, "must be a number of 0 or more")
        }
        return amount
    }

    package func flag(_ name: String) throws(ControlError) -> Bool? {
        guard let value = value(name) else { return nil }
        guard case .bool(let flag) = value else { throw ControlError(.badRequest, name, "must be true or false") }
        return flag
    }

    package func integer(_ name: String, in range: ClosedRange<Int>) throws(ControlError) -> Int? {
        guard let value = value(name) else { return nil }
        guard case .number(let number) = value, let integer = Int(number.description), range.contains(integer) else {
            throw ControlError(
                .badRequest, name, "must be an integer from \(range.lowerBound) to \(range.upperBound)")
        }
        return integer
    }

    package func time(_ name: String) throws(ControlError) -> Date? {
        try integer(name, in: 1...4_000_000_000).map { Date(timeIntervalSince1970: Double($0)) }
    }

    package func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String, of type: Choice.Type
    ) throws(ControlError) -> Choice? where Choice.RawValue == String {
        guard let value = value(name) else { return nil }
        guard case .string(let text) = value, let choice = Choice(rawValue: text) else {
            throw ControlError(
                .badRequest, name, "must be one of " + Choice.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return choice
    }

    /// One webhook URL or a list of them.
    package func urls(_ name: String) throws(ControlError) -> [String] {
        let values: [JSONValue] =
            switch value(name) {
            case nil: []
            case .array(let values): values
            case .some(let value): [value]
            }
        var urls: [String] = []
        for value in values {
            guard case .string(let url) = value, WebhookTarget(url) != nil, urls.count < 10 else {
                throw ControlError(.badRequest, name, "must be an http URL with a host, or a list of at most 10")
            }
            urls.append(url)
        }
        return urls
    }
}
