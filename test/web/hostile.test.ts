import { once } from 'node:events'
import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askFor, makeOwner, startTestSite } from './site.ts'
import type { Owner, TestSite } from './site.ts'
import { visitorOf } from './visitor.ts'
import type { Visitor } from './visitor.ts'

let site: TestSite
let owner: Owner
let visitor: Visitor
let csrf: string
beforeAll(async () => {
  site = await startTestSite()
  owner = await makeOwner(site.ctx)
  await site.ctx.db.query('UPDATE users SET may_invite = true WHERE id = $1', [owner.id])
  visitor = await visitorOf(site, owner)
  csrf = await visitor.csrf('/keys')
})
afterAll(() => site.stop())

const hostile = ['\0', 'a\0b', '\u{1F4A9}', '\uFFFE', "' OR 1=1 --", '../..', '%', '9'.repeat(400), '__proto__']

test.each(['/notices', '/people', '/account/passkeys', '/keys', '/standing', '/calls', '/apps'])(
  'whatever name stands behind %s is no fault of ours',
  async (folder) => {
    for (const name of hostile) {
      const path = `${folder}/${encodeURIComponent(name)}`
      const actions = ['revoke', 'remove', 'test', 'on', 'off', 'delete', 'secret', 'cancel', 'happened']
      for (const action of actions)
        expect((await visitor.post(path, { csrf, action })).status, `${path} ${action}`).toBeLessThan(500)
      expect((await visitor.get(path)).status, path).toBeLessThan(500)
    }
  },
)

test('whatever is typed into a form is no fault of ours', async () => {
  const id = await askFor(site.ctx, owner, { subject: 'Typed' })
  const forms: readonly (readonly [string, readonly string[], Readonly<Record<string, string>>])[] = [
    ['/notices', ['url', 'kind'], { action: 'add', kind: 'call.final', url: 'https://example.com/' }],
    ['/people', ['email'], {}],
    ['/keys', ['name', 'app', 'apps', 'days', 'expires'], { name: 'one' }],
    ['/account', ['current', 'new', 'again'], { action: 'password' }],
    ['/account/passkey/options', ['name', 'password'], { name: 'one', password: 'wrong' }],
    ['/account/passkey', ['name', 'credential'], { name: 'one', credential: '{}' }],
    ['/standing/new', ['app', 'endpoint', 'account', 'field', 'values', 'per_day', 'until', 'version'], {}],
    [`/confirm/${id}`, ['approval_hash', 'decision'], { decision: 'approve' }],
    ['/credits', ['plan'], {}],
    ['/waiting', ['call', 'decision', 'action'], { decision: 'approve' }],
  ]
  for (const [path, fields, usual] of forms)
    for (const field of fields)
      for (const bad of hostile) {
        await site.ctx.db.query('DELETE FROM rate_limits')
        const { status } = await visitor.post(path, { csrf, ...usual, [field]: bad })
        expect(status, `${path} ${field} ${JSON.stringify(bad)}`).toBeLessThan(500)
      }
})

test('whatever stands in a query is no fault of ours', async () => {
  const names = [
    'said',
    'before',
    'app',
    'status',
    'key',
    'endpoint',
    'account',
    'return_to',
    'days',
    'from',
    'since',
    'n',
  ]
  for (const page of [
    '/',
    '/calls',
    '/standing',
    '/standing/new',
    '/usage',
    '/play',
    '/credits',
    '/account',
    '/waiting/news',
    '/login',
  ])
    for (const name of names)
      for (const bad of ['\0', "'", '9'.repeat(400)]) {
        const path = `${page}?${name}=${encodeURIComponent(bad)}`
        expect((await visitor.get(path)).status, path).toBeLessThan(500)
      }
})

test('whatever host somebody names is no fault of ours', async () => {
  const { hostname, port } = new URL(site.url)
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  for (const path of [
    '/login?return_to=/keys',
    '/calls?app=crm',
    '/openapi.json',
    '/api/v1/apps',
    '/access/letters?key=a',
  ])
    for (const host of ['[', '@', 'a b', '%00', 'evil.example:99999', '', '/..', 'x'.repeat(5_000)]) {
      const headers = { Host: host, cookie }
      const asked = request({ host: hostname, port, path, headers }).end()
      const [response] = (await once(asked, 'response')) as [IncomingMessage]
      expect(response.statusCode, `${host} ${path}`).toBeLessThan(500)
      const said = `${JSON.stringify(response.headers)}${await text(response)}`
      expect(said, `${host} ${path}`).not.toContain('evil.example')
    }
})
