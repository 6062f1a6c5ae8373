import Testing

@testable import LedgerServer

/// Requests as commands to copy.
@Suite(.timeLimit(.minutes(20))) struct CurlCommandTests {
    @Test func `a body is one word of the shell`() throws {
        let body = try OrderedJSON(Array(#"{"reason": "it's $HOME"}"#.utf8))
        let command = CurlCommand(
            method: "POST", path: "/v1/x", headers: [(name: "Authorization", value: "Bearer $USER_TOKEN")],
            body: .json(body))
        #expect(
            command.text == #"""
                curl "$LEDGERD_URL/v1/x" \
                    -H "Authorization: Bearer $USER_TOKEN" \
                    -H "Content-Type: application/json" \
                    -d '{"reason": "it'\''s $HOME"}'
                """#)
    }

    @Test func `a method is named if curl would choose another`() {
        #expect(CurlCommand(method: "GET", path: "/a").text == #"curl "$LEDGERD_URL/a""#)
        #expect(CurlCommand(method: "POST", path: "/a").text == "curl \"$LEDGERD_URL/a\" \\\n    -X POST")
    }

    @Test func `a query, a form and a file are sent as they are`() {
        let command = CurlCommand(
            method: "POST", path: "/a", query: [(name: "net", value: "정산 금액")],
            body: .text("a,b\n1,2\n", media: "text/csv"))
        #expect(
            command.text == #"""
                curl "$LEDGERD_URL/a" \
                    --url-query 'net=정산 금액' \
                    -H "Content-Type: text/csv" \
                    --data-binary @- <<'END'
                a,b
                1,2
                END
                """#)
        let form = CurlCommand(
            method: "POST", path: "/a", body: .form([.init(name: "amount", value: .literal("1"))]))
        #expect(form.text == "curl \"$LEDGERD_URL/a\" \\\n    --data-urlencode 'amount=1'")
    }
}
