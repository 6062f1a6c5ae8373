import HTTPTypes
import Hummingbird
import LedgerServer
import LedgerWire

/// Problems as pages, for people.
enum ConsoleRefusal {
    /// A page for a problem below `/console`, and the usual response for other paths.
    static func render(
        _ problem: Problem, _ request: Request, _ context: LedgerdRequestContext, in environment: ServiceEnvironment
    ) throws -> Response {
        let path = request.uri.path
        guard path == "/console" || path.hasPrefix("/console/") else {
            return try Problem.render(problem, request, context)
        }
        let language = Language(of: request)
        let title =
            switch problem.code {
            case .notFound: "notFoundTitle"
            case .forbidden: "forbiddenTitle"
            default: "refused"
            }
        var response = Layout.publicPage(
            request, in: environment, title: Texts.text(title, language), status: problem.status, template,
            [
                "text": text(problem, language), "code": problem.code.rawValue, "request": context.requestID,
                "mayRetry": problem.code.isRetryable,
            ])
        for name in [HTTPField.Name.retryAfter, .allow] { response.headers[name] = problem.headers[name] }
        return response
    }

    /// A problem's text: translated if the console has one for the code, otherwise as the API tells it.
    static func text(_ problem: Problem, _ language: Language) -> String {
        if problem.code == .forbidden, problem.detail == nil { return Texts.text("forbiddenText", language) }
        if language != .english, let text = Texts.table(language)["problem_\(problem.code.rawValue)"] {
            guard problem.code.detailNamesMistake, let detail = problem.detail else { return text }
            return "\(text) (\(detail))"
        }
        guard let detail = problem.detail else { return problem.code.title }
        // A field of a form has the name of the body's member, without the `/` of its pointer.
        let words = detail.drop { $0 == "/" }
        return "\(problem.code.title) \(words.prefix(1).uppercased() + words.dropFirst())."
    }

    static let template = ConsoleTemplate(
        """
        <p class="problem" role="alert">{{text}}</p>
        {{#mayRetry}}<p>{{t.retryText}}</p>{{/mayRetry}}
        <p class="quiet">{{t.refusedCode}} <code>{{code}}</code>, {{t.refusedRequest}} <code>{{request}}</code></p>
        <p><a href="/console">{{t.back}}</a></p>
        """)

    /// The words of codes.
    ///
    /// Those of a page's own acts are in the texts of that page.
    static let texts: [ConsoleText] =
        ProblemCode.known.compactMap { code in
            code.korean.map { ConsoleText("problem_\(code.rawValue)", code.title, $0) }
        } + people

    /// Codes of people's decisions, which the API does not have.
    private static let people: [ConsoleText] = [
        .init(
            "problem_second_person_needed", "Another person has to decide this.", "다른 담당자가 결정해야 합니다."),
        .init("problem_approval_decided", "The proposal is decided already.", "이미 처리된 승인 요청입니다."),
    ]
}
