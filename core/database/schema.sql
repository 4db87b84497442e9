-- A new database is made from this and from functions/. Written by `npm run schema`, never by hand.

-- After migration: 0180_one_decide_call

CREATE TABLE app_changes (
  app text NOT NULL,
  endpoint text NOT NULL,
  kind text NOT NULL,
  place text NOT NULL,
  words text NOT NULL,
  excerpt text,
  version text,
  first_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  last_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  times integer NOT NULL DEFAULT 1,
  looks_since integer NOT NULL DEFAULT 0,
  closed_at timestamp with time zone,
  closed_by text,
  CONSTRAINT app_changes_pkey PRIMARY KEY (app, endpoint, kind, place),
  CONSTRAINT app_changes_kind_check CHECK (kind = ANY (ARRAY['rule'::text, 'gone'::text, 'type'::text, 'empty'::text]))
);
COMMENT ON TABLE app_changes IS 'What of an app was not as its connector knows it, or as it was before. No value of the app is in it.';
COMMENT ON COLUMN app_changes.kind IS 'rule: a rule of the connector did not hold; gone, type, empty: the shape of an output in a daily look.';
COMMENT ON COLUMN app_changes.place IS 'The rule, or the place in the output.';
COMMENT ON COLUMN app_changes.excerpt IS 'The structure around it: names of elements, attributes and fields, no texts.';
COMMENT ON COLUMN app_changes.version IS 'The version that the app told of itself then, where it tells one.';
COMMENT ON COLUMN app_changes.looks_since IS 'Daily looks at the endpoint since then that did not show it.';

CREATE TABLE app_controls (
  app text NOT NULL,
  paused boolean NOT NULL DEFAULT false,
  app_rate real,
  account_rate real,
  pacing_due boolean NOT NULL DEFAULT false,
  pacing_due_since timestamp with time zone,
  CONSTRAINT app_controls_pkey PRIMARY KEY (app),
  CONSTRAINT app_controls_account_rate_check CHECK (account_rate > 0::double precision),
  CONSTRAINT app_controls_app_rate_check CHECK (app_rate > 0::double precision)
);
COMMENT ON TABLE app_controls IS 'An operator''s pause and rates of an app. No row or NULL = the connector''s own.';
COMMENT ON COLUMN app_controls.pacing_due IS 'A pause or a rate is saved that the engine has not taken yet.';
COMMENT ON COLUMN app_controls.pacing_due_since IS 'Since when the oldest of them waits; NULL = the engine has all.';

CREATE TABLE app_outcomes (
  app text NOT NULL,
  endpoint text NOT NULL,
  day date NOT NULL,
  outcome text NOT NULL,
  times bigint NOT NULL,
  CONSTRAINT app_outcomes_pkey PRIMARY KEY (app, endpoint, day, outcome)
);
COMMENT ON TABLE app_outcomes IS 'How often an app was asked for a call on a day (UTC), and what came of it. Workers add to it every few seconds: what one that was killed had not added yet is missing.';
COMMENT ON COLUMN app_outcomes.outcome IS 'executed, or what a call that ended so would say: app_changed, app_rejected, TARGET_BLOCKED, …';

CREATE TABLE audit_log (
  id bigint GENERATED ALWAYS AS IDENTITY,
  at timestamp with time zone NOT NULL DEFAULT now(),
  actor text NOT NULL,
  action text NOT NULL,
  detail jsonb NOT NULL DEFAULT '{}'::jsonb,
  CONSTRAINT audit_log_pkey PRIMARY KEY (id)
);
COMMENT ON TABLE audit_log IS 'What owners changed, and what operators did to what is theirs.';
CREATE INDEX audit_log_actor ON audit_log USING btree (actor, id);
CREATE INDEX audit_log_owner ON audit_log USING btree ((detail ->> 'owner'::text), id);
CREATE INDEX audit_log_pauses ON audit_log USING btree (at) WHERE action = ANY (ARRAY['app.paused'::text, 'endpoint.paused'::text, 'pause.lifted'::text]);

CREATE TABLE call_counts (
  bucket timestamp with time zone NOT NULL,
  counted_at timestamp with time zone NOT NULL,
  counts jsonb NOT NULL,
  CONSTRAINT call_counts_pkey PRIMARY KEY (bucket)
);
COMMENT ON TABLE call_counts IS 'Calls by the ten minutes in which they were accepted, counted by app and status, for the figures of a day.';
COMMENT ON COLUMN call_counts.counts IS 'App to status to number.';

CREATE TABLE chores (
  name text NOT NULL,
  done_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT chores_pkey PRIMARY KEY (name)
);
COMMENT ON TABLE chores IS 'What is to be done once a day, and when it was last done to its end: operators are told of what is late.';
COMMENT ON COLUMN chores.name IS 'purge: old calls were emptied; session_checks: apps were asked whether sessions still work; backup: whoever operates it noted one.';
COMMENT ON COLUMN chores.done_at IS 'Before the first time: when the table was made.';

CREATE TABLE connector_bundles (
  hash text NOT NULL,
  code text NOT NULL,
  added_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT connector_bundles_pkey PRIMARY KEY (hash),
  CONSTRAINT connector_bundles_check CHECK (hash = encode(sha256(convert_to(code, 'UTF8'::name)), 'hex'::text))
);
COMMENT ON TABLE connector_bundles IS 'The code of connectors that operators added, each one module. Nothing of it is ever changed.';
COMMENT ON COLUMN connector_bundles.hash IS 'SHA-256 of the code.';

CREATE TABLE added_connectors (
  slug text NOT NULL,
  hash text NOT NULL,
  package text NOT NULL,
  hosts text[] NOT NULL,
  endpoints text[] NOT NULL,
  trusted text[] NOT NULL DEFAULT '{}'::text[],
  added_by text NOT NULL,
  changed_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  removed_at timestamp with time zone,
  settled boolean NOT NULL DEFAULT true,
  scale text,
  scaled_at timestamp with time zone,
  CONSTRAINT added_connectors_pkey PRIMARY KEY (slug),
  CONSTRAINT added_connectors_hash_fkey FOREIGN KEY (hash) REFERENCES connector_bundles(hash),
  CONSTRAINT added_connectors_scale_check CHECK (scale = ANY (ARRAY['bronze'::text, 'silver'::text, 'gold'::text]))
);
COMMENT ON TABLE added_connectors IS 'Apps that are not built in, by slug. A row stays when its connector is removed.';
COMMENT ON COLUMN added_connectors.package IS 'Name and version, as its package.json says.';
COMMENT ON COLUMN added_connectors.hosts IS 'What it may reach, as the operator agreed to: origins, or * for addresses that people type.';
COMMENT ON COLUMN added_connectors.endpoints IS 'The names of those that this version has.';
COMMENT ON COLUMN added_connectors.trusted IS 'Endpoints that need not ask a person first unless they say so themselves.';
COMMENT ON COLUMN added_connectors.settled IS 'Every call of what was taken away has ended.';
COMMENT ON COLUMN added_connectors.scale IS 'As callgate connector scale computed it of this version; NULL: nobody said, or not bronze yet.';
COMMENT ON COLUMN added_connectors.scaled_at IS 'When it was said.';
CREATE INDEX added_connectors_unsettled ON added_connectors USING btree (slug) WHERE NOT settled;

