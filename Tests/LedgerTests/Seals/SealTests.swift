import Foundation
import LedgerTestSupport
import TestSupport
import Testing

@testable import Ledger

@Suite(.timeLimit(.minutes(20))) struct SealTests {
    @Test func `a seal says how many entries there are, their hash and what they add up to`() async throws {
        try await TestLedger.with { ledger, test in
            let key = SealKey()
            _ = try await ledger.credit(.sample(1))
            _ = try await ledger.credit(.sample(2, by: "bob"))
            let kept = try #require(try await ledger.seals.make(with: key))
            let head = try await test.number("SELECT max(last_position) FROM chain_link")
            #expect(head == 2)
            let lines = kept.seal.content.text.split(separator: "\n").map(String.init)
            #expect(lines[0] == "ledgerd-seal 2")
            #expect(lines[1].wholeMatch(of: /sealed-at \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/) != nil)
            #expect(lines[2] == "entries 2" && lines[3].wholeMatch(of: /head [0-9a-f]{64}/) != nil)
            #expect(
                lines[4...] == [
                    "total coins:deferred-revenue KRW 0 2000", "total coins:issued COIN 200 0",
                    "total coins:promotions COIN 20 0", "total gateway:receivable KRW 2000 0",
                    "total wallet:bonus COIN 0 20", "total wallet:paid COIN 0 200",
                ])
            #expect(kept.seal.isSigned(by: key.publicKey) && !kept.seal.isSigned(by: SealKey().publicKey))
            #expect(try await ledger.seals.find(kept.id) == kept)
            #expect(try await ledger.seals.find(kept.id + 1) == nil)
        }
    }

    @Test func `a ledger without entries can be sealed`() async throws {
        try await TestLedger.with { ledger, test in
            let kept = try #require(try await ledger.seals.make(with: SealKey()))
            #expect(kept.seal.content.entries == 0)
            #expect(kept.seal.content.head == String(repeating: "0", count: 64))
            let diagnosis = try await Doctor(test.database.configuration).examine(against: kept.seal)
            #expect(diagnosis.isSound, "\(diagnosis.findings)")
        }
    }

    @Test func `a day is sealed once, however many processes want to`() async throws {
        try await TestLedger.with { ledger, test in
            let key = SealKey()
            let morning = Date(timeIntervalSinceNow: -3600)
            let made = try await together(6) { _ in try await ledger.seals.make(with: key, unlessSince: morning) }
            #expect(made.compactMap(\.self).count == 1)
            #expect(try await ledger.seals.make(with: key, unlessSince: morning) == nil)
            #expect(try await ledger.seals.make(with: key, unlessSince: Date(timeIntervalSinceNow: 3600)) != nil)
            #expect(try await ledger.seals.make(with: key) != nil)
            let all = try await ledger.seals.list(limit: 2)
            #expect(all.elements.map(\.id) == [3, 2])
            #expect(try await ledger.seals.list(after: all.next, limit: 2).elements.map(\.id) == [1])
            #expect(try await ledger.seals.last()?.id == 3)
        }
    }

    @Test func `a file is read as it was written, and nothing else is taken for one`() async throws {
        let statement = SealContent(
            ChainState(
                entries: 7, hash: Array(0..<32),
                totals: [AccountClass(name: "bank", currency: "KRW"): ChainTotal(debits: 5, credits: 0)]),
            sealedAt: Date(timeIntervalSince1970: 1_800_000_000.75))
        let key = SealKey()
        let seal = try Seal(statement, by: key)
        let file = try seal.file
        #expect(Seal(file: file) == seal)
        #expect(Seal(file: file)?.isSigned(by: key.publicKey) == true)

        let text = String(decoding: file, as: UTF8.self)
        for (part, other) in [
            ("ledgerd-seal-1", "ledgerd-seal-2"), ("ledgerd-seal 2", "ledgerd-seal 3"), ("entries 7", "entries  7"),
            ("entries 7", "entries 07"), ("head 00", "head zz"), ("head 00", "head AA"),
            ("bank KRW 5", "bank KRW five"),
            ("bank KRW", "bank"), ("Z\\n", "\\n"), (#""public_key" : ""#, #""public_key" : "A"#),
        ] {
            #expect(text.contains(part), "\(part)")
            #expect(Seal(file: Data(text.replacing(part, with: other).utf8)) == nil, "\(other)")
        }
        let forged = try #require(Seal(file: Data(text.replacing("entries 7", with: "entries 8").utf8)))
        #expect(!forged.isSigned(by: key.publicKey))
        #expect(Seal(file: Data()) == nil && Seal(file: Data("[]".utf8)) == nil)
    }

    @Test func `a key is read as it was written, and never shown`() {
        let key = SealKey()
        #expect(SealKey(base64: key.base64)?.publicKey == key.publicKey)
        #expect(SealPublicKey(base64: key.publicKey.base64) == key.publicKey)
        #expect(key.publicKey.id.count == 16)
        for text in ["", "abc", "AAAA", key.base64 + "AA"] {
            #expect(SealKey(base64: text) == nil && SealPublicKey(base64: text) == nil, "\(text)")
        }
        #expect(!"\(key)\(String(reflecting: key))".contains(key.base64))
        var dumped = ""
        dump(key, to: &dumped)
        #expect(!dumped.contains(key.base64))
    }
}
