import { bytesOfFile, list, payload, trace } from './opened.ts'
import type { Held } from './held-table.ts'

const hashed = 'a hash that only Callgate can make'
const inner = 'how the call goes on, without anything of its own'

/** Calls and the tables beside them. */
export const heldCalls: readonly Held[] = [
  {
    table: 'calls',
    from: 'calls t JOIN accounts a ON a.id = t.account WHERE t.owner = $1',
    key: [['t.id', 'text']],
    place: 't',
    columns:
      'id key_id app endpoint account access confirm status waiting_for retry_at created_at updated_at expires_at error_code credits credits_used decision decided_by decided_at resolution held_for held_since changed_rule previewed_at looked_at round changed client',
    sealed: {
      input: payload('input'),
      output: payload('output'),
      error: payload('error'),
      request: payload('request'),
      preview: payload('preview'),
      why: payload('why'),
      original: payload('original'),
      decision_reason: payload('decision_reason'),
    },
    leftOut: {
      owner: 'the person',
      content_hash: hashed,
      'approval_proof passkey_proof': hashed,
      look_up: 'a look-up that is under way: its end is the preview',
      'definition_version reserved_month send attempt check_at sender tries blocks prepare_at prepare_tries revision':
        inner,
    },
    atOnce: 20,
  },
  {
    table: 'call_files',
    from: 'calls c JOIN accounts a ON a.id = c.account JOIN call_files t ON t.call_id = c.id WHERE c.owner = $1',
    key: [
      ['c.id', 'text'],
      ['t.place', 'text'],
    ],
    place: 'c',
    columns: 'call_id place',
    sealed: { about: payload('file'), content: bytesOfFile },
    leftOut: {},
    // Each file may have megabytes.
    atOnce: 1,
  },
  {
    table: 'call_metadata',
    from: 'calls c JOIN call_metadata t ON t.call_id = c.id WHERE c.owner = $1',
    key: [['c.id', 'text']],
    columns: 'call_id metadata',
    leftOut: {},
  },
  {
    table: 'rounds',
    from: 'calls c JOIN accounts a ON a.id = c.account JOIN rounds t ON t.call_id = c.id WHERE c.owner = $1',
    key: [
      ['c.id', 'text'],
      ['t.round', 'integer'],
    ],
    place: 'c',
    columns: 'call_id round decided_by decided_at ended_at',
    sealed: { request: payload('request'), preview: payload('preview') },
    leftOut: {},
    atOnce: 20,
  },
  {
    table: 'findings',
    from: 'calls c JOIN accounts a ON a.id = c.account JOIN findings t ON t.call_id = c.id WHERE c.owner = $1',
    key: [['c.id', 'text']],
    place: 'c',
    columns: 'call_id asked_at found_at',
    sealed: { finding: payload('finding') },
    leftOut: {},
    atOnce: 20,
  },
  {
    table: 'idempotency_keys',
    from: 'calls c JOIN idempotency_keys t ON t.call_id = c.id WHERE c.owner = $1',
    key: [
      ['c.id', 'text'],
      ['t.line', 'text'],
      ['t.key', 'text'],
      ['t.turn', 'integer'],
    ],
    columns: 'key call_id created_at line turn',
    leftOut: { owner: 'the person', request_hash: hashed },
  },
  {
    table: 'tries',
    from: 'calls c JOIN accounts a ON a.id = c.account JOIN tries t ON t.call_id = c.id WHERE c.owner = $1',
    key: [
      ['c.id', 'text'],
      ['t.id', 'text'],
    ],
    place: 'c',
    columns: 'app endpoint begun_by begun_at expires_at call_id',
    sealed: { recording: payload('try') },
    leftOut: { id: 'whoever knows it may make the call' },
    atOnce: 20,
  },
  {
    table: 'traces',
    from: 'traces t JOIN accounts a ON a.id = t.account WHERE t.owner = $1',
    key: [['t.id', 'text']],
    place: 't',
    columns: 'app name begun_by begun_at account ended_at exchanges expires_at',
    sealed: { trace },
    leftOut: { owner: 'the person', id: 'whoever knows it may make the recording' },
    atOnce: 20,
  },
  {
    table: 'standing_approvals',
    from: 'standing_approvals t JOIN accounts a ON a.id = t.account WHERE t.owner = $1',
    key: [['t.id', 'text']],
    place: 't',
    columns: 'id account app endpoint per_day field until created_at revoked_at key_line',
    sealed: { allowed: list },
    leftOut: { owner: 'the person', proof: hashed, definition_version: 'of earlier releases' },
  },
]
