import Ledger
import WireFormats

extension LedgerdRequestContext {
    /// The user whose token it is.
    func requireUser() throws -> UserID {
        guard let user = UserID(rawValue: try requirePrincipal().subject) else {
            throw Problem.subjectInvalid
        }
        return user
    }

    /// The user that the path names.
    func requireUserInPath() throws -> UserID { try requireOwnerInPath("user") }

    /// The user or provider that the path's part of this name names.
    func requireOwnerInPath(_ name: String) throws -> UserID {
        guard let text = parameters.get(name).flatMap({ FormText.decodePath($0) }), let owner = UserID(rawValue: text)
        else { throw Problem.invalid(member: name, "\(name) must be an id of \(UserID.rule), percent-encoded") }
        return owner
    }
}
