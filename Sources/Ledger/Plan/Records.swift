/// Records of one table as a plan sees them: loaded, added or changed, the newest state of each.
struct Records<Record: Identifiable & Sendable>: Sendable where Record.ID == Int64 {
    private var byID: [Int64: Record] = [:]
    private var newIDs: [Int64] = []
    private var isNew: Set<Int64> = []
    private var changedIDs: Set<Int64> = []

    /// The record with this id.
    subscript(id: Int64) -> Record? { byID[id] }

    /// What is to be inserted, in the order in which it was added.
    var new: [Record] { newIDs.compactMap { byID[$0] } }

    /// What is to be updated, by id.
    var changed: [Record] { changedIDs.sorted().compactMap { byID[$0] } }

    /// Takes over what the database holds.
    mutating func load(_ record: Record) { byID[record.id] = record }

    /// Adds a record that the database does not hold.
    mutating func insert(_ record: Record) {
        byID[record.id] = record
        newIDs.append(record.id)
        isNew.insert(record.id)
    }

    /// Replaces a record.
    ///
    /// One that is new is still only inserted.
    mutating func change(_ record: Record) {
        byID[record.id] = record
        if !isNew.contains(record.id) { changedIDs.insert(record.id) }
    }
}
