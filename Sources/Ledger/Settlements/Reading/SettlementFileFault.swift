/// What can be wrong with a settlement file, its mapping or one of its rows.
package enum SettlementFileFault: Sendable, Equatable {
    // The mapping.
    case columnNotMapped(SettlementMapping.Field)
    case unknownMapping(String)
    case mappingNotJSON
    case namesAndNumbers
    // The whole file.
    case otherFormat(FileFormat)
    case spreadsheet(SpreadsheetFault)
    case notText
    case malformedUTF16
    case notInEncoding(TextEncoding)
    case unknownEncoding
    /// No line has all columns; the line that has the most of them is given.
    case noHeader(wanted: [String], missing: [String], line: Int64, found: String)
    case emptyFile(wanted: [String])
    case repeatedColumn(String)
    case noRows
    case nothingInWon
    // A row.
    case quoteOutOfPlace
    case noPaymentID
    case amount(String)
    /// With the currency's code.
    case foreignAmount(String, String)
    /// In won, or in the unit of the line's currency.
    case sum(net: String, expected: String)
    case nothingPaidOut
    case currency(String)
    /// With the currency's code, as below.
    case rateMissing(String)
    case netIsZero
    case worthNoWon(rate: String)
    case rate(String)
    /// The won of the file, the net amount with its code, and its worth in won; nil: the won go the other way.
    case payoutDiffers(won: Int64, net: String, worth: Int64?)
    case notBookableInWon(String)
    case date(String)
    case fieldMissing(columns: Int)
    case transactionType(String)
    case transactionDate(String)
    /// Another row of the order was not taken.
    case orderIncomplete(String)
    /// With the order, as below.
    case foreignMisfits(String)
    case sumTooHigh(String)
    // A finance report.
    /// With the codes of its currencies.
    case payoutMissing(String)
    case nothingInCurrency(String)
    /// Our share in a currency, its won at the rate, and what was paid.
    case proceedsDiffer(String, String, rate: String, worth: Int64, proceeds: Int64)
    case otherPeriod
    case periodOfDays(Int64)
    case severalProducts(String)
    case piecesDiffer(String, isReturn: Bool, report: Int64, books: Int64)
    case shareAbovePrice(String, isReturn: Bool, share: Int64, price: Int64)
}

extension SettlementFileFault {
    /// For people, worded to follow the name of a column, with the remedy.
    var english: String {
        switch self {
        case .columnNotMapped(let field):
            "the mapping has no column for \(field.rawValue): it must be \(SettlementMapping.rule)"
        case .unknownMapping(let text): "the mapping has \(text): it must be \(SettlementMapping.rule)"
        case .mappingNotJSON: #"the mapping must be a JSON object such as {"payment_id": "주문번호", …}"#
        case .namesAndNumbers: "the mapping uses both names and numbers: use one of them for all columns"
        case .otherFormat(let format):
            "the file is \(format.english), not CSV or xlsx: open it in a spreadsheet program, save it as xlsx or \"CSV UTF-8\", and import that file"
        case .spreadsheet(let fault): fault.english
        case .notText:
            "the file has zero bytes: it is no text, or UTF-16 without a byte order mark. Save it as CSV in UTF-8"
        case .malformedUTF16: "the file begins as UTF-16 but is damaged: save it as CSV in UTF-8"
        case .notInEncoding(let encoding):
            "the file is not \(encoding.name): save it as \(encoding.name), or use the encoding auto"
        case .unknownEncoding: "the file is neither UTF-8 nor CP949 (EUC-KR): save it as CSV in UTF-8"
        case .noHeader(let wanted, let missing, let line, let found):
            "no line has the columns \(wanted.joined(separator: ", ")); line \(line) has \(found), and lacks \(missing.joined(separator: ", ")): use the column names of the file"
        case .emptyFile(let wanted):
            "no line has the columns \(wanted.joined(separator: ", ")): the file is empty"
        case .repeatedColumn(let name):
            "the header has several columns named \(name): give one of them another name, or map all columns by number, such as #3"
        case .noRows: "the file has no rows below the header"
        case .nothingInWon: "no row of the file is in won: what is in another currency is not booked"
        case .quoteOutOfPlace: "a quote is not closed, or is inside a field that is not quoted"
        case .noPaymentID: "is empty or not a payment id"
        case .amount(let text): "is \"\(text)\": it must be \(WonText.rule)"
        case .foreignAmount(let text, let code):
            "is \"\(text)\": it must be an amount of \(code) with a point before its decimals"
        case .sum(let net, let expected):
            "is \(net), but gross - fee - tax is \(expected): map the columns that add up"
        case .nothingPaidOut: "and the fee are zero: nothing was paid out"
        case .currency(let text): "is \"\(text)\": it must be the code of a currency, such as USD, or empty for won"
        case .rateMissing(let code):
            "tells no rate: a row in \(code) needs the rate of its payout (payout_rate), or the won of its net amount (payout_won)"
        case .netIsZero: "is 0, so only the rate of the payout (payout_rate) tells the won of the row"
        case .worthNoWon(let rate): "and the fee are worth no won at the rate \(rate): it must be the won of one unit"
        case .rate(let text): "is \"\(text)\": it must be the won of one unit, such as 1387.40 or 1,387.40"
        case .payoutDiffers(let won, let net, let worth?):
            "is \(won), but the net amount of \(net) is worth \(worth) won at the rate of the row: map the rate of one unit, or leave out its column"
        case .payoutDiffers(let won, let net, nil):
            "is \(won), but the net amount is \(net): one is paid out, and the other is zero or kept back"
        case .notBookableInWon(let code): "in \(code) can't be booked in won: check the amounts and the rate"
        case .date(let text):
            "is \"\(text)\", which is no date: set the format with --date-format (in the API, date_format)"
        case .fieldMissing(let columns): "is missing: the row has only \(columns) columns"
        case .transactionType(let text):
            "is \"\(text)\": it must be Charge, Google fee or Tax, or one of them with \"refund\""
        case .transactionDate(let text): "is \"\(text)\", which is no date such as Sep 3, 2026 or 2026-09-03"
        case .orderIncomplete(let order):
            "another row of \(order) can't be booked, so none of the order is: a part of it would be a wrong amount"
        case .foreignMisfits(let order):
            "of \(order) one amount is paid out, and the other is zero or kept back: compare the merchant's and the buyer's amounts of its rows"
        case .sumTooHigh(let order): "the rows of \(order) add up to more than any payment"
        case .payoutMissing(let codes):
            "the report is in \(codes) and not in won: give a currency, and Apple's exchange rate and proceeds in won of it. A payout that is not in won can't be booked"
        case .nothingInCurrency(let code): "no row of the report is in \(code)"
        case .proceedsDiffer(let share, let code, let rate, let worth, let proceeds):
            "our share of all rows in \(code) is \(share), which is \(worth) won at \(rate), but the proceeds are \(proceeds): take the exchange rate and the proceeds of the payment that pays this report"
        case .otherPeriod: "is of another period than the rows above: import a report of one period"
        case .periodOfDays(let days):
            "ends a period of \(days) days: it must have 1 to \(FinanceReport.mostDays), as the report of a fiscal period"
        case .severalProducts(let name): "\(name) is several of our products, in several apps: they can't be told apart"
        case .piecesDiffer(let product, let isReturn, let report, let books):
            "of \(product) the report has \(report) pieces \(isReturn ? "given back" : "sold"), the books \(books): look for the others among findings, waiting receipts and refunds that the store took back; --skip-bad-rows (in the API, skip_bad_rows) books what the books have"
        case .shareAbovePrice(let product, let isReturn, let share, let price):
            "nothing of \(product) \(isReturn ? "given back" : "sold") is booked: our share would be \(share) won of a price of \(price)"
        }
    }

