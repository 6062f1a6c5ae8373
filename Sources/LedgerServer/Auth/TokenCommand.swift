import ArgumentParser
import FoundationEssentials
import Ledger
import Timing

/// `ledgerd token`: prints a development token and nothing else.
struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Create an access token for development.",
        discussion: "The token is signed with jwt_secret (HS256). Production tokens come from the identity service.")

    @Option(help: "The subject of the token: a user's id, or a service's name.")
    var sub: String
    @Option(help: "The scopes of the token, separated by spaces or commas: \(Scope.allNames).")
    var scope = "user"
    @Option(help: "The lifetime of the token, such as 30s, 15m, 1h or 7d.")
    var ttl = "1h"
    @Option(help: "The claim iss (default: the setting jwt_issuer).")
    var issuer: String?
    @Option(help: "The claim aud (default: the setting jwt_audience).")
    var audience: String?
    @OptionGroup var settings: SettingFlags<TokenCommandSettings>

    func run() async throws {
        print(try await token(environment: ProcessInfo.processInfo.environment, now: Time.current.now))
    }

    /// - Throws: `ValidationError` for an invalid flag, ``ConfigurationError`` for an invalid setting.
    func token(environment: [String: String], now: Date) async throws -> String {
        let values = try settings.values(environment: environment)
        let issued = Int64(now.timeIntervalSince1970)
        let claims = TokenMinter.Claims(
            sub: try subject(), scope: try scopes().description, iat: issued, exp: issued + (try lifetimeSeconds()),
            iss: try issuer ?? values[Settings.tokens.issuer],
            aud: try audience ?? values[Settings.tokens.audience],
            userClaim: try values[Settings.tokens.userClaim])
        return try await TokenMinter(secret: values.required(Settings.tokens.secret)).mint(claims)
    }

    private func subject() throws -> String {
        guard let subject = UserID(rawValue: sub) else { throw ValidationError("--sub must be \(UserID.rule).") }
        return subject.rawValue
    }

    private func scopes() throws -> Scope {
        let names = scope.split { $0 == " " || $0 == "," }
        // Otherwise, a token with a misspelt scope would be refused only when it is used.
        guard !names.isEmpty, names.allSatisfy({ !Scope(names: [$0]).isEmpty }) else {
            throw ValidationError("--scope must be one or more of \(Scope.allNames).")
        }
        return Scope(names: names)
    }

    private func lifetimeSeconds() throws -> Int64 {
        guard let lifetime = DurationText.parse(ttl), lifetime >= .seconds(1) else {
            throw ValidationError("--ttl must be a duration such as 30s, 15m, 1h or 7d.")
        }
        return lifetime.components.seconds
    }
}

enum TokenCommandSettings: SettingList {
    static let settings: [any SettingDeclaration] = [Settings.tokens.secret]
}
