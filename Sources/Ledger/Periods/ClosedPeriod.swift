package import Foundation

/// A closing of the books: entries before a moment never change again.
package struct ClosedPeriod: Sendable, Equatable {
    package let id: Int64
    /// Everything that is effective before this moment is closed.
    package let until: Date
    package let closedBy: String
    package let closedAt: Date
}

/// Where the next page of closings begins: after this closing.
package struct ClosedPeriodCursor: Sendable, Codable, Equatable {
    /// The last closing's id.
    package let id: Int64
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
