import ArgumentParser

/// The text of an option, such as a reason, by the rule for texts in requests (``NonEmpty``).
enum TextOption {
    static func text(_ text: String) throws -> String {
        if let fault = NonEmpty.fault(of: text) { throw ValidationError(fault) }
        return text
    }
}
