import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findKey } from '../../core/keys/rows.ts'
import { readSettings, setConfirm, setScope } from '../../core/accounts/settings.ts'
import { listPasskeys } from '../../core/users/passkeys.ts'
import { weakensApp } from '../../web/apps/apps.ts'
import { Authenticator } from './authenticator.ts'
import { makeOwner, startTestSite } from './site.ts'
import type { Owner, Site, TestSite } from './site.ts'
import { visitorOf } from './visitor.ts'
import type { Page, Visitor } from './visitor.ts'

const origin = 'https://gate.example'
let site: TestSite
let gate: Site
beforeAll(async () => {
  site = await startTestSite()
  gate = await site.another(origin)
})
afterAll(() => site.stop())

type Fields = Record<string, string>

/** A form that weakens approval or gives a key, where it is, and how much of what it does there is. */
interface Weakening {
  readonly page: string
  readonly path: (owner: Owner) => string
  readonly fields: (owner: Owner) => Fields
  readonly begin?: (owner: Owner) => Promise<unknown>
  readonly done: (owner: Owner) => Promise<number>
}

const count = async (text: string, owner: Owner): Promise<number> =>
  (await site.ctx.db.query(text, [owner.id])).rowCount ?? 0
const keysOf = (owner: Owner): Promise<number> => count('SELECT FROM api_keys WHERE owner = $1', owner)
const appsOfKeys = (owner: Owner): Promise<number> =>
  count(`SELECT FROM api_keys WHERE owner = $1 AND apps = '{letters}'`, owner)

const weakening: Readonly<Record<string, Weakening>> = {
  'a standing approval': {
    page: '/standing/new?app=letters&endpoint=write_letter',
    path: () => '/standing/new',
    fields: ({ account }) => ({
      ...{ app: 'letters', endpoint: 'write_letter', account, per_day: '3', field: '', values: '', until: '' },
    }),
    done: (owner) => count('SELECT FROM standing_approvals WHERE owner = $1', owner),
  },
  'asking switched off': {
    page: '/apps/letters',
    path: () => '/apps/letters',
    fields: () => ({ action: 'confirm', 'confirm.write_letter': 'no', 'was.write_letter': ' ' }),
    done: async (owner) => {
      const { confirm } = await readSettings(site.ctx, owner.id, 'letters')
      return confirm.get('write_letter')?.confirm === false ? 1 : 0
    },
  },
  'asking switched off for one key': {
    page: '/apps/letters',
    path: () => '/apps/letters',
    fields: ({ keyId }) => ({
      ...{ action: 'confirm', 'confirm.write_letter': '', 'was.write_letter': ' ' },
      ...{ 'shown.write_letter': 'yes', 'never.write_letter': keyId },
    }),
    done: (owner) => count('SELECT FROM key_switches WHERE owner = $1', owner),
  },
  'a key that would never ask, also once asking is on again': {
    page: '/apps/letters',
    path: () => '/apps/letters',
    fields: ({ keyId }) => ({
      ...{ action: 'confirm', 'confirm.write_letter': 'no' },
      ...{ 'shown.write_letter': 'yes', 'never.write_letter': keyId },
    }),
    begin: (owner) =>
      setConfirm(site.ctx, owner.id, 'letters', 'write_letter', { confirm: false, expirySeconds: null, keys: [] }),
    done: (owner) => count('SELECT FROM key_switches WHERE owner = $1', owner),
  },
  'an app in which agents may read all, not some of it': {
    page: '/apps/letters',
    path: () => '/apps/letters',
    fields: () => ({ action: 'scope', mode: 'read' }),
    begin: (owner) => setScope(site.ctx, owner.id, 'letters', 'chosen', []),
    done: async (owner) => {
      const { scope } = await readSettings(site.ctx, owner.id, 'letters')
      return scope.mode === 'read' ? 1 : 0
    },
  },
  'an app in which agents may do more': {
    page: '/apps/letters',
    path: () => '/apps/letters',
    fields: () => ({ action: 'scope', mode: 'chosen', endpoint: 'write_letter' }),
    done: async (owner) => {
      const { scope } = await readSettings(site.ctx, owner.id, 'letters')
      return scope.mode === 'chosen' ? 1 : 0
    },
  },
  'a new key': {
    page: '/keys',
    path: () => '/keys',
    fields: () => ({ name: 'A new <agent>', days: '30', all: 'yes' }),
    done: keysOf,
  },
  'a key that is replaced': {
    page: '/keys',
    path: ({ keyId }) => `/keys/${keyId}`,
    fields: () => ({ action: 'rotate', hours: '24' }),
    done: keysOf,
  },
  'another choice of a key’s apps': {
    page: '/keys',
    path: ({ keyId }) => `/keys/${keyId}`,
    fields: () => ({ action: 'apps', app: 'letters' }),
    done: appsOfKeys,
  },
  'a key that may write again': {
    page: '/keys',
    path: ({ keyId }) => `/keys/${keyId}`,
    fields: () => ({ action: 'rights', rights: 'write' }),
    begin: (owner) => site.ctx.db.query(`UPDATE api_keys SET read_only = true WHERE owner = $1`, [owner.id]),
    done: (owner) => count('SELECT FROM api_keys WHERE owner = $1 AND NOT read_only', owner),
  },
  'an app that a key asks for': {
    page: '/keys',
    path: () => '/access/letters',
    fields: ({ keyId }) => ({ key: keyId }),
    begin: (owner) => site.ctx.db.query(`UPDATE api_keys SET apps = '{}' WHERE owner = $1`, [owner.id]),
    done: appsOfKeys,
  },
}

