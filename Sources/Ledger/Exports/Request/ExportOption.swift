/// What can be said of an export beside which it is, by its name in a query.
package enum ExportOption: String, CaseIterable, Sendable {
    case format
    case from
    // Named here and not by a shorthand, for it has two words.
    case to
    case asOf = "as_of"
    case timeZone = "tz"
    case detail
    case run
    case byteOrderMark = "bom"
}

/// An option that can't be what it was given as.
package struct ExportOptionError: Error, Sendable {
    /// Which option it is.
    package let option: ExportOption
    /// What it must be, to be read behind the option's name: `must be csv or jsonl`.
    package let rule: String

    init(_ option: ExportOption, _ rule: String) {
        self.option = option
        self.rule = rule
    }
}
