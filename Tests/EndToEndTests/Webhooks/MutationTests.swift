import TestSupport
import Testing

/// Whoever changes anything of a signed event is not believed.
@Suite(.serialized, .timeLimit(.minutes(20))) struct MutationTests {
    @Test func `a signed event with any change is refused`() async throws {
        try await House.with { house in
            let service = try await house.serve(Hooks.v2Settings())
            let hook = SignedHook("Transaction.Paid", paymentID: "p-1", id: "msg-1")
            var random = SplitMix64(seed: Effort.seed)
            let mutants = (0..<1000).map { _ in Self.mutant(of: hook, &random) }
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
    private static func mutant(of hook: SignedHook, _ random: inout SplitMix64) -> SignedHook {
        var mutant = hook
        switch Int.random(in: 0..<4, using: &random) {
        case 0: flipBit(of: &mutant.body, &random)
        case 1: flipBit(of: &mutant.code, &random)
        case 2: mutant.id = changed(hook.id, to: "abcdefghijklmnopqrstuvwxyz-0123456789", &random)
        default: mutant.timestamp = changed(hook.timestamp, to: "0123456789", &random)
        }
        return mutant
    }

    private static func flipBit(of bytes: inout [UInt8], _ random: inout SplitMix64) {
        let place = Int.random(in: bytes.indices, using: &random)
        bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    }

    private static func changed(_ text: String, to alphabet: String, _ random: inout SplitMix64) -> String {
        var characters = Array(text)
        let place = Int.random(in: characters.indices, using: &random)
        characters[place] = alphabet.filter { $0 != characters[place] }.randomElement(using: &random) ?? "x"
        return String(characters)
    }
}
