import Testing

/// A strict reader of the Prometheus text format, so that tests see what a scraper would.
struct PrometheusParser {
    struct Sample: Equatable {
        let name: String
        let labels: [String: String]
        let value: Double
    }

    private(set) var types: [String: String] = [:]
    private(set) var help: [String: String] = [:]
    private(set) var samples: [Sample] = []

    struct Malformed: Error {
        let line: String
    }

    init(_ text: String) throws {
        guard text.hasSuffix("\n") else { throw Malformed(line: "the last line has no line feed") }
        var seen: Set<String> = []
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: " ", maxSplits: 3).map(String.init)
            if line.hasPrefix("# TYPE ") {
                guard types[parts[2]] == nil else { throw Malformed(line: "second TYPE: \(line)") }
                types[parts[2]] = parts[3]
            } else if line.hasPrefix("# HELP ") {
                help[parts[2]] = parts[3]
            } else {
                let sample = try Self.sample(line)
                guard seen.insert("\(sample.name)\(sample.labels.sorted { $0.key < $1.key })").inserted else {
                    throw Malformed(line: "duplicate: \(line)")
                }
                samples.append(sample)
            }
        }
    }

    func value(_ name: String, _ labels: [String: String] = [:]) -> Double? {
        samples.first { $0.name == name && $0.labels == labels }?.value
    }

    private static func sample(_ line: Substring) throws -> Sample {
        var rest = line
        let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == ":" }
        rest = rest.dropFirst(name.count)
        var labels: [String: String] = [:]
        if rest.first == "{" {
            rest = rest.dropFirst()
            while rest.first != "}" {
                let label = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
                rest = rest.dropFirst(label.count)
                guard !label.isEmpty, rest.hasPrefix("=\"") else { throw Malformed(line: String(line)) }
                rest = rest.dropFirst(2)
                labels[String(label)] = try quoted(&rest, line: line)
                if rest.first == "," { rest = rest.dropFirst() }
            }
            rest = rest.dropFirst()
        }
        guard !name.isEmpty, rest.first == " ", let value = Double(rest.dropFirst().replacing("Inf", with: "inf"))
        else {
            throw Malformed(line: String(line))
        }
        return Sample(name: String(name), labels: labels, value: value)
    }

    private static func quoted(_ rest: inout Substring, line: Substring) throws -> String {
        var value = ""
        while let character = rest.popFirst() {
            switch character {
            case "\"": return value
            case "\\":
                switch rest.popFirst() {
                case "n": value.append("\n")
                case "\\": value.append("\\")
                case "\"": value.append("\"")
                default: throw Malformed(line: String(line))
                }
            default: value.append(character)
            }
        }
        throw Malformed(line: String(line))
    }
}