    /// The same in Korean.
    var korean: String {
        switch self {
        case .columnNotMapped(let field):
            "열 지정에 \(field.rawValue)의 열이 없습니다. \(SettlementMapping.koreanRule) 형식이어야 합니다"
        case .unknownMapping(let text): "열 지정의 \(text)을(를) 알 수 없습니다. \(SettlementMapping.koreanRule) 형식이어야 합니다"
        case .mappingNotJSON: #"열 지정은 {"payment_id": "주문번호", …} 같은 JSON 객체여야 합니다"#
        case .namesAndNumbers: "열 지정에 이름과 번호가 섞여 있습니다. 모든 열에 하나만 쓰세요"
        case .otherFormat(let format):
            "파일이 CSV나 xlsx가 아니라 \(format.korean)입니다. 스프레드시트 프로그램에서 열어 xlsx 또는 \"CSV UTF-8\"로 저장한 뒤 그 파일을 올리세요"
        case .spreadsheet(let fault): fault.korean
        case .notText: "파일에 0 바이트가 있습니다. 텍스트가 아니거나 BOM이 없는 UTF-16입니다. UTF-8 CSV로 저장하세요"
        case .malformedUTF16: "UTF-16으로 시작하지만 손상된 파일입니다. UTF-8 CSV로 저장하세요"
        case .notInEncoding(let encoding):
            "파일의 인코딩이 \(encoding.name)이(가) 아닙니다. \(encoding.name)(으)로 저장하거나 encoding을 auto로 하세요"
        case .unknownEncoding: "파일의 인코딩이 UTF-8도 CP949(EUC-KR)도 아닙니다. UTF-8 CSV로 저장하세요"
        case .noHeader(let wanted, let missing, let line, let found):
            "\(wanted.joined(separator: ", ")) 열이 모두 있는 행이 없습니다. \(line)행의 열은 \(found)이고, \(missing.joined(separator: ", "))이(가) 없습니다. 파일의 열 이름을 쓰세요"
        case .emptyFile(let wanted):
            "\(wanted.joined(separator: ", ")) 열이 모두 있는 행이 없습니다. 빈 파일입니다"
        case .repeatedColumn(let name):
            "이름이 \(name)인 열이 여러 개입니다. 하나의 이름을 바꾸거나, 모든 열을 #3 같은 번호로 지정하세요"
        case .noRows: "제목 행 아래에 내용이 없습니다"
        case .nothingInWon: "원화 행이 없습니다. 다른 통화의 행은 기장하지 않습니다"
        case .quoteOutOfPlace: "따옴표가 닫히지 않았거나, 따옴표로 시작하지 않은 칸 안에 있습니다"
        case .noPaymentID: "비어 있거나 결제 번호가 아닙니다"
        case .amount(let text): "\"\(text)\": \(WonText.koreanRule)이어야 합니다"
        case .foreignAmount(let text, let code): "\"\(text)\": 소수점을 쓴 \(code) 금액이어야 합니다"
        case .sum(let net, let expected):
            "\(net)이지만 거래금액 - 수수료 - 부가세는 \(expected)입니다. 합이 맞는 열을 지정하세요"
        case .nothingPaidOut: "수수료와 함께 0입니다. 정산된 금액이 없습니다"
        case .currency(let text): "\"\(text)\": USD 같은 통화 코드여야 합니다(원화는 빈칸도 가능)"
        case .rateMissing(let code):
            "환율을 알 수 없습니다. \(code) 행에는 정산 환율(payout_rate)이나 원화 정산금액(payout_won)이 있어야 합니다"
        case .netIsZero: "0이므로 정산 환율(payout_rate)이 있어야 이 행의 원화 금액을 알 수 있습니다"
        case .worthNoWon(let rate): "수수료와 함께 환율 \(rate)로 1원 미만입니다. 환율은 한 단위의 원화 금액이어야 합니다"
        case .rate(let text): "\"\(text)\": 한 단위의 원화 금액이어야 합니다(예: 1387.40)"
        case .payoutDiffers(let won, let net, let worth?):
            "\(won)원이지만 정산금액 \(net)은(는) 이 행의 환율로 \(worth)원입니다. 한 단위의 환율 열을 지정하거나 환율 열을 빼세요"
        case .payoutDiffers(let won, let net, nil):
            "\(won)원이지만 정산금액은 \(net)입니다. 하나는 지급이고 다른 하나는 0이거나 차감입니다"
        case .notBookableInWon(let code): "\(code) 금액을 원화로 기장할 수 없습니다. 금액과 환율을 확인하세요"
        case .date(let text):
            "\"\(text)\"은(는) 날짜가 아닙니다. --date-format(API에서는 date_format)으로 형식을 지정하세요"
        case .fieldMissing(let columns): "없습니다. 행에 열이 \(columns)개뿐입니다"
        case .transactionType(let text): "\"\(text)\": Charge, Google fee, Tax 또는 뒤에 refund가 붙은 것이어야 합니다"
        case .transactionDate(let text): "\"\(text)\"은(는) Sep 3, 2026이나 2026-09-03 같은 날짜가 아닙니다"
        case .orderIncomplete(let order):
            "\(order)의 다른 행을 기장할 수 없어 이 주문은 기장하지 않습니다. 일부만 기장하면 금액이 달라집니다"
        case .foreignMisfits(let order):
            "\(order)의 금액 하나는 지급이고 다른 하나는 0이거나 차감입니다. 행의 판매자 통화 금액과 구매자 통화 금액을 비교하세요"
        case .sumTooHigh(let order): "\(order) 행의 합이 결제할 수 있는 금액보다 큽니다"
        case .payoutMissing(let codes):
            "원화가 아니라 \(codes) 보고서입니다. 통화와 Apple이 적용한 환율, 원화 지급액을 입력하세요. 원화로 지급되지 않은 금액은 기장할 수 없습니다"
        case .nothingInCurrency(let code): "\(code) 행이 없습니다"
        case .proceedsDiffer(let share, let code, let rate, let worth, let proceeds):
            "\(code) 행의 정산액은 모두 \(share)이고 환율 \(rate)로는 \(worth)원인데 지급액은 \(proceeds)원입니다. 이 보고서에 대한 지급의 환율과 지급액을 입력하세요"
        case .otherPeriod: "위 행들과 기간이 다릅니다. 한 기간의 보고서를 가져오세요"
        case .periodOfDays(let days):
            "기간이 \(days)일입니다. 회계 기간의 보고서처럼 1일에서 \(FinanceReport.mostDays)일 사이여야 합니다"
        case .severalProducts(let name): "\(name)은(는) 여러 앱의 서로 다른 상품이어서 구분할 수 없습니다"
        case .piecesDiffer(let product, let isReturn, let report, let books):
            "\(product)의 \(isReturn ? "환불" : "판매") 수량이 보고서는 \(report), 장부는 \(books)입니다. 나머지를 확인 필요 항목, 대기 중인 영수증, 스토어가 취소한 환불에서 찾으세요. --skip-bad-rows(API에서는 skip_bad_rows)는 장부에 있는 것만 기장합니다"
        case .shareAbovePrice(let product, let isReturn, let share, let price):
            "\(product)의 \(isReturn ? "환불" : "판매")은(는) 기장하지 않습니다. 판매가 \(price)원에 대한 정산액이 \(share)원입니다"
        }
    }
}
