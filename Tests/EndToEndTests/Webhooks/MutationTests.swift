import Testing

/// Whoever changes anything of a signed event is not believed.
@Suite(.serialized, .timeLimit(.minutes(20))) struct MutationTests {
    @Test func `a signed event with any change is refused`() async throws {
        try await House.with { house in
            let service = try await house.serve(Hooks.v2Settings())
            let hook = SignedHook("Transaction.Paid", paymentID: "p-1", id: "msg-1")
            let mutants = (0..<1000).map { _ in Self.mutant(of: hook) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (number, mutant) in mutants.enumerated() {
                    if number >= 16 { try await group.next() }
                    group.addTask {
                        let answer = try await service.tellV2(mutant)
                        #expect(answer.status == 401 && answer.code == "signature_invalid", "\(mutant): \(answer)")
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await house.books.events == 0)
            #expect(try await service.tellV2(hook).status == 200)
            #expect(try await house.books.events == 1)
        }
    }

    /// One bit of the body or the code, or one character of the rest, is another.
    private static func mutant(of hook: SignedHook) -> SignedHook {
        var mutant = hook
        switch Int.random(in: 0..<4) {
        case 0: mutant.body[.random(in: hook.body.indices)] ^= 1 << UInt8.random(in: 0..<8)
        case 1: mutant.code[.random(in: hook.code.indices)] ^= 1 << UInt8.random(in: 0..<8)
        case 2: mutant.id = changed(hook.id, to: "abcdefghijklmnopqrstuvwxyz-0123456789")
        default: mutant.timestamp = changed(hook.timestamp, to: "0123456789")
        }
        return mutant
    }

    private static func changed(_ text: String, to alphabet: String) -> String {
        var characters = Array(text)
        let place = characters.indices.randomElement() ?? 0
        characters[place] = alphabet.filter { $0 != characters[place] }.randomElement() ?? "x"
        return String(characters)
    }
}
