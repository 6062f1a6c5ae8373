import Foundation
import SoakHistory

/// A run: what was done, answered, injected and found.
struct Record: Codable {
    let seed: UInt64
    /// How long clients ran.
    var minutes: Double
    let isFaulty: Bool
    var history = History()
    var faults: [Tally.Fault] = []
    var books = Books()
    var gateway: [PaymentRecord] = []
    /// What the run itself found: hangs, the doctor's and the seal's words.
    var findings: [Violation] = []
    var failoverReads = FailoverReads()

    init(seed: UInt64, minutes: Double, isFaulty: Bool) {
        self.seed = seed
        self.minutes = minutes
        self.isFaulty = isFaulty
    }

    init(file: String) throws {
        self = try JSONDecoder().decode(Record.self, from: Data(contentsOf: URL(filePath: file)))
    }

    func write(to file: String) throws {
        try JSONEncoder().encode(self).write(to: URL(filePath: file))
    }
}

/// Prints a line at once, also into a pipe.
func show(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

/// How balance reads fared while the database failed over.
struct FailoverReads: Codable {
    /// Answered with a balance within 2 s.
    var answered = 0
    /// Answered 503 with Retry-After within 2 s.
    var told = 0
    /// Answered in any other way, or later.
    var late = 0
    /// In nanoseconds.
    var slowest: Int64 = 0
    /// The first late ones.
    var examples: [String] = []
}
