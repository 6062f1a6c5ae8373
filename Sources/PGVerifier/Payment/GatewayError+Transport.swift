extension GatewayError {
    /// Without a response nothing is known: never definite.
    init(_ error: TransportError) {
        let code: Code =
            switch error.code {
            case .timeout: .timeout
            case .unreachable, .overloaded: .unreachable
            case .connectionLost: .connectionLost
            case .untrusted: .untrusted
            case .tooLarge: .tooLarge
            case .malformedAnswer: .malformedAnswer
            case .cancelled: .cancelled
            case .invalidRequest: .invalidRequest
            }
        self.init(code, message: error.message)
    }
}
