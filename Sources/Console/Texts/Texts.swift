import Hummingbird
import Ledger
import LedgerServer

/// A text of the console, in each language.
struct ConsoleText: Sendable {
    /// Its name in templates, after `t.`.
    let key: String
    let english: String
    let korean: String

    init(_ key: String, _ english: String, _ korean: String) {
        self.key = key
        self.english = english
        self.korean = korean
    }
}

/// All texts of the console: those that all pages share, and each page's own.
enum Texts {
    static let all: [ConsoleText] =
        common + roles + kinds + Layout.scriptTexts + ConsoleRefusal.texts + PaymentTexts.all + ConsoleAct.texts
        + SignInPages.texts + SearchPage.texts + CustomerPage.texts + CustomerTroubles.texts
        + TimelineRow.texts + ActPages.texts + CustomerActs.all.flatMap { $0.texts } + ApprovalPages.texts
        + AuditPage.texts + TopUpPages.texts + RefundQuestionPages.texts
        + CampaignPages.texts + ForgettingPages.texts
        + ProposalDescriber.texts + ProposalPart.texts + ProposalObject.texts + SecondProposalPage.texts
        + FindingPages.texts + FindingPages.settleTexts + WaitingPages.texts + ReconciliationPages.texts
        + SettlementPages.texts
        + BankPaymentForm.texts + TransferPages.texts + ProviderPages.texts + PayoutPages.texts + DisputePages.texts
        + AdjustmentPages.texts + RevaluationPages.texts + FinancePages.texts + AccountPages.texts + LivePage.texts
        + ProductPages.texts + ProductPages.priceTexts
        + Chart.texts + ReportPages.texts + LedgerPages.texts + ClosingPages.texts
        + EndpointPages.texts + EventPages.texts + Navigation.texts + EnvironmentBand.texts + HomePage.texts + Age.texts
        + AboutPage.texts + EmptyTexts.all

    /// The texts of a language by key, for templates.
    static func table(_ language: Language) -> [String: String] {
        switch language {
        case .english: english
        case .korean: korean
        }
    }

    /// A text; its key if there is none, which a test rules out for the keys in the sources.
    static func text(_ key: String, _ language: Language) -> String { table(language)[key] ?? key }

    private static let english = Dictionary(all.map { ($0.key, $0.english) }, uniquingKeysWith: { first, _ in first })
    private static let korean = Dictionary(all.map { ($0.key, $0.korean) }, uniquingKeysWith: { first, _ in first })

    private static let common: [ConsoleText] = [
        .init("skip", "Skip to the content", "본문으로 건너뛰기"),
        .init("navigation", "Pages", "페이지"),
        .init("languages", "Language", "언어"),
        .init("account", "Your account", "내 계정"),
        .init("signOut", "Sign out", "로그아웃"),
        .init("signOutEverywhere", "Sign out everywhere", "모든 기기에서 로그아웃"),
        .init("back", "Back", "돌아가기"),
        .init("more", "Earlier", "이전 항목 더 보기"),
        .init("never", "never", "없음"),
        .init("none", "none", "없음"),
        .init("refused", "Not possible", "처리할 수 없음"),
        .init("refusedCode", "Code", "코드"),
        .init("refusedRequest", "Request", "요청 번호"),
        .init("notFoundTitle", "Not found", "찾을 수 없음"),
        .init("forbiddenTitle", "Not allowed", "권한 없음"),
        .init("forbiddenText", "Your role does not allow this.", "현재 역할로는 할 수 없습니다."),
        .init("retryText", "Try again in a moment.", "잠시 후 다시 시도하세요."),
        .init(
            "problem_request_in_progress", "The form was sent before, and is still being carried out.",
            "이미 전송한 양식을 아직 처리하고 있습니다."),
    ]

    private static let kinds = EntryKind.allCases.map { kind in
        ConsoleText("entry_\(kind.rawValue)", kind.row.names.english, kind.row.names.korean)
    }

    private static let roles: [ConsoleText] = [
        .init("role_viewer", "viewer", "조회"),
        .init("role_support", "support", "고객 지원"),
        .init("role_finance", "finance", "재무"),
        .init("role_administrator", "administrator", "관리자"),
    ]
}

extension Language {
    /// The chosen language, or the one that the browser prefers.
    init(of request: Request) {
        let chosen = ConsoleCookie.language.value(in: request).flatMap(Language.init(rawValue:))
        self = chosen ?? Language(preferredIn: request.headers[.acceptLanguage] ?? "")
    }
}
