import { expect, test } from 'vitest'
import { connector } from '../../connectors/kit/define.ts'
import { jsonSignIn } from '../../connectors/kit/sign-in.ts'
import { readIdentity } from '../../connectors/runtime/identity.ts'
import type { App } from '../../connectors/registry.ts'
import { bindAll } from '../../connectors/registry.ts'
import { failure, http, rawApp, read_item } from './local-app.ts'

const session = { cookies: [{ name: 'sid', value: 'old', domain: '127.0.0.1', path: '/' }], user_agent: 'A browser' }

function appAt(origin: string): App {
  const spec = connector({
    name: 'Shop',
    description: 'A shop.',
    role: 'owner',
    origin,
    signIn: jsonSignIn({ page: 'sign-in', who: 'me', account: ({ id, name }) => ({ id, label: name }) }),
    things: {},
    failure,
    endpoints: [{ read_item }],
  })
  const { name, description, role, signIn } = spec
  const endpoints = bindAll('shop', spec)
  const pacing = { perApp: 20, perAccount: 2 }
  const connection = { kind: 'browser_session' } as const
  return {
    slug: 'shop',
    name,
    description,
    role,
    topics: '',
    signIn,
    connection,
    origin,
    hosts: [],
    authorize: [],
    renew: null,
    endpoints,
    things: {},
    pacing,
  }
}

test('the app is asked with the session, and the cookies that it changes are kept', async () => {
  const headers = { 'content-type': 'application/json', 'set-cookie': 'sid=new; Path=/' }
  await using app = await rawApp((_request, socket) =>
    socket.end(http(200, '{"id":"S1","name":"Corner shop"}', headers)),
  )
  const asked = await readIdentity(appAt(app.origin), app, session)
  expect(asked.who).toEqual({ kind: 'account', id: 'S1' })
  expect(asked.session?.cookies).toMatchObject([{ name: 'sid', value: 'new' }])
  expect(app.requests[0]).toMatch(/^GET \/shop\/me /)
  expect(app.requests[0]).toMatch(/cookie: sid=old/i)
  expect(app.requests[0]).toMatch(/user-agent: A browser/i)
})

test.each([
  ['a sign-in page to go to', http(303, '', { location: '/shop/sign-in' }), 'auth_expired'],
  [
    'a sign-in page for many apps',
    http(303, '', { location: 'https://login.example.org/realms/shop/' }),
    'auth_expired',
  ],
  ['a redirect out of the app', http(303, '', { location: 'http://elsewhere.example/' }), 'unclear'],
  ['a block', http(403, '<p>Access denied</p>', { 'content-type': 'text/html' }), 'unclear'],
  ['an error of the app', http(500, '{}'), 'unclear'],
  ['rubbish', http(200, '<html>', { 'content-type': 'text/html' }), 'unclear'],
  ['JSON that tells nobody', http(200, '{"id":7}'), 'unclear'],
  ['nothing at all', '', 'unclear'],
])('%s is told as what it is', async (_what, answer, kind) => {
  await using app = await rawApp((_request, socket) => socket.end(answer))
  expect((await readIdentity(appAt(app.origin), app, session)).who).toEqual({ kind })
})

test('an app that is away says nothing', async () => {
  const away = 'http://127.0.0.1:9/shop/'
  expect(await readIdentity(appAt(away), { origin: away }, session)).toEqual({
    who: { kind: 'unclear' },
    session: null,
  })
})
