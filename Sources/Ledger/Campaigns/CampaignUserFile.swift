/// The users of a CSV file: an id in each line, and the coins, if they are others than the campaign's.
///
/// It is read in parts, because it can have a million users.
package struct CampaignUserFile: Sendable {
    /// What is wrong with a line.
    package struct Fault: Error, Equatable {
        /// From 1.
        package let line: Int64
        package let rule: String
    }

    private var records: CSVRecords
    private var isAtStart = true

    /// - Parameter bytes: UTF-8, with or without a byte order mark.
    package init(_ bytes: [UInt8]) throws(Fault) {
        guard String(validating: bytes, as: UTF8.self) != nil, !bytes.contains(0) else {
            throw Fault(line: 1, rule: "must be a text in UTF-8")
        }
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        records = CSVRecords(
            bytes.starts(with: mark) ? Array(bytes.dropFirst(mark.count)) : bytes, separator: UInt8(ascii: ","))
    }

    /// The next users, at most so many; none at the end.
    package mutating func next(_ most: Int) throws(Fault) -> [CampaignUser] {
        var users: [CampaignUser] = []
        while users.count < most, let record = records.next() {
            defer { isAtStart = false }
            if isAtStart, record.fields.first == "user" { continue }
            users.append(try Self.user(record))
        }
        return users
    }

    private static func user(_ record: CSVRecords.Record) throws(Fault) -> CampaignUser {
        guard !record.isMalformed, (1...2).contains(record.fields.count) else {
            throw Fault(
                line: record.line, rule: "must have an id, and the coins if they are others than the campaign's")
        }
        guard let user = UserID(rawValue: record.fields[0]) else {
            throw Fault(line: record.line, rule: "must begin with an id of \(UserID.rule)")
        }
        guard record.fields.count == 2, !record.fields[1].isEmpty else { return CampaignUser(user) }
        guard let coins = Int64(record.fields[1]).flatMap(Coins.init) else {
            throw Fault(line: record.line, rule: "must have coins from 1 to \(Coins.most)")
        }
        return CampaignUser(user, coins: coins)
    }
}
