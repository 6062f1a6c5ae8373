/// A command that can't do what it was asked for: it prints the reason and exits with 1.
struct Refused: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
