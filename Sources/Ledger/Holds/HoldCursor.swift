/// Where a list of a user's holds goes on: before this hold.
public struct HoldCursor: Sendable, Codable, Equatable {
    /// The last hold's id.
    public let id: Int64
}
