/// JSON Lines: an object per row, with the columns as members.
struct JSONLinesWriter: ExportWriter {
    private let columns: [Column]
    private let zone: ExportZone
    /// The bytes before each value: a brace or comma, the column's name, a colon.
    private let leads: [[UInt8]]

    init(columns: [Column], zone: ExportZone) {
        self.columns = columns
        self.zone = zone
        leads = columns.enumerated().map { Array("\($0 == 0 ? "{" : ",")\"\($1.name)\":".utf8) }
    }

    func begin(_ out: inout ByteText) {}

    func write(_ row: borrowing ExportRow, to out: inout ByteText) {
        for index in columns.indices {
            out.append(leads[index])
            switch columns[index].kind {
            case .integer, .id:
                if let number = row.integer(index) { out.append(number) } else { out.append("null") }
            case .text:
                if let text = row.text(index) { out.append(json: text) } else { out.append("null") }
            case .time:
                if let time = row.time(index) {
                    out.append(UInt8(ascii: "\""))
                    out.append(time: time, offset: zone.offset(at: time))
                    out.append(UInt8(ascii: "\""))
                } else {
                    out.append("null")
                }
            }
        }
        out.append("}\n")
    }

    func write(_ trailer: ExportTrailer, to out: inout ByteText) {
        out.append("{\"trailer\":\(trailer.json)}\n")
    }
}
