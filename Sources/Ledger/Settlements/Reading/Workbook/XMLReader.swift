import CExpat

/// What gets the elements of a document, without the prefixes of their names.
protocol XMLHandler: AnyObject {
    func begin(_ element: String, _ attributes: [String: String])
    func end(_ element: String)
    func text(_ bytes: UnsafeRawBufferPointer)
    /// Why the rest need not be read; nil: it is to be read.
    var fault: SpreadsheetFault? { get }
}

/// Reads an XML document part by part, with expat.
///
/// A document type is refused: workbooks have none, and its entities could make a small document a large one.
final class XMLReader {
    /// The longest tag, in bytes: expat keeps a tag that has not ended, and looks at it again with each part.
    private static let longestTag: Int64 = 256 << 10
    /// The bytes of a part for expat, however short the parts are that are given: a long tag is looked at a few times only.
    private static let partSize = 64 << 10

    /// How deep elements may be nested: expat keeps each one that has not ended, and workbooks have about ten.
    private static let deepest = 200

    /// The most different names of elements and attributes, and their bytes: expat keeps each one for good, and workbooks
    /// have some hundreds.
    private static let mostNames = 2_000
    private static let mostNameBytes = 256 << 10

    private let parser: XML_Parser?
    private let handler: any XMLHandler
    /// What is given and not parsed yet.
    private var waiting: [UInt8] = []
    private var given: Int64 = 0
    /// How often expat was given a part.
    private(set) var partCount = 0
    private var depth = 0
    /// Each name by its whole form, without its prefix.
    private var names: [String: String] = [:]
    private var nameBytes = 0
    private var ownFault: SpreadsheetFault?

    init(_ handler: any XMLHandler) {
        self.handler = handler
        parser = XML_ParserCreate(nil)
        guard let parser else {
            ownFault = .tooLarge
            return
        }
        // The reader outlives its parser, which calls it only within `read` and `end`.
        XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        XML_SetElementHandler(
            parser, { reader, name, attributes in XMLReader.of(reader)?.began(name, attributes) },
            { reader, name in XMLReader.of(reader)?.ended(name) })
        XML_SetCharacterDataHandler(parser) { reader, text, count in
            XMLReader.of(reader)?.has(UnsafeRawBufferPointer(start: text, count: Int(count)))
        }
        XML_SetStartDoctypeDeclHandler(parser) { reader, _, _, _, _ in XMLReader.of(reader)?.stop(.damaged) }
    }

    deinit { if let parser { XML_ParserFree(parser) } }

    /// Why it can't be read on; nil: it can.
    var fault: SpreadsheetFault? { ownFault ?? handler.fault }

    /// Reads the next part, of any length.
    func read(_ part: UnsafeRawBufferPointer) {
        var rest = part[...]
        while fault == nil, !rest.isEmpty {
            let next = rest.prefix(Self.partSize - waiting.count)
            waiting.append(contentsOf: UnsafeRawBufferPointer(rebasing: next))
            rest = rest.dropFirst(next.count)
            if waiting.count == Self.partSize { parse() }
        }
    }

    /// Tells that there are no more parts.
    func end() {
        if !waiting.isEmpty { parse() }
        guard fault == nil, let parser else { return }
        if XML_Parse(parser, nil, 0, 1) != XML_STATUS_OK, fault == nil { ownFault = .damaged }
    }

    private func parse() {
        guard fault == nil, let parser else { return }
        let count = waiting.count
        given += Int64(count)
        partCount += 1
        let status = waiting.withUnsafeBytes { bytes in
            XML_Parse(parser, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(clamping: count), 0)
        }
        waiting.removeAll(keepingCapacity: true)
        guard status == XML_STATUS_OK else {
            if fault == nil { ownFault = .damaged }
            return
        }
        let read = Int64(XML_GetCurrentByteIndex(parser))
        let kept = given - read - Int64(count)
        if kept > Self.longestTag { ownFault = .tooLarge }
    }

    private static func of(_ reader: UnsafeMutableRawPointer?) -> XMLReader? {
        reader.map { Unmanaged<XMLReader>.fromOpaque($0).takeUnretainedValue() }
    }

    private func stop(_ fault: SpreadsheetFault) {
        ownFault = fault
        XML_StopParser(parser, 0)
    }

    private func began(_ name: UnsafePointer<CChar>?, _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?) {
        guard fault == nil, let name else { return }
        depth += 1
        guard depth <= Self.deepest else { return stop(.tooLarge) }
        var values: [String: String] = [:]
        if var next = attributes {
            while let key = next[0], let value = next[1] {
                guard let local = local(key) else { return stop(.tooLarge) }
                values[local] = String(cString: value)
                next += 2
            }
        }
        guard let local = local(name) else { return stop(.tooLarge) }
        handler.begin(local, values)
        stopIfRefused()
    }

    private func ended(_ name: UnsafePointer<CChar>?) {
        guard fault == nil, let name else { return }
        depth -= 1
        guard let local = local(name) else { return stop(.tooLarge) }
        handler.end(local)
        stopIfRefused()
    }

    private func has(_ text: UnsafeRawBufferPointer) {
        guard fault == nil else { return }
        handler.text(text)
        stopIfRefused()
    }

    private func stopIfRefused() { if let fault = handler.fault { stop(fault) } }

    /// A name without its prefix: programs choose their own; nil: there are too many names.
    private func local(_ name: UnsafePointer<CChar>) -> String? {
        let whole = String(cString: name)
        if let known = names[whole] { return known }
        nameBytes += whole.utf8.count
        guard names.count < Self.mostNames, nameBytes <= Self.mostNameBytes else { return nil }
        let local = whole.lastIndex(of: ":").map { String(whole[whole.index(after: $0)...]) } ?? whole
        names[whole] = local
        return local
    }
}
