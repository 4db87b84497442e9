import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKey } from '../../../core/keys/rows.ts'
import { exampleOf } from '../../../connectors/examples.ts'
import { ask, startGateway } from './gateway.ts'
import type { Gateway, Got } from './gateway.ts'
import { app, newOwner } from './owners.ts'
import type { Owner } from './owners.ts'

/** What no client means to send, at every text of every endpoint and everywhere else that reaches the database. */
describe('what breaks careless programs', () => {
  let gateway: Gateway
  let owner: Owner
  let keys: readonly string[]
  beforeAll(async () => {
    gateway = await startGateway()
    owner = await newOwner(gateway)
    const made = Array.from({ length: 12 }, (_, i) =>
      createKey(gateway.ctx, { owner: owner.id, name: `k${i}`, apps: null }),
    )
    keys = (await Promise.all(made)).map(({ key }) => key)
    // Requests get as far as the database.
    gateway.ctx.engine.up = true
  })
  afterAll(() => gateway.stop())

  let turn = 0
  const nextKey = (): string => keys[turn++ % keys.length] ?? ''
  const post = (
    path: string,
    body: string,
    headers: Record<string, string> = {},
    key: string = nextKey(),
  ): Promise<Got> =>
    ask(`${gateway.url}${path}`, {
      method: 'POST',
      body,
      key,
      headers: { 'Content-Type': 'application/json', ...headers },
    })
  const codeOf = ({ status, body }: Got): readonly unknown[] => [status, body['error']]

  /** The example's JSON text with one of its texts, at any depth, replaced by what JSON writes as `by`. */
  function* altered(input: unknown, by: string): Generator<string> {
    const count = JSON.stringify(input, (_, value: unknown) => (typeof value === 'string' ? '\u{1f4cd}' : value)).split(
      '\u{1f4cd}',
    ).length
    for (let at = 0; at < count - 1; at++) {
      let seen = 0
      const text = JSON.stringify(input, (_, value: unknown) =>
        typeof value === 'string' && seen++ === at ? '\u{1f4cd}' : value,
      )
      yield text.replace('\u{1f4cd}', () => by)
    }
  }

  it.each([
    ['U+0000', 'a\\u0000b', 'invalid_input'],
    ['half a surrogate pair', 'a\\ud800b', 'invalid_json'],
    ['a lone second half', '\\udfffb', 'invalid_json'],
  ])('%s is refused in every text of every endpoint', async (_, by, code) => {
    let tried = 0
    for (const { slug, endpoints } of gateway.ctx.apps.all)
      for (const endpoint of endpoints.values())
        for (const text of altered(exampleOf(slug, endpoint.name, new Date())?.input ?? {}, by)) {
          tried++
          const parsed = endpoint.parseInput(JSON.parse(text), { cursorKey: Buffer.alloc(32) })
          // Half pairs are refused for all of them before any endpoint looks.
          if (code === 'invalid_input')
            expect([slug, endpoint.name, text, parsed.ok]).toEqual([slug, endpoint.name, text, false])
        }
    expect(tried).toBeGreaterThan(300)
    const body = `{"contact_id":"c1","message":"${by}"}`
    expect(codeOf(await post(`/${app}/reply_to_contact`, body))).toEqual([400, code])
  })

  it.each([
    ['U+0000 as a key', `{"contact_id":"c1","message":"m","a\\u0000":1}`, [400, 'invalid_input']],
    ['a key twice: the last one counts', `{"limit":0,"limit":"x","limit":101}`, [400, 'invalid_input']],
    ['a number beyond all bounds', `{"limit":1e999}`, [400, 'invalid_json']],
    ['a number with four hundred digits', `{"limit":${'9'.repeat(400)}}`, [400, 'invalid_json']],
    ['a number that only looks whole', `{"operation":"rent","limit":1.00000000000000001e2}`, [400, 'invalid_json']],
    ['minus zero', `{"limit":-0}`, [400, 'invalid_input']],
    ['33 levels', `{"a":${'['.repeat(32)}${']'.repeat(32)}}`, [400, 'invalid_json']],
    ['a hundred thousand levels', '{"a":'.repeat(100_000), [400, 'invalid_json']],
    ['a byte order mark', `\ufeff{"limit":0}`, [400, 'invalid_input']],
    ['the key __proto__', `{"__proto__":{"limit":1}}`, [400, 'invalid_json']],
    ['a comment', `{/**/}`, [400, 'invalid_json']],
    ['NaN', `{"limit":NaN}`, [400, 'invalid_json']],
  ])('%s is answered, and never 500', async (_, body, expected) => {
    const strangerKey = (await gateway.newKey()).key
    const headers = { 'Content-Type': 'application/json' }
    const got = await ask(`${gateway.url}/${app}/list_listings`, { method: 'POST', body, key: strangerKey, headers })
    expect(codeOf(got)).toEqual(expected)
  })

  it('a list of half a million equal items is refused with its bound, and holds up nobody', async () => {
    const began = process.cpuUsage()
    const dates = `[${Array.from({ length: 500_000 }, () => 0).join()}]`
    const got = await post('/camping-host/update_pricing', `{"listing_id":"l1","dates":${dates},"nightly_price":1}`)
    expect(codeOf(got)).toEqual([400, 'invalid_input'])
    expect(got.body['details']).toEqual([{ path: 'dates', message: 'must be a list from 1 to 366 items' }])
    expect(process.cpuUsage(began).user / 1_000, 'ms of a processor').toBeLessThan(10_000)
  })

  it('nine unknown fields are named, and never an empty list', async () => {
    const others = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`other_${at}`, 1]))
    const { body } = await post(`/${app}/list_listings`, JSON.stringify(others))
    expect((body['details'] as { path: string }[]).map(({ path }) => path)).toEqual(Object.keys(others).slice(0, 8))
    expect(body['message']).toContain('other_0 is not a field here')
  })

  const odd = [
    '%00',
    '%ED%A0%80',
    '%FF',
    '%F0%9F%93%8D',
    '..%2f..',
    '%E2%80%AE',
    'x'.repeat(4_000),
    "'%20OR%201=1--",
    '%5C',
  ]

  it('odd characters in addresses and queries are 4xx, and never 500', async () => {
    const paths = odd.flatMap((text) => [
      `/calls/${text}`,
      `/calls?status=${text}`,
      `/calls?app=${text}`,
      `/calls?cursor=${text}`,
      `/calls?limit=${text}`,
      `/usage?month=${text}`,
      `/usage?cursor=${text}`,
      `/${text}/list_listings`,
      `/${app}/${text}`,
      `/${app}/list_listings?cursor=${text}`,
      `/${app}/list_listings?limit=${text}`,
      `/${app}/get_listing?${text}=1`,
    ])
    for (const path of paths) {
      const { status, body } = await ask(`${gateway.url}${path}`, { key: nextKey() })
      expect([path, status >= 400 && status < 500, typeof body['error']]).toEqual([path, true, 'string'])
    }
    for (const text of odd) {
      const { status } = await ask(`${gateway.url}/${app}/get_listing?listing_id=${text}`, {
        key: nextKey(),
        headers: { Prefer: 'wait=0' },
      })
      expect([text, status < 500]).toEqual([text, true])
    }
  })

  it('odd characters in headers are refused, or mean themselves, and never 500', async () => {
    const values = ['\u0080', 'é', 'ÿÿÿÿ', "'; DROP TABLE calls; --", '{"a":1}', '\t', 'x'.repeat(255), 'x'.repeat(256)]
    for (const value of values) {
      const account = await post(`/${app}/reply_to_contact`, '{"contact_id":"c1","message":"m"}', {
        'X-Callgate-Account': value,
      })
      expect([value, ...codeOf(account)]).toEqual([value, 404, 'unknown_account'])
      const headers = { 'Idempotency-Key': value, Prefer: `wait=${value}` }
      const body = JSON.stringify({ contact_id: 'c1', message: `With ${encodeURIComponent(value)}` })
      const key = nextKey()
      const first = await post(`/${app}/reply_to_contact`, body, headers, key)
      const bad = value.trim() === '' || value.length > 255
      expect([value, first.status]).toEqual([value, bad ? 400 : 202])
      if (!bad) {
        const again = await post(`/${app}/reply_to_contact`, body, headers, key)
        expect(again.headers.get('Idempotent-Replayed')).toBe('true')
        expect(again.body['call_id']).toBe(first.body['call_id'])
      }
    }
  })
})