/** As if they had signed in so long ago. */
const signedInAgo = (owner: Owner, minutes: number): Promise<unknown> =>
  site.ctx.db.query(
    `UPDATE web_sessions SET created_at = now() - make_interval(mins => $2), proved_at = NULL WHERE owner = $1`,
    [owner.id, minutes],
  )

/** What the page that asks has hidden in its form for the password. */
const hiddenIn = (page: Page): Fields => {
  const form = page.text.split('<form').find((text) => text.includes('again_password')) ?? ''
  const inputs = [...form.matchAll(/<input type="hidden" name="([^"]+)"(?: value(?:="([^"]*)")?)?/g)]
  const read = (value: string): string => value.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
  return Object.fromEntries(inputs.map(([, name = '', value = '']) => [name, read(value)]))
}

describe.each(Object.entries(weakening))('%s', (_, { page, path, fields, begin, done }) => {
  test('is done at once after a sign-in; later, who it is must be shown, and nothing that was typed is lost', async () => {
    const owner = await makeOwner(site.ctx)
    const visitor = await visitorOf(site, owner)
    const sent = { ...fields(owner), csrf: await visitor.csrf(page) }
    await begin?.(owner)
    const before = await done(owner)
    await signedInAgo(owner, 11)
    const asked = await visitor.post(path(owner), sent)
    expect([asked.status, await done(owner)]).toEqual([403, before])
    expect(asked.text).toContain('Is it you?')
    expect(hiddenIn(asked)).toEqual(sent)
    expect(asked.text).not.toContain('<agent>')

    const wrong = await visitor.post(path(owner), { ...hiddenIn(asked), again_password: 'not this one' })
    expect([wrong.status, await done(owner)]).toEqual([422, before])
    expect(wrong.text).toContain('The password is not right.')
    expect(wrong.text).not.toContain('not this one')
    expect(hiddenIn(wrong)).toEqual(sent)

    const right = await visitor.post(path(owner), { ...hiddenIn(wrong), again_password: owner.password })
    expect([[200, 303].includes(right.status), await done(owner)]).toEqual([true, before + 1])
    expect(right.text).not.toContain('Is it you?')
  })
})

test('who has shown it is not asked again for ten minutes, elsewhere they are', async () => {
  const owner = await makeOwner(site.ctx)
  const [here, elsewhere] = await Promise.all([visitorOf(site, owner), visitorOf(site, owner)])
  await signedInAgo(owner, 11)
  const make = async (who: Visitor, more: Fields = {}): Promise<number> =>
    (await who.post('/keys', { csrf: await who.csrf('/keys'), name: 'A key', days: '', all: 'yes', ...more })).status
  expect(await make(here, { again_password: owner.password })).toBe(200)
  expect(await make(here)).toBe(200)
  expect(await make(elsewhere)).toBe(403)
  await site.ctx.db.query(`UPDATE web_sessions SET proved_at = now() - interval '11 minutes' WHERE owner = $1`, [
    owner.id,
  ])
  expect(await make(here)).toBe(403)
  expect(await keysOf(owner)).toBe(3)
})

test('what takes something away is done without being asked', async () => {
  const owner = await makeOwner(site.ctx)
  const visitor = await visitorOf(site, owner)
  await signedInAgo(owner, 11)
  const csrf = await visitor.csrf('/keys')
  expect(
    (
      await visitor.post('/apps/letters', {
        csrf,
        action: 'confirm',
        'confirm.write_letter': 'yes',
        'was.write_letter': ' ',
      })
    ).status,
  ).toBe(303)
  expect((await visitor.post(`/keys/${owner.keyId}`, { csrf, action: 'revoke' })).status).toBe(303)
  expect(await findKey(site.ctx, owner.key)).toBeUndefined()
})

test('the form’s token is looked at first, and wrong passwords are counted', async () => {
  await site.ctx.db.query('DELETE FROM rate_limits')
  const owner = await makeOwner(site.ctx)
  const visitor = await visitorOf(site, owner)
  await signedInAgo(owner, 11)
  const form = { name: 'A key', days: '', all: 'yes' }
  const foreign = await visitor.post('/keys', { ...form, again_password: owner.password })
  expect([foreign.status, foreign.text.includes('Is it you?')]).toEqual([403, false])
  const csrf = await visitor.csrf('/keys')
  const statuses = []
  for (let n = 0; n < 11; n++)
    statuses.push((await visitor.post('/keys', { ...form, csrf, again_password: 'wrong' })).status)
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 422), 429])
  await site.ctx.db.query('DELETE FROM rate_limits')
})

