/// A number by which Google says something; new ones can be added, and are kept.
///
/// - Parameter Topic: what it is about, so that numbers of two topics are not mixed up.
package struct PlayNumber<Topic>: RawRepresentable, Hashable, Sendable {
    package let rawValue: Int64

    package init(rawValue: Int64) {
        self.rawValue = rawValue
    }
}
