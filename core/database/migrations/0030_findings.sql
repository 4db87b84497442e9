-- Up Migration

-- Whether a call that ended unknown happened: what was found in the app when its owner had Callgate look there.
CREATE TABLE findings (
  call_id text PRIMARY KEY REFERENCES calls (id),
  asked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  found_at timestamptz,
  finding bytea
);
COMMENT ON TABLE findings IS 'What was found in the app of calls that ended unknown, when their owner asked to look there. The call''s status stays.';
COMMENT ON COLUMN findings.asked_at IS 'When somebody asked last; a worker looks only where that is after `found_at`.';
COMMENT ON COLUMN findings.finding IS 'Sealed with the account''s data key, and forgotten with the call''s content.';
