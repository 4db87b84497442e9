import type { Held } from './held-table.ts'

const thePerson = 'the person'
const secret = 'a secret'

/** The user, their settings and counters. */
export const heldPerson: readonly Held[] = [
  {
    table: 'users',
    from: 'users t WHERE t.id = $1',
    key: [['t.id', 'text']],
    columns: 'id email plan created_at may_invite passwords_allowed',
    leftOut: { password_hash: secret },
  },
  {
    table: 'email_changes',
    from: 'email_changes t WHERE t.owner = $1',
    key: [['t.id', 'text']],
    columns: 'id old_email new_email confirm_until undo_until',
    leftOut: { owner: thePerson, 'confirm_hash undo_hash': secret },
  },
  {
    table: 'accounts',
    from: 'accounts t WHERE t.owner = $1',
    key: [['t.id', 'text']],
    columns:
      'id app external_id label state reason connected_at created_at checked_at origin renewal_begun data_key_since',
    leftOut: {
      owner: thePerson,
      session_check_at: 'when the app is asked next',
      'data_key session': secret,
      'session_version signed_in_version older_data_keys': 'how often the secrets changed',
    },
  },
  {
    table: 'api_keys',
    from: 'api_keys t WHERE t.owner = $1',
    key: [['t.id', 'text']],
    columns: 'id name hint apps expires_at revoked_at last_used_at created_at line turn sees_all read_only endpoints',
    leftOut: { owner: thePerson, hash: secret, pepper: 'which of our keys the hash was made with' },
  },
  {
    table: 'oauth_grants',
    from: 'api_keys k JOIN oauth_grants t ON t.key = k.id WHERE k.owner = $1',
    key: [['k.id', 'text']],
    columns: 'key client goes_to resource',
    leftOut: {},
  },
  {
    table: 'passkeys',
    from: 'passkeys t WHERE t.owner = $1',
    key: [['t.id', 'text']],
    columns: 'id name credential transports created_at last_used_at',
    leftOut: { owner: thePerson, 'public_key counter': 'what the authenticator proves itself with' },
  },
  {
    table: 'totp',
    from: 'totp t WHERE t.owner = $1',
    key: [['t.id', 'text']],
    columns: 'id begun_at confirmed_at',
    leftOut: { owner: thePerson, secret, last_step: 'which codes are used up' },
  },
  {
    table: 'passkey_demands',
    from: 'passkey_demands t WHERE t.owner = $1',
    key: [['t.owner', 'text']],
    columns: 'demands',
    leftOut: { owner: thePerson, proof: 'a hash that only Callgate can make' },
  },
  {
    table: 'web_sessions',
    from: 'web_sessions t WHERE t.owner = $1',
    key: [['t.id', 'uuid']],
    columns: 'id created_at expires_at seen_at network browser proved_at',
    leftOut: { owner: thePerson, hash: secret },
  },
  {
    table: 'scopes',
    from: 'scopes t WHERE t.owner = $1',
    key: [['t.app', 'text']],
    columns: 'app mode endpoints',
    leftOut: { owner: thePerson },
  },
  {
    table: 'endpoint_settings',
    from: 'endpoint_settings t WHERE t.owner = $1',
    key: [
      ['t.app', 'text'],
      ['t.endpoint', 'text'],
    ],
    columns: 'app endpoint confirm expiry_seconds',
    leftOut: { owner: thePerson, proof: 'a hash that only Callgate can make' },
  },
  {
    table: 'key_switches',
    from: 'key_switches t WHERE t.owner = $1',
    key: [
      ['t.app', 'text'],
      ['t.endpoint', 'text'],
      ['t.key_line', 'text'],
    ],
    columns: 'app endpoint key_line',
    leftOut: { owner: thePerson, proof: 'a hash that only Callgate can make' },
  },
  {
    table: 'quiet_hours',
    from: 'quiet_hours t WHERE t.owner = $1',
    key: [['t.owner', 'text']],
    columns: 'from_minute to_minute zone',
    leftOut: { owner: thePerson },
  },
  {
    table: 'notice_targets',
    from: 'notice_targets t WHERE t.owner = $1',
    key: [['t.id', 'text']],
    columns:
      'id channel kinds enabled disabled_reason url last_try_at last_result last_delivered_at mail_at created_at deleted_at name muted shows old_secret_until',
    leftOut: { owner: thePerson, 'secret old_secret': secret, place: 'a hash of the address of a device' },
  },
  {
    table: 'notices',
    from: 'notices t WHERE t.owner = $1',
    key: [
      ['t.created_at', 'timestamptz'],
      ['t.id', 'text'],
    ],
    columns: 'id target kind call_id status created_at state tries first_try_at last_result ended_at round',
    leftOut: { owner: thePerson, 'next_try_at started_at check_at': 'when it is looked at next' },
  },
  {
    table: 'watches',
    from: 'watches t WHERE t.owner = $1',
    key: [['t.id', 'text']],
    columns:
      'id app endpoint account input asked_by asked_at agreed_at ended_at ended_by next_at last_day last_at last_result shape latest version',
    leftOut: { owner: thePerson },
  },
  {
    table: 'pauses',
    from: 'accounts o JOIN pauses t ON t.account = o.id WHERE o.owner = $1',
    key: [
      ['o.id', 'text'],
      ['t.endpoint', 'text'],
    ],
    columns: 'account endpoint until seconds probe_call probe_until',
    leftOut: {},
  },
  {
    table: 'invitations',
    from: 'invitations t WHERE (t.invited_by = $1 OR t.used_by = $1)',
    key: [['t.id', 'text']],
    columns: 'id email invited_by may_invite mailed created_at expires_at revoked_at used_at used_by',
    leftOut: { hash: secret },
  },
  {
    table: 'balances',
    from: 'balances t WHERE t.owner = $1',
    key: [['t.owner', 'text']],
    columns: 'month available reserved',
    leftOut: { owner: thePerson },
  },
  {
    table: 'ledger',
    from: 'ledger t WHERE t.owner = $1',
    key: [
      ['t.month', 'date'],
      ['t.id', 'bigint'],
    ],
    columns: 'id at kind amount month call_id note',
    leftOut: { owner: thePerson },
  },
  {
    table: 'audit_log',
    from: `audit_log t WHERE (t.actor = $1 OR t.detail->>'owner' = $1)`,
    key: [['t.id', 'bigint']],
    columns: 'id at actor action detail',
    leftOut: {},
  },
]
