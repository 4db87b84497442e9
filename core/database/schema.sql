-- What the migrations beside this file come to. Written by `npm run schema`, never by hand.

SET check_function_bodies = off;

-- What of an app was not as its connector knows it, or as it was before. No value of the app is in it.
CREATE TABLE app_changes (
  app text NOT NULL,
  endpoint text NOT NULL,
  -- rule: a rule of the connector did not hold; gone, type, empty: the shape of an output in a daily look.
  kind text NOT NULL,
  -- The rule, or the place in the output.
  place text NOT NULL,
  words text NOT NULL,
  -- The structure around it: names of elements, attributes and fields, no texts.
  excerpt text,
  -- The version that the app told of itself then, where it tells one.
  version text,
  first_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  last_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  times integer NOT NULL DEFAULT 1,
  -- Daily looks at the endpoint since then that did not show it.
  looks_since integer NOT NULL DEFAULT 0,
  closed_at timestamp with time zone,
  closed_by text,
  CONSTRAINT app_changes_pkey PRIMARY KEY (app, endpoint, kind, place),
  CONSTRAINT app_changes_kind_check CHECK (kind = ANY (ARRAY['rule'::text, 'gone'::text, 'type'::text, 'empty'::text]))
);

-- An operator's pause and rates of an app. No row or NULL = the connector's own.
CREATE TABLE app_controls (
  app text NOT NULL,
  paused boolean NOT NULL DEFAULT false,
  app_rate real,
  account_rate real,
  -- A pause or a rate is saved that the engine has not taken yet.
  pacing_due boolean NOT NULL DEFAULT false,
  -- Since when the oldest of them waits; NULL = the engine has all.
  pacing_due_since timestamp with time zone,
  CONSTRAINT app_controls_pkey PRIMARY KEY (app),
  CONSTRAINT app_controls_account_rate_check CHECK (account_rate > 0::double precision),
  CONSTRAINT app_controls_app_rate_check CHECK (app_rate > 0::double precision)
);

-- How often an app was asked for a call on a day (UTC), and what came of it. Workers add to it every few seconds: what
-- one that was killed had not added yet is missing.
CREATE TABLE app_outcomes (
  app text NOT NULL,
  endpoint text NOT NULL,
  day date NOT NULL,
  -- executed, or what a call that ended so would say: app_changed, app_rejected, TARGET_BLOCKED, …
  outcome text NOT NULL,
  times bigint NOT NULL,
  CONSTRAINT app_outcomes_pkey PRIMARY KEY (app, endpoint, day, outcome)
);

-- What owners changed, and what operators did to what is theirs.
CREATE TABLE audit_log (
  id bigint GENERATED ALWAYS AS IDENTITY,
  at timestamp with time zone NOT NULL DEFAULT now(),
  actor text NOT NULL,
  action text NOT NULL,
  detail jsonb NOT NULL DEFAULT '{}'::jsonb,
  CONSTRAINT audit_log_pkey PRIMARY KEY (id)
);
CREATE INDEX audit_log_actor ON audit_log USING btree (actor, id);
CREATE INDEX audit_log_owner ON audit_log USING btree ((detail ->> 'owner'::text), id);
CREATE INDEX audit_log_pauses ON audit_log USING btree (at) WHERE action = ANY (ARRAY['app.paused'::text, 'endpoint.paused'::text, 'pause.lifted'::text]);

-- Calls by the ten minutes in which they were accepted, counted by app and status, for the figures of a day.
CREATE TABLE call_counts (
  bucket timestamp with time zone NOT NULL,
  counted_at timestamp with time zone NOT NULL,
  -- App to status to number.
  counts jsonb NOT NULL,
  CONSTRAINT call_counts_pkey PRIMARY KEY (bucket)
);

-- What is to be done once a day, and when it was last done to its end: operators are told of what is late.
CREATE TABLE chores (
  -- purge: old calls were emptied; session_checks: apps were asked whether sessions still work; backup: whoever
  -- operates it noted one.
  name text NOT NULL,
  -- Before the first time: when the table was made.
  done_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT chores_pkey PRIMARY KEY (name)
);

-- The code of connectors that operators added, each one module. Nothing of it is ever changed.
CREATE TABLE connector_bundles (
  -- SHA-256 of the code.
  hash text NOT NULL,
  code text NOT NULL,
  added_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT connector_bundles_pkey PRIMARY KEY (hash),
  CONSTRAINT connector_bundles_check CHECK (hash = encode(sha256(convert_to(code, 'UTF8'::name)), 'hex'::text))
);

-- Apps that are not built in, by slug. A row stays when its connector is removed.
CREATE TABLE added_connectors (
  slug text NOT NULL,
  hash text NOT NULL,
  -- Name and version, as its package.json says.
  package text NOT NULL,
  -- What it may reach, as the operator agreed to: origins, or * for addresses that people type.
  hosts text[] NOT NULL,
  -- The names of those that this version has.
  endpoints text[] NOT NULL,
  -- Endpoints that need not ask a person first unless they say so themselves.
  trusted text[] NOT NULL DEFAULT '{}'::text[],
  added_by text NOT NULL,
  changed_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  removed_at timestamp with time zone,
  -- Every call of what was taken away has ended.
  settled boolean NOT NULL DEFAULT true,
  -- As callgate connector scale computed it of this version; NULL: nobody said, or not bronze yet.
  scale text,
  -- When it was said.
  scaled_at timestamp with time zone,
  CONSTRAINT added_connectors_pkey PRIMARY KEY (slug),
  CONSTRAINT added_connectors_hash_fkey FOREIGN KEY (hash) REFERENCES connector_bundles(hash),
  CONSTRAINT added_connectors_scale_check CHECK (scale = ANY (ARRAY['bronze'::text, 'silver'::text, 'gold'::text]))
);
CREATE INDEX added_connectors_unsettled ON added_connectors USING btree (slug) WHERE NOT settled;

-- An operator's pause of one endpoint, for all accounts: calls are accepted and wait. No row = not paused.
CREATE TABLE endpoint_controls (
  app text NOT NULL,
  endpoint text NOT NULL,
  paused boolean NOT NULL,
  CONSTRAINT endpoint_controls_pkey PRIMARY KEY (app, endpoint)
);

-- Mails about accounts that have not left yet. Gone once a mail server took them, or they are worth nothing any more.
CREATE TABLE mails (
  id text NOT NULL,
  kind text NOT NULL,
  -- Where it goes; of a request to set a new password, what somebody typed.
  address text NOT NULL,
  detail jsonb NOT NULL DEFAULT '{}'::jsonb,
  -- What its link opens, wrapped as data keys are.
  secret bytea,
  -- Afterwards it is worth nothing.
  until timestamp with time zone NOT NULL,
  -- The next try is no sooner. While one is under way it is a little later, so that no other process tries, too.
  due_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  tries integer NOT NULL DEFAULT 0,
  CONSTRAINT mails_pkey PRIMARY KEY (id)
);
CREATE INDEX mails_due ON mails USING btree (due_at);

-- Programs that may ask a person for access to /mcp. Anybody may register one: everything in it is the program's own
-- word.
CREATE TABLE oauth_clients (
  -- Made up here for one that registered; otherwise the address of the document that describes it.
  id text NOT NULL,
  name text NOT NULL,
  redirect_uris text[] NOT NULL,
  auth_method text NOT NULL,
  secret_hash bytea,
  created_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  -- When its document was read; NULL: it registered.
  read_at timestamp with time zone,
  -- It is forgotten then; each use moves this on.
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT oauth_clients_pkey PRIMARY KEY (id),
  CONSTRAINT oauth_clients_auth_method_check CHECK (auth_method = ANY (ARRAY['none'::text, 'client_secret_basic'::text, 'client_secret_post'::text]))
);
CREATE INDEX oauth_clients_expires ON oauth_clients USING btree (expires_at);

-- Who may open the admin port with a credential of their own. Whose it is no more has no row; what they did stands in
-- audit_log. While there is nobody, the shared token opens.
CREATE TABLE operators (
  -- As the log names them.
  name text NOT NULL,
  -- SHA-256 of the token, which has 256 random bits: no key of the key file is needed to know it again.
  token_hash bytea NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  created_by text NOT NULL,
  -- When it last opened something, to a minute.
  used_at timestamp with time zone,
  CONSTRAINT operators_pkey PRIMARY KEY (name),
  CONSTRAINT operators_token_hash_key UNIQUE (token_hash)
);

-- Browser sessions of operators. Only a keyed hash of the cookie is here; `name` is what they call themselves in the
-- log.
CREATE TABLE operator_sessions (
  hash bytea NOT NULL,
  name text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  expires_at timestamp with time zone NOT NULL,
  -- Whose own credential began it, and with whose it ends; null: the shared token, which counts only while nobody has
  -- their own.
  operator text,
  CONSTRAINT operator_sessions_pkey PRIMARY KEY (hash),
  CONSTRAINT operator_sessions_operator_fkey FOREIGN KEY (operator) REFERENCES operators(name) ON DELETE CASCADE
);

-- What an authenticator is asked to sign: once, for one browser, within five minutes.
CREATE TABLE passkey_challenges (
  challenge text NOT NULL,
  purpose text NOT NULL,
  -- Keyed hash of the browser's form token, which follows from its cookie.
  browser bytea NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT passkey_challenges_pkey PRIMARY KEY (challenge),
  CONSTRAINT passkey_challenges_purpose_check CHECK (purpose = ANY (ARRAY['add'::text, 'sign_in'::text, 'approve'::text, 'recover'::text]))
);
CREATE INDEX passkey_challenges_age ON passkey_challenges USING btree (expires_at);

CREATE TABLE plans (
  name text NOT NULL,
  monthly_credits integer NOT NULL,
  CONSTRAINT plans_pkey PRIMARY KEY (name),
  CONSTRAINT plans_monthly_credits_check CHECK (monthly_credits >= 0)
);

-- The gateway's own key pair for pushing to browsers (VAPID). Made when it is first needed; devices are bound to it.
CREATE TABLE push_keys (
  id text NOT NULL,
  -- As browsers take it: base64url.
  public_key text NOT NULL,
  -- The private key, wrapped as data keys are.
  secret bytea NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT push_keys_pkey PRIMARY KEY (id)
);

CREATE TABLE rate_limits (
  bucket text NOT NULL,
  hits timestamp with time zone[] NOT NULL DEFAULT '{}'::timestamp with time zone[],
  CONSTRAINT rate_limits_pkey PRIMARY KEY (bucket)
) WITH (fillfactor=50);

-- Traces of attacks, for operators: equal ones of a minute are one row, so that a flood writes little. Kept for 90
-- days.
CREATE TABLE security_log (
  minute timestamp with time zone NOT NULL,
  kind text NOT NULL,
  -- Where it came from; (others): from more addresses than a process notes one by one.
  address text NOT NULL,
  times integer NOT NULL,
  -- Ids of the keys or rows that it was about; 20 at most, and one more where there were more.
  subjects text[] NOT NULL DEFAULT '{}'::text[],
  CONSTRAINT security_log_pkey PRIMARY KEY (minute, kind, address)
);

-- People, who own all that follows.
CREATE TABLE users (
  id text NOT NULL,
  email text NOT NULL,
  password_hash text NOT NULL,
  plan text NOT NULL DEFAULT 'small'::text,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  -- Whoever set the gateway up, and those whom an operator says so of.
  may_invite boolean NOT NULL DEFAULT false,
  -- False: passkeys only. The hash is then of a password that nobody knows, so that a release that does not know the
  -- column refuses them, too.
  passwords_allowed boolean NOT NULL DEFAULT true,
  CONSTRAINT users_pkey PRIMARY KEY (id),
  CONSTRAINT users_plan_fkey FOREIGN KEY (plan) REFERENCES plans(name)
);
CREATE UNIQUE INDEX users_email ON users USING btree (lower(email));

