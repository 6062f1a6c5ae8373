/// What is wrong with a value that somebody gives.
///
/// The acts of features throw it. The API names the value as a member of the body, a page as a field of its form, and a
/// command as its option.
package struct InputFault: Error, Equatable {
    /// The name of the member and of the form's field, such as `paid_at`; `users/0` is the first of a list.
    let field: String
    /// The violated rule, worded to follow the name.
    let rule: String
    let code: Problem.Code

    package init(_ field: String, _ rule: String, code: Problem.Code = .invalidRequest) {
        (self.field, self.rule, self.code) = (field, rule, code)
    }
}

extension InputFault: ProblemConvertible {
    var problem: Problem { Problem(code, "/\(field) \(rule)", members: ["pointer": .string("/\(field)")]) }
}
