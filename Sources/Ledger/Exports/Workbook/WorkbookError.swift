import Glibc

/// Why an Excel file could not be made.
///
/// Nothing of it was sent.
package struct WorkbookError: Error, Sendable, CustomStringConvertible {
    package let description: String
    /// Whether another request would be answered: this one asks for what no Excel file holds.
    package let isOfRequest: Bool

    init(_ description: String, isOfRequest: Bool = false) {
        self.description = description
        self.isOfRequest = isOfRequest
    }

    /// A temporary file could not be written.
    ///
    /// - Parameter number: `errno`; 0: unknown.
    static func storage(_ number: Int32) -> WorkbookError {
        let cause = number == 0 ? "a part of it is missing" : String(cString: strerror(number))
        return WorkbookError(
            "the Excel file can't be written to a temporary file (\(cause)): the folder of TMPDIR must be writable and have room; csv needs none"
        )
    }

    /// More rows than a file may have.
    static func tooManyRows(_ most: Int) -> WorkbookError {
        WorkbookError("an Excel file has at most \(most) rows: choose a shorter period, or csv", isOfRequest: true)
    }

    /// The library refused a value.
    static func refused(_ code: UInt32) -> WorkbookError {
        WorkbookError("a value can't be written to an Excel file (libxlsxwriter's error \(code))")
    }
}