-- A person's account in an app. `session` is sealed with `data_key`, which is wrapped by a key outside the database.
CREATE TABLE accounts (
  id text NOT NULL,
  owner text NOT NULL,
  app text NOT NULL,
  -- The app's own id of the account; of one with an `origin`, that and a space before it.
  external_id text NOT NULL,
  label text NOT NULL,
  state text NOT NULL,
  -- Why it must be renewed: AUTH_EXPIRED, CAPTCHA_REQUIRED or MFA_REQUIRED.
  reason text,
  data_key bytea NOT NULL,
  session bytea,
  session_version integer NOT NULL DEFAULT 0,
  connected_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  -- The version of the session that the last sign-in made. Versions after it are the same session with cookies that the
  -- app changed since.
  signed_in_version integer NOT NULL DEFAULT 0,
  -- When the app was last asked whether the session works: not all the time, whoever asks for it.
  checked_at timestamp with time zone,
  -- The address of the app's root that its owner typed; empty: the app is at one address for everybody. The session is
  -- sealed for this address alone.
  origin text NOT NULL DEFAULT ''::text,
  -- A renewal of the session's tokens was begun then, and what came of it is not known yet: it may have used up a token
  -- that is good once only. Null: none.
  renewal_begun timestamp with time zone,
  -- When the newest data key was made; for accounts of before, when this was written down.
  data_key_since timestamp with time zone NOT NULL DEFAULT now(),
  -- How many `data_key` has besides the newest.
  older_data_keys integer NOT NULL DEFAULT 0,
  -- When the app is asked next whether the session still works.
  session_check_at timestamp with time zone NOT NULL DEFAULT now() + '1 day'::interval,
  CONSTRAINT accounts_pkey PRIMARY KEY (id),
  CONSTRAINT accounts_owner_app_external_id_key UNIQUE (owner, app, external_id),
  CONSTRAINT accounts_owner_fkey FOREIGN KEY (owner) REFERENCES users(id),
  CONSTRAINT accounts_state_check CHECK (state = ANY (ARRAY['connected'::text, 'expired'::text, 'needs_check'::text, 'disconnected'::text]))
);
CREATE INDEX accounts_data_key_since ON accounts USING btree (data_key_since);
CREATE INDEX accounts_older_data_keys ON accounts USING btree (data_key_since) WHERE older_data_keys > 0;
CREATE INDEX accounts_session_check_at ON accounts USING btree (app, session_check_at) WHERE state = 'connected'::text;
CREATE INDEX accounts_to_shred ON accounts USING btree (id) WHERE state = 'disconnected'::text AND data_key_since < 'infinity'::timestamp with time zone;

-- A key and those that replaced it, one after the other, are a line. Each covers what it did itself and what those
-- before it did, never the reverse.
CREATE TABLE api_keys (
  id text NOT NULL,
  owner text NOT NULL,
  name text NOT NULL,
  -- Keyed hash of the key; NULL: a grant of OAuth, which has tokens instead.
  hash bytea,
  hint text NOT NULL,
  -- Apps the key may use, which bounds what it covers in any case; NULL = all.
  apps text[],
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  last_used_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  -- The id of the first key of its line.
  line text NOT NULL,
  -- How many came before it in its line. Two keys have no turn in common, so a key is replaced once.
  turn integer NOT NULL DEFAULT 0,
  -- It covers all calls of its owner.
  sees_all boolean NOT NULL DEFAULT false,
  -- It may call what reads, and nothing else.
  read_only boolean NOT NULL DEFAULT false,
  -- The key of the ring `pepper` that `hash` is made with: the newest when the key was made or last used. `k1` where
  -- the key file has a single one.
  pepper text NOT NULL DEFAULT 'k1'::text,
  -- Of some apps, the endpoints that it may call: `{"app": ["name"]}`. Of an app that does not stand here it may call
  -- all. NULL: of every app.
  endpoints jsonb,
  CONSTRAINT api_keys_pkey PRIMARY KEY (id),
  CONSTRAINT api_keys_hash_key UNIQUE (hash),
  CONSTRAINT api_keys_one_successor UNIQUE (line, turn),
  CONSTRAINT api_keys_owner_fkey FOREIGN KEY (owner) REFERENCES users(id)
);
CREATE INDEX api_keys_owner ON api_keys USING btree (owner);

CREATE TABLE balances (
  owner text NOT NULL,
  month date,
  available integer NOT NULL DEFAULT 0,
  reserved integer NOT NULL DEFAULT 0,
  CONSTRAINT balances_pkey PRIMARY KEY (owner),
  CONSTRAINT balances_owner_fkey FOREIGN KEY (owner) REFERENCES users(id),
  CONSTRAINT balances_available_check CHECK (available >= 0),
  CONSTRAINT balances_reserved_check CHECK (reserved >= 0)
);

CREATE TABLE calls (
  id text NOT NULL,
  owner text NOT NULL,
  key_id text NOT NULL,
  app text NOT NULL,
  endpoint text NOT NULL,
  account text NOT NULL,
  access text NOT NULL,
  confirm boolean NOT NULL,
  status text NOT NULL,
  -- rate_limited: the app itself said when to come back. People see it as blocked.
  waiting_for text,
  retry_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  updated_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  expires_at timestamp with time zone,
  -- Sealed with the account's data key, as output and error are.
  input bytea,
  output bytea,
  error bytea,
  error_code text,
  -- Keyed hash of account, app, endpoint and canonical input: equal calls have equal hashes.
  content_hash bytea NOT NULL,
  -- Of releases before 0027, which hashed the connector's source. Unused.
  definition_version text NOT NULL DEFAULT ''::text,
  credits integer NOT NULL,
  credits_used integer NOT NULL DEFAULT 0,
  -- The month whose credits are reserved now; NULL = nothing reserved.
  reserved_month date,
  decision text,
  -- The owner, or the standing approval of which this call is a use.
  decided_by text,
  decided_at timestamp with time zone,
  -- `<key id>.<base64url>`: proves that the owner approved exactly this content.
  approval_proof text,
  -- The right to send: a write's bytes leave only after ready -> sending for its attempt.
  send text NOT NULL DEFAULT 'ready'::text,
  attempt integer NOT NULL DEFAULT 0,
  resolution jsonb,
  -- When the sweeper looks at the call next; NULL = never again.
  check_at timestamp with time zone DEFAULT clock_timestamp() + '00:00:05'::interval,
  -- Which try took the right to send last: the number of its process, which holds an advisory lock of it for as long as
  -- it lives, and 22 bits to count tries. NULL: it is done.
  sender bigint,
  -- How often a read was sent in this attempt.
  tries integer NOT NULL DEFAULT 0,
  -- What the call has waited for in a row: the app (blocked, rate_limited) or the person (reconnect).
  held_for text,
  -- Since when.
  held_since timestamp with time zone,
  -- How often a call that nobody approved was blocked, or found its endpoint blocked.
  blocks integer NOT NULL DEFAULT 0,
  -- What an app's answer lacked when its connector did not understand it: a rule, a field or a type, never what the app
  -- said.
  changed_rule text,
  -- Sealed: method, address, headers and body as they will be sent, with named placeholders. NULL: not rendered yet, or
  -- rendered when it is sent, for nobody is asked.
  request bytea,
  -- Sealed: what the app told about the things that the input names, as the page shows it. NULL: nothing was told.
  preview bytea,
  -- When the app told all of it.
  previewed_at timestamp with time zone,
  -- When it was looked up last, whatever came of that.
  looked_at timestamp with time zone,
  -- Sealed: what a look-up that is under way has found so far.
  look_up bytea,
  -- When the request is to be rendered, or its things to be looked up (again); NULL = nothing to do.
  prepare_at timestamp with time zone,
  -- How often rendering failed because of the app.
  prepare_tries integer NOT NULL DEFAULT 0,
  -- How often the person was asked, this time included. A decision is of one round.
  round integer NOT NULL DEFAULT 1,
  -- Counts changes of what is asked: input, request, preview, round. A decision is of one revision.
  revision integer NOT NULL DEFAULT 0,
  -- Sealed: why the agent asks for it, in its own words.
  why bytea,
  -- Sealed: what the agent asked for, where the person changed it.
  original bytea,
  -- JSON paths of the input that the person changed.
  changed text[],
  -- Sealed: the person's reason.
  decision_reason bytea,
  -- What the program that made the call says of itself: its name in MCP, or its User-Agent. Shown only. NULL: it said
  -- nothing.
  client text,
  -- `<passkey> <key id>.<base64url>`: proves that the owner approved exactly this content with that passkey.
  passkey_proof text,
  CONSTRAINT calls_pkey PRIMARY KEY (id),
  CONSTRAINT calls_account_fkey FOREIGN KEY (account) REFERENCES accounts(id),
  CONSTRAINT calls_key_id_fkey FOREIGN KEY (key_id) REFERENCES api_keys(id),
  CONSTRAINT calls_owner_fkey FOREIGN KEY (owner) REFERENCES users(id),
  CONSTRAINT calls_access_check CHECK (access = ANY (ARRAY['read'::text, 'write'::text])),
  CONSTRAINT calls_changed_rule_check CHECK (length(changed_rule) <= 300),
  CONSTRAINT calls_check CHECK (confirm = (expires_at IS NOT NULL)),
  CONSTRAINT calls_check1 CHECK ((decision IS NULL) = (decided_at IS NULL)),
  CONSTRAINT calls_check2 CHECK (status <> 'awaiting_confirmation'::text OR confirm AND decision IS NULL),
  CONSTRAINT calls_client_check CHECK (length(client) <= 120),
  CONSTRAINT calls_credits_check CHECK (credits >= 0),
  CONSTRAINT calls_decision_check CHECK (decision = ANY (ARRAY['approved'::text, 'rejected'::text, 'expired'::text, 'cancelled'::text])),
  CONSTRAINT calls_held_for_check CHECK (held_for = ANY (ARRAY['app'::text, 'person'::text])),
  CONSTRAINT calls_send_check CHECK (send = ANY (ARRAY['ready'::text, 'sending'::text, 'withdrawn'::text])),
  CONSTRAINT calls_status_check CHECK (status = ANY (ARRAY['awaiting_confirmation'::text, 'running'::text, 'executed'::text, 'failed'::text, 'unknown'::text, 'rejected'::text, 'expired'::text, 'cancelled'::text])),
  CONSTRAINT calls_waiting_for_check CHECK (waiting_for = ANY (ARRAY['blocked'::text, 'rate_limited'::text, 'reconnect'::text]))
) WITH (fillfactor=70);
CREATE INDEX calls_account_key ON calls USING btree (account, key_id, id COLLATE "C" DESC);
CREATE INDEX calls_app ON calls USING btree (owner, app, id DESC);
CREATE INDEX calls_changed ON calls USING btree (app, id DESC) WHERE changed_rule IS NOT NULL;
CREATE INDEX calls_check ON calls USING btree (check_at) WHERE check_at IS NOT NULL;
CREATE INDEX calls_decided ON calls USING btree (decided_by, decided_at) WHERE decided_by IS NOT NULL;
CREATE INDEX calls_equal ON calls USING btree (owner, content_hash) WHERE status = 'awaiting_confirmation'::text;
CREATE INDEX calls_held ON calls USING btree (account, endpoint) WHERE waiting_for IS NOT NULL;
CREATE INDEX calls_kept ON calls USING btree (created_at, id) WHERE input IS NOT NULL;
CREATE INDEX calls_key ON calls USING btree (key_id, id COLLATE "C" DESC);
CREATE INDEX calls_not_done ON calls USING btree (owner, status, id DESC) WHERE status = ANY (ARRAY['failed'::text, 'unknown'::text, 'rejected'::text, 'expired'::text, 'cancelled'::text]);
CREATE INDEX calls_open ON calls USING btree (owner, status) WHERE status = ANY (ARRAY['awaiting_confirmation'::text, 'running'::text]);
CREATE INDEX calls_owner ON calls USING btree (owner, id DESC);
CREATE INDEX calls_pressing ON calls USING btree (check_at) WHERE check_at IS NOT NULL AND (status <> 'awaiting_confirmation'::text OR prepare_at IS NOT NULL);
CREATE INDEX calls_unresolved ON calls USING btree (app) WHERE status = 'unknown'::text AND resolution IS NULL;

