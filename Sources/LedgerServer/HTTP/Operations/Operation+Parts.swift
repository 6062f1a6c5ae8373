extension Operation {
    /// The body of a request.
    struct Body: Sendable {
        let media: [Media]
        var isRequired = true

        struct Media: Sendable {
            let type: String
            let schema: Schema
            let examples: [Example]
        }

        /// A JSON body, decoded as this type.
        static func json(_ type: Any.Type, isRequired: Bool = true, _ examples: Example...) -> Body {
            Body(
                media: [.init(type: "application/json", schema: .type(type), examples: examples)],
                isRequired: isRequired)
        }

        static func csv(isRequired: Bool = true, _ example: Example) -> Body {
            Body(media: [.init(type: "text/csv", schema: .any("string"), examples: [example])], isRequired: isRequired)
        }

        /// A CSV file, or a file of another of these types.
        static func csv(_ example: Example, orFile types: String...) -> Body {
            let files = types.map { Media(type: $0, schema: .any("string"), examples: []) }
            return Body(media: csv(example).media + files)
        }
    }

    /// What a body is.
    enum Schema: Sendable {
        /// What the type is written as.
        case type(Any.Type)
        /// A schema that is no type of ours.
        case named(String)
        case list(Any.Type)
        case either([Any.Type])
        /// A JSON value of this type, which nothing describes closer.
        case any(String, required: [String] = [], description: String? = nil)
    }

    struct Example: Sendable {
        let name: String
        let summary: String?
        let value: OrderedJSON

        init(_ name: String, _ value: OrderedJSON) {
            (self.name, summary, self.value) = (name, nil, value)
        }

        init(_ name: String, _ summary: String, _ value: OrderedJSON) {
            (self.name, self.summary, self.value) = (name, summary, value)
        }
    }

    /// A response of success.
    struct Answer: Sendable {
        let status: Int
        let description: String
        let content: [Body.Media]
        /// The headers beside those that the traits imply.
        let headers: [Header]
        /// The operations that go on with what this response has.
        let links: [Link]

        init(
            _ status: Int, _ description: String, _ content: [Body.Media] = [], headers: [Header] = [],
            links: [Link] = []
        ) {
            (self.status, self.description, self.content) = (status, description, content)
            (self.headers, self.links) = (headers, links)
        }

        static func ok(
            _ type: Any.Type, _ description: String, headers: [Header] = [], links: [Link] = []
        ) -> Answer {
            json(200, .type(type), description, headers: headers, links: links)
        }

        static func created(
            _ type: Any.Type, _ description: String, headers: [Header] = [], links: [Link] = []
        ) -> Answer {
            json(201, .type(type), description, headers: headers, links: links)
        }

        static func accepted(
            _ type: Any.Type, _ description: String, headers: [Header] = [], links: [Link] = []
        ) -> Answer {
            json(202, .type(type), description, headers: headers, links: links)
        }

        static func json(
            _ status: Int, _ schema: Schema, _ description: String, headers: [Header] = [], links: [Link] = []
        ) -> Answer {
            Answer(
                status, description, [.init(type: "application/json", schema: schema, examples: [])],
                headers: headers, links: links)
        }

        /// A text, in one of these media types.
        static func text(
            _ media: String..., description: String, example: Example? = nil, headers: [Header] = []
        ) -> Answer {
            let content = media.enumerated().map { number, type in
                Body.Media(
                    type: type, schema: .any("string"), examples: number == 0 ? example.map { [$0] } ?? [] : [])
            }
            return Answer(200, description, content, headers: headers)
        }
    }

    enum Header: String, Sendable {
        case location = "Location"
        case retryAfter = "Retry-After"
        case cacheControl = "Cache-Control"
        case contentDisposition = "Content-Disposition"
        case exportServer = "Ledgerd-Export-Server"
        case exportTime = "Ledgerd-Export-Time"
    }

    /// An operation whose `id` is a member of a response.
    struct Link: Sendable {
        let name: String
        let operation: String
        /// Where the id is, such as `/hold/id`.
        let id: String

        init(_ name: String, _ operation: String, id: String) {
            (self.name, self.operation, self.id) = (name, operation, id)
        }
    }
}