CREATE TABLE endpoint_controls (
  app text NOT NULL,
  endpoint text NOT NULL,
  paused boolean NOT NULL,
  CONSTRAINT endpoint_controls_pkey PRIMARY KEY (app, endpoint)
);
COMMENT ON TABLE endpoint_controls IS 'An operator''s pause of one endpoint, for all accounts: calls are accepted and wait. No row = not paused.';

CREATE TABLE mails (
  id text NOT NULL,
  kind text NOT NULL,
  address text NOT NULL,
  detail jsonb NOT NULL DEFAULT '{}'::jsonb,
  secret bytea,
  until timestamp with time zone NOT NULL,
  due_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  tries integer NOT NULL DEFAULT 0,
  CONSTRAINT mails_pkey PRIMARY KEY (id)
);
COMMENT ON TABLE mails IS 'Mails about accounts that have not left yet. Gone once a mail server took them, or they are worth nothing any more.';
COMMENT ON COLUMN mails.address IS 'Where it goes; of a request to set a new password, what somebody typed.';
COMMENT ON COLUMN mails.secret IS 'What its link opens, wrapped as data keys are.';
COMMENT ON COLUMN mails.until IS 'Afterwards it is worth nothing.';
COMMENT ON COLUMN mails.due_at IS 'The next try is no sooner. While one is under way it is a little later, so that no other process tries, too.';
CREATE INDEX mails_due ON mails USING btree (due_at);

CREATE TABLE oauth_clients (
  id text NOT NULL,
  name text NOT NULL,
  redirect_uris text[] NOT NULL,
  auth_method text NOT NULL,
  secret_hash bytea,
  created_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  read_at timestamp with time zone,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT oauth_clients_pkey PRIMARY KEY (id),
  CONSTRAINT oauth_clients_auth_method_check CHECK (auth_method = ANY (ARRAY['none'::text, 'client_secret_basic'::text, 'client_secret_post'::text]))
);
COMMENT ON TABLE oauth_clients IS 'Programs that may ask a person for access to /mcp. Anybody may register one: everything in it is the program''s own word.';
COMMENT ON COLUMN oauth_clients.id IS 'Made up here for one that registered; otherwise the address of the document that describes it.';
COMMENT ON COLUMN oauth_clients.read_at IS 'When its document was read; NULL: it registered.';
COMMENT ON COLUMN oauth_clients.expires_at IS 'It is forgotten then; each use moves this on.';
CREATE INDEX oauth_clients_expires ON oauth_clients USING btree (expires_at);

CREATE TABLE operators (
  name text NOT NULL,
  token_hash bytea NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  created_by text NOT NULL,
  used_at timestamp with time zone,
  CONSTRAINT operators_pkey PRIMARY KEY (name),
  CONSTRAINT operators_token_hash_key UNIQUE (token_hash)
);
COMMENT ON TABLE operators IS 'Who may open the admin port with a credential of their own. Whose it is no more has no row; what they did stands in audit_log. While there is nobody, the shared token opens.';
COMMENT ON COLUMN operators.name IS 'As the log names them.';
COMMENT ON COLUMN operators.token_hash IS 'SHA-256 of the token, which has 256 random bits: no key of the key file is needed to know it again.';
COMMENT ON COLUMN operators.used_at IS 'When it last opened something, to a minute.';

CREATE TABLE operator_sessions (
  hash bytea NOT NULL,
  name text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  expires_at timestamp with time zone NOT NULL,
  operator text,
  CONSTRAINT operator_sessions_pkey PRIMARY KEY (hash),
  CONSTRAINT operator_sessions_operator_fkey FOREIGN KEY (operator) REFERENCES operators(name) ON DELETE CASCADE
);
COMMENT ON TABLE operator_sessions IS 'Browser sessions of operators. Only a keyed hash of the cookie is here; `name` is what they call themselves in the log.';
COMMENT ON COLUMN operator_sessions.operator IS 'Whose own credential began it, and with whose it ends; null: the shared token, which counts only while nobody has their own.';

CREATE TABLE passkey_challenges (
  challenge text NOT NULL,
  purpose text NOT NULL,
  browser bytea NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT passkey_challenges_pkey PRIMARY KEY (challenge),
  CONSTRAINT passkey_challenges_purpose_check CHECK (purpose = ANY (ARRAY['add'::text, 'sign_in'::text, 'approve'::text, 'recover'::text]))
);
COMMENT ON TABLE passkey_challenges IS 'What an authenticator is asked to sign: once, for one browser, within five minutes.';
COMMENT ON COLUMN passkey_challenges.browser IS 'Keyed hash of the browser''s form token, which follows from its cookie.';
CREATE INDEX passkey_challenges_age ON passkey_challenges USING btree (expires_at);

CREATE TABLE plans (
  name text NOT NULL,
  monthly_credits integer NOT NULL,
  CONSTRAINT plans_pkey PRIMARY KEY (name),
  CONSTRAINT plans_monthly_credits_check CHECK (monthly_credits >= 0)
);

CREATE TABLE push_keys (
  id text NOT NULL,
  public_key text NOT NULL,
  secret bytea NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT push_keys_pkey PRIMARY KEY (id)
);
COMMENT ON TABLE push_keys IS 'The gateway''s own key pair for pushing to browsers (VAPID). Made when it is first needed; devices are bound to it.';
COMMENT ON COLUMN push_keys.public_key IS 'As browsers take it: base64url.';
COMMENT ON COLUMN push_keys.secret IS 'The private key, wrapped as data keys are.';

CREATE TABLE rate_limits (
  bucket text NOT NULL,
  hits timestamp with time zone[] NOT NULL DEFAULT '{}'::timestamp with time zone[],
  CONSTRAINT rate_limits_pkey PRIMARY KEY (bucket)
) WITH (fillfactor=50);

CREATE TABLE security_log (
  minute timestamp with time zone NOT NULL,
  kind text NOT NULL,
  address text NOT NULL,
  times integer NOT NULL,
  subjects text[] NOT NULL DEFAULT '{}'::text[],
  CONSTRAINT security_log_pkey PRIMARY KEY (minute, kind, address)
);
COMMENT ON TABLE security_log IS 'Traces of attacks, for operators: equal ones of a minute are one row, so that a flood writes little. Kept for 90 days.';
COMMENT ON COLUMN security_log.address IS 'Where it came from; (others): from more addresses than a process notes one by one.';
COMMENT ON COLUMN security_log.subjects IS 'Ids of the keys or rows that it was about; 20 at most, and one more where there were more.';

CREATE TABLE users (
  id text NOT NULL,
  email text NOT NULL,
  password_hash text NOT NULL,
  plan text NOT NULL DEFAULT 'small'::text,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  may_invite boolean NOT NULL DEFAULT false,
  passwords_allowed boolean NOT NULL DEFAULT true,
  CONSTRAINT users_pkey PRIMARY KEY (id),
  CONSTRAINT users_plan_fkey FOREIGN KEY (plan) REFERENCES plans(name)
);
COMMENT ON TABLE users IS 'People, who own all that follows.';
COMMENT ON COLUMN users.may_invite IS 'Whoever set the gateway up, and those whom an operator says so of.';
COMMENT ON COLUMN users.passwords_allowed IS 'False: passkeys only. The hash is then of a password that nobody knows, so that a release that does not know the column refuses them, too.';
CREATE UNIQUE INDEX users_email ON users USING btree (lower(email));

