/// The result of one check of the configuration.
package struct CheckResult: Sendable, Encodable, Equatable {
    package enum Outcome: String, Sendable, Encodable {
        case ok
        /// The service runs, but not as it should in production.
        case warning
        /// The service does not start, or does not do its work.
        case failed
        /// Not tested, because something that it needs failed.
        case skipped
    }

    /// What was tested.
    package let check: String
    package let outcome: Outcome
    /// What was found: no secret.
    package let detail: String
    /// What to do about it.
    package let advice: String?

    package enum CodingKeys: String, CodingKey {
        case check, detail, advice
        case outcome = "result"
    }

    package static func ok(_ check: String, _ detail: String) -> Self {
        Self(check: check, outcome: .ok, detail: detail, advice: nil)
    }

    package static func warning(_ check: String, _ detail: String, do advice: String) -> Self {
        Self(check: check, outcome: .warning, detail: detail, advice: advice)
    }

    package static func failed(_ check: String, _ detail: String, do advice: String? = nil) -> Self {
        Self(check: check, outcome: .failed, detail: detail, advice: advice)
    }

    package static func skipped(_ check: String, _ detail: String) -> Self {
        Self(check: check, outcome: .skipped, detail: detail, advice: nil)
    }

    /// A test that an error ended, in words for a person.
    static func failed(_ check: String, _ error: any Error, do advice: String? = nil) -> Self {
        failed(check, CommandFailure(error)?.description ?? "\(error)", do: advice)
    }
}
