-- Up Migration

-- Who may invite others: whoever set the gateway up, and those whom an operator says so of.
ALTER TABLE users ADD COLUMN may_invite boolean NOT NULL DEFAULT false;
UPDATE users SET may_invite = true WHERE id = (SELECT id FROM users ORDER BY created_at, id LIMIT 1);

CREATE TABLE passkeys (
  id text PRIMARY KEY,
  owner text NOT NULL REFERENCES users ON DELETE CASCADE,
  name text NOT NULL,
  -- The authenticator's id of it, base64url.
  credential text NOT NULL UNIQUE,
  -- COSE.
  public_key bytea NOT NULL,
  counter bigint NOT NULL,
  transports text[] NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz
);
CREATE INDEX passkeys_owner ON passkeys (owner);

-- What an authenticator is asked to sign: once, for one browser, within five minutes.
CREATE TABLE passkey_challenges (
  challenge text PRIMARY KEY,
  purpose text NOT NULL CHECK (purpose IN ('add', 'sign_in')),
  -- Keyed hash of the browser's form token, which follows from its cookie.
  browser bytea NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX passkey_challenges_age ON passkey_challenges (expires_at);

-- Only a keyed hash of the link's token is here.
CREATE TABLE invitations (
  id text PRIMARY KEY,
  hash bytea NOT NULL UNIQUE,
  email text NOT NULL,
  -- A user, or an operator's name.
  invited_by text NOT NULL,
  may_invite boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz,
  used_at timestamptz,
  used_by text REFERENCES users,
  CHECK ((used_at IS NULL) = (used_by IS NULL))
);
CREATE INDEX invitations_inviter ON invitations (invited_by, id DESC);
