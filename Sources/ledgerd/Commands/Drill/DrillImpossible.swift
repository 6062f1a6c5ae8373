/// The drill could not be made, which says nothing of the backup.
struct DrillImpossible: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// The backup could not be restored.
struct RestoreFailed: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
