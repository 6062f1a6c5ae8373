-- The console: who is signed in, what people do there and why, what waits for a second person, and notes on customers.

-- A sign-in. The token of its cookie is stored as its SHA-256 only.
CREATE TABLE console_session (
    token_sha256 bytea PRIMARY KEY,
    subject      text NOT NULL, -- the identity provider's name of the person
    name         text NOT NULL, -- the person's name, for people
    role         text NOT NULL
        CONSTRAINT console_session_role_known CHECK (role IN ('viewer', 'support', 'finance', 'administrator')),
    created_at   timestamptz NOT NULL DEFAULT now(),
    seen_at      timestamptz NOT NULL DEFAULT now(), -- when it was last used, to the minute
    ends_at      timestamptz NOT NULL, -- it is over then, even if it is in use
    ended_at     timestamptz -- when the person signed out
);
CREATE INDEX console_session_of_person ON console_session (subject) WHERE ended_at IS NULL;
CREATE INDEX console_session_by_end ON console_session (ends_at);
GRANT SELECT, INSERT, UPDATE (seen_at, ended_at) ON console_session TO ledgerd_service;

-- What a person does in the console, written before it is done.
CREATE TABLE audit (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    key         text NOT NULL CONSTRAINT audit_once UNIQUE, -- of the form: one that is sent twice is one act
    acted_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    subject     text NOT NULL,
    name        text NOT NULL,
    role        text NOT NULL,
    act         text NOT NULL, -- such as refund
    target      text NOT NULL, -- what it is done to, such as purchase:17
    user_id     text, -- the customer; NULL: it concerns none
    reason      text NOT NULL, -- empty for what needs none, such as a sign-in
    seen        jsonb NOT NULL, -- what was asked for, and the state that the person saw before
    approval_id bigint -- the proposal that it makes or decides
);
CREATE INDEX audit_of_user ON audit (user_id, id) WHERE user_id IS NOT NULL;
CREATE INDEX audit_of_person ON audit (subject, id);
CREATE INDEX audit_of_act ON audit (act, id);
GRANT SELECT, INSERT (key, subject, name, role, act, target, user_id, reason, seen, approval_id)
    ON audit TO ledgerd_service;

-- How it ended. An act without a row may have been done: the process ended in between.
CREATE TABLE audit_outcome (
    audit_id bigint PRIMARY KEY CONSTRAINT audit_outcome_has_act REFERENCES audit (id),
    ended_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    outcome  text NOT NULL CONSTRAINT audit_outcome_known CHECK (outcome IN ('done', 'proposed', 'refused', 'unknown')),
    detail   jsonb NOT NULL -- what was made, such as the id of a refund, or the code of the refusal
);
GRANT SELECT, INSERT (audit_id, outcome, detail) ON audit_outcome TO ledgerd_service;

-- An act above a limit, which somebody proposes and another person approves or declines; its author can withdraw it. A second
-- proposal about an object is made by somebody who has seen the first (docs/decisions/0141-a-second-person.md): whoever makes
-- one beside another says which was the newest that they saw. So it can't be outdated by an approval of the other without a
-- word, and of two that are made at once the judge of proposals refuses one.
CREATE TABLE approval (
    id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    key             text NOT NULL CONSTRAINT approval_once UNIQUE, -- of the form that proposed it
    act             text NOT NULL,
    target          text NOT NULL,
    user_id         text, -- the customer; NULL: nobody knows whose the payment is that is given back
    parameters      jsonb NOT NULL, -- what the act is carried out with
    account         jsonb, -- the bank account of a refund, while it is needed
    seen            jsonb NOT NULL, -- the state that the proposer saw
    reason          text NOT NULL,
    proposed_by     text NOT NULL,
    proposed_name   text NOT NULL,
    proposed_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
    status          text NOT NULL DEFAULT 'waiting'
        CONSTRAINT approval_status_known CHECK (
            status IN ('waiting', 'withdrawn', 'approved', 'declined', 'done', 'refused')),
    decided_by      text CONSTRAINT approval_by_another_person CHECK (decided_by <> proposed_by),
    decided_name    text,
    decided_at      timestamptz,
    decision_reason text,
    ended_at        timestamptz, -- when the approved act was done or refused
    outcome         jsonb, -- of the approved act
    beside          bigint, -- the newest open proposal about the object that the proposer had seen
    withdrawn_by    text CONSTRAINT approval_withdrawn_by_author CHECK (withdrawn_by = proposed_by),
    withdrawn_at    timestamptz,
    CONSTRAINT approval_account_is_erased CHECK (status IN ('waiting', 'approved') OR account IS NULL),
    CONSTRAINT approval_decided_has_person CHECK (
        num_nulls(decided_by, decided_name, decided_at, decision_reason)
            = CASE WHEN status IN ('waiting', 'withdrawn') THEN 4 ELSE 0 END),
    CONSTRAINT approval_withdrawn_has_person CHECK (
        num_nulls(withdrawn_by, withdrawn_at) = CASE status WHEN 'withdrawn' THEN 0 ELSE 2 END),
    CONSTRAINT approval_ended_has_outcome CHECK (
        num_nulls(ended_at, outcome) = CASE WHEN status IN ('done', 'refused') THEN 0 ELSE 2 END)
);
CREATE INDEX approval_open ON approval (id) WHERE status IN ('waiting', 'approved');
-- Pages show the proposals about a purchase, and about all that is a customer's.
CREATE INDEX approval_by_target ON approval (target, id);
CREATE INDEX approval_by_user ON approval (user_id, id);
GRANT SELECT, INSERT (key, act, target, user_id, parameters, account, seen, reason, proposed_by, proposed_name, beside),
    UPDATE (account, status, decided_by, decided_name, decided_at, decision_reason, ended_at, outcome, withdrawn_by,
        withdrawn_at)
    ON approval TO ledgerd_service;

-- What support writes down about a customer.
CREATE TABLE customer_note (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    key          text NOT NULL CONSTRAINT customer_note_once UNIQUE, -- of the form or request that wrote it
    user_id      text NOT NULL,
    text         text NOT NULL,
    written_by   text NOT NULL,
    written_name text NOT NULL,
    written_at   timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX customer_note_of_user ON customer_note (user_id, id);
GRANT SELECT, INSERT (key, user_id, text, written_by, written_name) ON customer_note TO ledgerd_service;

-- @after-judges

CREATE TRIGGER approval_proposal_is_judged BEFORE INSERT ON approval FOR EACH ROW EXECUTE FUNCTION judge_proposal();
CREATE TRIGGER approval_is_judged BEFORE UPDATE ON approval FOR EACH ROW EXECUTE FUNCTION judge_approval();
