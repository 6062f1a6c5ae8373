import SandboxSupport

extension ControlMembers {
    /// A status with V1's or V2's name; V1's `ready` of a virtual account is V2's `VIRTUAL_ACCOUNT_ISSUED`.
    func status(_ name: String, payMethod: String?) throws(ControlError) -> SandboxPayment.Status? {
        guard let value = value(name) else { return nil }
        if case .string(let text) = value {
            if let status = SandboxPayment.Status(rawValue: text) { return status }
            switch V1Status(rawValue: text) {
            case .ready: return payMethod == "vbank" ? .accountIssued : .ready
            case .paid: return .paid
            case .cancelled: return .cancelled
            case .failed: return .failed
            case nil: break
            }
        }
        let known = V1Status.allCases.map(\.rawValue) + SandboxPayment.Status.allCases.map(\.rawValue)
        throw ControlError(.badRequest, name, "must be one of " + known.joined(separator: ", "))
    }
}
