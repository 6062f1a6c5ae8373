/// What is wrong with a settlement file, or with one of its rows, and what to do about it.
package struct SettlementFileProblem: Error, Sendable, Equatable, CustomStringConvertible {
    /// The line of the file, from 1; nil: the file as a whole.
    package let line: Int64?
    /// The column, as the file calls it; nil: the row as a whole.
    package let column: String?
    /// What is wrong and what to do, worded to follow the place.
    package let message: String

    init(line: Int64? = nil, column: String? = nil, _ message: String) {
        self.line = line
        self.column = column
        self.message = message
    }

    /// Place and message in one line.
    package var description: String {
        let place = [line.map { "line \($0)" }, column.map { "column \($0)" }].compactMap(\.self)
        return place.isEmpty ? message : place.joined(separator: ", ") + ": " + message
    }
}
