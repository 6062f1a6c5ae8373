import Foundation
import Glibc

/// A color or weight of a terminal (ECMA-48, "Select Graphic Rendition").
enum TextColor: String, Sendable {
    case bold = "1"
    case dim = "2"
    case red = "31"
    case green = "32"
    case yellow = "33"
}

extension String {
    /// The text in a color; nil: as it is.
    func painted(_ color: TextColor?) -> String {
        guard let color, !isEmpty else { return self }
        return "\u{1B}[\(color.rawValue)m\(self)\u{1B}[0m"
    }
}

/// Where a command prints its result.
enum StandardOutput {
    /// Whether the result may have colors: it goes to a terminal that has them, and `NO_COLOR` is not set.
    static let isColored: Bool = {
        let environment = ProcessInfo.processInfo.environment
        return isatty(STDOUT_FILENO) == 1 && environment["NO_COLOR", default: ""].isEmpty
            && environment["TERM"] != "dumb"
    }()
}