-- Writes that were asked for by a tool, until an answer about them was handed to whoever asked. What is older than a
-- day is cleared away.
CREATE TABLE answers_due (
  call_id text NOT NULL,
  owner text NOT NULL,
  -- Of the call.
  content_hash bytea NOT NULL,
  since timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT answers_due_pkey PRIMARY KEY (call_id),
  CONSTRAINT answers_due_call_id_fkey FOREIGN KEY (call_id) REFERENCES calls(id)
);
CREATE INDEX answers_due_equal ON answers_due USING btree (owner, content_hash);

-- Files of calls, sealed with the account's data key: fetched once, when the call was accepted or its person changed
-- it.
CREATE TABLE call_files (
  call_id text NOT NULL,
  -- Where the input has the address: photo, photos.1.
  place text NOT NULL,
  -- Sealed: address, name, type, size and hash. Forgotten with the call's content.
  about bytea NOT NULL,
  -- Sealed: the bytes. NULL: the call has ended.
  content bytea,
  CONSTRAINT call_files_pkey PRIMARY KEY (call_id, place),
  CONSTRAINT call_files_call_id_fkey FOREIGN KEY (call_id) REFERENCES calls(id)
);

-- Email addresses that accounts were, or are to be, changed to. Gone once they can be neither confirmed nor taken back.
CREATE TABLE email_changes (
  id text NOT NULL,
  owner text NOT NULL,
  -- The address when it was changed. While it can be taken back, nobody else gets it.
  old_email text NOT NULL,
  new_email text NOT NULL,
  -- Keyed hash of what the link opens with that the new address was mailed.
  confirm_hash bytea NOT NULL,
  confirm_until timestamp with time zone NOT NULL,
  -- The same of the link that the old address was mailed. NULL: not confirmed yet.
  undo_hash bytea,
  undo_until timestamp with time zone,
  CONSTRAINT email_changes_pkey PRIMARY KEY (id),
  CONSTRAINT email_changes_confirm_hash_key UNIQUE (confirm_hash),
  CONSTRAINT email_changes_undo_hash_key UNIQUE (undo_hash),
  CONSTRAINT email_changes_owner_fkey FOREIGN KEY (owner) REFERENCES users(id),
  CONSTRAINT email_changes_check CHECK ((undo_hash IS NULL) = (undo_until IS NULL))
);
CREATE INDEX email_changes_old ON email_changes USING btree (lower(old_email));
CREATE INDEX email_changes_owner ON email_changes USING btree (owner);

-- An owner's confirm switch and time to decide. No row or NULL = the default.
CREATE TABLE endpoint_settings (
  owner text NOT NULL,
  app text NOT NULL,
  endpoint text NOT NULL,
  confirm boolean,
  expiry_seconds integer,
  -- `<key id>.<base64url>`: proves that the owner switched asking off (confirm = false). Without it the endpoint asks
  -- as it comes.
  proof text,
  CONSTRAINT endpoint_settings_pkey PRIMARY KEY (owner, app, endpoint),
  CONSTRAINT endpoint_settings_owner_fkey FOREIGN KEY (owner) REFERENCES users(id),
  CONSTRAINT endpoint_settings_expiry_seconds_check CHECK (expiry_seconds >= 2 AND expiry_seconds <= 2592000)
);

-- People who are being erased, or were. The row of a person stays, without name, for the ledger and the calls.
CREATE TABLE erasures (
  owner text NOT NULL,
  -- The person, an operator's name, or restore: somebody who had been erased came back with an older database.
  asked_by text NOT NULL,
  asked_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  -- Since when the list outside of the database names them.
  listed_at timestamp with time zone,
  -- When nothing was left that could still come in late; NULL = it goes on.
  done_at timestamp with time zone,
  CONSTRAINT erasures_pkey PRIMARY KEY (owner),
  CONSTRAINT erasures_owner_fkey FOREIGN KEY (owner) REFERENCES users(id)
);
CREATE INDEX erasures_open ON erasures USING btree (asked_at) WHERE done_at IS NULL;

-- What was found in the app of calls that ended unknown, when their owner asked to look there. The call's status stays.
CREATE TABLE findings (
  call_id text NOT NULL,
  -- When somebody asked last; a worker looks only where that is after `found_at`.
  asked_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  found_at timestamp with time zone,
  -- Sealed with the account's data key, and forgotten with the call's content.
  finding bytea,
  CONSTRAINT findings_pkey PRIMARY KEY (call_id),
  CONSTRAINT findings_call_id_fkey FOREIGN KEY (call_id) REFERENCES calls(id)
);

-- One belongs to the line of the API key that it came with, from its turn on.
CREATE TABLE idempotency_keys (
  owner text NOT NULL,
  key text NOT NULL,
  request_hash bytea NOT NULL,
  call_id text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  line text NOT NULL,
  turn integer NOT NULL,
  CONSTRAINT idempotency_keys_pkey PRIMARY KEY (line, key, turn),
  CONSTRAINT idempotency_keys_call_id_fkey FOREIGN KEY (call_id) REFERENCES calls(id) DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT idempotency_keys_owner_fkey FOREIGN KEY (owner) REFERENCES users(id)
);
CREATE INDEX idempotency_keys_age ON idempotency_keys USING btree (created_at);
CREATE INDEX idempotency_keys_call ON idempotency_keys USING btree (call_id);

-- Only a keyed hash of the link's token is here.
CREATE TABLE invitations (
  id text NOT NULL,
  hash bytea NOT NULL,
  email text NOT NULL,
  -- A user, or an operator's name.
  invited_by text NOT NULL,
  may_invite boolean NOT NULL DEFAULT false,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  expires_at timestamp with time zone NOT NULL,
  revoked_at timestamp with time zone,
  used_at timestamp with time zone,
  used_by text,
  -- Its link was mailed to the address, besides being shown.
  mailed boolean NOT NULL DEFAULT false,
  CONSTRAINT invitations_pkey PRIMARY KEY (id),
  CONSTRAINT invitations_hash_key UNIQUE (hash),
  CONSTRAINT invitations_used_by_fkey FOREIGN KEY (used_by) REFERENCES users(id),
  CONSTRAINT invitations_check CHECK ((used_at IS NULL) = (used_by IS NULL))
);
CREATE INDEX invitations_inviter ON invitations USING btree (invited_by, id DESC);

-- Endpoints that one key (or program that signed in), with what replaces it, calls without asking its owner first. What
-- holds for all keys is in endpoint_settings.
CREATE TABLE key_switches (
  owner text NOT NULL,
  app text NOT NULL,
  endpoint text NOT NULL,
  -- The line of the key.
  key_line text NOT NULL,
  -- `<key id>.<base64url>`: proves that the owner switched it off for this key. Without it the endpoint asks.
  proof text NOT NULL,
  CONSTRAINT key_switches_pkey PRIMARY KEY (owner, app, endpoint, key_line),
  CONSTRAINT key_switches_owner_fkey FOREIGN KEY (owner) REFERENCES users(id)
);

CREATE TABLE ledger (
  id bigint GENERATED ALWAYS AS IDENTITY,
  at timestamp with time zone NOT NULL DEFAULT now(),
  owner text NOT NULL,
  kind text NOT NULL,
  amount integer NOT NULL,
  month date NOT NULL,
  call_id text,
  note text,
  CONSTRAINT ledger_pkey PRIMARY KEY (id),
  CONSTRAINT ledger_call_id_fkey FOREIGN KEY (call_id) REFERENCES calls(id),
  CONSTRAINT ledger_owner_fkey FOREIGN KEY (owner) REFERENCES users(id),
  CONSTRAINT ledger_amount_check CHECK (amount > 0),
  CONSTRAINT ledger_check CHECK ((call_id IS NOT NULL) = (kind = ANY (ARRAY['reserve'::text, 'capture'::text, 'release'::text, 'refund'::text]))),
  CONSTRAINT ledger_kind_check CHECK (kind = ANY (ARRAY['grant'::text, 'upgrade'::text, 'lapse'::text, 'reserve'::text, 'capture'::text, 'release'::text, 'refund'::text]))
);
CREATE INDEX ledger_call ON ledger USING btree (call_id);
CREATE UNIQUE INDEX ledger_one_capture ON ledger USING btree (call_id) WHERE kind = 'capture'::text;
CREATE UNIQUE INDEX ledger_one_grant ON ledger USING btree (owner, month) WHERE kind = 'grant'::text;
CREATE INDEX ledger_statement ON ledger USING btree (owner, month, id) INCLUDE (kind, amount);

-- Where an owner hears of calls: webhooks of programs, the email address of the account, devices that are pushed to,
-- and ntfy. A deleted one stays as a row, without its secrets, so that a call that is being written meanwhile never
-- fails over it.
CREATE TABLE notice_targets (
  id text NOT NULL,
  owner text NOT NULL,
  channel text NOT NULL,
  kinds text[] NOT NULL,
  enabled boolean NOT NULL DEFAULT true,
  -- Why Callgate switched it off by itself: the receiver said 410, or took nothing for three days.
  disabled_reason text,
  url text,
  -- Wrapped as data keys are. Of a webhook, the signing secret; the old one signs too until its time is over. Of a
  -- device or ntfy, the address with its keys, as JSON.
  secret bytea,
  old_secret bytea,
  old_secret_until timestamp with time zone,
  last_try_at timestamp with time zone,
  last_result text,
  last_delivered_at timestamp with time zone,
  -- Of what people read: the next one leaves no sooner.
  mail_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  created_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  deleted_at timestamp with time zone,
  -- What its owner calls a device, or the host of ntfy.
  name text,
  -- SHA-256 of a device's address: one browser is one device, of whoever added it last.
  place bytea,
  -- Apps and kinds that it is not told of, such as 'crm call.final'.
  muted text[] NOT NULL DEFAULT '{}'::text[],
  -- How much a notice says where others may see it: that something waits, the app and the action, or also names and
  -- amounts.
  shows text NOT NULL DEFAULT 'action'::text,
  CONSTRAINT notice_targets_pkey PRIMARY KEY (id),
  CONSTRAINT notice_targets_owner_fkey FOREIGN KEY (owner) REFERENCES users(id),
  CONSTRAINT notice_targets_channel_check CHECK (channel = ANY (ARRAY['webhook'::text, 'email'::text, 'push'::text, 'ntfy'::text])),
  CONSTRAINT notice_targets_check1 CHECK ((old_secret IS NULL) = (old_secret_until IS NULL)),
  CONSTRAINT notice_targets_check2 CHECK (NOT enabled OR disabled_reason IS NULL AND deleted_at IS NULL),
  CONSTRAINT notice_targets_disabled_reason_check CHECK (disabled_reason = ANY (ARRAY['gone'::text, 'failing'::text])),
  CONSTRAINT notice_targets_name_check CHECK (length(name) >= 1 AND length(name) <= 60),
  CONSTRAINT notice_targets_place_check CHECK (place IS NULL OR channel = 'push'::text AND deleted_at IS NULL),
  CONSTRAINT notice_targets_secret_check CHECK ((channel <> 'email'::text AND deleted_at IS NULL) = (secret IS NOT NULL)),
  CONSTRAINT notice_targets_shows_check CHECK (shows = ANY (ARRAY['count'::text, 'action'::text, 'all'::text])),
  CONSTRAINT notice_targets_url_check CHECK ((channel = 'webhook'::text) = (url IS NOT NULL))
);
CREATE UNIQUE INDEX notice_targets_email ON notice_targets USING btree (owner) WHERE channel = 'email'::text;
CREATE INDEX notice_targets_owner ON notice_targets USING btree (owner) WHERE deleted_at IS NULL;
CREATE UNIQUE INDEX notice_targets_place ON notice_targets USING btree (place) WHERE place IS NOT NULL;

