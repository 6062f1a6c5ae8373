/// What can be wrong with an Excel workbook.
package enum SpreadsheetFault: Error, Sendable, Equatable {
    /// It is no workbook, or not all of it.
    case damaged
    case encrypted
    /// It is larger than ``SpreadsheetLimits`` allow.
    case tooLarge
    /// No sheet that can be seen has anything in it.
    case empty
    /// Several sheets have the columns, so that one would be left out.
    case severalSheets([String])

    /// For people, with the remedy.
    var english: String {
        switch self {
        case .damaged:
            "the Excel workbook is damaged, or not complete: save it again as xlsx or as \"CSV UTF-8\", and import that file"
        case .encrypted: "the Excel workbook is encrypted: save it without a password"
        case .tooLarge:
            "the Excel workbook is too large to be read: save the sheet as \"CSV UTF-8\", and import that file"
        case .empty: "the Excel workbook has no sheet with anything in it"
        case .severalSheets(let names):
            "several sheets have these columns (\(names.joined(separator: ", "))): keep one sheet in each file"
        }
    }

    /// The same in Korean.
    var korean: String {
        switch self {
        case .damaged: "Excel 통합 문서가 손상되었거나 완전하지 않습니다. xlsx 또는 \"CSV UTF-8\"로 다시 저장한 뒤 그 파일을 올리세요"
        case .encrypted: "Excel 통합 문서가 암호화되어 있습니다. 암호 없이 저장하세요"
        case .tooLarge: "Excel 통합 문서가 너무 커서 읽을 수 없습니다. 시트를 \"CSV UTF-8\"로 저장한 뒤 그 파일을 올리세요"
        case .empty: "Excel 통합 문서에 내용이 있는 시트가 없습니다"
        case .severalSheets(let names):
            "여러 시트(\(names.joined(separator: ", ")))에 이 열들이 있습니다. 파일마다 시트를 하나만 두세요"
        }
    }
}

/// How much of a workbook is read, whatever it says of itself: a small file can unpack to a very large one.
struct SpreadsheetLimits: Sendable {
    /// The bytes of all parts that are read, unpacked.
    var unpacked = 256 << 20
    /// The bytes of all cells.
    var text = 64 << 20
    /// The texts that cells share.
    var sharedTexts = 2_000_000
    /// The columns that are read of a row; those to the right of them are left out.
    var columns = 512
    /// The bytes of one cell; Excel's own limit is 32,767 characters.
    var cell = 128 << 10
    /// The sheets of a workbook.
    var sheets = 100
    /// The rows of a sheet, Excel's own limit.
    var rows: Int64 = 1_048_576
}
