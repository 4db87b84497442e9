-- Accounts at an address of their own are disconnected: a release before 0032 would not know where they are.
UPDATE accounts SET state = 'disconnected', reason = NULL, session = NULL WHERE origin <> '';
ALTER TABLE accounts DROP COLUMN origin, DROP COLUMN renewal_begun;
COMMENT ON COLUMN accounts.external_id IS NULL;
