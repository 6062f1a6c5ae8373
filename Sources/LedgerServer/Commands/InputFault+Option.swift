package import ArgumentParser

extension InputFault {
    /// As an option of the command, such as `--paid-at`, or as its argument.
    package func of(_ command: any ParsableCommand.Type) -> ValidationError {
        let name = field.prefix { $0 != "/" }.replacing("_", with: "-")
        let isOption = command.helpMessage().contains("--\(name) ")
        return ValidationError("\(isOption ? "--" : "")\(name) \(rule)")
    }
}
