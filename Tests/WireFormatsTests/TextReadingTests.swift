import Testing
import WireFormats

@Suite(.timeLimit(.minutes(20))) struct FormTextTests {
    @Test func `a part of a path keeps its plus signs and its byte order mark`() {
        #expect(FormText.decodePath("a+b%20c%2Fd") == "a+b c/d")
        #expect(FormText.decodePath("%EF%BB%BFbom").map { Array($0.utf8) } == [0xEF, 0xBB, 0xBF] + Array("bom".utf8))
        #expect(FormText.decodePath("%ED%95%9C") == "한")
    }

    @Test(arguments: ["%", "%4", "%zz", "%FF", "%ED%A0%80", "a%C3"])
    func `a broken escape, or what is no UTF-8, is refused`(text: String) {
        #expect(FormText.decodePath(text) == nil)
        #expect(FormText.decodePairs("a=\(text)".utf8) == nil)
        #expect(FormText.decodePairs("\(text)=a".utf8) == nil)
    }

    @Test func `a query's plus sign is a space, and pairs keep their order`() throws {
        let pairs = try #require(FormText.decodePairs("b=1+2&&a=%2B=&c".utf8))
        #expect(pairs.map(\.name) == ["b", "a", "c"])
        #expect(pairs.map(\.value) == ["1 2", "+=", ""])
        #expect(FormText.decodePairs("".utf8)?.isEmpty == true)
    }
}

@Suite(.timeLimit(.minutes(20))) struct DigitsTests {
    @Test func `a number has digits only`() {
        #expect(Int64(digits: "0") == 0)
        #expect(Int64(digits: "007") == 7)
        #expect(Int64(digits: "999999999999999999") == 999_999_999_999_999_999)
    }

    @Test(arguments: ["", "+1", "-0", " 1", "1 ", "1.0", "1e3", "0x1", "١", "1\u{0}", "1000000000000000000"])
    func `any other text is no number`(text: String) {
        #expect(Int64(digits: text) == nil)
    }
}
