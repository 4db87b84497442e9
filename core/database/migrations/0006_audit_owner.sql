-- Up Migration

-- An owner's log: besides what they did, what operators did to what is theirs.
CREATE INDEX audit_log_owner ON audit_log ((detail->>'owner'), id);
