-- Up Migration

COMMENT ON COLUMN chores.name IS 'purge: old calls were emptied; session_checks: apps were asked whether sessions still work; backup: whoever operates it noted one.';
