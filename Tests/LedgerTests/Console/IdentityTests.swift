import Testing

@testable import Ledger

/// Who is the same person at another door.
@Suite(.timeLimit(.minutes(20))) struct IdentityTests {
    @Test(arguments: [
        (Identity("kim"), Identity("kim")), (Identity("kim"), Identity("console:kim")),
        (Identity("console:kim"), Identity("terminal:Kim")), (Identity("console:terminal:kim"), Identity("kim")),
        (Identity("console:9f2", named: "Kim"), Identity("terminal:kim")),
        (Identity("terminal:kim", named: "kim"), Identity("9f2", named: "Kim")),
    ])
    func `a person is the same at every door`(one: Identity, other: Identity) {
        #expect(one.isSamePerson(as: other) && other.isSamePerson(as: one))
    }

    @Test(arguments: [
        (Identity("kim"), Identity("lee")), (Identity("console:kim"), Identity("console:kim2")),
        (Identity("terminal:console:kim"), Identity("kim")), (Identity("terminal:"), Identity("kim")),
        // The identity provider tells people of one name apart.
        (Identity("9f2", named: "Kim"), Identity("7a1", named: "Kim")),
    ])
    func `others are others`(one: Identity, other: Identity) {
        #expect(!one.isSamePerson(as: other) && !other.isSamePerson(as: one))
    }
}
