import LedgerServer

/// The band that says what the service is for, on every page unless it is production.
enum EnvironmentBand {
    /// The name, as in titles of pages; nil: production.
    static func name(of environment: ServiceEnvironment, _ language: Language) -> String? {
        environment == .production ? nil : Texts.text("environment_\(environment.rawValue)", language)
    }

    /// The values of the frame's template; nil: there is no band.
    static func values(_ environment: ServiceEnvironment, _ language: Language) -> [String: Any]? {
        guard let name = name(of: environment, language) else { return nil }
        return ["name": name, "text": Texts.text("environmentHelp_\(environment.rawValue)", language)]
    }

    static let texts: [ConsoleText] = [
        .init("environment_production", "Production", "운영"),
        .init("environment_test", "Test", "테스트"),
        .init("environment_sandbox", "Sandbox", "샌드박스"),
        .init("environmentHelp_production", "Users pay real money.", "실제 결제가 이루어집니다."),
        .init(
            "environmentHelp_test",
            "Payments go through the gateway's test channel. No money moves, and nothing here is an account of the business.",
            "PG사의 테스트 채널을 사용합니다. 실제 돈은 오가지 않으며, 이 장부는 실제 거래 기록이 아닙니다."),
        .init(
            "environmentHelp_sandbox",
            "The payment gateway is simulated. No money moves, and nothing here is an account of the business.",
            "가상의 PG사를 사용합니다. 실제 돈은 오가지 않으며, 이 장부는 실제 거래 기록이 아닙니다."),
    ]
}
