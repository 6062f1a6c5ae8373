import Foundation
import Testing

@testable import Ledger

/// An Excel file, as Python's zip and XML readers see it: nothing of ledgerd's code reads here.
struct WorkbookReader: Decodable {
    struct Sheet: Decodable {
        let name: String
        let rows: [[Cell?]]
        /// The first row below those that do not move.
        let frozenUntil: String?
        let filter: String?
        let widths: [Double]
    }

    struct Cell: Decodable, Equatable {
        /// `text`, `number` or `time`.
        let kind: String
        let value: String
        let isBold: Bool
    }

    let sheets: [Sheet]
    /// Anything that Excel would calculate.
    let formulas: Int
    let created: String

    init(_ bytes: [UInt8]) async throws {
        let file = try AccountingFile(bytes, "xlsx")
        let text = try await file.run("python3", ["-c", Self.program, file.path])
        self = try JSONDecoder().decode(Self.self, from: Data(text.utf8))
    }

    /// The texts of a sheet's rows; `nil` is an empty cell.
    func values(_ sheet: Int) -> [[String?]] { sheets[sheet].rows.map { $0.map { $0?.value } } }

    private static let program = """
        import datetime, json, re, sys, zipfile
        import xml.etree.ElementTree as tree
        M = '{http://schemas.openxmlformats.org/spreadsheetml/2006/main}'
        R = '{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id'
        z = zipfile.ZipFile(sys.argv[1])
        assert z.testzip() is None
        parts = {n: tree.fromstring(z.read(n)) for n in z.namelist()}
        styles = parts['xl/styles.xml']
        codes = {f.get('numFmtId'): f.get('formatCode') for f in styles.iter(M + 'numFmt')}
        bold = [f.find(M + 'b') is not None for f in styles.find(M + 'fonts')]
        looks = [(codes.get(x.get('numFmtId'), ''), bold[int(x.get('fontId'))]) for x in styles.find(M + 'cellXfs')]
        def unescaped(t): return re.sub('_x([0-9A-Fa-f]{4})_', lambda m: chr(int(m[1], 16)), t)
        def column(ref):
            n = 0
            for c in re.match('[A-Z]+', ref)[0]: n = n * 26 + ord(c) - 64
            return n - 1
        def cell(c):
            code, isBold = looks[int(c.get('s', 0))]
            if c.get('t') == 'inlineStr':
                return dict(kind='text', value=unescaped(''.join(t.text or '' for t in c.iter(M + 't'))), isBold=isBold)
            value = c.find(M + 'v').text
            if 'yy' in code:
                time = datetime.datetime(1899, 12, 30) + datetime.timedelta(days=float(value))
                time = (time + datetime.timedelta(microseconds=500)).replace(microsecond=0)
                return dict(kind='time', value=str(time), isBold=isBold)
            return dict(kind='number', value=value, isBold=isBold)
        def row(r):
            cells = {column(c.get('r')): cell(c) for c in r}
            return [cells.get(i) for i in range(max(cells, default=-1) + 1)]
        targets = {r.get('Id'): r.get('Target') for r in parts['xl/_rels/workbook.xml.rels']}
        sheets = []
        for s in parts['xl/workbook.xml'].iter(M + 'sheet'):
            x = parts['xl/' + targets[s.get(R)]]
            pane, auto = next(x.iter(M + 'pane'), None), x.find(M + 'autoFilter')
            sheets.append(dict(name=s.get('name'), rows=[row(r) for r in x.iter(M + 'row')],
                frozenUntil=None if pane is None or pane.get('state') != 'frozen' else pane.get('topLeftCell'),
                filter=None if auto is None else auto.get('ref'),
                widths=[float(c.get('width')) for c in x.iter(M + 'col')]))
        formulas = sum(1 for p in parts.values() for _ in p.iter(M + 'f'))
        created = next(e.text for e in parts['docProps/core.xml'] if e.tag.endswith('created'))
        print(json.dumps(dict(sheets=sheets, formulas=formulas, created=created)))
        """
}
