/// A request as a command of curl, for a POSIX shell that has the variables of dev.env.
struct CurlCommand {
    let method: String
    /// Where the request goes, below `$LEDGERD_URL`.
    let path: String
    var query: [(name: String, value: String)] = []
    /// Values may hold variables of the shell.
    var headers: [(name: String, value: String)] = []
    var body: Body?

    enum Body {
        case json(OrderedJSON)
        case form([OrderedJSON.Member])
        case text(String, media: String)
    }

    /// The command, option by option.
    var text: String {
        // curl's own choice: POST with a body, else GET.
        let isUsual = method == (body == nil ? "GET" : "POST")
        let options =
            (isUsual ? [] : ["-X \(method)"]) + query.map { "--url-query " + quoted("\($0.name)=\($0.value)") }
            + headers.map { #"-H "\#($0.name): \#($0.value)""# } + bodyOptions
        return (["curl \"$LEDGERD_URL\(path)\""] + options).joined(separator: " \\\n    ")
    }

    private var bodyOptions: [String] {
        switch body {
        case nil: []
        case .json(let value):
            [
                #"-H "Content-Type: application/json""#,
                "-d " + quoted(value.line.count <= 50 ? value.line : value.text(width: 50)),
            ]
        case .form(let members):
            members.map { "--data-urlencode " + quoted("\($0.name)=\($0.value.text ?? $0.value.line)") }
        case .text(let text, let media):
            [#"-H "Content-Type: \#(media)""#, "--data-binary @- <<'END'\n\(text)END"]
        }
    }

    /// As one word of the shell, in which nothing has a meaning.
    private func quoted(_ text: String) -> String { "'" + text.replacing("'", with: #"'\''"#) + "'" }
}
