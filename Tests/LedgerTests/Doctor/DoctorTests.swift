import LedgerTestSupport
import Postgres
import TestSupport
import Testing

@testable import Ledger

@Suite(.timeLimit(.minutes(20))) struct DoctorTests {
    /// All in one database: each is planted in a transaction that is rolled back.
    @Test func `each corruption is found, and nothing before it was planted`() async throws {
        try await TestLedger.withDatabase { lived in
            let ledger = try await lived.open()
            try await ledger.liveThroughEverything()
            try await ledger.runACampaign()
            try await ledger.becomeOne()
            try await ledger.events.publisher.publish()
            await ledger.close()
            let taxed = try await lived.open(vat: .everything)
            try await taxed.oweVAT()
            try await taxed.events.publisher.publish()
            await taxed.close()
            let doctor = Doctor(try .unhurried(lived.serviceURL))
            let before = try await doctor.examine()
            try #require(before.isSound, "\(before.findings)")
            try await AlteredBooks.with(lived) { books in
                for corruption in Corruption.all { try await expectFound(corruption, in: books) }
            }
            let after = try await doctor.examine()
            #expect(after.isSound, "a corruption was not rolled back: \(after.findings)")
        }
    }

    private func expectFound(_ corruption: Corruption, in books: AlteredBooks) async throws {
        let checks = Doctor.Check.all.filter { $0.code == corruption.code }
        let diagnosis = try await books.diagnosis(of: corruption, by: checks)
        guard let found = diagnosis.findings.first(where: { $0.code == corruption.code }) else {
            Issue.record("\(corruption.code) is not found: \(corruption.sql)")
            return
        }
        #expect(found.count >= 1, "\(corruption.code)")
        let areNamed = found.deviations.allSatisfy { $0.subject.contains(":") && !$0.detail.isEmpty }
        #expect(areNamed, "\(corruption.code)")
    }

    @Test func `every check is shown to find something`() {
        #expect(Set(Corruption.all.map(\.code)) == Set(Doctor.Check.all.map(\.code)))
        #expect(Set(Doctor.Check.all.map(\.code)).count == Doctor.Check.all.count)
    }

    @Test func `an empty ledger is sound`() async throws {
        try await TestLedger.withDatabase { test in
            let diagnosis = try await Doctor(try .unhurried(test.serviceURL)).examine()
            #expect(diagnosis.isSound, "\(diagnosis.findings)")
            #expect(diagnosis.results.count == Doctor.Check.all.count + 2, "the chain is examined too")
        }
    }

    @Test func `a service examines the books once at a time, and exports go on meanwhile`() async throws {
        try await TestLedger.with { ledger, test in
            let other = try await test.connectAsOwner()
            try await other.execute("BEGIN; LOCK TABLE provider_share IN ACCESS EXCLUSIVE MODE")
            async let first = ledger.exports.examine(naming: 1)
            let waiting = "pg_locks WHERE NOT granted AND relation = 'provider_share'::regclass"
            try await eventually("it waits for the table") {
                try await other.run(
                    PostgresQuery<Int64>.one("SELECT count(*) FROM \(waiting)") { row in try row[0] }) > 0
            }
            #expect(try await ledger.exports.examine(naming: 1) == nil)
            #expect(try await ledger.export(.journal).trailer.rows == 0)
            try await other.execute("ROLLBACK")
            await other.close()
            #expect(try await first?.isSound == true)
            #expect(try await ledger.exports.examine(naming: 1)?.isSound == true, "there is room again")
        }
    }

    @Test func `many deviations are counted, and few of them named`() async throws {
        try await TestLedger.with { ledger, test in
            _ = try await together(30) { try await ledger.credit(.sample($0, by: "user-\($0)")) }
            let corruption = Corruption("running_balance_differs", "UPDATE posting SET balance = balance + 1")
            try await AlteredBooks.with(test) { books in
                let diagnosis = try await books.diagnosis(of: corruption, naming: 3)
                let found = try #require(diagnosis.findings.first { $0.code == corruption.code })
                // The first posting of an account follows nothing that was altered, and the others what was altered alike.
                #expect(found.count == 60 + 4 * 4)
                #expect(found.deviations.count == 3)
            }
        }
    }

    @Test func `what is written while it looks is in no one's way`() async throws {
        try await TestLedger.with { ledger, test in
            let writing = Task {
                _ = try await together(200) { try await ledger.credit(.sample($0, by: "user-\($0 % 20)")) }
            }
            for _ in 0..<5 {
                let diagnosis = try await Doctor(try .unhurried(test.serviceURL)).examine()
                #expect(diagnosis.isSound, "\(diagnosis.findings)")
            }
            try await writing.value
        }
    }

    @Test func `a schema of another version is refused`() async throws {
        try await TestLedger.withDatabase { test in
            try await test.execute("DELETE FROM migration WHERE name = 'baseline'")
            let error = await #expect(throws: LedgerError.self) {
                try await Doctor(try .unhurried(test.serviceURL)).examine()
            }
            #expect(error?.code == .schema)
        }
    }
}
