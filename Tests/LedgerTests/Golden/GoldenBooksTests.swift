import Foundation
import TestSupport
import Testing

@testable import Ledger

/// Names that stored rows, reports and people go by.
@Suite(.timeLimit(.minutes(20))) struct GoldenBooksTests {
    @Test func `accounts and kinds of entries are named as they always were`() throws {
        try Golden.expect(
            SystemAccount.allCases.map { "account \($0.rawValue)" }
                + EntryKind.allCases.map { "entry \($0.rawValue)" }.sorted()
                + StatementEntry.kinds.map { "statement \($0)" }.sorted(),
            in: "accounts.txt")
    }

    @Test func `the doctor checks what it always did`() throws {
        let checks = Doctor.Check.all.map { "\($0.code): \($0.proves)" }
        let chain = ChainRule.allCases.map { "\($0.rawValue): \($0.proves)" }
        try Golden.expect(checks + chain, in: "doctor.txt")
    }

    /// Services read the names of constraints, and people those of judges.
    @Test func `tables, constraints and functions are named as they always were`() throws {
        let schema = try String(contentsOf: Golden.root.appending(path: "docs/schema.sql"), encoding: .utf8)
        var names: Set<String> = []
        var table = ""
        for line in schema.split(separator: "\n") {
            if let made = line.firstMatch(of: /^(?:CREATE TABLE|ALTER TABLE ONLY) public\.("?\w+"?)/) {
                table = String(made.1)
                names.insert("table \(table)")
            } else if let rule = line.firstMatch(of: /^ {4}(?:ADD )?CONSTRAINT (\w+)/) {
                names.insert("constraint \(table).\(rule.1)")
            } else if let judged = line.firstMatch(of: /CONSTRAINT = '(\w+)'/) {
                names.insert("judged \(judged.1)")
            } else if let function = line.firstMatch(of: /^CREATE FUNCTION public\.(.+)/) {
                names.insert("function \(function.1)")
            } else if let trigger = line.firstMatch(of: /TRIGGER (\w+) .* ON public\.("?\w+"?)/) {
                names.insert("trigger \(trigger.2).\(trigger.1)")
            } else if let index = line.firstMatch(of: /^CREATE (?:UNIQUE )?INDEX (\w+) ON/) {
                names.insert("index \(index.1)")
            }
        }
        #expect(names.count > 400)
        try Golden.expect(names.sorted(), in: "schema.txt")
    }
}
