import FoundationEssentials
package import SandboxSupport

/// An answer and what is in it.
package struct Answer: Sendable {
    package let status: Int
    package let contentType: String?
    package let text: String
    package let location: String
    package let retryAfter: String?

    package init(
        status: Int, contentType: String?, text: String, location: String = "", retryAfter: String? = nil
    ) {
        self.status = status
        self.contentType = contentType
        self.text = text
        self.location = location
        self.retryAfter = retryAfter
    }

    package var json: JSONValue { (try? JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))) ?? .null }

    package var code: JSONValue { self["code"] }
    package var message: String { self["message"].text }

    package subscript(name: String) -> JSONValue { json[name] }
}

extension JSONValue {
    package subscript(name: String) -> JSONValue {
        guard case .object(let members) = self else { return .null }
        return members[name] ?? .null
    }

    package var text: String {
        guard case .string(let text) = self else { return "" }
        return text
    }

    package var integer: Int {
        guard case .number(let number) = self else { return -1 }
        return Int(number.description) ?? -1
    }

    package var elements: [JSONValue] {
        guard case .array(let elements) = self else { return [] }
        return elements
    }
}
