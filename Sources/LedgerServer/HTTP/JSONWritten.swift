import CivilTime
import Foundation
import Hummingbird
import LedgerWire
import WireFormats

/// A body that writes its own JSON, which is much faster than ``AnswerJSON``.
///
/// Used for the most frequent responses. The bytes must be equal to those of ``AnswerJSON``, which tests check, so
/// members are in alphabetical order.
protocol JSONWritten: Encodable {
    func write(to json: inout JSONWriter)
}

extension JSONWritten {
    /// The body as JSON.
    ///
    /// - Parameter size: the approximate number of bytes.
    func written(reserving size: Int = 512) -> ByteBuffer {
        var json = JSONWriter(reserving: size)
        write(to: &json)
        return ByteBuffer(bytes: json.bytes)
    }
}

extension JSONWriter {
    /// Writes a member with a time.
    mutating func member(_ name: StaticString, _ date: Date) {
        self.name(name)
        value { RFC3339.append(date, to: &$0) }
    }

    /// Writes a member with a body.
    mutating func member(_ name: StaticString, _ body: some JSONWritten) {
        self.name(name)
        body.write(to: &self)
    }

    /// Writes a member with an array of bodies.
    mutating func member(_ name: StaticString, _ bodies: [some JSONWritten]) {
        self.name(name)
        array(bodies)
    }

    /// Writes bodies as an array.
    mutating func array(_ bodies: [some JSONWritten]) {
        beginArray()
        for body in bodies { body.write(to: &self) }
        endArray()
    }
}

extension ListBody: JSONWritten where Item: JSONWritten {
    func write(to json: inout JSONWriter) {
        json.beginObject()
        if name < "has_more" { writeItems(to: &json) }
        json.member("has_more", nextCursor != nil)
        if name > "has_more", name < "next_cursor" { writeItems(to: &json) }
        if let nextCursor { json.member("next_cursor", nextCursor) }
        if name > "next_cursor" { writeItems(to: &json) }
        json.endObject()
    }

    private func writeItems(to json: inout JSONWriter) {
        json.name(name)
        json.array(items)
    }
}
