DROP TRIGGER keep_key_limits ON api_keys;
DROP FUNCTION keep_key_limits;
