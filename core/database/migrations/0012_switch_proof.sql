-- Up Migration

-- `<key id>.<base64url>`: proves that the owner switched asking off (confirm = false). Without it the endpoint asks as it comes.
ALTER TABLE endpoint_settings ADD COLUMN proof text;