-- What is to be told, once a target. Written in the transaction of the change itself.
CREATE TABLE notices (
  id text NOT NULL,
  owner text NOT NULL,
  target text NOT NULL,
  kind text NOT NULL,
  call_id text,
  -- The call's, at that moment.
  status text,
  created_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  state text NOT NULL DEFAULT 'pending'::text,
  tries integer NOT NULL DEFAULT 0,
  first_try_at timestamp with time zone,
  next_try_at timestamp with time zone,
  last_result text,
  ended_at timestamp with time zone,
  -- When the engine was told of it.
  started_at timestamp with time zone,
  -- When the sweeper looks at it next; NULL = never again.
  check_at timestamp with time zone DEFAULT clock_timestamp(),
  -- Of asking, of a call that waits.
  round integer NOT NULL DEFAULT 1,
  CONSTRAINT notices_pkey PRIMARY KEY (id),
  CONSTRAINT notices_once UNIQUE (target, call_id, kind, round),
  CONSTRAINT notices_call_id_fkey FOREIGN KEY (call_id) REFERENCES calls(id),
  CONSTRAINT notices_target_fkey FOREIGN KEY (target) REFERENCES notice_targets(id),
  CONSTRAINT notices_check CHECK ((state = 'pending'::text) = (ended_at IS NULL)),
  CONSTRAINT notices_check1 CHECK ((kind = 'test'::text) = (call_id IS NULL)),
  CONSTRAINT notices_kind_check CHECK (kind = ANY (ARRAY['call.waiting'::text, 'call.final'::text, 'test'::text])),
  CONSTRAINT notices_state_check CHECK (state = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text, 'dropped'::text]))
) WITH (fillfactor=70);
CREATE INDEX notices_owner ON notices USING btree (owner, created_at DESC);
CREATE INDEX notices_turn ON notices USING btree (target, (started_at IS NULL AND kind <> 'test'::text), check_at) WHERE state = 'pending'::text;
CREATE INDEX notices_untried ON notices USING btree (target) WHERE state = 'pending'::text AND started_at IS NOT NULL AND tries = 0;

