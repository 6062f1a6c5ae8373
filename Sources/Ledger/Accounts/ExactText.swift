/// Text that equals only what has the same bytes, as PostgreSQL compares it.
///
/// Swift's strings are equal when people read them alike: "é" as one scalar equals "e" and an accent. To the database
/// they are two users with two wallets, and a plan that took one for the other would credit the wrong one.
struct ExactText: Hashable, Sendable {
    let string: String

    init(_ string: String) { self.string = string }

    static func == (left: ExactText, right: ExactText) -> Bool {
        left.string.utf8.elementsEqual(right.string.utf8)
    }

    func hash(into hasher: inout Hasher) {
        var string = string
        string.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