CREATE TABLE accounts (
  id text NOT NULL,
  owner text NOT NULL,
  app text NOT NULL,
  external_id text NOT NULL,
  label text NOT NULL,
  state text NOT NULL,
  reason text,
  data_key bytea NOT NULL,
  session bytea,
  session_version integer NOT NULL DEFAULT 0,
  connected_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  signed_in_version integer NOT NULL DEFAULT 0,
  checked_at timestamp with time zone,
  origin text NOT NULL DEFAULT ''::text,
  renewal_begun timestamp with time zone,
  data_key_since timestamp with time zone NOT NULL DEFAULT now(),
  older_data_keys integer NOT NULL DEFAULT 0,
  session_check_at timestamp with time zone NOT NULL DEFAULT now() + '1 day'::interval,
  CONSTRAINT accounts_pkey PRIMARY KEY (id),
  CONSTRAINT accounts_owner_app_external_id_key UNIQUE (owner, app, external_id),
  CONSTRAINT accounts_owner_fkey FOREIGN KEY (owner) REFERENCES users(id),
  CONSTRAINT accounts_state_check CHECK (state = ANY (ARRAY['connected'::text, 'expired'::text, 'needs_check'::text, 'disconnected'::text]))
);
COMMENT ON TABLE accounts IS 'A person''s account in an app. `session` is sealed with `data_key`, which is wrapped by a key outside the database.';
COMMENT ON COLUMN accounts.external_id IS 'The app''s own id of the account; of one with an `origin`, that and a space before it.';
COMMENT ON COLUMN accounts.reason IS 'Why it must be renewed: AUTH_EXPIRED, CAPTCHA_REQUIRED or MFA_REQUIRED.';
COMMENT ON COLUMN accounts.signed_in_version IS 'The version of the session that the last sign-in made. Versions after it are the same session with cookies that the app changed since.';
COMMENT ON COLUMN accounts.checked_at IS 'When the app was last asked whether the session works: not all the time, whoever asks for it.';
COMMENT ON COLUMN accounts.origin IS 'The address of the app''s root that its owner typed; empty: the app is at one address for everybody. The session is sealed for this address alone.';
COMMENT ON COLUMN accounts.renewal_begun IS 'A renewal of the session''s tokens was begun then, and what came of it is not known yet: it may have used up a token that is good once only. Null: none.';
COMMENT ON COLUMN accounts.data_key_since IS 'When the newest data key was made; for accounts of before, when this was written down.';
COMMENT ON COLUMN accounts.older_data_keys IS 'How many `data_key` has besides the newest.';
COMMENT ON COLUMN accounts.session_check_at IS 'When the app is asked next whether the session still works.';
CREATE INDEX accounts_data_key_since ON accounts USING btree (data_key_since);
CREATE INDEX accounts_older_data_keys ON accounts USING btree (data_key_since) WHERE older_data_keys > 0;
CREATE INDEX accounts_session_check_at ON accounts USING btree (app, session_check_at) WHERE state = 'connected'::text;
CREATE INDEX accounts_to_shred ON accounts USING btree (id) WHERE state = 'disconnected'::text AND data_key_since < 'infinity'::timestamp with time zone;

CREATE TABLE api_keys (
  id text NOT NULL,
  owner text NOT NULL,
  name text NOT NULL,
  hash bytea,
  hint text NOT NULL,
  apps text[],
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  last_used_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  line text NOT NULL,
  turn integer NOT NULL DEFAULT 0,
  sees_all boolean NOT NULL DEFAULT false,
  read_only boolean NOT NULL DEFAULT false,
  pepper text NOT NULL DEFAULT 'k1'::text,
  endpoints jsonb,
  CONSTRAINT api_keys_pkey PRIMARY KEY (id),
  CONSTRAINT api_keys_hash_key UNIQUE (hash),
  CONSTRAINT api_keys_one_successor UNIQUE (line, turn),
  CONSTRAINT api_keys_owner_fkey FOREIGN KEY (owner) REFERENCES users(id)
);
COMMENT ON TABLE api_keys IS 'A key and those that replaced it, one after the other, are a line. Each covers what it did itself and what those before it did, never the reverse.';
COMMENT ON COLUMN api_keys.hash IS 'Keyed hash of the key; NULL: a grant of OAuth, which has tokens instead.';
COMMENT ON COLUMN api_keys.apps IS 'Apps the key may use, which bounds what it covers in any case; NULL = all.';
COMMENT ON COLUMN api_keys.line IS 'The id of the first key of its line.';
COMMENT ON COLUMN api_keys.turn IS 'How many came before it in its line. Two keys have no turn in common, so a key is replaced once.';
COMMENT ON COLUMN api_keys.sees_all IS 'It covers all calls of its owner.';
COMMENT ON COLUMN api_keys.read_only IS 'It may call what reads, and nothing else.';
COMMENT ON COLUMN api_keys.pepper IS 'The key of the ring `pepper` that `hash` is made with: the newest when the key was made or last used. `k1` where the key file has a single one.';
COMMENT ON COLUMN api_keys.endpoints IS 'Of some apps, the endpoints that it may call: `{"app": ["name"]}`. Of an app that does not stand here it may call all. NULL: of every app.';
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
  waiting_for text,
  retry_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  updated_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  expires_at timestamp with time zone,
  input bytea,
  output bytea,
  error bytea,
  error_code text,
  content_hash bytea NOT NULL,
  definition_version text NOT NULL DEFAULT ''::text,
  credits integer NOT NULL,
  credits_used integer NOT NULL DEFAULT 0,
  reserved_month date,
  decision text,
  decided_by text,
  decided_at timestamp with time zone,
  approval_proof text,
  send text NOT NULL DEFAULT 'ready'::text,
  attempt integer NOT NULL DEFAULT 0,
  resolution jsonb,
  check_at timestamp with time zone DEFAULT clock_timestamp() + '00:00:05'::interval,
  sender bigint,
  tries integer NOT NULL DEFAULT 0,
  held_for text,
  held_since timestamp with time zone,
  blocks integer NOT NULL DEFAULT 0,
  changed_rule text,
  request bytea,
  preview bytea,
  previewed_at timestamp with time zone,
  looked_at timestamp with time zone,
  look_up bytea,
  prepare_at timestamp with time zone,
  prepare_tries integer NOT NULL DEFAULT 0,
  round integer NOT NULL DEFAULT 1,
  revision integer NOT NULL DEFAULT 0,
  why bytea,
  original bytea,
  changed text[],
  decision_reason bytea,
  client text,
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
COMMENT ON COLUMN calls.waiting_for IS 'rate_limited: the app itself said when to come back. People see it as blocked.';
COMMENT ON COLUMN calls.input IS 'Sealed with the account''s data key, as output and error are.';
COMMENT ON COLUMN calls.content_hash IS 'Keyed hash of account, app, endpoint and canonical input: equal calls have equal hashes.';
COMMENT ON COLUMN calls.definition_version IS 'Of releases before 0027, which hashed the connector''s source. Unused.';
COMMENT ON COLUMN calls.reserved_month IS 'The month whose credits are reserved now; NULL = nothing reserved.';
COMMENT ON COLUMN calls.decided_by IS 'The owner, or the standing approval of which this call is a use.';
COMMENT ON COLUMN calls.approval_proof IS '`<key id>.<base64url>`: proves that the owner approved exactly this content.';
COMMENT ON COLUMN calls.send IS 'The right to send: a write''s bytes leave only after ready -> sending for its attempt.';
COMMENT ON COLUMN calls.check_at IS 'When the sweeper looks at the call next; NULL = never again.';
COMMENT ON COLUMN calls.sender IS 'Which try took the right to send last: the number of its process, which holds an advisory lock of it for as long as it lives, and 22 bits to count tries. NULL: it is done.';
COMMENT ON COLUMN calls.tries IS 'How often a read was sent in this attempt.';
COMMENT ON COLUMN calls.held_for IS 'What the call has waited for in a row: the app (blocked, rate_limited) or the person (reconnect).';
COMMENT ON COLUMN calls.held_since IS 'Since when.';
COMMENT ON COLUMN calls.blocks IS 'How often a call that nobody approved was blocked, or found its endpoint blocked.';
COMMENT ON COLUMN calls.changed_rule IS 'What an app''s answer lacked when its connector did not understand it: a rule, a field or a type, never what the app said.';
COMMENT ON COLUMN calls.request IS 'Sealed: method, address, headers and body as they will be sent, with named placeholders. NULL: not rendered yet, or rendered when it is sent, for nobody is asked.';
COMMENT ON COLUMN calls.preview IS 'Sealed: what the app told about the things that the input names, as the page shows it. NULL: nothing was told.';
COMMENT ON COLUMN calls.previewed_at IS 'When the app told all of it.';
COMMENT ON COLUMN calls.looked_at IS 'When it was looked up last, whatever came of that.';
COMMENT ON COLUMN calls.look_up IS 'Sealed: what a look-up that is under way has found so far.';
COMMENT ON COLUMN calls.prepare_at IS 'When the request is to be rendered, or its things to be looked up (again); NULL = nothing to do.';
COMMENT ON COLUMN calls.prepare_tries IS 'How often rendering failed because of the app.';
COMMENT ON COLUMN calls.round IS 'How often the person was asked, this time included. A decision is of one round.';
COMMENT ON COLUMN calls.revision IS 'Counts changes of what is asked: input, request, preview, round. A decision is of one revision.';
COMMENT ON COLUMN calls.why IS 'Sealed: why the agent asks for it, in its own words.';
COMMENT ON COLUMN calls.original IS 'Sealed: what the agent asked for, where the person changed it.';
COMMENT ON COLUMN calls.changed IS 'JSON paths of the input that the person changed.';
COMMENT ON COLUMN calls.decision_reason IS 'Sealed: the person''s reason.';
COMMENT ON COLUMN calls.client IS 'What the program that made the call says of itself: its name in MCP, or its User-Agent. Shown only. NULL: it said nothing.';
COMMENT ON COLUMN calls.passkey_proof IS '`<passkey> <key id>.<base64url>`: proves that the owner approved exactly this content with that passkey.';
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

