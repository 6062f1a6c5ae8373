import Ledger

extension LedgerdRequestContext {
    /// The user whose token it is.
    func requireUser() throws -> UserID {
        guard let user = UserID(rawValue: try requirePrincipal().subject) else {
            throw Problem.subjectInvalid
        }
        return user
    }

    /// The user that the path names.
    func requireUserInPath() throws -> UserID {
        guard let text = parameters.get("user")?.removingPercentEncoding, let user = UserID(rawValue: text) else {
            throw Problem.invalid(member: "user", "a user's id has 1 to 128 characters, none a control character")
        }
        return user
    }
}
