import LedgerWire

/// Refusals, in the words of their codes.
///
/// Codes of a page's own acts are in the texts of that page.
enum ProblemTexts {
    static let all: [ConsoleText] =
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
