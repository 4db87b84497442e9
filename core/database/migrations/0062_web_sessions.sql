-- Up Migration

-- A person sees where they are signed in, and ends what they do not know.
ALTER TABLE web_sessions
  ADD COLUMN id uuid NOT NULL DEFAULT gen_random_uuid() UNIQUE,
  ADD COLUMN seen_at timestamptz NOT NULL DEFAULT now(),
  ADD COLUMN network text,
  ADD COLUMN browser text;
COMMENT ON COLUMN web_sessions.id IS 'What its owner''s page calls it.';
COMMENT ON COLUMN web_sessions.seen_at IS 'When a page was last asked for with it, to some minutes. It ends by itself a week later.';
COMMENT ON COLUMN web_sessions.network IS 'Where it began: an address, of IPv6 the network of it.';
COMMENT ON COLUMN web_sessions.browser IS 'What the browser said of itself when it began.';
