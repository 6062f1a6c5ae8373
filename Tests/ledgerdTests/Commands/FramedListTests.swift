import Testing

@testable import ledgerd

/// The box at the end of `./dev up`.
@Suite(.timeLimit(.minutes(20))) struct FramedListTests {
    @Test func `a box holds each name that has a value, with the values one below the other`() {
        let list = FramedList([("shop", nil), ("API", "http://127.0.0.1:8080"), ("stop", "Ctrl-C"), ("열", "코인")])
        #expect(
            list.text == """
                ┌─────────────────────────────┐
                │ API   http://127.0.0.1:8080 │
                │ stop  Ctrl-C                │
                │ 열    코인                  │
                └─────────────────────────────┘
                """)
    }
}
