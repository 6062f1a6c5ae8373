import Foundation
import TestSupport
import Testing

@testable import LedgerServer

@Suite(.timeLimit(.minutes(20))) struct Base64URLTests {
    @Test func `base64url comes back as it went in, and agrees with Foundation`() {
        var generator = SplitMix64(seed: Effort.seed)
        for length in 0..<100 {
            let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let text = Base64URL.encode(bytes)
            let foundation = Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
                .replacing("=", with: "")
            #expect(text == foundation)
            #expect(Base64URL.decode(text.utf8) == bytes)
        }
    }

    @Test(arguments: ["A", "AB=", "AB==", "A+", "A/", "AB", "AAB", "A A", "é", "AAAAA"])
    func `base64url has one text for each value`(text: String) {
        #expect(Base64URL.decode(text.utf8) == nil)
    }
}
