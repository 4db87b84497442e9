-- Up Migration

-- What apps answer, counted and compared: signals for operators and for who writes connectors.
CREATE TABLE app_outcomes (
  app text NOT NULL,
  endpoint text NOT NULL,
  day date NOT NULL,
  outcome text NOT NULL,
  times bigint NOT NULL,
  PRIMARY KEY (app, endpoint, day, outcome)
);
COMMENT ON TABLE app_outcomes IS 'How often an app was asked for a call on a day (UTC), and what came of it. Workers add to it every few seconds: what one that was killed had not added yet is missing.';
COMMENT ON COLUMN app_outcomes.outcome IS 'executed, or what a call that ended so would say: app_changed, app_rejected, TARGET_BLOCKED, …';

CREATE TABLE app_changes (
  app text NOT NULL,
  endpoint text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('rule', 'gone', 'type', 'empty')),
  place text NOT NULL,
  words text NOT NULL,
  excerpt text,
  version text,
  first_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  last_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  times integer NOT NULL DEFAULT 1,
  looks_since integer NOT NULL DEFAULT 0,
  closed_at timestamptz,
  closed_by text,
  PRIMARY KEY (app, endpoint, kind, place)
);
COMMENT ON TABLE app_changes IS 'What of an app was not as its connector knows it, or as it was before. No value of the app is in it.';
COMMENT ON COLUMN app_changes.kind IS 'rule: a rule of the connector did not hold; gone, type, empty: the shape of an output in a daily look.';
COMMENT ON COLUMN app_changes.place IS 'The rule, or the place in the output.';
COMMENT ON COLUMN app_changes.excerpt IS 'The structure around it: names of elements, attributes and fields, no texts.';
COMMENT ON COLUMN app_changes.version IS 'The version that the app told of itself then, where it tells one.';
COMMENT ON COLUMN app_changes.looks_since IS 'Daily looks at the endpoint since then that did not show it.';

CREATE TABLE watches (
  id text PRIMARY KEY,
  owner text NOT NULL,
  app text NOT NULL,
  endpoint text NOT NULL,
  account text NOT NULL REFERENCES accounts (id),
  input jsonb NOT NULL,
  asked_by text NOT NULL,
  asked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  agreed_at timestamptz,
  ended_at timestamptz,
  ended_by text,
  next_at timestamptz,
  last_day date,
  last_at timestamptz,
  last_result text,
  shape jsonb,
  latest jsonb,
  version text
);
CREATE UNIQUE INDEX watches_open ON watches (account, endpoint) WHERE ended_at IS NULL;
CREATE INDEX watches_due ON watches (next_at) WHERE ended_at IS NULL AND next_at IS NOT NULL;
COMMENT ON TABLE watches IS 'Reads that are made once a day with an account, for nothing, to see whether the app still answers as before.';
COMMENT ON COLUMN watches.asked_by IS 'The operator who asked for it.';
COMMENT ON COLUMN watches.agreed_at IS 'When the account''s owner agreed; NULL: nothing is read.';
COMMENT ON COLUMN watches.last_day IS 'The day (UTC) of the last look: there is one a day.';
COMMENT ON COLUMN watches.last_result IS 'ok, changed, or why there was no output.';
COMMENT ON COLUMN watches.shape IS 'What stood where in all outputs that were as before: place to kinds of values, no value.';
COMMENT ON COLUMN watches.latest IS 'The same of the last output alone.';
COMMENT ON COLUMN watches.version IS 'What the app told of its version the last time.';
