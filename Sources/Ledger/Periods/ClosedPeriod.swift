package import Foundation

/// A closing of the books: entries before a moment never change again.
package struct ClosedPeriod: Sendable, Equatable, Identifiable {
    package let id: Int64
    /// Everything that is effective before this moment is closed.
    package let until: Date
    package let closedBy: String
    package let closedAt: Date
}

/// The result of closing.
package enum Closing: Sendable, Equatable {
    /// The period is closed now.
    case closed(ClosedPeriod)
    /// The period was already closed until exactly this moment.
    case already(ClosedPeriod)
    /// A later moment is already closed, by this last closing.
    case behind(ClosedPeriod)
    /// The period has not ended yet.
    case notOver
}