-- What a person allowed, until the program fetches its tokens with the code.
CREATE TABLE oauth_codes (
  hash bytea NOT NULL,
  client text NOT NULL,
  client_name text NOT NULL,
  redirect_uri text NOT NULL,
  -- SHA-256 of the verifier that the program keeps (PKCE), in base64url.
  challenge text NOT NULL,
  -- The path that the tokens are for: /mcp or /mcp/{app}.
  resource text NOT NULL,
  owner text NOT NULL,
  -- NULL = all.
  apps text[],
  read_only boolean NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  used_at timestamp with time zone,
  -- The grant that was made of it: the code sent once more ends it.
  key text,
  -- As in api_keys.
  endpoints jsonb,
  CONSTRAINT oauth_codes_pkey PRIMARY KEY (hash),
  CONSTRAINT oauth_codes_key_fkey FOREIGN KEY (key) REFERENCES api_keys(id),
  CONSTRAINT oauth_codes_owner_fkey FOREIGN KEY (owner) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX oauth_codes_expires ON oauth_codes USING btree (expires_at);

-- The keys that are grants of OAuth.
CREATE TABLE oauth_grants (
  key text NOT NULL,
  client text NOT NULL,
  -- Where the person was sent back to: a host, or what opens the address.
  goes_to text NOT NULL,
  resource text NOT NULL,
  CONSTRAINT oauth_grants_pkey PRIMARY KEY (key),
  CONSTRAINT oauth_grants_key_fkey FOREIGN KEY (key) REFERENCES api_keys(id)
);

-- Keyed hashes of the tokens of grants.
CREATE TABLE oauth_tokens (
  hash bytea NOT NULL,
  key text NOT NULL,
  kind text NOT NULL,
  -- The refresh token that it was fetched with; NULL: the first of its grant, or an access token.
  parent bytea,
  expires_at timestamp with time zone NOT NULL,
  -- When a refresh token was used first.
  used_at timestamp with time zone,
  -- Another one of the same parent was used: that answer was the one that arrived.
  superseded boolean NOT NULL DEFAULT false,
  CONSTRAINT oauth_tokens_pkey PRIMARY KEY (hash),
  CONSTRAINT oauth_tokens_key_fkey FOREIGN KEY (key) REFERENCES oauth_grants(key),
  CONSTRAINT oauth_tokens_kind_check CHECK (kind = ANY (ARRAY['access'::text, 'refresh'::text]))
);
CREATE INDEX oauth_tokens_expires ON oauth_tokens USING btree (expires_at);
CREATE INDEX oauth_tokens_key ON oauth_tokens USING btree (key);
CREATE INDEX oauth_tokens_parent ON oauth_tokens USING btree (parent) WHERE parent IS NOT NULL;

-- For approving calls of which endpoints a person demands a passkey. Without a valid proof every approval needs one.
-- The row stays when nothing is demanded any more: the data keys of the owner's accounts say that there has to be one.
CREATE TABLE passkey_demands (
  owner text NOT NULL,
  -- By `app/endpoint`: since when, and above which amount, in whole units of the currency that the call has; null: each
  -- time.
  demands jsonb NOT NULL,
  -- `<key id>.<base64url>`: proves that the owner demands just these.
  proof text NOT NULL,
  CONSTRAINT passkey_demands_pkey PRIMARY KEY (owner),
  CONSTRAINT passkey_demands_owner_fkey FOREIGN KEY (owner) REFERENCES users(id) ON DELETE CASCADE
);

CREATE TABLE passkeys (
  id text NOT NULL,
  owner text NOT NULL,
  name text NOT NULL,
  -- The authenticator's id of it, base64url.
  credential text NOT NULL,
  -- COSE.
  public_key bytea NOT NULL,
  counter bigint NOT NULL,
  transports text[] NOT NULL DEFAULT '{}'::text[],
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  last_used_at timestamp with time zone,
  CONSTRAINT passkeys_pkey PRIMARY KEY (id),
  CONSTRAINT passkeys_credential_key UNIQUE (credential),
  CONSTRAINT passkeys_owner_fkey FOREIGN KEY (owner) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX passkeys_owner ON passkeys USING btree (owner);

-- Links with which whoever lost their password sets another. The first one that is used ends all of their owner.
CREATE TABLE password_resets (
  -- Keyed hash of what the link opens with.
  hash bytea NOT NULL,
  owner text NOT NULL,
  -- SHA-256 of the password's hash of then: with another password the link is void.
  bound bytea NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT password_resets_pkey PRIMARY KEY (hash),
  CONSTRAINT password_resets_owner_fkey FOREIGN KEY (owner) REFERENCES users(id)
);
CREATE INDEX password_resets_owner ON password_resets USING btree (owner);

-- The ladder of blocks: one per account and endpoint. Gone after a success.
CREATE TABLE pauses (
  account text NOT NULL,
  endpoint text NOT NULL,
  until timestamp with time zone NOT NULL,
  seconds integer NOT NULL,
  -- The one call that may try once `until` has passed.
  probe_call text,
  probe_until timestamp with time zone,
  CONSTRAINT pauses_pkey PRIMARY KEY (account, endpoint),
  CONSTRAINT pauses_account_fkey FOREIGN KEY (account) REFERENCES accounts(id)
);

-- Between these times of day emails, pushes and ntfy wait. Webhooks do not.
CREATE TABLE quiet_hours (
  owner text NOT NULL,
  -- Minutes after midnight, by the clocks of the zone; past midnight where it is the later one.
  from_minute integer NOT NULL,
  to_minute integer NOT NULL,
  -- By its IANA name.
  zone text NOT NULL,
  CONSTRAINT quiet_hours_pkey PRIMARY KEY (owner),
  CONSTRAINT quiet_hours_owner_fkey FOREIGN KEY (owner) REFERENCES users(id),
  CONSTRAINT quiet_hours_check CHECK (from_minute <> to_minute),
  CONSTRAINT quiet_hours_from_minute_check CHECK (from_minute >= 0 AND from_minute <= 1439),
  CONSTRAINT quiet_hours_to_minute_check CHECK (to_minute >= 0 AND to_minute <= 1439)
);

-- Each is good once: for an account with a password, in place of the authenticator app; for one that takes passkeys
-- only, to make one new passkey.
CREATE TABLE recovery_codes (
  -- SHA-256 of owner and code, which has 100 random bits; of an older one of 50 bits, which only stands in for the app,
  -- a hash with a pepper.
  hash bytea NOT NULL,
  owner text NOT NULL,
  -- What the passkey that is being made with it signs.
  challenge text,
  used_at timestamp with time zone,
  CONSTRAINT recovery_codes_pkey PRIMARY KEY (hash),
  CONSTRAINT recovery_codes_owner_fkey FOREIGN KEY (owner) REFERENCES users(id)
);
CREATE INDEX recovery_codes_owner ON recovery_codes USING btree (owner);

-- Rounds of asking that ended because what matters had changed in the app since the approval. Nothing was sent in them.
CREATE TABLE rounds (
  call_id text NOT NULL,
  round integer NOT NULL,
  decided_by text NOT NULL,
  decided_at timestamp with time zone NOT NULL,
  ended_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  -- Sealed, as it was approved.
  request bytea,
  -- Sealed, as it was approved.
  preview bytea,
  CONSTRAINT rounds_pkey PRIMARY KEY (call_id, round),
  CONSTRAINT rounds_call_id_fkey FOREIGN KEY (call_id) REFERENCES calls(id)
);

-- What an owner allows in an app. No row = everything.
CREATE TABLE scopes (
  owner text NOT NULL,
  app text NOT NULL,
  mode text NOT NULL,
  endpoints text[] NOT NULL DEFAULT '{}'::text[],
  CONSTRAINT scopes_pkey PRIMARY KEY (owner, app),
  CONSTRAINT scopes_owner_fkey FOREIGN KEY (owner) REFERENCES users(id),
  CONSTRAINT scopes_mode_check CHECK (mode = ANY (ARRAY['all'::text, 'read'::text, 'chosen'::text]))
);

-- What a person approves in advance: calls of one endpoint on one account, within bounds. NULL = without that bound.
CREATE TABLE standing_approvals (
  id text NOT NULL,
  owner text NOT NULL,
  account text NOT NULL,
  app text NOT NULL,
  endpoint text NOT NULL,
  definition_version text NOT NULL,
  per_day integer,
  -- The input field that is bound to a list.
  field text,
  -- The list, sealed with the account's data key.
  allowed bytea,
  until timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  revoked_at timestamp with time zone,
  -- `<key id>.<base64url>`: proves that the owner approved exactly this. It goes with the revocation, so that nobody
  -- can undo one.
  proof text,
  -- The line of the key (or program that signed in) whose calls it covers; covered by the proof. NULL: of all keys, as
  -- all were before.
  key_line text,
  CONSTRAINT standing_approvals_pkey PRIMARY KEY (id),
  CONSTRAINT standing_approvals_account_fkey FOREIGN KEY (account) REFERENCES accounts(id),
  CONSTRAINT standing_approvals_owner_fkey FOREIGN KEY (owner) REFERENCES users(id),
  CONSTRAINT standing_approvals_check CHECK ((field IS NULL) = (allowed IS NULL)),
  CONSTRAINT standing_approvals_check1 CHECK ((revoked_at IS NULL) = (proof IS NOT NULL)),
  CONSTRAINT standing_approvals_per_day_check CHECK (per_day > 0)
);
CREATE INDEX standing_approvals_owner ON standing_approvals USING btree (owner, id DESC);
CREATE INDEX standing_approvals_standing ON standing_approvals USING btree (account, endpoint) WHERE revoked_at IS NULL;

-- The authenticator app whose codes a person says after their password.
CREATE TABLE totp (
  id text NOT NULL,
  owner text NOT NULL,
  -- What the app has, too (its first 20 bytes), wrapped as data keys are.
  secret bytea NOT NULL,
  begun_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  -- When a first code of it was right. NULL: not yet, and no code is asked for.
  confirmed_at timestamp with time zone,
  -- The 30 seconds since 1970 whose code was used last: that one and those before it are used up.
  last_step bigint NOT NULL DEFAULT 0,
  CONSTRAINT totp_pkey PRIMARY KEY (id),
  CONSTRAINT totp_owner_key UNIQUE (owner),
  CONSTRAINT totp_owner_fkey FOREIGN KEY (owner) REFERENCES users(id)
);

-- Recordings of what somebody did in an app, asked for by an operator, made by a person with an account of theirs.
CREATE TABLE traces (
  -- Cannot be guessed: the first person who opens its page makes it.
  id text NOT NULL,
  app text NOT NULL,
  name text NOT NULL,
  begun_by text NOT NULL,
  begun_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  -- Who makes it. NULL: nobody has opened it.
  owner text,
  account text,
  -- When it was kept or thrown away.
  ended_at timestamp with time zone,
  -- How many requests are in it.
  exchanges integer,
  -- Sealed with the account's data key, and without secrets all the same. NULL: there is none yet, or it was thrown
  -- away.
  trace bytea,
  -- An hour after it was asked for; 30 days after it was kept.
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT traces_pkey PRIMARY KEY (id),
  CONSTRAINT traces_account_fkey FOREIGN KEY (account) REFERENCES accounts(id),
  CONSTRAINT traces_owner_fkey FOREIGN KEY (owner) REFERENCES users(id)
);
CREATE INDEX traces_age ON traces USING btree (expires_at);
CREATE INDEX traces_app ON traces USING btree (app, name);

-- Calls of added connectors whose exchange with the app is kept for a while, for the author. A call says by its
-- Idempotency-Key, try-<id>, that it is one.
CREATE TABLE tries (
  -- Cannot be guessed: whoever knows it may make the call that is kept.
  id text NOT NULL,
  app text NOT NULL,
  endpoint text NOT NULL,
  -- The operator who asked for it.
  begun_by text NOT NULL,
  begun_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  expires_at timestamp with time zone NOT NULL,
  -- NULL: it has not talked to the app yet.
  call_id text,
  -- Sealed with the account's data key: a recording without secrets, or why there is none.
  recording bytea,
  CONSTRAINT tries_pkey PRIMARY KEY (id),
  CONSTRAINT tries_call_id_fkey FOREIGN KEY (call_id) REFERENCES calls(id)
);
CREATE INDEX tries_age ON tries USING btree (expires_at);

-- Reads that are made once a day with an account, for nothing, to see whether the app still answers as before.
CREATE TABLE watches (
  id text NOT NULL,
  owner text NOT NULL,
  app text NOT NULL,
  endpoint text NOT NULL,
  account text NOT NULL,
  input jsonb NOT NULL,
  -- The operator who asked for it.
  asked_by text NOT NULL,
  asked_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  -- When the account's owner agreed; NULL: nothing is read.
  agreed_at timestamp with time zone,
  ended_at timestamp with time zone,
  ended_by text,
  next_at timestamp with time zone,
  -- The day (UTC) of the last look: there is one a day.
  last_day date,
  last_at timestamp with time zone,
  -- ok, changed, or why there was no output.
  last_result text,
  -- What stood where in all outputs that were as before: place to kinds of values, no value.
  shape jsonb,
  -- The same of the last output alone.
  latest jsonb,
  -- What the app told of its version the last time.
  version text,
  CONSTRAINT watches_pkey PRIMARY KEY (id),
  CONSTRAINT watches_account_fkey FOREIGN KEY (account) REFERENCES accounts(id)
);
CREATE INDEX watches_due ON watches USING btree (next_at) WHERE ended_at IS NULL AND next_at IS NOT NULL;
CREATE UNIQUE INDEX watches_open ON watches USING btree (account, endpoint) WHERE ended_at IS NULL;

-- Browser sessions of signed-in people. Only a keyed hash of the cookie is here.
CREATE TABLE web_sessions (
  hash bytea NOT NULL,
  owner text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  expires_at timestamp with time zone NOT NULL,
  -- What its owner's page calls it.
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  -- When a page was last asked for with it, to some minutes. It ends by itself a week later.
  seen_at timestamp with time zone NOT NULL DEFAULT now(),
  -- Where it began: an address, of IPv6 the network of it.
  network text,
  -- What the browser said of itself when it began.
  browser text,
  -- When its owner last said their password, or used a passkey, once more. NULL: not since it began.
  proved_at timestamp with time zone,
  CONSTRAINT web_sessions_pkey PRIMARY KEY (hash),
  CONSTRAINT web_sessions_id_key UNIQUE (id),
  CONSTRAINT web_sessions_owner_fkey FOREIGN KEY (owner) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX web_sessions_owner ON web_sessions USING btree (owner);

-- Writes a call, its reservation and its idempotency key, or says why not and writes none of them: accepted; replayed
-- (call_id is the earlier call); reused (this idempotency key came with another request); full; poor. The balance row
-- is the owner's lock: equal calls, caps and credits are judged one call at a time. Idempotency keys and equal calls
-- that wait count within the line of the key, up to its own turn; an equal call is told while its key, or that one's
-- heir, may make it. Of the standing approvals that cover the call (p_standing, the first wins, each with its budget a
-- day and its proof for exactly this call, made for the time to decide p_decide_until) one that still stands approves
-- it, and that is a use of it. Locks: the standing approvals, then the balance; who revokes locks in the same order.
-- p_request: as it was rendered; p_prepare: something is to be looked up in the app before the person is asked.
-- p_answer_due: a tool's write, whose answer is due until it was handed over; an equal one of the line that still runs,
-- or that ended within ten minutes and whose answer is still due, is that call. p_client: what the program says of
-- itself.
CREATE FUNCTION accept_call(
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
 LANGUAGE plpgsql
AS $function$
#variable_conflict use_column
DECLARE
  balance balances;
  caller api_keys;
  earlier idempotency_keys;
  p_proof text;
  p_status text := CASE WHEN p_confirm THEN 'awaiting_confirmation' ELSE 'running' END;
BEGIN
  IF p_idempotency_key IS NOT NULL THEN
    -- A call with the same key that is being accepted right now holds the lock: wait for it, but not for long.
    PERFORM set_config('lock_timeout', '5s', true);
  END IF;
  IF p_standing IS NOT NULL THEN
    PERFORM FROM standing_approvals WHERE id = ANY (p_standing) ORDER BY id FOR UPDATE;
  END IF;
  balance := lock_balance(p_owner);

  IF p_idempotency_key IS NOT NULL OR p_confirm OR p_answer_due THEN
    SELECT * INTO STRICT caller FROM api_keys WHERE id = p_key_id AND owner = p_owner;
  END IF;
  IF p_idempotency_key IS NOT NULL THEN
    SELECT * INTO earlier FROM idempotency_keys
      WHERE line = caller.line AND key = p_idempotency_key AND turn <= caller.turn ORDER BY turn DESC LIMIT 1;
    IF FOUND THEN
      call_id := earlier.call_id;
      outcome := CASE WHEN earlier.request_hash = p_request_hash THEN 'replayed' ELSE 'reused' END;
      RETURN;
    END IF;
  END IF;
  IF p_idempotency_key IS NULL AND p_confirm THEN
    SELECT c.id INTO call_id FROM calls c JOIN api_keys maker ON maker.id = c.key_id
      WHERE c.owner = p_owner AND c.content_hash = p_content_hash AND c.status = 'awaiting_confirmation'
        AND c.expires_at > clock_timestamp()
        AND maker.line = caller.line AND maker.turn <= caller.turn
        AND call_problem(c.key_id, c.owner, c.app, c.endpoint, c.access) IS NULL
      ORDER BY c.id LIMIT 1;
    IF FOUND THEN
      outcome := 'replayed';
    END IF;
  END IF;
  IF p_idempotency_key IS NULL AND p_answer_due AND call_id IS NULL THEN
    SELECT equal.id INTO call_id FROM (
        SELECT c.id, c.key_id FROM calls c
          WHERE c.owner = p_owner AND c.content_hash = p_content_hash AND c.status = 'running'
            AND (c.send <> 'ready' OR call_problem(c.key_id, c.owner, c.app, c.endpoint, c.access) IS NULL)
        UNION ALL
        SELECT c.id, c.key_id FROM answers_due a JOIN calls c ON c.id = a.call_id
          WHERE a.owner = p_owner AND a.content_hash = p_content_hash AND c.status NOT IN ('awaiting_confirmation', 'running')
            AND c.updated_at > clock_timestamp() - interval '10 minutes'
      ) AS equal JOIN api_keys maker ON maker.id = equal.key_id
      WHERE maker.line = caller.line AND maker.turn <= caller.turn
      ORDER BY equal.id LIMIT 1;
    IF FOUND THEN
      outcome := 'replayed';
    END IF;
  END IF;
  IF outcome = 'replayed' THEN
    IF p_answer_due THEN
      INSERT INTO answers_due (call_id, owner, content_hash) VALUES (call_id, p_owner, p_content_hash) ON CONFLICT DO NOTHING;
    END IF;
    RETURN;
  END IF;

  IF p_confirm AND p_standing IS NOT NULL THEN
    -- The budget is that of the proof, not of the row: the row may have been changed since it was read.
    SELECT s.id, s.proof INTO approved_by, p_proof
      FROM unnest(p_standing, p_per_day, p_proofs) WITH ORDINALITY AS s(id, per_day, proof, n)
      JOIN standing_approvals r ON r.id = s.id
      WHERE r.revoked_at IS NULL AND (r.until IS NULL OR r.until > clock_timestamp())
        AND (s.per_day IS NULL
             OR s.per_day > (SELECT count(*) FROM calls used WHERE used.decided_by = s.id AND used.decided_at >= this_day()))
      ORDER BY s.n LIMIT 1;
    IF FOUND THEN
      p_status := 'running';
      p_max_open := p_max_running;
    END IF;
  END IF;

  -- Said twice, so that the index of open calls fits whatever p_status is: else this is planned anew for each call.
  IF (SELECT count(*) FROM calls WHERE owner = p_owner AND status = p_status AND status IN ('awaiting_confirmation', 'running'))
      >= p_max_open THEN
    outcome := 'full';
    RETURN;
  END IF;
  IF balance.available < p_credits THEN
    outcome := 'poor';
    credits_left := balance.available;
    next_credits_at := (balance.month + interval '1 month') AT TIME ZONE 'UTC';
    RETURN;
  END IF;

  INSERT INTO calls AS c (id, owner, key_id, app, endpoint, account, access, confirm, status, expires_at, input, content_hash,
      definition_version, credits, reserved_month, decision, decided_by, decided_at, approval_proof, request, why, prepare_at, client)
    VALUES (p_id, p_owner, p_key_id, p_app, p_endpoint, p_account, p_access, p_confirm, p_status,
      CASE WHEN approved_by IS NOT NULL THEN p_decide_until
           WHEN p_confirm THEN clock_timestamp() + make_interval(secs => p_expiry_seconds) END,
      p_input, p_content_hash, p_definition_version, p_credits, CASE WHEN p_credits > 0 THEN balance.month END,
      CASE WHEN approved_by IS NOT NULL THEN 'approved' END, approved_by,
      CASE WHEN approved_by IS NOT NULL THEN clock_timestamp() END, p_proof,
      CASE WHEN approved_by IS NULL THEN p_request END, p_why,
      CASE WHEN p_prepare AND p_status = 'awaiting_confirmation' THEN clock_timestamp() END, p_client)
    RETURNING c.id, c.created_at, c.expires_at INTO call_id, created_at, expires_at;
  IF p_credits > 0 THEN
    UPDATE balances SET available = available - p_credits, reserved = reserved + p_credits WHERE owner = p_owner;
    INSERT INTO ledger (owner, kind, amount, month, call_id) VALUES (p_owner, 'reserve', p_credits, balance.month, p_id);
  END IF;
  IF p_idempotency_key IS NOT NULL THEN
    INSERT INTO idempotency_keys (owner, line, turn, key, request_hash, call_id)
      VALUES (p_owner, caller.line, caller.turn, p_idempotency_key, p_request_hash, p_id);
  END IF;
  IF p_answer_due THEN
    INSERT INTO answers_due (call_id, owner, content_hash) VALUES (p_id, p_owner, p_content_hash);
  END IF;
  outcome := 'accepted';
END $function$;

-- Why the key may not call the endpoint now; NULL = it may. Asked when a call is accepted, and again right before it is
-- sent.
CREATE FUNCTION access_problem(p_key text, p_owner text, p_app text, p_endpoint text, p_access text)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
DECLARE
  k api_keys;
BEGIN
  SELECT * INTO k FROM api_keys WHERE id = p_key AND owner = p_owner;
  IF NOT FOUND OR k.revoked_at IS NOT NULL OR k.expires_at <= clock_timestamp() THEN
    RETURN 'api_key_invalid';
  END IF;
  IF NOT p_app = ANY (k.apps) THEN
    RETURN 'access_not_granted';
  END IF;
  IF scope_refusal(k, p_app, p_endpoint, p_access) IS NOT NULL THEN
    RETURN 'SCOPE_DENIED';
  END IF;
  RETURN NULL;
END $function$;

-- Exact sliding window: admits at most p_max in any p_window, by the database's clock, over all processes. Returns how
-- many more fit now, and how long until the next fits (0 = now). Only admitted requests count. A clock that is set back
-- finds hits that are still to come: they count as of now, once.
CREATE FUNCTION admit(
  p_bucket text,
  p_max integer,
  p_window interval,
  OUT admitted boolean,
  OUT remaining integer,
  OUT retry_after interval
)
 RETURNS record
 LANGUAGE plpgsql
AS $function$
DECLARE
  recent timestamptz[];
  at timestamptz;
  ahead boolean;
BEGIN
  LOOP
    SELECT hits INTO recent FROM rate_limits WHERE bucket = p_bucket FOR UPDATE;
    EXIT WHEN FOUND;
    INSERT INTO rate_limits (bucket) VALUES (p_bucket) ON CONFLICT DO NOTHING;
  END LOOP;
  at := clock_timestamp();
  ahead := recent[cardinality(recent)] > at;
  recent := ARRAY(SELECT least(h, at) FROM unnest(recent) AS h WHERE h > at - p_window ORDER BY h);
  admitted := cardinality(recent) < p_max;
  IF admitted THEN
    recent := recent || at;
  END IF;
  -- Not written down, they would count as of now again at the next look.
  IF admitted OR ahead THEN
    UPDATE rate_limits SET hits = recent WHERE bucket = p_bucket;
  END IF;
  remaining := p_max - cardinality(recent);
  retry_after := CASE WHEN remaining > 0 THEN interval '0' ELSE recent[1] + p_window - at END;
END $function$;

-- What matters has changed in the app since the approval, and nothing was sent: the call waits for its person once
-- more, in the next round. After p_most rounds it ends as failed.
CREATE FUNCTION ask_again(
  p_call text,
  p_attempt integer,
  p_round integer,
  p_most integer,
  p_request bytea,
  p_preview bytea,
  p_prepare boolean,
  p_expiry_seconds integer,
  p_error bytea,
  p_error_code text,
  OUT stands text
)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
DECLARE
  c calls;
BEGIN
  SELECT * INTO c FROM calls WHERE id = p_call FOR UPDATE;
  stands := c.status;
  IF NOT FOUND OR c.status <> 'running' OR c.send <> 'ready' OR c.attempt <> p_attempt OR c.round <> p_round
      OR c.decision IS DISTINCT FROM 'approved' THEN
    RETURN;
  END IF;
  IF c.round >= p_most THEN
    stands := settle_call(p_call, p_attempt, 'failed', NULL, p_error, p_error_code);
    RETURN;
  END IF;
  INSERT INTO rounds (call_id, round, decided_by, decided_at, request, preview)
    VALUES (c.id, c.round, c.decided_by, c.decided_at, c.request, c.preview);
  UPDATE calls SET status = 'awaiting_confirmation', decision = NULL, decided_by = NULL, decided_at = NULL, approval_proof = NULL,
      decision_reason = NULL, round = round + 1, revision = revision + 1, attempt = attempt + 1, tries = 0,
      request = p_request, preview = p_preview, previewed_at = clock_timestamp(), look_up = NULL,
      prepare_at = CASE WHEN p_prepare THEN clock_timestamp() END, prepare_tries = 0,
      waiting_for = NULL, retry_at = NULL, held_for = NULL, held_since = NULL,
      expires_at = clock_timestamp() + make_interval(secs => p_expiry_seconds),
      check_at = clock_timestamp() + interval '5 seconds', updated_at = clock_timestamp()
    WHERE id = p_call;
  stands := 'awaiting_confirmation';
END $function$;

-- The app blocked an attempt and did nothing: refunds it, readies the next one, counts it, and puts the ladder of its
-- account and endpoint in place. A block during a pause leaves the ladder alone; the block of a probe doubles it, up to
-- an hour.
CREATE FUNCTION block_call(p_call text, p_attempt integer)
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
AS $function$
DECLARE
  c calls;
  paused_until timestamptz;
BEGIN
  UPDATE calls SET send = 'ready', attempt = attempt + 1, tries = 0, blocks = blocks + 1, waiting_for = 'blocked',
      updated_at = clock_timestamp()
    WHERE id = p_call AND status = 'running' AND attempt = p_attempt RETURNING * INTO c;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  PERFORM release_credits(p_call);
  INSERT INTO pauses AS p (account, endpoint, until, seconds)
    VALUES (c.account, c.endpoint, clock_timestamp() + interval '60 seconds', 60)
    ON CONFLICT (account, endpoint) DO UPDATE SET
      seconds = CASE WHEN p.probe_call = c.id THEN least(p.seconds * 2, 3600) ELSE p.seconds END,
      until = CASE WHEN p.probe_call = c.id THEN clock_timestamp() + make_interval(secs => least(p.seconds * 2, 3600))
                   ELSE p.until END,
      probe_call = CASE WHEN p.probe_call = c.id THEN NULL ELSE p.probe_call END
    RETURNING until INTO paused_until;
  UPDATE calls SET retry_at = paused_until WHERE id = p_call;
  RETURN paused_until;
END $function$;

-- Why a call that this key made may not be sent now; NULL = it may. What its own key may not do any more, its heir may
-- do for it.
CREATE FUNCTION call_problem(p_key text, p_owner text, p_app text, p_endpoint text, p_access text)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
DECLARE
  problem text := access_problem(p_key, p_owner, p_app, p_endpoint, p_access);
  heir text;
BEGIN
  IF problem IS NULL THEN
    RETURN NULL;
  END IF;
  heir := heir_of(p_key);
  RETURN CASE WHEN heir IS NULL THEN problem ELSE access_problem(heir, p_owner, p_app, p_endpoint, p_access) END;
END $function$;

CREATE FUNCTION capture_credits(p_call text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE
  c calls;
BEGIN
  SELECT * INTO STRICT c FROM calls WHERE id = p_call FOR UPDATE;
  IF c.reserved_month IS NULL THEN
    RETURN;
  END IF;
  INSERT INTO ledger (owner, kind, amount, month, call_id) VALUES (c.owner, 'capture', c.credits, c.reserved_month, p_call);
  UPDATE balances SET reserved = reserved - c.credits WHERE owner = c.owner;
  UPDATE calls SET reserved_month = NULL, credits_used = c.credits WHERE id = p_call;
END $function$;

-- A larger plan counts at once: what the month's grant falls short of it comes on top, however often plans are changed.
CREATE FUNCTION change_plan(p_owner text, p_plan text)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
DECLARE
  balance balances;
  wanted integer;
  granted integer;
BEGIN
  -- The month's grant is that of the plan so far.
  balance := lock_balance(p_owner);
  SELECT monthly_credits INTO STRICT wanted FROM plans WHERE name = p_plan;
  UPDATE users SET plan = p_plan WHERE id = p_owner;
  SELECT coalesce(sum(amount), 0) INTO granted FROM ledger
    WHERE owner = p_owner AND month = balance.month AND kind IN ('grant', 'upgrade');
  IF wanted <= granted THEN
    RETURN 0;
  END IF;
  INSERT INTO ledger (owner, kind, amount, month, note) VALUES (p_owner, 'upgrade', wanted - granted, balance.month, p_plan);
  UPDATE balances SET available = available + wanted - granted WHERE owner = p_owner;
  RETURN wanted - granted;
END $function$;

-- Decides a waiting call, once. True = this decision stands. An approval counts before expires_at, an expiry from then
-- on.
CREATE FUNCTION decide_call(p_call text, p_decision text, p_by text, p_proof text)
 RETURNS boolean
 LANGUAGE sql
AS $function$ SELECT decide_call(p_call, p_decision, p_by, p_proof, NULL, NULL, false) $function$;

-- Of releases before 0101.
CREATE FUNCTION decide_call(
  p_call text,
  p_decision text,
  p_by text,
  p_proof text,
  p_revision integer,
  p_reason bytea,
  p_unseen boolean
)
 RETURNS boolean
 LANGUAGE sql
AS $function$ SELECT decide_call(p_call, p_decision, p_by, p_proof, p_revision, p_reason, p_unseen, NULL) $function$;

-- Decides a waiting call, once. True = this decision stands. An approval counts before expires_at, an expiry from then
-- on. p_revision: of what was shown; NULL = whatever stands. p_unseen: the page had nothing of the app yet, so nothing
-- that the app told is approved. p_passkey_proof: NULL = approved without a passkey.
CREATE FUNCTION decide_call(
  p_call text,
  p_decision text,
  p_by text,
  p_proof text,
  p_revision integer,
  p_reason bytea,
  p_unseen boolean,
  p_passkey_proof text
)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
BEGIN
  UPDATE calls SET decision = p_decision, decided_by = p_by, decided_at = clock_timestamp(), approval_proof = p_proof,
      passkey_proof = p_passkey_proof, decision_reason = p_reason,
      preview = CASE WHEN p_unseen THEN NULL ELSE preview END, prepare_at = NULL, look_up = NULL, waiting_for = NULL,
      status = CASE p_decision WHEN 'approved' THEN 'running' ELSE p_decision END,
      check_at = clock_timestamp() + interval '2 seconds', updated_at = clock_timestamp()
    WHERE id = p_call AND status = 'awaiting_confirmation' AND (p_revision IS NULL OR revision = p_revision)
      AND CASE p_decision WHEN 'expired' THEN expires_at <= clock_timestamp()
                          WHEN 'approved' THEN expires_at > clock_timestamp()
                          ELSE true END;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  IF p_decision <> 'approved' THEN
    PERFORM release_credits(p_call);
  END IF;
  RETURN true;
END $function$;

-- Switches a target off; what is still to be told there is dropped.
CREATE FUNCTION disable_target(p_target text, p_reason text)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
BEGIN
  UPDATE notice_targets SET enabled = false, disabled_reason = p_reason WHERE id = p_target AND enabled;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  UPDATE notices SET state = 'dropped', ended_at = clock_timestamp(), check_at = NULL, next_try_at = NULL
    WHERE target = p_target AND state = 'pending';
  RETURN true;
END $function$;

-- Ends notices, once, and remembers at their target what came of it. Returns how many had not ended yet.
CREATE FUNCTION end_notices(p_ids text[], p_state text, p_result text)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
DECLARE
  ended integer;
BEGIN
  UPDATE notices SET state = p_state, last_result = coalesce(p_result, last_result), ended_at = clock_timestamp(), check_at = NULL,
      next_try_at = NULL, tries = tries + (p_result IS NOT NULL)::integer, first_try_at = coalesce(first_try_at, clock_timestamp())
    WHERE id = ANY (p_ids) AND state = 'pending';
  GET DIAGNOSTICS ended = ROW_COUNT;
  IF p_result IS NOT NULL THEN
    UPDATE notice_targets SET last_try_at = clock_timestamp(), last_result = p_result,
        last_delivered_at = CASE p_state WHEN 'delivered' THEN clock_timestamp() ELSE last_delivered_at END
      WHERE id = (SELECT target FROM notices WHERE id = p_ids[1]);
  END IF;
  RETURN ended;
END $function$;

-- A call that has ended sends nothing any more.
CREATE FUNCTION forget_files()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  UPDATE call_files SET content = NULL WHERE call_id = NEW.id AND content IS NOT NULL;
  RETURN NULL;
END $function$;

-- What was recorded with an account goes with it.
CREATE FUNCTION forget_traces()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  DELETE FROM traces WHERE account = NEW.id;
  RETURN NULL;
END $function$;

-- The engine says that a wait is over. Ends the call as failed if the row says so, too: with an approval a day of
-- waiting for the app, or three for the person; without one four blocks, or an app that wants to be asked later than a
-- client waits. Returns the status that stands, and how long the wait goes on if its time is all that is missing.
CREATE FUNCTION give_up_call(
  p_call text,
  p_for text,
  p_error bytea,
  p_error_code text,
  OUT stands text,
  OUT time_left interval
)
 RETURNS record
 LANGUAGE plpgsql
AS $function$
DECLARE
  c calls;
BEGIN
  SELECT * INTO c FROM calls WHERE id = p_call FOR UPDATE;
  stands := c.status;
  IF NOT FOUND OR c.status <> 'running' OR c.send <> 'ready' THEN
    RETURN;
  END IF;
  IF c.confirm THEN
    IF c.waiting_for IS NULL OR c.held_for <> p_for THEN
      RETURN;
    END IF;
    time_left := c.held_since + CASE p_for WHEN 'person' THEN interval '72 hours' ELSE interval '24 hours' END - clock_timestamp();
    IF time_left > interval '0' THEN
      RETURN;
    END IF;
    time_left := NULL;
  ELSIF p_for <> 'app' OR (c.blocks < 4 AND NOT coalesce(c.waiting_for = 'rate_limited'
      AND c.retry_at > date_trunc('milliseconds', c.created_at) + interval '25 seconds', false)) THEN
    RETURN;
  END IF;
  stands := settle_call(p_call, NULL, 'failed', NULL, p_error, p_error_code);
END $function$;

-- The youngest valid key that came after this one in its line; NULL = there is none.
CREATE FUNCTION heir_of(p_key text)
 RETURNS text
 LANGUAGE sql
AS $function$
  SELECT heir.id FROM api_keys k JOIN api_keys heir ON heir.line = k.line AND heir.turn > k.turn
  WHERE k.id = p_key AND heir.revoked_at IS NULL AND coalesce(heir.expires_at > clock_timestamp(), true)
  ORDER BY heir.turn DESC LIMIT 1
$function$;

-- Puts these files in the place of those that a call has. CG001: all of its owner's open calls would have more than
-- `p_most` bytes.
CREATE FUNCTION keep_files(
  p_call text,
  p_places text[],
  p_abouts bytea[],
  p_contents bytea[],
  p_most bigint
)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE
  whose text;
BEGIN
  SELECT owner INTO STRICT whose FROM calls WHERE id = p_call;
  -- One at a time, or two together could be too much.
  PERFORM FROM balances WHERE owner = whose FOR UPDATE;
  DELETE FROM call_files WHERE call_id = p_call;
  INSERT INTO call_files (call_id, place, about, content)
    SELECT p_call, f.place, f.about, f.content FROM unnest(p_places, p_abouts, p_contents) AS f(place, about, content);
  IF (SELECT sum(octet_length(f.content)) FROM calls c JOIN call_files f ON f.call_id = c.id
      WHERE c.owner = whose AND c.status IN ('awaiting_confirmation', 'running')) > p_most THEN
    RAISE EXCEPTION 'too many bytes of files' USING ERRCODE = 'CG001';
  END IF;
END $function$;

-- Gives a key that replaces another the limits of that one.
CREATE FUNCTION keep_key_limits()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  SELECT endpoints INTO NEW.endpoints FROM api_keys WHERE line = NEW.line AND turn = NEW.turn - 1;
  RETURN NEW;
END $function$;

CREATE FUNCTION ledger_is_append_only()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  RAISE EXCEPTION 'the ledger is append-only';
END $function$;

-- Locks the owner's balance and brings it to this month: what was left lapses, the plan's credits are granted once. A
-- clock that goes back over the beginning of a month does not bring the month before it back.
CREATE FUNCTION lock_balance(p_owner text)
 RETURNS balances
 LANGUAGE plpgsql
AS $function$
DECLARE
  balance balances;
  this_one date := this_month();
  granted integer;
BEGIN
  SELECT * INTO STRICT balance FROM balances WHERE owner = p_owner FOR UPDATE;
  IF balance.month >= this_one THEN
    RETURN balance;
  END IF;
  IF balance.available > 0 THEN
    INSERT INTO ledger (owner, kind, amount, month) VALUES (p_owner, 'lapse', balance.available, balance.month);
  END IF;
  SELECT monthly_credits INTO STRICT granted FROM users JOIN plans ON plans.name = users.plan WHERE users.id = p_owner;
  IF granted > 0 THEN
    INSERT INTO ledger (owner, kind, amount, month) VALUES (p_owner, 'grant', granted, this_one);
  END IF;
  UPDATE balances SET month = this_one, available = granted WHERE owner = p_owner RETURNING * INTO balance;
  RETURN balance;
END $function$;

-- Whether a call that waits for its person may be tried again: the account works, and the last try was not a moment
-- ago.
CREATE FUNCTION may_reconnect(p_state text, p_attempt integer, p_updated_at timestamp with time zone)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  SELECT p_state IN ('connected', 'disconnected')
    AND p_updated_at <= clock_timestamp() - make_interval(secs => 2 ^ (least(p_attempt, 8) - 1) - 1)
$function$;

-- Writes the notices of a call. People hear of a waiting one a moment later where the app is asked about it first,
-- which may end it; and of an end where a write of theirs came to one by itself.
CREATE FUNCTION note_call()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  -- Most owners have no target: asked alone, this costs a third of an insert of nothing.
  IF NOT EXISTS (SELECT FROM notice_targets t WHERE t.owner = NEW.owner AND t.deleted_at IS NULL AND t.enabled) THEN
    RETURN NULL;
  END IF;
  INSERT INTO notices (id, owner, target, kind, call_id, status, round, check_at)
    SELECT 'ntc_' || replace(gen_random_uuid()::text, '-', ''), NEW.owner, t.id, TG_ARGV[0], NEW.id, NEW.status,
      CASE TG_ARGV[0] WHEN 'call.waiting' THEN NEW.round ELSE 1 END,
      clock_timestamp() + CASE WHEN t.channel <> 'webhook' AND TG_ARGV[0] = 'call.waiting' AND NEW.prepare_at IS NOT NULL
        THEN interval '4 seconds' ELSE interval '0' END
    FROM notice_targets t WHERE t.owner = NEW.owner AND t.deleted_at IS NULL AND t.enabled AND TG_ARGV[0] = ANY (t.kinds)
      AND NOT (NEW.app || ' ' || TG_ARGV[0]) = ANY (t.muted)
      AND (t.channel = 'webhook' OR TG_ARGV[0] <> 'call.final'
        OR (NEW.access = 'write' AND NEW.status NOT IN ('rejected', 'cancelled')))
    ON CONFLICT (target, call_id, kind, round) DO NOTHING;
  RETURN NULL;
END $function$;

-- Notes on the row what it waits for from now on.
CREATE FUNCTION note_held()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  NEW.held_since := CASE WHEN OLD.held_for = CASE NEW.waiting_for WHEN 'reconnect' THEN 'person' ELSE 'app' END
    THEN OLD.held_since ELSE clock_timestamp() END;
  NEW.held_for := CASE NEW.waiting_for WHEN 'reconnect' THEN 'person' ELSE 'app' END;
  RETURN NEW;
END $function$;

-- A try is said to have died. What the row proves: `again`, with the number of the attempt to make, since nothing was
-- sent, or a read may be sent again; `sending`, for its sender lives; `worn_out`, for a read that was sent p_tries
-- times; otherwise the status that stands.
CREATE FUNCTION recover_call(
  p_call text,
  p_attempt integer,
  p_tries integer,
  OUT outcome text,
  OUT next_attempt integer
)
 RETURNS record
 LANGUAGE plpgsql
AS $function$
DECLARE
  c calls;
BEGIN
  SELECT * INTO c FROM calls WHERE id = p_call FOR UPDATE;
  IF NOT FOUND OR c.status <> 'running' THEN
    outcome := c.status;
  ELSIF c.send = 'sending' AND NOT sender_is_gone(c.sender, c.updated_at) THEN
    outcome := 'sending';
  ELSIF c.send = 'sending' AND c.access = 'write' THEN
    outcome := settle_call(p_call, NULL, 'unknown', NULL, NULL, NULL);
  ELSIF c.send = 'sending' AND c.tries >= p_tries THEN
    outcome := 'worn_out';
  ELSIF c.send = 'ready' AND c.attempt <> p_attempt THEN
    outcome := 'again';
    next_attempt := c.attempt;
  ELSE
    UPDATE calls SET send = 'ready', attempt = attempt + 1, updated_at = clock_timestamp()
      WHERE id = p_call RETURNING attempt INTO next_attempt;
    outcome := 'again';
  END IF;
END $function$;

-- An operator gives back what a call used, once. 0 = it used nothing, or was refunded before.
CREATE FUNCTION refund_call(p_call text, p_note text)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
DECLARE
  c calls;
  balance balances;
  used integer;
BEGIN
  SELECT * INTO STRICT c FROM calls WHERE id = p_call FOR UPDATE;
  SELECT coalesce(sum(CASE kind WHEN 'capture' THEN amount WHEN 'refund' THEN -amount ELSE 0 END), 0) INTO used
    FROM ledger WHERE call_id = p_call;
  IF used <= 0 THEN
    RETURN 0;
  END IF;
  balance := lock_balance(c.owner);
  INSERT INTO ledger (owner, kind, amount, month, call_id, note) VALUES (c.owner, 'refund', used, balance.month, p_call, p_note);
  UPDATE balances SET available = available + used WHERE owner = c.owner;
  RETURN used;
END $function$;

-- The app would refuse what a waiting call asks for: it ends as failed before anybody decided.
CREATE FUNCTION refuse_call(p_call text, p_revision integer, p_error bytea, p_error_code text)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
BEGIN
  UPDATE calls SET status = 'failed', error = p_error, error_code = p_error_code, waiting_for = NULL, prepare_at = NULL, look_up = NULL,
      check_at = clock_timestamp() + interval '2 seconds', updated_at = clock_timestamp()
    WHERE id = p_call AND status = 'awaiting_confirmation' AND revision = p_revision;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  PERFORM release_credits(p_call);
  RETURN true;
END $function$;

-- Gives the reservation back. Credits of a month that is over lapse at once.
CREATE FUNCTION release_credits(p_call text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE
  c calls;
  balance balances;
BEGIN
  SELECT * INTO STRICT c FROM calls WHERE id = p_call FOR UPDATE;
  IF c.reserved_month IS NULL THEN
    RETURN;
  END IF;
  balance := lock_balance(c.owner);
  INSERT INTO ledger (owner, kind, amount, month, call_id) VALUES (c.owner, 'release', c.credits, c.reserved_month, p_call);
  IF c.reserved_month = balance.month THEN
    UPDATE balances SET available = available + c.credits, reserved = reserved - c.credits WHERE owner = c.owner;
  ELSE
    INSERT INTO ledger (owner, kind, amount, month) VALUES (c.owner, 'lapse', c.credits, c.reserved_month);
    UPDATE balances SET reserved = reserved - c.credits WHERE owner = c.owner;
  END IF;
  UPDATE calls SET reserved_month = NULL WHERE id = p_call;
END $function$;

-- Reserves the call's credits; false = there are not enough, or the call has ended. True also when it has a reservation
-- already.
CREATE FUNCTION reserve_credits(p_call text)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
DECLARE
  c calls;
  balance balances;
BEGIN
  SELECT * INTO STRICT c FROM calls WHERE id = p_call FOR UPDATE;
  IF c.status <> 'running' THEN
    RETURN false;
  END IF;
  IF c.credits = 0 OR c.reserved_month IS NOT NULL THEN
    RETURN true;
  END IF;
  balance := lock_balance(c.owner);
  IF balance.available < c.credits THEN
    RETURN false;
  END IF;
  UPDATE balances SET available = available - c.credits, reserved = reserved + c.credits WHERE owner = c.owner;
  INSERT INTO ledger (owner, kind, amount, month, call_id) VALUES (c.owner, 'reserve', c.credits, balance.month, p_call);
  UPDATE calls SET reserved_month = balance.month WHERE id = p_call;
  RETURN true;
END $function$;

-- What bars the key from an endpoint of an app that it may use: that it only reads, the endpoints of its own, or what
-- its owner allows to all. NULL = nothing does.
CREATE FUNCTION scope_refusal(k api_keys, p_app text, p_endpoint text, p_access text)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
DECLARE
  s scopes;
BEGIN
  IF k.read_only AND p_access <> 'read' THEN
    RETURN 'key_reads_only';
  END IF;
  IF k.endpoints ? p_app AND NOT k.endpoints -> p_app ? p_endpoint THEN
    RETURN 'key_endpoints';
  END IF;
  SELECT * INTO s FROM scopes WHERE owner = k.owner AND app = p_app;
  IF s.mode = 'read' AND p_access <> 'read' OR s.mode = 'chosen' AND NOT p_endpoint = ANY (s.endpoints) THEN
    RETURN 'owner';
  END IF;
  RETURN NULL;
END $function$;

-- Whether nobody can be sending this call any more: its sender said so, or is dead, or has had more time than a try may
-- take.
CREATE FUNCTION sender_is_gone(p_sender bigint, p_since timestamp with time zone)
 RETURNS boolean
 LANGUAGE sql
AS $function$
  SELECT p_sender IS NULL OR p_since < clock_timestamp() - interval '100 seconds'
    OR pg_try_advisory_xact_lock_shared(7233301, (p_sender >> 22)::integer)
$function$;

-- Ends a call, once: whoever comes second gets the status that stands. p_attempt NULL = whichever attempt is current. A
-- write that is being sent is ended by the try that sends it, p_sender; what the engine asks for (p_attempt NULL) while
-- it may have been sent ends it as unknown.
CREATE FUNCTION settle_call(
  p_call text,
  p_attempt integer,
  p_status text,
  p_output bytea,
  p_error bytea,
  p_error_code text,
  p_sender bigint DEFAULT NULL::bigint
)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
DECLARE
  c calls;
  captured boolean;
  may_be_out boolean;
BEGIN
  SELECT * INTO c FROM calls WHERE id = p_call FOR UPDATE;
  IF NOT FOUND OR c.status <> 'running' OR c.attempt <> coalesce(p_attempt, c.attempt) THEN
    RETURN c.status;
  END IF;
  may_be_out := c.access = 'write' AND c.send <> 'ready';
  IF may_be_out AND p_attempt IS NOT NULL AND c.sender IS DISTINCT FROM p_sender THEN
    RETURN c.status;
  END IF;
  IF may_be_out AND p_attempt IS NULL THEN
    p_status := 'unknown';
    p_output := NULL;
    p_error := NULL;
    p_error_code := NULL;
  END IF;
  captured := p_status = 'executed' AND c.reserved_month IS NOT NULL;
  UPDATE calls SET status = p_status, output = p_output, error = p_error, error_code = p_error_code,
      waiting_for = NULL, retry_at = NULL, check_at = NULL, updated_at = clock_timestamp(),
      reserved_month = CASE WHEN NOT captured THEN reserved_month END,
      credits_used = CASE WHEN captured THEN credits ELSE credits_used END
    WHERE id = p_call;
  IF captured THEN
    INSERT INTO ledger (owner, kind, amount, month, call_id) VALUES (c.owner, 'capture', c.credits, c.reserved_month, p_call);
    UPDATE balances SET reserved = reserved - c.credits WHERE owner = c.owner;
  ELSIF p_status <> 'executed' THEN
    PERFORM release_credits(p_call);
  END IF;
  RETURN p_status;
END $function$;

-- settle_call, of whose end its caller tells after the commit, by callgate_ended.
CREATE FUNCTION settle_call_untold(
  p_call text,
  p_attempt integer,
  p_status text,
  p_output bytea,
  p_error bytea,
  p_error_code text,
  p_sender bigint
)
 RETURNS text
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM set_config('callgate.untold', 'on', true);
  RETURN settle_call(p_call, p_attempt, p_status, p_output, p_error, p_error_code, p_sender);
END $function$;

-- Whoever waits for a call is told at the moment its end commits, unless its caller tells.
CREATE FUNCTION tell_ending()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
  IF current_setting('callgate.untold', true) = 'on' THEN
    RETURN NULL;
  END IF;
  PERFORM pg_notify('callgate_ended', NEW.id);
  RETURN NULL;
END $function$;

-- The day of budgets, in UTC: when it began.
CREATE FUNCTION this_day()
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
AS $function$
  SELECT date_trunc('day', clock_timestamp(), 'UTC')
$function$;

CREATE FUNCTION this_month()
 RETURNS date
 LANGUAGE sql
 STABLE
AS $function$
  SELECT date_trunc('month', clock_timestamp() AT TIME ZONE 'UTC')::date
$function$;

-- Takes a running call back before anything was sent. True = nothing was sent and nothing will be.
CREATE FUNCTION withdraw_call(p_call text)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
BEGIN
  UPDATE calls SET status = 'cancelled', send = 'withdrawn', waiting_for = NULL, retry_at = NULL,
      check_at = clock_timestamp() + interval '2 seconds', updated_at = clock_timestamp()
    WHERE id = p_call AND status = 'running' AND send = 'ready';
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  PERFORM release_credits(p_call);
  RETURN true;
END $function$;

CREATE TRIGGER traces_disconnected AFTER UPDATE OF state ON accounts FOR EACH ROW WHEN (old.state <> 'disconnected'::text AND new.state = 'disconnected'::text) EXECUTE FUNCTION forget_traces();
CREATE TRIGGER keep_key_limits BEFORE INSERT ON api_keys FOR EACH ROW WHEN (new.turn > 0 AND new.endpoints IS NULL) EXECUTE FUNCTION keep_key_limits();
CREATE TRIGGER calls_ended AFTER UPDATE OF status ON calls FOR EACH ROW WHEN ((old.status = ANY (ARRAY['awaiting_confirmation'::text, 'running'::text])) AND (new.status <> ALL (ARRAY['awaiting_confirmation'::text, 'running'::text]))) EXECUTE FUNCTION tell_ending();
CREATE TRIGGER files_ended AFTER UPDATE OF status ON calls FOR EACH ROW WHEN ((old.status = ANY (ARRAY['awaiting_confirmation'::text, 'running'::text])) AND (new.status <> ALL (ARRAY['awaiting_confirmation'::text, 'running'::text]))) EXECUTE FUNCTION forget_files();
CREATE TRIGGER note_asked_again AFTER UPDATE OF round ON calls FOR EACH ROW WHEN (new.status = 'awaiting_confirmation'::text AND new.round <> old.round) EXECUTE FUNCTION note_call('call.waiting');
CREATE TRIGGER note_final AFTER UPDATE OF status ON calls FOR EACH ROW WHEN ((old.status = ANY (ARRAY['awaiting_confirmation'::text, 'running'::text])) AND (new.status <> ALL (ARRAY['awaiting_confirmation'::text, 'running'::text]))) EXECUTE FUNCTION note_call('call.final');
CREATE TRIGGER note_held BEFORE UPDATE OF waiting_for ON calls FOR EACH ROW WHEN (new.waiting_for IS NOT NULL) EXECUTE FUNCTION note_held();
CREATE TRIGGER note_waiting AFTER INSERT ON calls FOR EACH ROW WHEN (new.status = 'awaiting_confirmation'::text) EXECUTE FUNCTION note_call('call.waiting');
CREATE TRIGGER ledger_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON ledger FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_append_only();
