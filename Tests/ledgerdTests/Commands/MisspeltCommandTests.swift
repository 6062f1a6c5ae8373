import Testing

@testable import LedgerServer
@testable import ledgerd

/// A misspelt command names the one that was probably meant.
@Suite(.timeLimit(.minutes(20))) struct MisspeltCommandTests {
    @Test(arguments: [
        (["serv"], "unknown command 'serv'; did you mean 'ledgerd serve'?"),
        (["purchase", "list"], "unknown command 'purchase'; did you mean 'ledgerd purchases'?"),
        (["disputes", "decid", "7"], "unknown command 'decid'; did you mean 'ledgerd disputes decide'?"),
        (["refunds", "aprove", "--by", "x"], "unknown command 'aprove'; did you mean 'ledgerd refunds approve'?"),
        (["serve"], nil), (["disputes"], nil), (["disputes", "decide", "x"], nil), (["--sreve"], nil), ([], nil),
        (["help"], nil), (["something-else"], nil), ([""], nil), ([String(repeating: "serve", count: 100_000)], nil),
    ])
    func `the nearest command is suggested, if it is similar`(arguments: [String], expected: String?) {
        #expect(MisspeltCommand(arguments, of: Ledgerd.self)?.description == expected)
    }
}
