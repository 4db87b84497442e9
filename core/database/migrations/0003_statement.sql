-- Up Migration

-- A month's statement is read page by page and summed without its rows; it serves whatever ledger_owner did.
CREATE INDEX ledger_statement ON ledger (owner, month, id) INCLUDE (kind, amount);
DROP INDEX ledger_owner;

-- When an account was last used.
CREATE INDEX calls_account ON calls (account, id DESC);
