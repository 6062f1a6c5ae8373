import Hummingbird
import LedgerServer
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

    @Test func `a file that could be previewed but not booked is refused, with what to do`() async throws {
        func request(_ size: Int, _ language: String) -> Request {
            let bytes = Self.body(("name=\"file\"; filename=\"a.csv\"", [UInt8](repeating: 0, count: size)))
            let head = HTTPRequest(
                method: .post, scheme: "http", authority: "localhost", path: "/",
                headerFields: [.contentType: Self.type, .acceptLanguage: language])
            return Request(head: head, body: RequestBody(buffer: ByteBuffer(bytes: bytes)))
        }
        #expect(try await ConsoleForm(request(100, "en")).file?.bytes.count == 100)
        for (size, language, text) in [
            (ConsoleForm.longestFile + 1, Language.english, "at most 8 MiB here: import a larger one with ledgerd "),
            (ConsoleForm.maxUploadSize, .korean, "더 큰 파일은 ledgerd settlement import로"),
        ] {
            let problem = await #expect(throws: Problem.self) {
                try await ConsoleForm(request(size, language == .korean ? "ko" : "en"))
            }
            #expect(problem?.code == .bodyTooLarge && problem?.status == .contentTooLarge)
            #expect(problem.map { ConsoleRefusal.text($0, language).contains(text) } == true, "\(size)")
        }
        // The preview's form carries the longest file, in Base64.
        #expect(ConsoleForm.longestFile * 4 / 3 + 65_536 < ConsoleForm.maxUploadSize)
    }
}
