import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isApiPath } from '../../core/http/api.ts'
import { createApp } from '../../server/server.ts'
import { startGateway } from './http/gateway.ts'
import type { Gateway } from './http/gateway.ts'
import { mountedRoutes } from './ownership/mounted.ts'
import type { Mounted } from './ownership/mounted.ts'
import { pageRules, program } from './ownership/pages.ts'
import type { PageRule } from './ownership/pages.ts'
import { app, idsOf, madeUp, makePerson, rowsOf } from './ownership/things.ts'
import type { Person, Things } from './ownership/things.ts'
import { Visitor } from '../web/visitor.ts'
import type { Page } from '../web/visitor.ts'

/** Promise 8 over every page: nobody sees or changes anything of another owner. */
describe('a page', () => {
  let gateway: Gateway
  let owner: Person
  let stranger: Person
  let owners: Visitor
  let strangers: Visitor
  let expired: Visitor
  let expiredCsrf: string
  let routes: readonly Mounted[]
  beforeAll(async () => {
    gateway = await startGateway()
    const { ctx } = gateway
    routes = mountedRoutes(createApp(ctx)).filter(({ path }) => !isApiPath(path))
    await ctx.db.query(
      `INSERT INTO oauth_clients (id, name, redirect_uris, auth_method, expires_at)
       VALUES ($1, 'Program', '{https://example.com/callback}', 'none', now() + interval '1 day')`,
      [program],
    )
    owner = await makePerson(ctx, 'olivia')
    stranger = await makePerson(ctx, 'steven')
    expired = await signedIn(owner)
    ;[owners, strangers] = await Promise.all([signedIn(owner), signedIn(stranger)])
    expiredCsrf = await expired.csrf('/keys')
    // Last: whoever signs in clears away their own sessions that are over.
    await ctx.db.query(
      `UPDATE web_sessions SET expires_at = now() - interval '1 second'
       WHERE hash = (SELECT hash FROM web_sessions WHERE owner = $1 ORDER BY expires_at LIMIT 1)`,
      [owner.owner],
    )
    expect(await overSessions()).toBe(1)
  })
  afterAll(() => gateway.stop())

  const site = () => ({ ctx: gateway.ctx, url: gateway.publicUrl, stop: () => gateway.stop() })
  async function signedIn(person: Person): Promise<Visitor> {
    const visitor = new Visitor(site())
    const answer = await visitor.signIn(person)
    if (answer.status !== 303) throw new Error(`the sign-in answered ${answer.status}`)
    return visitor
  }

  /** Sessions of the owner that are over and still stored: without one, being refused says nothing of its time. */
  async function overSessions(): Promise<number | null> {
    const over = 'SELECT FROM web_sessions WHERE owner = $1 AND expires_at <= now()'
    return (await gateway.ctx.db.query(over, [owner.owner])).rowCount
  }

  const rules = Object.entries(pageRules)
  const addresses = (path: string, rule: PageRule, things: Things): readonly string[] => rule.at?.(things) ?? [path]
  /** An answer without what differs by its nature: the ids asked for, the request's own, and tokens in forms. */
  const told = ({ status, headers, text }: Page, things: Things): string => {
    const ids = [...idsOf(things), headers.get('X-Request-Id') ?? '']
    const words = text.replaceAll(/ value="[\w-]{22,43}"/g, '')
    const whole = [status, headers.get('Location'), headers.get('Content-Type'), words].join('\n')
    return ids.reduce((rest, id) => (id === '' ? rest : rest.replaceAll(id, 'ID')), whole)
  }
  /** What would tell that something is of the owner, or who they are. */
  const secrets = (): readonly string[] => [...idsOf(owner.things), owner.owner, owner.email, 'olivia']

  it('has a rule here, each of them', () => {
    const known = new Set(rules.map(([path]) => path))
    const unruled = [...new Set(routes.map(({ path }) => path))].filter((path) => !known.has(path))
    expect(
      unruled,
      'add each to pageRules in test/api/ownership/pages.ts: who sees it, and what its form may name',
    ).toEqual([])
    const served = new Set(routes.map(({ path }) => path))
    expect(
      [...known].filter((path) => !served.has(path)),
      'take these out of pageRules in test/api/ownership/pages.ts: no page is there',
    ).toEqual([])
    for (const [path, { get, post }] of rules) {
      const methods = routes.filter((route) => route.path === path).flatMap((route) => route.methods)
      expect([path, get !== undefined, post !== undefined]).toEqual([
        path,
        methods.includes('GET'),
        methods.includes('POST'),
      ])
    }
  })

  it.each(rules.filter(([, { get }]) => get !== undefined))(
    '%s shows nothing to who may not see it',
    async (path, rule) => {
      const anonymous = new Visitor(site())
      const withKey = { headers: { Authorization: `Bearer ${owner.secret}`, 'X-API-Key': owner.secret } }
      for (const address of addresses(path, rule, owner.things)) {
        const nobody = await Promise.all([
          anonymous.get(address),
          expired.get(address),
          new Visitor(site()).send('GET', address, withKey),
        ])
        for (const page of nobody) {
          if (rule.get !== 'everybody') {
            expect([address, page.status]).toEqual([address, rule.unknown ?? 303])
            if (rule.unknown === undefined)
              expect(page.headers.get('Location')).toBe(
                path === '/' ? '/docs' : `/login?return_to=${encodeURIComponent(address)}`,
              )
          }
          const shown = page.text.replaceAll(address, '').replaceAll(encodeURIComponent(address), '')
          for (const secret of secrets()) expect(shown.includes(secret), `${address}: ${secret}`).toBe(false)
        }
      }
      const none = madeUp()
      const theirs = addresses(path, rule, owner.things)
      for (const [i, address] of addresses(path, rule, none).entries()) {
        const foreign = await strangers.get(theirs[i] ?? '')
        const made = await strangers.get(address)
        expect([theirs[i], foreign.status]).toEqual([theirs[i], made.status])
        if (rule.get !== 'person' || foreign.status >= 400)
          expect(told(foreign, owner.things), theirs[i]).toBe(told(made, none))
        if (rule.get === 'owner') expect([theirs[i], foreign.status]).toEqual([theirs[i], 404])
        const shown = foreign.text.replaceAll(theirs[i] ?? '', '')
        for (const secret of secrets()) expect(shown.includes(secret), `${theirs[i]}: ${secret}`).toBe(false)
      }
      // It is there for its owner: a page that is there for nobody would pass everything above.
      if (rule.get !== 'everybody' && !path.endsWith('/events'))
        for (const address of theirs) expect([address, (await owners.get(address)).status]).toEqual([address, 200])
    },
  )

  it.each(rules.filter(([, { post }]) => post !== undefined))(
    '%s takes no form from who may not send it',
    async (path, rule) => {
      const before = await rowsOf(gateway.ctx, owner)
      const none = madeUp()
      const csrf = await strangers.csrf('/keys')
      const ownersCsrf = await owners.csrf('/keys')
      const theirs = addresses(path, rule, owner.things)
      for (const [i, made] of addresses(path, rule, none).entries()) {
        const address = (theirs[i] ?? '').split('?')[0] ?? ''
        const forms = rule.forms?.(owner.things) ?? []
        for (const [f, form] of forms.entries()) {
          if (rule.post === 'person') {
            const withKey = { Authorization: `Bearer ${owner.secret}`, 'X-API-Key': owner.secret }
            const refused = await Promise.all([
              new Visitor(site()).post(address, { ...form, csrf: ownersCsrf }),
              new Visitor(site()).post(address, { ...form, csrf: ownersCsrf }, withKey),
              expired.post(address, { ...form, csrf: expiredCsrf }),
              strangers.post(address, { ...form, csrf, other: '1' }, { 'Sec-Fetch-Site': 'cross-site' }),
              strangers.post(address, form),
              strangers.post(address, { ...form, csrf: ownersCsrf }),
            ])
            const statuses = refused.map(({ status }) => status)
            // A page of one thing may say first that there is no such thing.
            const last = rule.get === 'owner' ? [403, 404] : [403]
            expect([address, statuses.slice(0, 3)]).toEqual([address, [403, 403, 403]])
            for (const status of statuses.slice(3)) expect(last, `${address} ${JSON.stringify(form)}`).toContain(status)
          }
          const sent = rule.post === 'person' ? csrf : 'made up'
          const foreign = await strangers.post(address, { ...form, csrf: sent })
          const nothing = await strangers.post(made.split('?')[0] ?? '', { ...rule.forms?.(none)[f], csrf: sent })
          expect(statusesAndPlaces(foreign, owner.things), `${address} ${JSON.stringify(form)}`).toEqual(
            statusesAndPlaces(nothing, none),
          )
          if (foreign.status >= 400) expect(told(foreign, owner.things)).toBe(told(nothing, none))
          for (const secret of ['olivia', owner.owner]) expect(foreign.text.includes(secret), secret).toBe(false)
          if (path.includes(':') && !address.includes(app) && rule.post === 'person')
            expect([address, foreign.status]).toEqual([address, 404])
        }
      }
      expect(await rowsOf(gateway.ctx, owner), 'nothing of the owner’s has changed').toEqual(before)
    },
  )

  it('was tried with a session that is over, each of them', async () => {
    expect(await overSessions()).toBe(1)
    expect((await expired.get('/keys')).status).toBe(303)
    // In its time it was a session like any other.
    const again = `UPDATE web_sessions SET expires_at = now() + interval '1 hour' WHERE owner = $1 AND expires_at <= now()`
    await gateway.ctx.db.query(again, [owner.owner])
    expect((await expired.get('/keys')).status).toBe(200)
  })

  const statusesAndPlaces = ({ status, headers }: Page, things: Things): readonly unknown[] => [
    status,
    idsOf(things)
      .reduce((rest, id) => rest.replaceAll(id, 'ID'), headers.get('Location') ?? '')
      .replace(/sta_\w+/, 'sta'),
  ]
})
