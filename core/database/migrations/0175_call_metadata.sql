CREATE TABLE call_metadata (
  call_id text PRIMARY KEY REFERENCES calls (id),
  metadata jsonb NOT NULL
);
CREATE INDEX call_metadata_values ON call_metadata USING gin (metadata jsonb_path_ops);
COMMENT ON COLUMN call_metadata.metadata IS 'Flat: texts by name, as the client sent them. Deleted with the call''s content.';