CREATE TABLE answers_due (
  call_id text NOT NULL,
  owner text NOT NULL,
  content_hash bytea NOT NULL,
  since timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT answers_due_pkey PRIMARY KEY (call_id),
  CONSTRAINT answers_due_call_id_fkey FOREIGN KEY (call_id) REFERENCES calls(id)
);
COMMENT ON TABLE answers_due IS 'Writes that were asked for by a tool, until an answer about them was handed to whoever asked. What is older than a day is cleared away.';
COMMENT ON COLUMN answers_due.content_hash IS 'Of the call.';
CREATE INDEX answers_due_equal ON answers_due USING btree (owner, content_hash);

CREATE TABLE call_files (
  call_id text NOT NULL,
  place text NOT NULL,
  about bytea NOT NULL,
  content bytea,
  CONSTRAINT call_files_pkey PRIMARY KEY (call_id, place),
  CONSTRAINT call_files_call_id_fkey FOREIGN KEY (call_id) REFERENCES calls(id)
);
COMMENT ON TABLE call_files IS 'Files of calls, sealed with the account''s data key: fetched once, when the call was accepted or its person changed it.';
COMMENT ON COLUMN call_files.place IS 'Where the input has the address: photo, photos.1.';
COMMENT ON COLUMN call_files.about IS 'Sealed: address, name, type, size and hash. Forgotten with the call''s content.';
COMMENT ON COLUMN call_files.content IS 'Sealed: the bytes. NULL: the call has ended.';
ALTER TABLE call_files ALTER about SET STORAGE EXTERNAL;
ALTER TABLE call_files ALTER content SET STORAGE EXTERNAL;

CREATE TABLE call_metadata (
  call_id text NOT NULL,
  metadata jsonb NOT NULL,
  CONSTRAINT call_metadata_pkey PRIMARY KEY (call_id),
  CONSTRAINT call_metadata_call_id_fkey FOREIGN KEY (call_id) REFERENCES calls(id)
);
COMMENT ON COLUMN call_metadata.metadata IS 'Flat: texts by name, as the client sent them. Deleted with the call''s content.';
CREATE INDEX call_metadata_values ON call_metadata USING gin (metadata jsonb_path_ops);

CREATE TABLE email_changes (
  id text NOT NULL,
  owner text NOT NULL,
  old_email text NOT NULL,
  new_email text NOT NULL,
  confirm_hash bytea NOT NULL,
  confirm_until timestamp with time zone NOT NULL,
  undo_hash bytea,
  undo_until timestamp with time zone,
  CONSTRAINT email_changes_pkey PRIMARY KEY (id),
  CONSTRAINT email_changes_confirm_hash_key UNIQUE (confirm_hash),
  CONSTRAINT email_changes_undo_hash_key UNIQUE (undo_hash),
  CONSTRAINT email_changes_owner_fkey FOREIGN KEY (owner) REFERENCES users(id),
  CONSTRAINT email_changes_check CHECK ((undo_hash IS NULL) = (undo_until IS NULL))
);
COMMENT ON TABLE email_changes IS 'Email addresses that accounts were, or are to be, changed to. Gone once they can be neither confirmed nor taken back.';
COMMENT ON COLUMN email_changes.old_email IS 'The address when it was changed. While it can be taken back, nobody else gets it.';
COMMENT ON COLUMN email_changes.confirm_hash IS 'Keyed hash of what the link opens with that the new address was mailed.';
COMMENT ON COLUMN email_changes.undo_hash IS 'The same of the link that the old address was mailed. NULL: not confirmed yet.';
CREATE INDEX email_changes_old ON email_changes USING btree (lower(old_email));
CREATE INDEX email_changes_owner ON email_changes USING btree (owner);

CREATE TABLE endpoint_settings (
  owner text NOT NULL,
  app text NOT NULL,
  endpoint text NOT NULL,
  confirm boolean,
  expiry_seconds integer,
  proof text,
  CONSTRAINT endpoint_settings_pkey PRIMARY KEY (owner, app, endpoint),
  CONSTRAINT endpoint_settings_owner_fkey FOREIGN KEY (owner) REFERENCES users(id),
  CONSTRAINT endpoint_settings_expiry_seconds_check CHECK (expiry_seconds >= 2 AND expiry_seconds <= 2592000)
);
COMMENT ON TABLE endpoint_settings IS 'An owner''s confirm switch and time to decide. No row or NULL = the default.';
COMMENT ON COLUMN endpoint_settings.proof IS '`<key id>.<base64url>`: proves that the owner switched asking off (confirm = false). Without it the endpoint asks as it comes.';

