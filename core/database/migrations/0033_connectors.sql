-- Up Migration

-- Connectors that operators add to a running gateway. Every process loads the bundle that the row of its app names.
CREATE TABLE connector_bundles (
  hash text PRIMARY KEY,
  code text NOT NULL,
  added_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  CHECK (hash = encode(sha256(convert_to(code, 'UTF8')), 'hex'))
);
COMMENT ON TABLE connector_bundles IS 'The code of connectors that operators added, each one module. Nothing of it is ever changed.';
COMMENT ON COLUMN connector_bundles.hash IS 'SHA-256 of the code.';

CREATE TABLE added_connectors (
  slug text PRIMARY KEY,
  hash text NOT NULL REFERENCES connector_bundles (hash),
  package text NOT NULL,
  hosts text[] NOT NULL,
  endpoints text[] NOT NULL,
  trusted text[] NOT NULL DEFAULT '{}',
  added_by text NOT NULL,
  changed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  removed_at timestamptz,
  settled boolean NOT NULL DEFAULT true
);
COMMENT ON TABLE added_connectors IS 'Apps that are not built in, by slug. A row stays when its connector is removed.';
COMMENT ON COLUMN added_connectors.package IS 'Name and version, as its package.json says.';
COMMENT ON COLUMN added_connectors.hosts IS 'What it may reach, as the operator agreed to: origins, or * for addresses that people type.';
COMMENT ON COLUMN added_connectors.endpoints IS 'The names of those that this version has.';
COMMENT ON COLUMN added_connectors.trusted IS 'Endpoints that need not ask a person first unless they say so themselves.';
COMMENT ON COLUMN added_connectors.settled IS 'Every call of what was taken away has ended.';
CREATE INDEX added_connectors_unsettled ON added_connectors (slug) WHERE NOT settled;
