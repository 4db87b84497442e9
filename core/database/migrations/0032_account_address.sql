-- Up Migration

-- Where an account's app is, for apps that are at another address for each of their accounts, and renewals of its session's tokens.
ALTER TABLE accounts ADD COLUMN origin text NOT NULL DEFAULT '', ADD COLUMN renewal_begun timestamptz;
COMMENT ON COLUMN accounts.origin IS 'The address of the app''s root that its owner typed; empty: the app is at one address for everybody. The session is sealed for this address alone.';
COMMENT ON COLUMN accounts.renewal_begun IS 'A renewal of the session''s tokens was begun then, and what came of it is not known yet: it may have used up a token that is good once only. Null: none.';
COMMENT ON COLUMN accounts.external_id IS 'The app''s own id of the account; of one with an `origin`, that and a space before it.';
