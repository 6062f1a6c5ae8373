import Foundation
import PGVerifier
import Testing

@testable import Console
@testable import Ledger
@testable import LedgerServer

/// Every text of the console is in both languages, and every key that is used has a text.
@Suite(.timeLimit(.minutes(20))) struct TextsTests {
    @Test func `each text is in both languages, once`() {
        for text in Texts.all {
            #expect(!text.english.isEmpty && !text.korean.isEmpty, "\(text.key)")
            #expect(!text.english.contains { ("가"..."힣").contains($0) }, "\(text.key) is not English")
        }
        let keys = Texts.all.map(\.key)
        let repeated = Set(keys).filter { key in keys.count { $0 == key } > 1 }
        #expect(repeated == [])
    }

    @Test func `each key in templates and sources has a text, and each text is used`() throws {
        let keys = Set(Texts.all.map(\.key))
        let sources = try ConsoleSources.files().map(\.text).joined()
        let inTemplates = Self.keys(inTemplatesOf: sources)
        #expect(inTemplates.count > 20)
        #expect(inTemplates.subtracting(keys) == [])
        // What stands between two quotation marks, with what stands before it.
        let parts = sources.components(separatedBy: "\"")
        let quoted = zip(parts, parts.dropFirst()).dropLast()
        let asked = quoted.filter { before, _ in before.hasSuffix("visit.text(") || before.hasSuffix("Texts.text(") }
        let inSources = Set(asked.map { $0.1 }.filter { $0.wholeMatch(of: #/[A-Za-z_-]+/#) != nil })
        #expect(inSources.count > 20)
        #expect(inSources.subtracting(keys) == [])
        // Keys that are put together, such as role_viewer, are used by their beginning.
        let built = Set(
            parts.dropFirst().compactMap { part in part.range(of: "_\\(").map { part[..<$0.lowerBound] } })
        let uses = Dictionary(quoted.map { ($0.1, 1) }, uniquingKeysWith: +)
        let unused = keys.filter { key in
            let isBuilt = key.contains("_") && built.contains(key.prefix { $0 != "_" })
            return !inTemplates.contains(key) && !isBuilt && (uses[key] ?? 0) < 2
        }
        #expect(unused == [], "texts that nothing shows")
    }

    /// The keys of `{{t.key}}` and `{{{t.key}}}`.
    private static func keys(inTemplatesOf sources: String) -> Set<String> {
        let parts = sources.components(separatedBy: "{{").dropFirst()
        return Set(parts.compactMap { $0.prefixMatch(of: #/{?t\.([A-Za-z0-9_]+)}}/#).map { String($0.1) } })
    }

    @Test func `each role, language and failure has its text`() {
        for role in Person.Role.allCases { #expect(Texts.table(.korean)["role_\(role.rawValue)"] != nil) }
        for failure in SignInFailure.allCases { #expect(Texts.table(.korean)["signIn_\(failure.rawValue)"] != nil) }
        for kind in EntryKind.allCases { #expect(Texts.table(.korean)["entry_\(kind.rawValue)"] != nil) }
        for act in ConsoleAct.all { #expect(Texts.table(.korean)[ConsoleAct.text(of: act.name)] != nil) }
        for question in ClosingChecklist.Question.allCases {
            #expect(Texts.table(.korean)["check_\(question.rawValue)"] != nil)
        }
        for status in Approval.Status.allCases {
            #expect(Texts.table(.korean)["approval_\(status.rawValue)"] != nil)
        }
        for outcome in AuditRecord.Outcome.allCases {
            #expect(Texts.table(.korean)["outcome_\(outcome.rawValue)"] != nil)
        }
        for kind in SearchHit.Kind.allCases {
            #expect(Texts.table(.korean)["found_\(kind.rawValue)"] != nil)
            #expect(Texts.table(.korean)["foundGroup_\(kind.rawValue)"] != nil)
        }
        for reason in WaitReason.allCases.map(\.rawValue) + RefusalReason.allCases.map(\.rawValue) {
            #expect(Texts.table(.korean)["why_\(reason)"] != nil, "\(reason)")
        }
    }

    @Test(arguments: [
        ("", Language.english), ("ko", .korean), ("ko-KR,ko;q=0.9,en-US;q=0.8", .korean),
        ("en-US,en;q=0.9,ko;q=0.8", .english),
        ("fr, ko;q=0.1", .korean), ("en;q=0.3, ko; q=0.7", .korean), ("de", .english), ("ko;q=x", .korean),
        (";;,,", .english),
    ])
    func `the language that the browser prefers is chosen`(header: String, language: Language) {
        #expect(Language(preferredIn: header) == language)
    }
}
