/// An error in a settlement file or in one of its rows, and how to fix it.
package struct SettlementFileProblem: Error, Sendable, Equatable, CustomStringConvertible {
    /// The line of the file, from 1; nil: the whole file.
    package let line: Int64?
    /// The column name in the file; nil: the whole row.
    package let column: String?
    /// The error and how to fix it, worded to follow the place.
    package let message: String

    init(line: Int64? = nil, column: String? = nil, _ message: String) {
        self.line = line
        self.column = column
        self.message = message
    }

    /// The place and the message in one line.
    package var description: String {
        let place = [line.map { "line \($0)" }, column.map { "column \($0)" }].compactMap(\.self)
        return place.isEmpty ? message : place.joined(separator: ", ") + ": " + message
    }
}
