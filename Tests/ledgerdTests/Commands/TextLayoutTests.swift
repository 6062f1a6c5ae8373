import Testing

@testable import LedgerServer

/// How commands print tables.
@Suite(.timeLimit(.minutes(20))) struct TextTableTests {
    private static let columns: [TextTable.Column] = [.text("CODE"), .number("PRICE"), .text("TITLE")]

    @Test func `columns are aligned, numbers to the right, and no line ends with blanks`() {
        let text = TextTable.text(
            Self.columns, [["coins_100", .init(1000), "100 coins"], ["c", .init(-5), "five"]], isColored: false)
        #expect(
            text == """
                CODE       PRICE  TITLE
                coins_100   1000  100 coins
                c             -5  five
                """)
    }

    @Test func `a character of East Asia takes two cells`() {
        let text = TextTable.text(
            [.text("TITLE"), .text("CODE")], [["열 코인", "a"], ["e\u{301}té", "b"], ["コイン🪙", "c"]],
            isColored: false)
        #expect(text == ["TITLE     CODE", "열 코인   a", "e\u{301}té       b", "コイン🪙  c"].joined(separator: "\n"))
        #expect("열 코인".terminalWidth == 7 && "コイン🪙".terminalWidth == 8 && "e\u{301}té".terminalWidth == 3)
    }

    @Test func `pages follow one another below one header, and a column never becomes narrower`() {
        var table = TextTable(Self.columns, isColored: false)
        #expect(table.lines([["coins_100", .init(1), "x"]]) == ["CODE       PRICE  TITLE", "coins_100      1  x"])
        #expect(table.lines([["a", .init(123_456), "y"]]) == ["a          123456  y"])
        #expect(table.lines([["b", .init(2), "z"]]) == ["b               2  z"])
    }

    @Test func `what a cell holds can't command the terminal`() {
        let text = TextTable.text([.text("ID")], [["a\u{1B}[31m\r\n\u{9B}b"]], isColored: false)
        #expect(text == "ID\na\u{FFFD}[31m\u{FFFD}\u{FFFD}b")
    }

    @Test func `colors are around the cell with its blanks, and only if they are wanted`() {
        let rows: [[TextTable.Cell]] = [["ok", .init(1, .red), "x"]]
        #expect(
            TextTable.text(Self.columns, rows, isColored: true) == """
                \u{1B}[1mCODE\u{1B}[0m  \u{1B}[1mPRICE\u{1B}[0m  \u{1B}[1mTITLE\u{1B}[0m
                ok    \u{1B}[31m    1\u{1B}[0m  x
                """)
        #expect(!TextTable.text(Self.columns, rows, isColored: false).contains("\u{1B}"))
    }
}

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