CREATE TABLE erasures (
  owner text NOT NULL,
  asked_by text NOT NULL,
  asked_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  listed_at timestamp with time zone,
  done_at timestamp with time zone,
  CONSTRAINT erasures_pkey PRIMARY KEY (owner),
  CONSTRAINT erasures_owner_fkey FOREIGN KEY (owner) REFERENCES users(id)
);
COMMENT ON TABLE erasures IS 'People who are being erased, or were. The row of a person stays, without name, for the ledger and the calls.';
COMMENT ON COLUMN erasures.asked_by IS 'The person, an operator''s name, or restore: somebody who had been erased came back with an older database.';
COMMENT ON COLUMN erasures.listed_at IS 'Since when the list outside of the database names them.';
COMMENT ON COLUMN erasures.done_at IS 'When nothing was left that could still come in late; NULL = it goes on.';
CREATE INDEX erasures_open ON erasures USING btree (asked_at) WHERE done_at IS NULL;

CREATE TABLE findings (
  call_id text NOT NULL,
  asked_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  found_at timestamp with time zone,
  finding bytea,
  CONSTRAINT findings_pkey PRIMARY KEY (call_id),
  CONSTRAINT findings_call_id_fkey FOREIGN KEY (call_id) REFERENCES calls(id)
);
COMMENT ON TABLE findings IS 'What was found in the app of calls that ended unknown, when their owner asked to look there. The call''s status stays.';
COMMENT ON COLUMN findings.asked_at IS 'When somebody asked last; a worker looks only where that is after `found_at`.';
COMMENT ON COLUMN findings.finding IS 'Sealed with the account''s data key, and forgotten with the call''s content.';

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
COMMENT ON TABLE idempotency_keys IS 'One belongs to the line of the API key that it came with, from its turn on.';
CREATE INDEX idempotency_keys_age ON idempotency_keys USING btree (created_at);
CREATE INDEX idempotency_keys_call ON idempotency_keys USING btree (call_id);

CREATE TABLE invitations (
  id text NOT NULL,
  hash bytea NOT NULL,
  email text NOT NULL,
  invited_by text NOT NULL,
  may_invite boolean NOT NULL DEFAULT false,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  expires_at timestamp with time zone NOT NULL,
  revoked_at timestamp with time zone,
  used_at timestamp with time zone,
  used_by text,
  mailed boolean NOT NULL DEFAULT false,
  CONSTRAINT invitations_pkey PRIMARY KEY (id),
  CONSTRAINT invitations_hash_key UNIQUE (hash),
  CONSTRAINT invitations_used_by_fkey FOREIGN KEY (used_by) REFERENCES users(id),
  CONSTRAINT invitations_check CHECK ((used_at IS NULL) = (used_by IS NULL))
);
COMMENT ON TABLE invitations IS 'Only a keyed hash of the link''s token is here.';
COMMENT ON COLUMN invitations.invited_by IS 'A user, or an operator''s name.';
COMMENT ON COLUMN invitations.mailed IS 'Its link was mailed to the address, besides being shown.';
CREATE INDEX invitations_inviter ON invitations USING btree (invited_by, id DESC);

CREATE TABLE key_switches (
  owner text NOT NULL,
  app text NOT NULL,
  endpoint text NOT NULL,
  key_line text NOT NULL,
  proof text NOT NULL,
  CONSTRAINT key_switches_pkey PRIMARY KEY (owner, app, endpoint, key_line),
  CONSTRAINT key_switches_owner_fkey FOREIGN KEY (owner) REFERENCES users(id)
);
COMMENT ON TABLE key_switches IS 'Endpoints that one key (or program that signed in), with what replaces it, calls without asking its owner first. What holds for all keys is in endpoint_settings.';
COMMENT ON COLUMN key_switches.key_line IS 'The line of the key.';
COMMENT ON COLUMN key_switches.proof IS '`<key id>.<base64url>`: proves that the owner switched it off for this key. Without it the endpoint asks.';

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

