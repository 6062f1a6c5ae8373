import Hummingbird
import WireFormats

// Problems with their members and headers.
extension Problem {
    /// A required member of the body is missing or empty.
    ///
    /// - Parameter pointer: the member's JSON pointer (RFC 6901), such as `/imp_uid`.
    package static func missingMember(_ pointer: String, _ detail: String? = nil) -> Problem {
        Problem(.missingMember, detail ?? "\(pointer) is required", members: ["pointer": .string(pointer)])
    }

    /// The body has an unknown member.
    ///
    /// - Parameter known: the known members of the same object.
    static func unknownMember(_ pointer: String, _ name: String, known: [String]) -> Problem {
        var problem = Problem(
            .unknownMember, NearestName.sentence("\(pointer) is unknown", name, known: known),
            members: ["pointer": .string(pointer)])
        if !known.isEmpty { problem.members.append((name: "known", value: .strings(known.sorted()))) }
        return problem
    }

    /// The body is not JSON, or has a member twice.
    init(_ error: JSONParser.Malformed) {
        guard let path = error.repeated else {
            self.init(.malformedJSON, "the body is not valid JSON in UTF-8 at byte \(error.offset)")
            return
        }
        let pointer = JSONPointer(path).text
        self.init(.repeatedMember, "\(pointer) is given twice", members: ["pointer": .string(pointer)])
    }

    /// A member of the body has the wrong type.
    ///
    /// - Parameters:
    ///   - expected: the expected type, for people, such as `an integer`.
    ///   - found: what it is.
    static func wrongType(_ pointer: String, expected: String, found: String) -> Problem {
        let name = pointer.isEmpty ? "the body" : pointer
        return Problem(
            .wrongType, "\(name) must be \(expected), not \(found)", members: ["pointer": .string(pointer)])
    }

    /// A member is `null` that means all when it is left out.
    static func nullIsNotAll(_ pointer: String) -> Problem {
        Problem(
            .wrongType, "\(pointer) must not be null: leave it out to mean all, or send a value",
            members: ["pointer": .string(pointer)])
    }

    /// A member of the body has an invalid value of the right type.
    static func invalid(pointer: String, _ detail: String) -> Problem {
        Problem(.invalidRequest, detail, members: ["pointer": .string(pointer)])
    }

    /// A query parameter, part of the path or header has an invalid value.
    ///
    /// - Parameter member: its name, such as `cursor` or `Idempotency-Key`.
    package static func invalid(member: String, _ detail: String) -> Problem {
        Problem(.invalidRequest, detail, members: ["member": .string(member)])
    }

    /// The path supports only other methods.
    static func methodNotAllowed(allow: [HTTPRequest.Method]) -> Problem {
        let methods = allow.map(\.rawValue).sorted()
        return Problem(
            .methodNotAllowed, members: ["allow": .strings(methods)],
            headers: [.allow: methods.joined(separator: ", ")])
    }

    // RFC 6750 §3: the response to a request without a token has no error code, only the scheme.
    static let tokenMissing = Problem(.tokenMissing, headers: [.wwwAuthenticate: #"Bearer realm="ledgerd""#])

    /// The header has no token that can be read.
    ///
    /// - Parameter reason: what is wrong with it; a constant, so that it can't have secrets.
    static func tokenMissing(_ reason: StaticString) -> Problem {
        var problem = tokenMissing
        problem.detail = "\(reason)"
        return problem
    }

    static let tokenExpired = Problem(
        .tokenExpired,
        headers: [
            .wwwAuthenticate:
                #"Bearer realm="ledgerd", error="invalid_token", error_description="the token has expired""#
        ])

    /// - Parameter reason: the violated rule; a constant, so that it can't have secrets.
    static func tokenInvalid(_ reason: StaticString) -> Problem {
        Problem(
            .tokenInvalid, "\(reason)",
            headers: [.wwwAuthenticate: #"Bearer realm="ledgerd", error="invalid_token""#])
    }

    /// The token is verified, but its user is missing or can't be a user's id.
    static let subjectInvalid: Problem = {
        var problem = tokenInvalid("the subject is missing or can't be a user's id")
        problem.members = [(name: "claim", value: "sub")]
        return problem
    }()

    /// Whether only the token's subject is wrong.
    var isAboutSubject: Bool { members.contains { $0.name == "claim" && $0.value == "sub" } }

    /// The token is valid, but lacks the scope.
    static func forbidden(needs scope: Scope) -> Problem {
        Problem(
            .forbidden, "the scope \(scope) is required", members: ["required_scope": .string(scope.description)],
            headers: [
                .wwwAuthenticate: #"Bearer realm="ledgerd", error="insufficient_scope", scope="\#(scope)""#
            ])
    }
}
