/// The options of an export, by their query names.
package enum ExportOption: String, CaseIterable, Sendable {
    case format
    case from
    // Named here and not by a shorthand, because it has two words.
    case to
    case quarter
    case asOf = "as_of"
    case timeZone = "tz"
    case detail
    case run
    case byteOrderMark = "bom"
    case program = "for"
    case language
}

/// An option with an invalid value.
package struct ExportOptionError: Error, Sendable {
    package let option: ExportOption
    /// The rule for the option, worded to follow its name, such as `must be csv or jsonl`.
    package let rule: String

    init(_ option: ExportOption, _ rule: String) {
        self.option = option
        self.rule = rule
    }
}
