import Foundation
import LedgerWire
import Testing

@testable import Ledger
@testable import LedgerServer

/// What follows from refusals, and which are not recorded under their key, as docs/api.md tells; `LEDGERD_UPDATE_DOCS=1`
/// writes it anew.
@Suite(.timeLimit(.minutes(20))) struct UnrecordedRefusalTests {
    @Test func `docs api md names every refusal that is not recorded under its key`() throws {
        let codes = Set(try Self.everyRefusal().filter { !$0.isDefinite }.map { Problem.Code($0) })
        #expect(codes.contains(.refundNotPaid) && codes.contains(.refundInProgress))
        let rows = Problem.Code.known.filter(codes.contains).map { "| `\($0.rawValue)` | \($0.title) |\n" }
        #expect(rows.count == codes.count)
        let table = "| code | title |\n|---|---|\n" + rows.joined()
        let block = GeneratedBlock(page: "docs/api.md", name: "refusals that are not recorded")
        #expect(try block.committed(comparedWith: table) == table)
    }

    @Test func `every refusal is a problem of the code that it names, or is stored with what it refuses`() throws {
        for refusal in try Self.everyRefusal() {
            let (row, problem) = (refusal.row, Problem(refusal))
            #expect(Problem.Code(refusal) == problem.code && problem.code.status >= 400, "\(refusal)")
            #expect(problem.code.rawValue == row.code ?? "internal", "\(refusal)")
            #expect(problem.members.map(\.name) == row.members.map(\.name), "\(refusal)")
        }
    }

    @Test func `a refusal of more than there is says how much there is`() throws {
        let problem = Problem(Refusal.exceedsDebt(required: 7, available: 5))
        #expect(problem.code == .exceedsDebt && problem.detail == "the request has 7 coins, but the user owes 5")
        #expect(problem.members.map(\.name) == ["required", "available"])
        let closed = Problem(Refusal.monthClosed(until: Date(timeIntervalSince1970: 0)))
        #expect(closed.code == .periodAlreadyClosed && closed.members.map(\.name) == ["closed_until"])
        #expect(Problem(Refusal.changedMeanwhile).code.rawValue == "changed_meanwhile")
        #expect(Problem(Refusal.settledOtherwise).code == .internal)
    }

    /// A refusal of each case as it is declared, and of each status that a case can have: read as if it were stored.
    private static func everyRefusal() throws -> [Refusal] {
        let file = GeneratedBlock.root.appending(path: "Sources/Ledger/Acts/Refusal.swift")
        let source = try String(contentsOf: file, encoding: .utf8)
        let declaration = try #require(source.firstMatch(of: /package enum Refusal: .*?\n}/.dotMatchesNewlines()))
            .output
        return try declaration.matches(of: /\n    case (\w+)(?:\((.*)\))?/).flatMap { match in
            let refusals = stored(String(match.1), members: match.2.map(String.init) ?? "").compactMap { text in
                try? JSONDecoder().decode(Refusal.self, from: Data(text.utf8))
            }
            try #require(!refusals.isEmpty, "no refusal \(match.1) can be read: are its members of another type?")
            return refusals
        }
    }

    /// A case as it is stored, once for each status.
    private static func stored(_ name: String, members: String) -> [String] {
        statuses.map { status in
            let values = members.split(separator: ", ").enumerated().map { place, member in
                let words = member.split(separator: ": ")
                let label = words.count > 1 ? String(words[0]) : "_\(place)"
                let isNumber = words.last == "Int64" || words.last == "Date"
                return "\"\(label)\": \(isNumber ? "1" : "\"\(status)\"")"
            }
            return "{\"\(name)\": {\(values.joined(separator: ", "))}}"
        }
    }

    private static let statuses: Set<String> = Set(
        Hold.Status.allCases.map(\.rawValue) + Dispute.Status.allCases.map(\.rawValue)
            + Payout.Status.allCases.map(\.rawValue) + [SettlementFault.feeExceedsGross.rawValue]
            + [Refund.Status.pending, .completed, .refused, .approved, .reversed].map(\.rawValue))
}
