-- Up Migration

-- The version of the session that the last sign-in made. Versions after it are the same session with cookies that the app changed since.
ALTER TABLE accounts ADD COLUMN signed_in_version integer NOT NULL DEFAULT 0;

-- Which of the earlier versions was a sign-in is not known: what an answer to one of them changes is not taken over into the present one.
UPDATE accounts SET signed_in_version = session_version;
