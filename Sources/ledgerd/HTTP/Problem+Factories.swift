import Hummingbird
import WireFormats

// The problems whose members or headers always go together.
extension Problem {
    /// A body's member that must be there is not, or is empty.
    ///
    /// - Parameter pointer: the member's JSON pointer (RFC 6901), such as `/imp_uid`.
    static func missingMember(_ pointer: String, _ detail: String? = nil) -> Problem {
        Problem(.missingMember, detail ?? "\(pointer) is required", members: ["pointer": .string(pointer)])
    }

    /// A body has a member that nobody reads.
    ///
    /// - Parameter known: the members that are read there.
    static func unknownMember(_ pointer: String, _ name: String, known: [String]) -> Problem {
        var problem = Problem(
            .unknownMember, NearestName.sentence("\(pointer) is not known here", name, known: known),
            members: ["pointer": .string(pointer)])
        if !known.isEmpty { problem.members.append((name: "known", value: .strings(known.sorted()))) }
        return problem
    }

    /// A body is no JSON, or says something twice.
    init(_ error: JSONParser.Malformed) {
        guard let path = error.repeated else {
            self.init(.malformedJSON, "the body is not valid JSON in UTF-8 at byte \(error.offset)")
            return
        }
        let pointer = JSONPointer(path).text
        self.init(.repeatedMember, "\(pointer) is there twice", members: ["pointer": .string(pointer)])
    }

    /// A body's member is of another type than it must be.
    ///
    /// - Parameter expected: the type it must be, for a person, such as `an integer`.
    static func wrongType(_ pointer: String, expected: String) -> Problem {
        let name = pointer.isEmpty ? "the body" : pointer
        return Problem(.wrongType, "\(name) must be \(expected)", members: ["pointer": .string(pointer)])
    }

    /// A body's member is of the right type and says something that can't be.
    static func invalid(pointer: String, _ detail: String) -> Problem {
        Problem(.invalidRequest, detail, members: ["pointer": .string(pointer)])
    }

    /// A query item, path part or header says something that can't be.
    ///
    /// - Parameter member: its name, such as `cursor` or `Idempotency-Key`.
    static func invalid(member: String, _ detail: String) -> Problem {
        Problem(.invalidRequest, detail, members: ["member": .string(member)])
    }

    /// The path is known, with other methods.
    static func methodNotAllowed(allow: [HTTPRequest.Method]) -> Problem {
        let methods = allow.map(\.rawValue).sorted()
        return Problem(
            .methodNotAllowed, members: ["allow": .strings(methods)],
            headers: [.allow: methods.joined(separator: ", ")])
    }

    // RFC 6750 §3: a request without a token gets the scheme alone, one with a bad token learns why.
    static let tokenMissing = Problem(.tokenMissing, headers: [.wwwAuthenticate: #"Bearer realm="ledgerd""#])

    static let tokenExpired = Problem(
        .tokenExpired,
        headers: [
            .wwwAuthenticate:
                #"Bearer realm="ledgerd", error="invalid_token", error_description="the token has expired""#
        ])

    /// - Parameter reason: which rule the token breaks, a constant text.
    static func tokenInvalid(_ reason: StaticString) -> Problem {
        Problem(
            .tokenInvalid, "\(reason)",
            headers: [.wwwAuthenticate: #"Bearer realm="ledgerd", error="invalid_token""#])
    }

    /// The token is signed and names nobody who could have a wallet.
    static let subjectInvalid: Problem = {
        var problem = tokenInvalid("the subject is missing or can't be a user's id")
        problem.members = [(name: "claim", value: "sub")]
        return problem
    }()

    /// Whether it is the token's subject that is wrong, and nothing else of the token.
    var isAboutSubject: Bool { members.contains { $0.name == "claim" && $0.value == "sub" } }

    /// The token is good and does not hold the scope.
    static func forbidden(needs scope: Scope) -> Problem {
        Problem(
            .forbidden, "the scope \(scope) is required", members: ["required_scope": .string(scope.description)],
            headers: [
                .wwwAuthenticate: #"Bearer realm="ledgerd", error="insufficient_scope", scope="\#(scope)""#
            ])
    }
}
