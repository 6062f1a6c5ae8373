/// Where a list of a user's holds goes on: before this hold.
package struct HoldCursor: Sendable, Codable, Equatable {
    /// The last hold's id.
    package let id: Int64
}
