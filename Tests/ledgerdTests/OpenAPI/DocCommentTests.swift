import Testing

/// The reader of LedgerWire's doc comments.
@Suite(.timeLimit(.minutes(20))) struct DocCommentTests {
    @Test func `sentences are for readers of JSON, and end where the facts begin`() {
        let comment = DocComment([
            " The state of a refund;", " nil: unknown.", "", " Nil in lists - of old services.", "",
            " - Values: `a-b`, `c`",
            " - Range: `1...`", " - Null: refused",
        ])
        #expect(comment.text == "The state of a refund; absent: unknown. Absent in lists - of old services.")
        #expect(comment["Values"] == ["a-b", "c"])
        #expect(comment["Null"] == ["refused"])
        #expect(comment["Pattern"] == nil)
        #expect(comment.range("Range").lower == "1" && comment.range("Range").upper == nil)
        #expect(comment.range("Length").lower == nil && comment.range("Length").upper == nil)
    }

    @Test func `a comment without facts is its sentences`() {
        let comment = DocComment([" The balance: paid - used."])
        #expect(comment.text == "The balance: paid - used.")
        #expect(comment.names.isEmpty)
    }

    @Test func `a type has the name of its schema`() {
        #expect(SchemaName.of(declared: "LedgerWire.DebtWriteOffBody") == "DebtWriteOff")
        #expect(SchemaName.of(declared: "LedgerWire.PayoutBody.Decision") == "PayoutDecision")
        #expect(SchemaName.of(declared: "LedgerWire.ListBody<LedgerWire.LotBody>") == "LotsPage")
        #expect(SchemaName.of(declared: "ListBody<DeliveryBody>") == "DeliveriesPage")
        #expect(SchemaName.of(declared: "LedgerServer.HoldRequestBody") == "HoldRequest")
        #expect(!SchemaName.isListed("RefundBody.Expired"))
    }
}