test('a passkey of theirs will do, another’s or one that signed before will not; to remove one they are asked, too', async () => {
  const owner = await makeOwner(site.ctx)
  const visitor = await visitorOf(gate, owner)
  const phone = new Authenticator(origin)
  const add = async (who: Visitor, { password }: Owner, device: Authenticator): Promise<void> => {
    const csrf = await who.csrf('/account')
    const { text } = await who.post('/account/passkey/options', { csrf, name: 'My phone', password })
    const made = device.make(JSON.parse(text) as { challenge: string; user: { id: string } })
    expect((await who.post('/account/passkey', { csrf, name: 'My phone', credential: made })).status).toBe(303)
  }
  await add(visitor, owner, phone)
  const [passkey] = await listPasskeys(site.ctx.db, owner.id)
  await signedInAgo(owner, 11)
  const remove = (more: Fields): Promise<Page> =>
    visitor.post(`/account/passkeys/${passkey?.id ?? ''}`, { csrf, action: 'remove', ...more })
  const csrf = await visitor.csrf('/account')
  const options = async (who: Visitor, token: string): Promise<{ challenge: string }> =>
    JSON.parse((await who.post('/account/again/options', { csrf: token })).text) as { challenge: string }

  const asked = await remove({})
  expect([asked.status, asked.text.includes('data-options="/account/again"')]).toEqual([403, true])
  expect((await remove({ again_credential: '{}' })).status).toBe(422)

  // Somebody else's passkey, with a challenge of this session, and of theirs.
  const other = await makeOwner(site.ctx)
  const stranger = await visitorOf(gate, other)
  const theirs = new Authenticator(origin)
  await add(stranger, other, theirs)
  expect((await remove({ again_credential: theirs.use(await options(visitor, csrf)) })).status).toBe(422)
  const foreign = await options(stranger, await stranger.csrf('/account'))
  expect((await remove({ again_credential: phone.use(foreign) })).status).toBe(422)

  const signed = phone.use(await options(visitor, csrf))
  const made = await visitor.post('/keys', { csrf, name: 'A key', days: '', all: 'yes', again_credential: signed })
  expect(made.status).toBe(200)
  await signedInAgo(owner, 11)
  expect((await remove({ again_credential: signed })).status).toBe(422)
  expect(await listPasskeys(site.ctx.db, owner.id)).toHaveLength(1)
  expect((await remove({ again_credential: phone.use(await options(visitor, csrf)) })).status).toBe(303)
  expect(await listPasskeys(site.ctx.db, owner.id)).toEqual([])
})

test('whether a form switches asking off goes by what asks now and what the app’s maker says, not by the form', async () => {
  const owner = await makeOwner(site.ctx)
  const letters = site.ctx.apps.get('letters')
  const write = letters?.endpoints.get('write_letter')
  if (letters === undefined || write === undefined) throw new Error('the letters have changed')
  const weakens = (usual: boolean, choice: string, more: Fields = {}): Promise<boolean> => {
    const app = { ...letters, endpoints: new Map([['write_letter', { ...write, confirm: usual }]]) }
    const fields = Object.entries({ action: 'confirm', 'confirm.write_letter': choice, ...more })
    const form = {
      get: (name: string) => fields.find(([known]) => known === name)?.[1],
      all: (name: string) => fields.filter(([known]) => known === name).map(([, value]) => value),
      typed: () => ({}),
      entries: () => fields,
    }
    const ctx = { ...site.ctx, apps: { ...site.ctx.apps, get: () => app } }
    const person = { owner: owner.id, email: '', waiting: 0, recent: false, session: '', csrf: '' }
    return Promise.resolve(
      weakensApp({ ctx, person, form, params: { app: 'letters' } } as unknown as Parameters<typeof weakensApp>[0]),
    )
  }
  // Nothing is set: it asks, or not, as it comes.
  for (const [usual, choice, expected] of [
    [true, '', false],
    [true, 'yes', false],
    [true, 'no', true],
    [false, '', false],
    [false, 'yes', false],
    [false, 'no', false],
  ] as const)
    expect(await weakens(usual, choice), `${usual} ${choice}`).toBe(expected)
  await setConfirm(site.ctx, owner.id, 'letters', 'write_letter', { confirm: true })
  // It always asks: as it comes, it would not any more.
  expect(await weakens(false, '')).toBe(true)
  expect(await weakens(false, 'no', { 'was.write_letter': 'no ' })).toBe(true)
  expect(await weakens(true, '')).toBe(false)
  await setConfirm(site.ctx, owner.id, 'letters', 'write_letter', { confirm: false })
  expect(await weakens(true, 'no')).toBe(false)
  // A switch that nobody can prove counts for nothing: to set it anew takes something away.
  await site.ctx.db.query(`UPDATE endpoint_settings SET proof = NULL WHERE owner = $1`, [owner.id])
  expect(await weakens(true, 'no')).toBe(true)
})
