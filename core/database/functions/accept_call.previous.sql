-- As the release before calls it, with a p_definition_version that is always empty. Goes in the next release.
CREATE OR REPLACE FUNCTION accept_call(
  p_id text,
  p_owner text,
  p_key_id text,
  p_app text,
  p_endpoint text,
  p_account text,
  p_access text,
  p_confirm boolean,
  p_expiry_seconds integer,
  p_input bytea,
  p_content_hash bytea,
  p_definition_version text,
  p_credits integer,
  p_idempotency_key text,
  p_request_hash bytea,
  p_max_open integer,
  p_standing text[] DEFAULT NULL::text[],
  p_per_day integer[] DEFAULT NULL::integer[],
  p_proofs text[] DEFAULT NULL::text[],
  p_decide_until timestamp with time zone DEFAULT NULL::timestamp with time zone,
  p_max_running integer DEFAULT NULL::integer,
  p_request bytea DEFAULT NULL::bytea,
  p_why bytea DEFAULT NULL::bytea,
  p_prepare boolean DEFAULT false,
  p_answer_due boolean DEFAULT false,
  p_client text DEFAULT NULL::text,
  OUT outcome text,
  OUT call_id text,
  OUT created_at timestamp with time zone,
  OUT expires_at timestamp with time zone,
  OUT credits_left integer,
  OUT next_credits_at timestamp with time zone,
  OUT approved_by text
)
 RETURNS record
 LANGUAGE sql
AS $function$
  SELECT * FROM accept_call(
    p_id => p_id, p_owner => p_owner, p_key_id => p_key_id, p_app => p_app, p_endpoint => p_endpoint,
    p_account => p_account, p_access => p_access, p_confirm => p_confirm, p_expiry_seconds => p_expiry_seconds,
    p_input => p_input, p_content_hash => p_content_hash, p_credits => p_credits,
    p_idempotency_key => p_idempotency_key, p_request_hash => p_request_hash, p_max_open => p_max_open,
    p_standing => p_standing, p_per_day => p_per_day, p_proofs => p_proofs, p_decide_until => p_decide_until,
    p_max_running => p_max_running, p_request => p_request, p_why => p_why, p_prepare => p_prepare,
    p_answer_due => p_answer_due, p_client => p_client)
$function$;
