-- Whether an API key or a grant is neither revoked nor expired.
CREATE OR REPLACE FUNCTION is_valid_key(k api_keys)
 RETURNS boolean
 LANGUAGE sql
AS $function$ SELECT k.revoked_at IS NULL AND coalesce(k.expires_at > clock_timestamp(), true) $function$;
