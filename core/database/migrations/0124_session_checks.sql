-- Up Migration

-- Each account is looked at once a day by itself, and not all of them by one run, in which those of a slow app held up the others.
ALTER TABLE accounts ADD COLUMN session_check_at timestamptz NOT NULL DEFAULT now() + interval '1 day';
COMMENT ON COLUMN accounts.session_check_at IS 'When the app is asked next whether the session still works.';
