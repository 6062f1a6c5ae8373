import Hummingbird
import Ledger
import LedgerServer

/// What this service is: its version and environment, how people sign in, and what each role may do.
struct AboutPage: Sendable {
    let configuration: ConsoleConfiguration

    func addRoutes(to routes: inout ConsoleRoutes) {
        routes.page("about", needs: .read, page)
    }

    /// `GET /console/about`.
    private func page(_ visit: Visit) async -> Response {
        let environment = configuration.environment
        return await Layout.page(
            visit, title: visit.text("aboutTitle"), Self.template,
            [
                "version": BuildInfo.current.text, "environment": visit.text("environment_\(environment.rawValue)"),
                "environmentHelp": visit.text("environmentHelp_\(environment.rawValue)"),
                "zone": configuration.timeZone.identifier, "issuer": configuration.issuer,
                "name": visit.person.name, "role": visit.text("role_\(visit.person.role.rawValue)"),
                "subject": visit.person.subject, "begun": visit.show(visit.session.createdAt),
                "ends": visit.show(visit.session.endsAt),
            ])
    }

    static let template = ConsoleTemplate(
        """
        <table class="stacked"><thead><tr><th scope="col">{{t.aboutWhat}}</th><th scope="col">{{t.aboutValue}}</th></tr></thead>
        <tbody>
        <tr><th scope="row">{{t.aboutEnvironment}}</th><td>{{environment}}. {{environmentHelp}}</td></tr>
        <tr><th scope="row">{{t.aboutVersion}}</th><td>{{version}}</td></tr>
        <tr><th scope="row">{{t.aboutZone}}</th><td>{{zone}}</td></tr>
        <tr><th scope="row">{{t.aboutIssuer}}</th><td>{{issuer}}</td></tr>
        <tr><th scope="row">{{t.aboutYou}}</th><td>{{name}}, {{role}}<br><code class="id">{{subject}}</code></td></tr>
        <tr><th scope="row">{{t.aboutSession}}</th><td>{{begun}} – {{ends}}</td></tr>
        </tbody></table>
        <p class="quiet">{{t.aboutRole}}</p>
        """)

    static let texts: [ConsoleText] = [
        .init("aboutTitle", "About", "서비스 정보"), .init("aboutWhat", "What", "항목"), .init("aboutValue", "Value", "내용"),
        .init("aboutEnvironment", "Environment", "환경"), .init("aboutVersion", "Version", "버전"),
        .init("aboutZone", "Time zone of times here", "화면에 표시되는 시각의 시간대"),
        .init("aboutIssuer", "People sign in at", "로그인 제공자"), .init("aboutYou", "You", "내 계정"),
        .init("aboutSession", "Your session", "로그인 유지"),
        .init(
            "aboutRole", "The provider decides who has which role. A change counts from the next sign-in.",
            "역할은 로그인 제공자가 정합니다. 바뀐 역할은 다음 로그인부터 적용됩니다."),
    ]
}
