/// Records of one table as a plan sees them: loaded, added or changed, the newest state of each.
struct Records<Record: Identifiable & Sendable>: Sendable where Record.ID == Int64 {
    private enum Origin: Sendable { case loaded, added, changed }

    private var records: [Record] = []
    private var origins: [Origin] = []
    private var places: [Int64: Int] = [:]

    /// The record with this id.
    subscript(id: Int64) -> Record? { places[id].map { records[$0] } }

    /// What is to be inserted, in the order in which it was added.
    var new: [Record] { records.indices.filter { origins[$0] == .added }.map { records[$0] } }

    /// What is to be updated, by id.
    var changed: [Record] {
        records.indices.filter { origins[$0] == .changed }.map { records[$0] }.sorted { $0.id < $1.id }
    }

    /// Takes over what the database holds.
    ///
    /// - Returns: whether it is the first time; a look-up may find a record again.
    @discardableResult
    mutating func load(_ record: Record) -> Bool {
        guard places[record.id] == nil else { return false }
        append(record, .loaded)
        return true
    }

    /// Adds a record that the database does not hold.
    mutating func insert(_ record: Record) { append(record, .added) }

    /// Replaces a record.
    ///
    /// One that is new is still only inserted.
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
