import Glibc

/// Why an Excel file could not be made.
///
/// Nothing of it was sent.
package struct WorkbookError: Error, Sendable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }

    /// A temporary file could not be written.
    ///
    /// - Parameter number: `errno`; 0: unknown.
    static func storage(_ number: Int32) -> WorkbookError {
        let cause = number == 0 ? "a part of it is missing" : String(cString: strerror(number))
        return WorkbookError(
            "the Excel file can't be written to a temporary file (\(cause)): the folder of TMPDIR needs room; csv needs none"
        )
    }

    /// More rows than a file may have.
    static func tooManyRows(_ most: Int) -> WorkbookError {
        WorkbookError("an Excel file has at most \(most) rows: choose a shorter period, or csv")
    }

    /// The library refused a value.
    static func refused(_ code: UInt32) -> WorkbookError {
        WorkbookError("a value can't be written to an Excel file (libxlsxwriter's error \(code))")
    }
}
