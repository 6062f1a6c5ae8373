package import Foundation

/// A closing of the books: nothing that is effective before a moment changes again.
package struct ClosedPeriod: Sendable, Equatable {
    /// Its id among the closings.
    package let id: Int64
    /// Everything effective before it is closed.
    package let until: Date
    /// Who closed it.
    package let closedBy: String
    /// When.
    package let closedAt: Date
}

/// Where the list of closings goes on: after this one.
package struct ClosedPeriodCursor: Sendable, Codable, Equatable {
    /// The last closing's id.
    package let id: Int64
}

/// What closing came to.
package enum Closing: Sendable, Equatable {
    /// It is closed now.
    case closed(ClosedPeriod)
    /// It was closed until that very moment before, and stays as it was.
    case already(ClosedPeriod)
    /// More than that is closed already: by the last closing.
    case behind(ClosedPeriod)
    /// It is not over yet.
    case notOver
}
