package import ArgumentParser

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

extension InputFault {
    /// As an option of the command, such as `--paid-at`, or as its argument; of a list, with the place in it.
    package func of(_ command: any ParsableCommand.Type) -> ValidationError {
        let parts = field.split(separator: "/", maxSplits: 1)
        let name = (parts.first ?? "").replacing("_", with: "-")
        let isOption = command.helpMessage().contains("--\(name) ")
        return ValidationError("\(isOption ? "--" : "")\(name)\(parts.dropFirst().first.map(Self.place) ?? "") \(rule)")
    }

    /// The place in a list for a person, who counts from 1; the name of a member.
    private static func place(_ text: Substring) -> String {
        Int64(digits: text).map { ", number \($0 + 1)," } ?? " \(text)"
    }
}
