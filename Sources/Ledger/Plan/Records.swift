/// A plan's records of one table: the newest state of each, and whether it was loaded, added or changed.
struct Records<Record: Identifiable & Sendable>: Sendable where Record.ID == Int64 {
    private enum Origin: Sendable { case loaded, added, changed }

    private var records: [Record] = []
    private var origins: [Origin] = []
    private var places: [Int64: Int] = [:]

    /// The record with this id.
    subscript(id: Int64) -> Record? { places[id].map { records[$0] } }

    /// Records to insert, in the order in which they were added.
    var new: [Record] { records.indices.filter { origins[$0] == .added }.map { records[$0] } }

    /// Records to update, ordered by id.
    var changed: [Record] {
        records.indices.filter { origins[$0] == .changed }.map { records[$0] }.sorted { $0.id < $1.id }
    }

    /// Adds a record that was read from the database.
    ///
    /// - Returns: false when the record was loaded before, by another look-up.
    @discardableResult
    mutating func load(_ record: Record) -> Bool {
        guard places[record.id] == nil else { return false }
        append(record, .loaded)
        return true
    }

    /// Adds a new record.
    mutating func insert(_ record: Record) { append(record, .added) }

    /// Replaces a record.
    ///
    /// A new record stays one to insert.
    mutating func change(_ record: Record) {
        guard let place = places[record.id] else { return append(record, .changed) }
        records[place] = record
        if origins[place] == .loaded { origins[place] = .changed }
    }

    private mutating func append(_ record: Record, _ origin: Origin) {
        places[record.id] = records.count
        records.append(record)
        origins.append(origin)
    }
}
