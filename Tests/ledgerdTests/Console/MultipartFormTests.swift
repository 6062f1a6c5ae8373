import Testing

@testable import Console

/// Forms with a file, as browsers send them (RFC 7578).
@Suite(.timeLimit(.minutes(20))) struct MultipartFormTests {
    private static let type = "multipart/form-data; boundary=----WebKitFormBoundaryAbc"

    private static func body(_ parts: (head: String, content: [UInt8])...) -> [UInt8] {
        let boundary = "------WebKitFormBoundaryAbc"
        return parts.flatMap { part in
            Array("\(boundary)\r\nContent-Disposition: form-data; \(part.head)\r\n\r\n".utf8) + part.content
                + Array("\r\n".utf8)
        } + Array("\(boundary)--\r\n".utf8)
    }

    @Test func `fields and the bytes of the file are read`() throws {
        // A file may have any bytes, line breaks at its end and text that looks like another boundary.
        let bytes: [UInt8] = [0xb0, 0xa1, 0, 13, 10] + Array("--WebKitFormBoundary\r\n\r\n".utf8)
        let form = try #require(
            MultipartForm(
                Self.body(
                    ("name=\"token\"", Array("a=b&c".utf8)), ("name=\"gross\"", Array("거래금액".utf8)),
                    ("name=\"file\"; filename=\"11월.csv\"\r\nContent-Type: text/csv", bytes), ("name=\"fee\"", [])),
                type: Self.type))
        #expect(form.fields == ["token": "a=b&c", "gross": "거래금액", "fee": ""])
        #expect(form.file?.name == "11월.csv" && form.file?.bytes == bytes)
    }

    @Test func `what is no such form is refused`() {
        let whole = Self.body(("name=\"a\"", Array("1".utf8)))
        #expect(MultipartForm(whole, type: Self.type) != nil)
        #expect(MultipartForm(whole, type: "multipart/form-data") == nil)
        #expect(MultipartForm(whole, type: "multipart/form-data; boundary=x") == nil)
        #expect(MultipartForm([], type: Self.type) == nil)
        #expect(MultipartForm(Array(whole.dropLast(6)), type: Self.type) == nil, "it was cut off")
        #expect(MultipartForm(Self.body(("name=\"a\"", [0xff])), type: Self.type) == nil, "a field is not UTF-8")
        #expect(MultipartForm(Self.body(("size=1", [])), type: Self.type) == nil, "a part has no name")
        let twice = Self.body(("name=\"a\"", Array("1".utf8)), ("name=\"a\"", Array("2".utf8)))
        #expect(MultipartForm(twice, type: Self.type) == nil, "a field is given twice")
    }
}
