import { revokeKey } from '../../core/keys/rows.ts'
import { setScope } from '../../core/accounts/settings.ts'
import type { ErrorCode } from '../../schemas/errors.ts'
import type { Stack } from '../harness.ts'
import { firstContact } from '../support/contacts.ts'
import type { Said } from '../support/refusal.ts'
import type { Answer, TestUser } from '../support/user.ts'

const app = 'property-advertising'
const patient = { Prefer: 'wait=50' }

export const list = (user: TestUser, headers: Record<string, string> = {}): Promise<Answer> =>
  user.call('list_listings', { limit: 1 }, headers)

/** Calls the API without JSON, or without the user's key. */
async function raw({ url }: Stack, path: string, headers: Record<string, string>, body = '{}'): Promise<Answer> {
  const response = await fetch(`${url}${path}`, { method: 'POST', headers, body })
  return { status: response.status, headers: response.headers, body: (await response.json()) as Answer['body'] }
}

/** More rows like that of the user's call, for asking so often takes minutes. */
export async function copies({ ctx }: Stack, callId: unknown, count: number): Promise<void> {
  await ctx.db.query(
    `INSERT INTO calls (id, owner, key_id, app, endpoint, account, access, confirm, status, expires_at, input, content_hash, credits, check_at)
     SELECT id || n, owner, key_id, app, endpoint, account, access, confirm, status, expires_at, input, content_hash, 0, NULL
     FROM calls, generate_series(1, $2::integer) AS n WHERE id = $1`,
    [callId, count],
  )
}

type Row = readonly [code: ErrorCode, said: Said, refuse: (user: TestUser, stack: Stack) => Promise<Answer>]

const json = { 'Content-Type': 'application/json' }
const keyOf = (user: TestUser) => ({ Authorization: `Bearer ${user.key}` })

/** Refusals before anything is accepted, side by side. */
export const early: readonly Row[] = [
  ['invalid_json', {}, (user, stack) => raw(stack, `/${app}/list_listings`, { ...keyOf(user), ...json }, '[]')],
  ['invalid_input', {}, (user) => user.call('list_listings', { limit: 0, misspelled: 1 })],
  ['invalid_input', { general: true, limit: 'call-records' }, (user) => user.send('GET', '/calls?limit=0')],
  ['api_key_required', { keyless: true }, (_, stack) => raw(stack, `/${app}/list_listings`, json)],
  [
    'api_key_invalid',
    { keyless: true },
    (_, stack) => raw(stack, `/${app}/list_listings`, { ...json, 'X-API-Key': 'nonsense' }),
  ],
  [
    'api_key_invalid',
    { keyless: true },
    async (user, stack) => {
      await revokeKey(stack.ctx, user.id, user.keyId)
      return list(user)
    },
  ],
  [
    'SCOPE_DENIED',
    {},
    async (user, stack) => {
      await setScope(stack.ctx, user.id, app, 'read')
      return user.call('add_contact_note', { contact_id: '1', note: 'x' })
    },
  ],
  ['unknown_app', { general: true }, (user) => user.send('POST', '/no-such-app/x', {})],
  ['unknown_endpoint', {}, (user) => user.call('no_such_endpoint')],
  ['unknown_call', { general: true, limit: 'call-records' }, (user) => user.send('GET', '/calls/call_1')],
  ['unknown_call', { general: true, limit: 'call-records' }, (user) => user.cancel('call_1')],
  ['unknown_account', {}, (user) => list(user, { 'X-Callgate-Account': 'acct_00000000000000000000000000' })],
  ['method_not_allowed', { allow: 'GET, POST' }, (user) => user.send('PUT', `/${app}/list_listings`, {})],
  ['method_not_allowed', { allow: 'POST' }, (user) => user.send('GET', `/${app}/add_contact_note`)],
  [
    'method_not_allowed',
    { allow: 'GET, HEAD, DELETE', general: true, limit: 'call-records' },
    (user) => user.send('PUT', '/calls/call_1', {}),
  ],
  [
    'payload_too_large',
    {},
    (user, stack) => raw(stack, `/${app}/list_listings`, { ...keyOf(user), ...json }, ' '.repeat(1024 * 1024 + 1)),
  ],
  [
    'unsupported_media_type',
    {},
    (user, stack) => raw(stack, `/${app}/list_listings`, { ...keyOf(user), 'Content-Type': 'text/plain' }),
  ],
  [
    'idempotency_key_reused',
    {},
    async (user) => {
      await list(user, { 'Idempotency-Key': 'one' })
      return user.call('list_listings', { limit: 2 }, { 'Idempotency-Key': 'one' })
    },
  ],
  [
    'rate_limited',
    {},
    async (user) => {
      await Promise.all(Array.from({ length: 60 }, () => user.call('no_such_endpoint')))
      return list(user)
    },
  ],
  ['app_rejected', { called: true }, (user) => user.call('get_listing', { listing_id: 'CV-1' }, patient)],
  [
    'not_cancellable',
    { general: true, limit: 'call-records' },
    async (user) => user.cancel((await list(user, patient)).headers.get('X-Request-Id')),
  ],
  [
    'too_many_waiting',
    {},
    async (user, stack) => {
      const contact = await firstContact(user)
      const asked = await user.call('reply_to_contact', { contact_id: contact, message: 'One' })
      await copies(stack, asked.body['call_id'], 999)
      return user.call('reply_to_contact', { contact_id: contact, message: 'One too many' })
    },
  ],
  [
    'call_in_progress',
    {},
    async (user, stack) => {
      const client = await stack.ctx.db.connect()
      try {
        await client.query('BEGIN')
        await client.query(
          `INSERT INTO idempotency_keys (owner, line, turn, key, request_hash, call_id)
           VALUES ($1, $2, 0, 'slow', '\\x00', 'call_undecided')`,
          [user.id, user.keyId],
        )
        return await list(user, { 'Idempotency-Key': 'slow' })
      } finally {
        await client.query('ROLLBACK')
        client.release()
      }
    },
  ],
]
