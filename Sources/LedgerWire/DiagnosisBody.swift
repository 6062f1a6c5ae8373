public import Foundation

/// What an examination of the books found.
public struct DiagnosisBody: Codable, Hashable, Sendable {
    /// Whether no check found a deviation.
    public let isSound: Bool
    /// The moment that was examined.
    public let examinedAt: Date
    /// The server that was read.
    ///
    /// - Values: `primary`, `standby`
    public let server: String
    /// When the books were last sealed; nil: never.
    public let lastSealedAt: Date?
    /// All checks, also those that found nothing.
    public let checks: [Check]
    /// Settings of the server that put the books at risk.
    public let warnings: [Warning]

    /// A setting of the server that puts the books at risk.
    public struct Warning: Codable, Hashable, Sendable {
        /// The name of the warning, such as `fsync_off`.
        public let code: String
        /// What can happen, and what to do.
        public let detail: String

        /// Creates it from its members.
        public init(code: String, detail: String) {
            self.code = code
            self.detail = detail
        }
    }

    /// A check.
    public struct Check: Codable, Hashable, Sendable {
        /// The name of the check.
        public let code: String
        /// What is true when the check finds nothing.
        public let proves: String
        /// The number of deviations.
        public let count: Member.Natural
        /// The first deviations.
        public let deviations: [Deviation]

        /// Creates it from its members.
        public init(code: String, proves: String, count: Int64, deviations: [Deviation]) {
            self.code = code
            self.proves = proves
            self.count = count
            self.deviations = deviations
        }
    }

    /// One thing that is wrong.
    public struct Deviation: Codable, Hashable, Sendable {
        /// What it is about, such as `account:17` or `entry:4097`.
        public let subject: String
        /// What is wrong.
        public let detail: String

        /// Creates it from its members.
        public init(subject: String, detail: String) {
            self.subject = subject
            self.detail = detail
        }
    }

    private enum CodingKeys: String, CodingKey {
        case checks, warnings, server
        case isSound = "sound"
        case examinedAt = "examined_at"
        case lastSealedAt = "last_sealed_at"
    }

    /// Creates it from its members.
    public init(
        isSound: Bool, examinedAt: Date, server: String, lastSealedAt: Date?, checks: [Check], warnings: [Warning]
    ) {
        self.isSound = isSound
        self.examinedAt = examinedAt
        self.server = server
        self.lastSealedAt = lastSealedAt
        self.checks = checks
        self.warnings = warnings
    }
}
