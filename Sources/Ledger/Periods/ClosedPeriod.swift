public import Foundation

/// A closing of the books: nothing that is effective before a moment changes again.
public struct ClosedPeriod: Sendable, Equatable {
    /// Its id among the closings.
    public let id: Int64
    /// Everything effective before it is closed.
    public let until: Date
    /// Who closed it.
    public let closedBy: String
    /// When.
    public let closedAt: Date
}

/// Where the list of closings goes on: after this one.
public struct ClosedPeriodCursor: Sendable, Codable, Equatable {
    /// The last closing's id.
    public let id: Int64
}

/// What closing came to.
public enum Closing: Sendable, Equatable {
    /// It is closed now.
    case closed(ClosedPeriod)
    /// It was closed until that very moment before, and stays as it was.
    case already(ClosedPeriod)
    /// More than that is closed already: by the last closing.
    case behind(ClosedPeriod)
    /// It is not over yet.
    case notOver
}