CREATE TABLE notice_targets (
  id text NOT NULL,
  owner text NOT NULL,
  channel text NOT NULL,
  kinds text[] NOT NULL,
  enabled boolean NOT NULL DEFAULT true,
  disabled_reason text,
  url text,
  secret bytea,
  old_secret bytea,
  old_secret_until timestamp with time zone,
  last_try_at timestamp with time zone,
  last_result text,
  last_delivered_at timestamp with time zone,
  mail_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  created_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  deleted_at timestamp with time zone,
  name text,
  place bytea,
  muted text[] NOT NULL DEFAULT '{}'::text[],
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
COMMENT ON TABLE notice_targets IS 'Where an owner hears of calls: webhooks of programs, the email address of the account, devices that are pushed to, and ntfy. A deleted one stays as a row, without its secrets, so that a call that is being written meanwhile never fails over it.';
COMMENT ON COLUMN notice_targets.disabled_reason IS 'Why Callgate switched it off by itself: the receiver said 410, or took nothing for three days.';
COMMENT ON COLUMN notice_targets.secret IS 'Wrapped as data keys are. Of a webhook, the signing secret; the old one signs too until its time is over. Of a device or ntfy, the address with its keys, as JSON.';
COMMENT ON COLUMN notice_targets.mail_at IS 'Of what people read: the next one leaves no sooner.';
COMMENT ON COLUMN notice_targets.name IS 'What its owner calls a device, or the host of ntfy.';
COMMENT ON COLUMN notice_targets.place IS 'SHA-256 of a device''s address: one browser is one device, of whoever added it last.';
COMMENT ON COLUMN notice_targets.muted IS 'Apps and kinds that it is not told of, such as ''crm call.final''.';
COMMENT ON COLUMN notice_targets.shows IS 'How much a notice says where others may see it: that something waits, the app and the action, or also names and amounts.';
CREATE UNIQUE INDEX notice_targets_email ON notice_targets USING btree (owner) WHERE channel = 'email'::text;
CREATE INDEX notice_targets_owner ON notice_targets USING btree (owner) WHERE deleted_at IS NULL;
CREATE UNIQUE INDEX notice_targets_place ON notice_targets USING btree (place) WHERE place IS NOT NULL;

CREATE TABLE notices (
  id text NOT NULL,
  owner text NOT NULL,
  target text NOT NULL,
  kind text NOT NULL,
  call_id text,
  status text,
  created_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  state text NOT NULL DEFAULT 'pending'::text,
  tries integer NOT NULL DEFAULT 0,
  first_try_at timestamp with time zone,
  next_try_at timestamp with time zone,
  last_result text,
  ended_at timestamp with time zone,
  started_at timestamp with time zone,
  check_at timestamp with time zone DEFAULT clock_timestamp(),
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
COMMENT ON TABLE notices IS 'What is to be told, once a target. Written in the transaction of the change itself.';
COMMENT ON COLUMN notices.status IS 'The call''s, at that moment.';
COMMENT ON COLUMN notices.started_at IS 'When the engine was told of it.';
COMMENT ON COLUMN notices.check_at IS 'When the sweeper looks at it next; NULL = never again.';
COMMENT ON COLUMN notices.round IS 'Of asking, of a call that waits.';
CREATE INDEX notices_owner ON notices USING btree (owner, created_at DESC);
CREATE INDEX notices_turn ON notices USING btree (target, (started_at IS NULL AND kind <> 'test'::text), check_at) WHERE state = 'pending'::text;
CREATE INDEX notices_untried ON notices USING btree (target) WHERE state = 'pending'::text AND started_at IS NOT NULL AND tries = 0;

CREATE TABLE oauth_codes (
  hash bytea NOT NULL,
  client text NOT NULL,
  client_name text NOT NULL,
  redirect_uri text NOT NULL,
  challenge text NOT NULL,
  resource text NOT NULL,
  owner text NOT NULL,
  apps text[],
  read_only boolean NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  used_at timestamp with time zone,
  key text,
  endpoints jsonb,
  CONSTRAINT oauth_codes_pkey PRIMARY KEY (hash),
  CONSTRAINT oauth_codes_key_fkey FOREIGN KEY (key) REFERENCES api_keys(id),
  CONSTRAINT oauth_codes_owner_fkey FOREIGN KEY (owner) REFERENCES users(id) ON DELETE CASCADE
);
COMMENT ON TABLE oauth_codes IS 'What a person allowed, until the program fetches its tokens with the code.';
COMMENT ON COLUMN oauth_codes.challenge IS 'SHA-256 of the verifier that the program keeps (PKCE), in base64url.';
COMMENT ON COLUMN oauth_codes.resource IS 'The path that the tokens are for: /mcp or /mcp/{app}.';
COMMENT ON COLUMN oauth_codes.apps IS 'NULL = all.';
COMMENT ON COLUMN oauth_codes.key IS 'The grant that was made of it: the code sent once more ends it.';
COMMENT ON COLUMN oauth_codes.endpoints IS 'As in api_keys.';
CREATE INDEX oauth_codes_expires ON oauth_codes USING btree (expires_at);

CREATE TABLE oauth_grants (
  key text NOT NULL,
  client text NOT NULL,
  goes_to text NOT NULL,
  resource text NOT NULL,
  CONSTRAINT oauth_grants_pkey PRIMARY KEY (key),
  CONSTRAINT oauth_grants_key_fkey FOREIGN KEY (key) REFERENCES api_keys(id)
);
COMMENT ON TABLE oauth_grants IS 'The keys that are grants of OAuth.';
COMMENT ON COLUMN oauth_grants.goes_to IS 'Where the person was sent back to: a host, or what opens the address.';

CREATE TABLE oauth_networks (
  key text NOT NULL,
  network text NOT NULL,
  seen_at timestamp with time zone NOT NULL,
  CONSTRAINT oauth_networks_pkey PRIMARY KEY (key, network),
  CONSTRAINT oauth_networks_key_fkey FOREIGN KEY (key) REFERENCES oauth_grants(key) ON DELETE CASCADE
);
COMMENT ON TABLE oauth_networks IS 'Networks that used a grant within the last minutes.';
COMMENT ON COLUMN oauth_networks.network IS 'An IPv4 address, or the /64 of an IPv6 one.';
CREATE INDEX oauth_networks_seen ON oauth_networks USING btree (seen_at);

CREATE TABLE oauth_tokens (
  hash bytea NOT NULL,
  key text NOT NULL,
  kind text NOT NULL,
  parent bytea,
  expires_at timestamp with time zone NOT NULL,
  used_at timestamp with time zone,
  superseded boolean NOT NULL DEFAULT false,
  CONSTRAINT oauth_tokens_pkey PRIMARY KEY (hash),
  CONSTRAINT oauth_tokens_key_fkey FOREIGN KEY (key) REFERENCES oauth_grants(key),
  CONSTRAINT oauth_tokens_kind_check CHECK (kind = ANY (ARRAY['access'::text, 'refresh'::text]))
);
COMMENT ON TABLE oauth_tokens IS 'Keyed hashes of the tokens of grants.';
COMMENT ON COLUMN oauth_tokens.parent IS 'The refresh token that it was fetched with; NULL: the first of its grant, or an access token.';
COMMENT ON COLUMN oauth_tokens.used_at IS 'When a refresh token was used first.';
COMMENT ON COLUMN oauth_tokens.superseded IS 'Another one of the same parent was used: that answer was the one that arrived.';
CREATE INDEX oauth_tokens_expires ON oauth_tokens USING btree (expires_at);
CREATE INDEX oauth_tokens_key ON oauth_tokens USING btree (key);
CREATE INDEX oauth_tokens_parent ON oauth_tokens USING btree (parent) WHERE parent IS NOT NULL;

CREATE TABLE passkey_demands (
  owner text NOT NULL,
  demands jsonb NOT NULL,
  proof text NOT NULL,
  CONSTRAINT passkey_demands_pkey PRIMARY KEY (owner),
  CONSTRAINT passkey_demands_owner_fkey FOREIGN KEY (owner) REFERENCES users(id) ON DELETE CASCADE
);
COMMENT ON TABLE passkey_demands IS 'For approving calls of which endpoints a person demands a passkey. Without a valid proof every approval needs one. The row stays when nothing is demanded any more: the data keys of the owner''s accounts say that there has to be one.';
COMMENT ON COLUMN passkey_demands.demands IS 'By `app/endpoint`: since when, and above which amount, in whole units of the currency that the call has; null: each time.';
COMMENT ON COLUMN passkey_demands.proof IS '`<key id>.<base64url>`: proves that the owner demands just these.';

CREATE TABLE passkeys (
  id text NOT NULL,
  owner text NOT NULL,
  name text NOT NULL,
  credential text NOT NULL,
  public_key bytea NOT NULL,
  counter bigint NOT NULL,
  transports text[] NOT NULL DEFAULT '{}'::text[],
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  last_used_at timestamp with time zone,
  CONSTRAINT passkeys_pkey PRIMARY KEY (id),
  CONSTRAINT passkeys_credential_key UNIQUE (credential),
  CONSTRAINT passkeys_owner_fkey FOREIGN KEY (owner) REFERENCES users(id) ON DELETE CASCADE
);
COMMENT ON COLUMN passkeys.credential IS 'The authenticator''s id of it, base64url.';
COMMENT ON COLUMN passkeys.public_key IS 'COSE.';
CREATE INDEX passkeys_owner ON passkeys USING btree (owner);

CREATE TABLE password_resets (
  hash bytea NOT NULL,
  owner text NOT NULL,
  bound bytea NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT password_resets_pkey PRIMARY KEY (hash),
  CONSTRAINT password_resets_owner_fkey FOREIGN KEY (owner) REFERENCES users(id)
);
COMMENT ON TABLE password_resets IS 'Links with which whoever lost their password sets another. The first one that is used ends all of their owner.';
COMMENT ON COLUMN password_resets.hash IS 'Keyed hash of what the link opens with.';
COMMENT ON COLUMN password_resets.bound IS 'SHA-256 of the password''s hash of then: with another password the link is void.';
CREATE INDEX password_resets_owner ON password_resets USING btree (owner);

CREATE TABLE pauses (
  account text NOT NULL,
  endpoint text NOT NULL,
  until timestamp with time zone NOT NULL,
  seconds integer NOT NULL,
  probe_call text,
  probe_until timestamp with time zone,
  CONSTRAINT pauses_pkey PRIMARY KEY (account, endpoint),
  CONSTRAINT pauses_account_fkey FOREIGN KEY (account) REFERENCES accounts(id)
);
COMMENT ON TABLE pauses IS 'The ladder of blocks: one per account and endpoint. Gone after a success.';
COMMENT ON COLUMN pauses.probe_call IS 'The one call that may try once `until` has passed.';

CREATE TABLE quiet_hours (
  owner text NOT NULL,
  from_minute integer NOT NULL,
  to_minute integer NOT NULL,
  zone text NOT NULL,
  CONSTRAINT quiet_hours_pkey PRIMARY KEY (owner),
  CONSTRAINT quiet_hours_owner_fkey FOREIGN KEY (owner) REFERENCES users(id),
  CONSTRAINT quiet_hours_check CHECK (from_minute <> to_minute),
  CONSTRAINT quiet_hours_from_minute_check CHECK (from_minute >= 0 AND from_minute <= 1439),
  CONSTRAINT quiet_hours_to_minute_check CHECK (to_minute >= 0 AND to_minute <= 1439)
);
COMMENT ON TABLE quiet_hours IS 'Between these times of day emails, pushes and ntfy wait. Webhooks do not.';
COMMENT ON COLUMN quiet_hours.from_minute IS 'Minutes after midnight, by the clocks of the zone; past midnight where it is the later one.';
COMMENT ON COLUMN quiet_hours.zone IS 'By its IANA name.';

CREATE TABLE recovery_codes (
  hash bytea NOT NULL,
  owner text NOT NULL,
  challenge text,
  used_at timestamp with time zone,
  CONSTRAINT recovery_codes_pkey PRIMARY KEY (hash),
  CONSTRAINT recovery_codes_owner_fkey FOREIGN KEY (owner) REFERENCES users(id)
);
COMMENT ON TABLE recovery_codes IS 'Each is good once: for an account with a password, in place of the authenticator app; for one that takes passkeys only, to make one new passkey.';
COMMENT ON COLUMN recovery_codes.hash IS 'SHA-256 of owner and code, which has 100 random bits; of an older one of 50 bits, which only stands in for the app, a hash with a pepper.';
COMMENT ON COLUMN recovery_codes.challenge IS 'What the passkey that is being made with it signs.';
CREATE INDEX recovery_codes_owner ON recovery_codes USING btree (owner);

CREATE TABLE rounds (
  call_id text NOT NULL,
  round integer NOT NULL,
  decided_by text NOT NULL,
  decided_at timestamp with time zone NOT NULL,
  ended_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  request bytea,
  preview bytea,
  CONSTRAINT rounds_pkey PRIMARY KEY (call_id, round),
  CONSTRAINT rounds_call_id_fkey FOREIGN KEY (call_id) REFERENCES calls(id)
);
COMMENT ON TABLE rounds IS 'Rounds of asking that ended because what matters had changed in the app since the approval. Nothing was sent in them.';
COMMENT ON COLUMN rounds.request IS 'Sealed, as it was approved.';
COMMENT ON COLUMN rounds.preview IS 'Sealed, as it was approved.';

CREATE TABLE scopes (
  owner text NOT NULL,
  app text NOT NULL,
  mode text NOT NULL,
  endpoints text[] NOT NULL DEFAULT '{}'::text[],
  CONSTRAINT scopes_pkey PRIMARY KEY (owner, app),
  CONSTRAINT scopes_owner_fkey FOREIGN KEY (owner) REFERENCES users(id),
  CONSTRAINT scopes_mode_check CHECK (mode = ANY (ARRAY['all'::text, 'read'::text, 'chosen'::text]))
);
COMMENT ON TABLE scopes IS 'What an owner allows in an app. No row = everything.';

CREATE TABLE standing_approvals (
  id text NOT NULL,
  owner text NOT NULL,
  account text NOT NULL,
  app text NOT NULL,
  endpoint text NOT NULL,
  definition_version text NOT NULL,
  per_day integer,
  field text,
  allowed bytea,
  until timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  revoked_at timestamp with time zone,
  proof text,
  key_line text,
  CONSTRAINT standing_approvals_pkey PRIMARY KEY (id),
  CONSTRAINT standing_approvals_account_fkey FOREIGN KEY (account) REFERENCES accounts(id),
  CONSTRAINT standing_approvals_owner_fkey FOREIGN KEY (owner) REFERENCES users(id),
  CONSTRAINT standing_approvals_check CHECK ((field IS NULL) = (allowed IS NULL)),
  CONSTRAINT standing_approvals_check1 CHECK ((revoked_at IS NULL) = (proof IS NOT NULL)),
  CONSTRAINT standing_approvals_per_day_check CHECK (per_day > 0)
);
COMMENT ON TABLE standing_approvals IS 'What a person approves in advance: calls of one endpoint on one account, within bounds. NULL = without that bound.';
COMMENT ON COLUMN standing_approvals.field IS 'The input field that is bound to a list.';
COMMENT ON COLUMN standing_approvals.allowed IS 'The list, sealed with the account''s data key.';
COMMENT ON COLUMN standing_approvals.proof IS '`<key id>.<base64url>`: proves that the owner approved exactly this. It goes with the revocation, so that nobody can undo one.';
COMMENT ON COLUMN standing_approvals.key_line IS 'The line of the key (or program that signed in) whose calls it covers; covered by the proof. NULL: of all keys, as all were before.';
CREATE INDEX standing_approvals_owner ON standing_approvals USING btree (owner, id DESC);
CREATE INDEX standing_approvals_standing ON standing_approvals USING btree (account, endpoint) WHERE revoked_at IS NULL;

CREATE TABLE totp (
  id text NOT NULL,
  owner text NOT NULL,
  secret bytea NOT NULL,
  begun_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  confirmed_at timestamp with time zone,
  last_step bigint NOT NULL DEFAULT 0,
  CONSTRAINT totp_pkey PRIMARY KEY (id),
  CONSTRAINT totp_owner_key UNIQUE (owner),
  CONSTRAINT totp_owner_fkey FOREIGN KEY (owner) REFERENCES users(id)
);
COMMENT ON TABLE totp IS 'The authenticator app whose codes a person says after their password.';
COMMENT ON COLUMN totp.secret IS 'What the app has, too (its first 20 bytes), wrapped as data keys are.';
COMMENT ON COLUMN totp.confirmed_at IS 'When a first code of it was right. NULL: not yet, and no code is asked for.';
COMMENT ON COLUMN totp.last_step IS 'The 30 seconds since 1970 whose code was used last: that one and those before it are used up.';

CREATE TABLE traces (
  id text NOT NULL,
  app text NOT NULL,
  name text NOT NULL,
  begun_by text NOT NULL,
  begun_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  owner text,
  account text,
  ended_at timestamp with time zone,
  exchanges integer,
  trace bytea,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT traces_pkey PRIMARY KEY (id),
  CONSTRAINT traces_account_fkey FOREIGN KEY (account) REFERENCES accounts(id),
  CONSTRAINT traces_owner_fkey FOREIGN KEY (owner) REFERENCES users(id)
);
COMMENT ON TABLE traces IS 'Recordings of what somebody did in an app, asked for by an operator, made by a person with an account of theirs.';
COMMENT ON COLUMN traces.id IS 'Cannot be guessed: the first person who opens its page makes it.';
COMMENT ON COLUMN traces.owner IS 'Who makes it. NULL: nobody has opened it.';
COMMENT ON COLUMN traces.ended_at IS 'When it was kept or thrown away.';
COMMENT ON COLUMN traces.exchanges IS 'How many requests are in it.';
COMMENT ON COLUMN traces.trace IS 'Sealed with the account''s data key, and without secrets all the same. NULL: there is none yet, or it was thrown away.';
COMMENT ON COLUMN traces.expires_at IS 'An hour after it was asked for; 30 days after it was kept.';
CREATE INDEX traces_age ON traces USING btree (expires_at);
CREATE INDEX traces_app ON traces USING btree (app, name);

CREATE TABLE tries (
  id text NOT NULL,
  app text NOT NULL,
  endpoint text NOT NULL,
  begun_by text NOT NULL,
  begun_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  expires_at timestamp with time zone NOT NULL,
  call_id text,
  recording bytea,
  CONSTRAINT tries_pkey PRIMARY KEY (id),
  CONSTRAINT tries_call_id_fkey FOREIGN KEY (call_id) REFERENCES calls(id)
);
COMMENT ON TABLE tries IS 'Calls of added connectors whose exchange with the app is kept for a while, for the author. A call says by its Idempotency-Key, try-<id>, that it is one.';
COMMENT ON COLUMN tries.id IS 'Cannot be guessed: whoever knows it may make the call that is kept.';
COMMENT ON COLUMN tries.begun_by IS 'The operator who asked for it.';
COMMENT ON COLUMN tries.call_id IS 'NULL: it has not talked to the app yet.';
COMMENT ON COLUMN tries.recording IS 'Sealed with the account''s data key: a recording without secrets, or why there is none.';
CREATE INDEX tries_age ON tries USING btree (expires_at);

CREATE TABLE watches (
  id text NOT NULL,
  owner text NOT NULL,
  app text NOT NULL,
  endpoint text NOT NULL,
  account text NOT NULL,
  input jsonb NOT NULL,
  asked_by text NOT NULL,
  asked_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  agreed_at timestamp with time zone,
  ended_at timestamp with time zone,
  ended_by text,
  next_at timestamp with time zone,
  last_day date,
  last_at timestamp with time zone,
  last_result text,
  shape jsonb,
  latest jsonb,
  version text,
  CONSTRAINT watches_pkey PRIMARY KEY (id),
  CONSTRAINT watches_account_fkey FOREIGN KEY (account) REFERENCES accounts(id)
);
COMMENT ON TABLE watches IS 'Reads that are made once a day with an account, for nothing, to see whether the app still answers as before.';
COMMENT ON COLUMN watches.asked_by IS 'The operator who asked for it.';
COMMENT ON COLUMN watches.agreed_at IS 'When the account''s owner agreed; NULL: nothing is read.';
COMMENT ON COLUMN watches.last_day IS 'The day (UTC) of the last look: there is one a day.';
COMMENT ON COLUMN watches.last_result IS 'ok, changed, or why there was no output.';
COMMENT ON COLUMN watches.shape IS 'What stood where in all outputs that were as before: place to kinds of values, no value.';
COMMENT ON COLUMN watches.latest IS 'The same of the last output alone.';
COMMENT ON COLUMN watches.version IS 'What the app told of its version the last time.';
CREATE INDEX watches_due ON watches USING btree (next_at) WHERE ended_at IS NULL AND next_at IS NOT NULL;
CREATE UNIQUE INDEX watches_open ON watches USING btree (account, endpoint) WHERE ended_at IS NULL;

CREATE TABLE web_sessions (
  hash bytea NOT NULL,
  owner text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  expires_at timestamp with time zone NOT NULL,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  seen_at timestamp with time zone NOT NULL DEFAULT now(),
  network text,
  browser text,
  proved_at timestamp with time zone,
  CONSTRAINT web_sessions_pkey PRIMARY KEY (hash),
  CONSTRAINT web_sessions_id_key UNIQUE (id),
  CONSTRAINT web_sessions_owner_fkey FOREIGN KEY (owner) REFERENCES users(id) ON DELETE CASCADE
);
COMMENT ON TABLE web_sessions IS 'Browser sessions of signed-in people. Only a keyed hash of the cookie is here.';
COMMENT ON COLUMN web_sessions.id IS 'What its owner''s page calls it.';
COMMENT ON COLUMN web_sessions.seen_at IS 'When a page was last asked for with it, to some minutes. It ends by itself a week later.';
COMMENT ON COLUMN web_sessions.network IS 'Where it began: an address, of IPv6 the network of it.';
COMMENT ON COLUMN web_sessions.browser IS 'What the browser said of itself when it began.';
COMMENT ON COLUMN web_sessions.proved_at IS 'When its owner last said their password, or used a passkey, once more. NULL: not since it began.';
CREATE INDEX web_sessions_owner ON web_sessions USING btree (owner);

INSERT INTO chores (name) VALUES ('purge');
INSERT INTO chores (name) VALUES ('session_checks');
INSERT INTO plans (name, monthly_credits) VALUES ('large', '100000');
INSERT INTO plans (name, monthly_credits) VALUES ('medium', '10000');
INSERT INTO plans (name, monthly_credits) VALUES ('none', '0');
INSERT INTO plans (name, monthly_credits) VALUES ('small', '1000');

-- Triggers: made after the functions that they run.

CREATE TRIGGER traces_disconnected AFTER UPDATE OF state ON accounts FOR EACH ROW WHEN (old.state <> 'disconnected'::text AND new.state = 'disconnected'::text) EXECUTE FUNCTION forget_traces();
CREATE TRIGGER keep_key_limits BEFORE INSERT ON api_keys FOR EACH ROW WHEN (new.turn > 0 AND new.endpoints IS NULL) EXECUTE FUNCTION keep_key_limits();
CREATE TRIGGER calls_ended AFTER UPDATE OF status ON calls FOR EACH ROW WHEN ((old.status = ANY (ARRAY['awaiting_confirmation'::text, 'running'::text])) AND (new.status <> ALL (ARRAY['awaiting_confirmation'::text, 'running'::text]))) EXECUTE FUNCTION tell_ending();
CREATE TRIGGER files_ended AFTER UPDATE OF status ON calls FOR EACH ROW WHEN ((old.status = ANY (ARRAY['awaiting_confirmation'::text, 'running'::text])) AND (new.status <> ALL (ARRAY['awaiting_confirmation'::text, 'running'::text]))) EXECUTE FUNCTION forget_files();
CREATE TRIGGER note_asked_again AFTER UPDATE OF round ON calls FOR EACH ROW WHEN (new.status = 'awaiting_confirmation'::text AND new.round <> old.round) EXECUTE FUNCTION note_call('call.waiting');
CREATE TRIGGER note_final AFTER UPDATE OF status ON calls FOR EACH ROW WHEN ((old.status = ANY (ARRAY['awaiting_confirmation'::text, 'running'::text])) AND (new.status <> ALL (ARRAY['awaiting_confirmation'::text, 'running'::text]))) EXECUTE FUNCTION note_call('call.final');
CREATE TRIGGER note_held BEFORE UPDATE OF waiting_for ON calls FOR EACH ROW WHEN (new.waiting_for IS NOT NULL) EXECUTE FUNCTION note_held();
CREATE TRIGGER note_waiting AFTER INSERT ON calls FOR EACH ROW WHEN (new.status = 'awaiting_confirmation'::text) EXECUTE FUNCTION note_call('call.waiting');
CREATE TRIGGER ledger_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON ledger FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_append_only();
