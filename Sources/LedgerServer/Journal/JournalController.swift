import Foundation
import Hummingbird
import Ledger
import LedgerWire

/// The books, account by account and entry by entry, for finance.
struct JournalController: Sendable {
    let journal: Journal
    /// The time zone of days.
    let timeZone: TimeZone

    /// `GET /v1/postings?account=…`: an account's postings, newest first; `?before=` for those recorded before a moment.
    func postings(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        let page = try PageRequest(request, position: AccountPostingCursor.self, filters: "account", "before")
        guard let account = page.query["account"] else {
            throw Problem.invalid(member: "account", "account is required, such as coins:issued")
        }
        let moment = try page.query.moment("before", in: timeZone)
        guard
            let found = try await journal.postings(of: account, before: moment, after: page.after, limit: page.limit)
        else { throw Problem(.notFound, "the account does not exist") }
        let cursor = try page.cursor(found.postings.next)
        return try Response(headers: page.link(cursor), json: AccountStatementBody(found, nextCursor: cursor))
    }

    /// `GET /v1/entries/{id}`: a journal entry with its postings.
    func entry(_ request: Request, _ context: LedgerdRequestContext) async throws -> Response {
        guard let found = try await journal.find(try context.pathID()) else {
            throw Problem(.notFound, "the journal entry does not exist")
        }
        return try Response(json: JournalEntryBody(found))
    }
}

extension AccountStatementBody {
    init(_ found: AccountPostings, nextCursor: String?) {
        self.init(
            account: found.account, currency: found.currency.code, normalSide: found.normalSide.word,
            balance: found.balance, postings: found.postings.elements.map(PostingBody.init),
            nextCursor: nextCursor)
    }
}

extension PostingBody {
    init(_ posting: AccountPosting) {
        self.init(
            seq: posting.seq, journalEntryID: posting.entry, kind: posting.kind, reference: posting.reference,
            side: posting.side.word, amount: posting.amount, balance: posting.balance,
            effectiveAt: posting.effectiveAt, recordedAt: posting.recordedAt)
    }
}

extension JournalEntryBody {
    init(_ entry: JournalRecord) {
        self.init(
            id: entry.id, kind: entry.kind, reference: entry.reference, effectiveAt: entry.effectiveAt,
            recordedAt: entry.recordedAt,
            postings: entry.lines.map { line in
                Line(
                    account: BookAccount.withoutStripe(line.account), side: line.side.word, amount: line.amount,
                    currency: line.currency.code, balance: line.balance)
            })
    }
}

extension Side {
    /// The name in responses.
    fileprivate var word: String { self == .debit ? "debit" : "credit" }
}
