import Foundation
import Ledger
import LedgerWire
import TestSupport
import Testing
import WireFormats

@testable import LedgerServer

/// Bodies that write themselves say byte for byte what the encoder makes of them.
@Suite(.timeLimit(.minutes(20))) struct JSONWrittenTests {
    @Test func `bodies write what the encoder would`() throws {
        var random = SplitMix64(seed: Effort.seed)
        for _ in 0..<200 {
            try expectSame(random.balance())
            try expectSame(random.purchase())
            try expectSame(random.entry())
            try expectSame(random.refund())
            try expectSame(ReceiptBody(purchase: random.purchase(), balance: random.balance()))
        }
        for count in [0, 1, 7] {
            let cursor = Bool.random(using: &random) ? random.text() : nil
            try expectSame(ProductsBody(products: (0..<count).map { _ in random.product() }))
            try expectSame(BalancesBody(balances: (0..<count).map { _ in random.balance() }))
            for cursor in [nil, cursor, "c"] {
                // Names before, between and behind the two that every list has.
                for name in ["purchases", "entries", "items", "has_mor", "has_more_", "next"] {
                    let items = (0..<count).map { _ in random.purchase() }
                    try expectSame(ListBody(name: name, items: items, nextCursor: cursor))
                }
            }
        }
    }

    @Test func `cursors of pages write what the encoder would`() throws {
        var random = SplitMix64(seed: Effort.seed)
        let decoder = WireJSON.makeDecoder()
        for _ in 0..<200 {
            let moment = Int64.random(in: -62_135_683_200_000_000...253_402_387_200_000_000, using: &random)
            let purchase = Data(#"{"id":\#(random.number()),"creditedAt":\#(moment)}"#.utf8)
            try expectSame(try decoder.decode(PurchaseCursor.self, from: purchase))
            let accounts = ["paid", "bonus", "held_paid", "held_bonus", "debt"].shuffled(using: &random)
                .prefix(Int.random(in: 0...5, using: &random))
            let seqs = Dictionary(uniqueKeysWithValues: accounts.map { ($0, random.number()) })
            let entries = try JSONEncoder().encode(["seqByAccount": seqs])
            try expectSame(try decoder.decode(StatementCursor.self, from: entries))
        }
    }

    /// A client may put any names into a cursor, which come back in the next one.
    @Test func `a cursor with foreign names of accounts stays one cursor`() throws {
        let seqs = ["paid": 7, "a\"b\\": -1, "\u{0}\n": .max, "\u{301}": .min, "}": 0, "": 1] as [String: Int64]
        let decoder = WireJSON.makeDecoder()
        let cursor = try decoder.decode(
            StatementCursor.self, from: try JSONEncoder().encode(["seqByAccount": seqs]))
        let text = Cursor.encode(cursor, of: "entries")
        #expect(try Cursor.decode(StatementCursor.self, from: text, of: "entries") == cursor)
        #expect(try Cursor.decode(StatementCursor.self, from: Self.encoded(cursor), of: "entries") == cursor)
    }

    /// By the encoder that wrote cursors before, and which other lists use.
    private static func encoded(_ position: some Encodable) throws -> String {
        try Cursor.encode(position, of: "entries")
    }

    /// A member that is never set is not compared.
    @Test func `every optional member is set in some of the random bodies`() {
        var random = SplitMix64(seed: Effort.seed)
        var (optional, set): (Set<String>, Set<String>) = ([], [])
        func look(at value: Any) {
            let mirror = Mirror(reflecting: value)
            for child in mirror.children {
                let name = "\(mirror.subjectType).\(child.label ?? "")"
                let member = Mirror(reflecting: child.value)
                guard member.displayStyle == .optional else { continue }
                optional.insert(name)
                guard let content = member.children.first?.value else { continue }
                set.insert(name)
                look(at: content)
            }
        }
        for _ in 0..<200 {
            let bodies: [Any] = [random.refund(), random.purchase(), random.entry(), random.product()]
            for body in bodies { look(at: body) }
        }
        #expect(optional.subtracting(set).isEmpty && optional.count > 15)
    }

    private func expectSame(
        _ body: some JSONWritten, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let written = String(buffer: body.written())
        let encoded = String(buffer: try AnswerJSON.encode(body))
        #expect(written == encoded && written.utf8.elementsEqual(encoded.utf8), sourceLocation: sourceLocation)
    }
}

extension SplitMix64 {
    fileprivate mutating func text() -> String {
        let odd: [Unicode.Scalar] = ["\"", "\\", "/", "\u{7f}", "\u{2028}", "\u{10ffff}", "가", "é", "\u{301}", "😀"]
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...12, using: &self) {
            switch Int.random(in: 0...3, using: &self) {
            case 0: text.append(odd.randomElement(using: &self) ?? "x")
            case 1: text.append(Unicode.Scalar(UInt8.random(in: 0..<0x20, using: &self)))
            default: text.append(Unicode.Scalar(UInt8.random(in: 0x20..<0x7f, using: &self)))
            }
        }
        return String(text)
    }

    fileprivate mutating func number() -> Int64 {
        let number = Int64.random(in: .min ... .max, using: &self)
        return [0, 1, -1, .min, .max, number, number % 100_000].randomElement(using: &self) ?? 0
    }

    fileprivate mutating func date() -> Date {
        Date(timeIntervalSince1970: Double.random(in: -1e9...5e9, using: &self))
    }

    fileprivate mutating func maybe<Value>(_ make: (inout Self) -> Value) -> Value? {
        Bool.random(using: &self) ? make(&self) : nil
    }

    fileprivate mutating func balance() -> BalanceBody {
        BalanceBody(
            user: text(), total: number(), paid: number(), bonus: number(), held: number(), available: number(),
            debt: number())
    }

    fileprivate mutating func product() -> ProductBody {
        ProductBody(
            code: text(), title: text(), price: number(), currency: text(), coins: number(), bonusCoins: number(),
            soldUntil: maybe { $0.date() }, coinDays: maybe { $0.number() }, bonusCoinDays: maybe { $0.number() },
            vat: maybe { $0.text() }, prices: maybe { [$0.price(), $0.price()] })
    }

    fileprivate mutating func price() -> ProductPriceBody {
        ProductPriceBody(currency: text(), price: number(), soldUntil: maybe { $0.date() })
    }

    fileprivate mutating func refund() -> RefundBody {
        RefundBody(
            id: number(), purchaseID: number(), status: text(), method: maybe { $0.text() }, coins: number(),
            bonusCoins: number(), bonusCharged: number(), value: number(), fee: number(),
            feeRule: maybe { $0.text() }, feeWaiver: maybe { $0.text() }, amount: number(), currency: text(),
            reason: text(), requestedAt: date(), completedAt: maybe { $0.date() }, paidAt: maybe { $0.date() },
            bankReference: maybe { $0.text() }, repaidAt: maybe { $0.date() },
            repaymentReference: maybe { $0.text() },
            refusal: maybe { .init(reason: $0.text(), gatewayCode: $0.maybe { $0.text() }) },
            expired: maybe { .init(coins: $0.number(), value: $0.number(), fee: $0.number()) },
            taxFreeAmount: maybe { $0.number() },
            foreign: maybe { .init(amount: $0.number(), fee: $0.number(), currency: $0.text()) })
    }

    fileprivate mutating func purchase() -> PurchaseBody {
        PurchaseBody(
            id: number(), user: maybe { $0.text() }, status: text(), gateway: text(), impUID: text(),
            merchantUID: text(),
            paymentID: maybe { $0.text() }, product: text(), amount: number(), currency: text(), coins: number(),
            bonusCoins: number(), paidAt: date(), creditedAt: date(), refundedAmount: number(),
            refunds: maybe { [$0.refund(), $0.refund()] },
            foreign: maybe { .init(amount: $0.number(), currency: $0.text(), refundedAmount: $0.number()) })
    }

    fileprivate mutating func entry() -> StatementEntryBody {
        StatementEntryBody(
            journalEntryID: number(), kind: text(), reference: text(), reason: maybe { $0.text() }, coins: number(),
            balance: number(),
            movements: [.init(account: text(), coins: number(), balance: number())].filter { _ in number() != 0 },
            effectiveAt: date(), recordedAt: date(), formerID: maybe { $0.text() })
    }
}
