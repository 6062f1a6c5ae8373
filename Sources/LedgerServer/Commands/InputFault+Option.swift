package import ArgumentParser

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
