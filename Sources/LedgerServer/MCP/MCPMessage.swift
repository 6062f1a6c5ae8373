import WireFormats

/// A message of the Model Context Protocol: one object of JSON-RPC 2.0.
struct MCPMessage {
    /// Empty: a response, for which we never ask.
    let method: String
    let params: JSON
    /// A text or a number; nil: nothing is replied, because it is a notification or a response.
    let id: JSON?

    /// Reads a message.
    ///
    /// - Throws: `malformed_json`; `repeated_member`; `invalid_request` for what is no message, such as several in an array.
    init(_ bytes: [UInt8]) throws(Problem) {
        let json: JSON
        do throws(JSONParser.Malformed) {
            json = try JSONParser.parse(bytes)
        } catch {
            throw Problem(error)
        }
        guard json["jsonrpc"]?.text == "2.0" else {
            throw .invalid(pointer: "/jsonrpc", "the body must be one message of JSON-RPC 2.0")
        }
        params = json["params"] ?? .null
        guard let method = json["method"]?.text else {
            guard json["result"] != nil || json["error"] != nil else {
                throw .invalid(pointer: "/method", "a message has a method, a result or an error")
            }
            (self.method, id) = ("", nil)
            return
        }
        switch json["id"] {
        case nil, .string?, .number?: (self.method, id) = (method, json["id"])
        default: throw .invalid(pointer: "/id", "id must be a text or a number")
        }
    }
}

/// Why a request of the protocol has no result.
///
/// What a tool refuses is no such error, but a result with `isError`, because the model can read it and do better.
struct MCPError: Error {
    /// As JSON-RPC 2.0 numbers them.
    let code: Int
    let message: String

    static func unknownMethod(_ method: String) -> MCPError {
        MCPError(code: -32601, message: "the method \(method.prefix(100)) is unknown")
    }

    static func invalidParams(_ message: String) -> MCPError { MCPError(code: -32602, message: message) }
}

extension MCPError {
    /// The error of what is no message.
    init(_ problem: Problem) {
        self.init(
            code: problem.code == .malformedJSON ? -32700 : -32600, message: problem.detail ?? problem.code.title)
    }
}

/// The replies to requests.
enum MCPReply {
    static func result(_ result: JSON, to id: JSON) -> JSON {
        .object(["jsonrpc": .string("2.0"), "id": id, "result": result])
    }

    /// - Parameter id: the request's; null: it could not be read.
    static func error(_ error: MCPError, to id: JSON) -> JSON {
        let body: [String: JSON] = ["code": .number("\(error.code)"), "message": .string(error.message)]
        return .object(["jsonrpc": .string("2.0"), "id": id, "error": .object(body)])
    }
}
