import Testing
import WireFormats

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
