import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findKey } from '../../core/keys/rows.ts'
import { findCall } from '../../core/calls/rows.ts'
import { askForWatch } from '../../core/watch/watches.ts'
import { listAudit } from '../../core/audit.ts'
import { accessProblem } from '../../core/keys/access.ts'
import { listKeys } from '../../core/keys/keys.ts'
import { changePlan } from '../../core/credits/plans.ts'
import { readSettings, setConfirm } from '../../core/accounts/settings.ts'
import { findHidden, hidden } from '../../scripts/browsing.ts'
import { askFor, makeOwner, startTestSite, statusOf } from './site.ts'
import type { Owner, TestSite } from './site.ts'
import { Visitor, visitorOf } from './visitor.ts'
import type { Page } from './visitor.ts'

let site: TestSite
let owner: Owner
let other: Owner
let visitor: Visitor
let stranger: Visitor

beforeAll(async () => {
  site = await startTestSite()
  other = await makeOwner(site.ctx)
  stranger = await visitorOf(site, other)
})
beforeEach(async () => {
  owner = await makeOwner(site.ctx)
  visitor = await visitorOf(site, owner)
})
afterAll(() => site.stop())

/** Posts a form of a page as the person would. */
async function submit(who: Visitor, page: string, path: string, fields: Record<string, string>): Promise<Page> {
  const csrf = await who.csrf(page)
  return who.post(path, { csrf, ...fields })
}

const actions = async (): Promise<string[]> =>
  (await listAudit(site.ctx.db, { owner: owner.id, before: null, limit: 20 }))
    .map(({ action }) => action)
    .filter((action) => action !== 'account.connected')

/** The new key, as the page shows it once. */
const shownKey = (page: Page): string => /cg_live_\w+/.exec(page.text)?.[0] ?? ''

const pages = ['/waiting', '/calls', '/apps', '/apps/letters', '/keys', '/credits', '/account']

test('who is not signed in is asked to sign in first, and comes back', async () => {
  const anyone = new Visitor(site)
  for (const page of pages) {
    const answer = await anyone.get(page)
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      `/login?return_to=${encodeURIComponent(page)}`,
    ])
    if (!['/calls', '/apps'].includes(page)) expect((await anyone.post(page, {})).status).toBe(403)
  }
})

test('every page shows nothing of another owner, and every form needs its token', async () => {
  const id = await askFor(site.ctx, owner, { subject: 'For the owner’s eyes' })
  for (const page of ['/', ...pages]) {
    expect((await visitor.get(page)).status).toBe(200)
    const { text } = await stranger.get(page)
    for (const secret of [id, owner.keyId, owner.account, owner.email, 'For the owner'])
      expect(text).not.toContain(secret)
  }
  expect((await stranger.get(`/calls/${id}`)).status).toBe(404)
  expect((await visitor.get('/calls/call_0123456789ABCDEFGHJKMNPQRS')).status).toBe(404)
  for (const page of [
    '/waiting',
    '/apps/letters',
    '/keys',
    `/keys/${owner.keyId}`,
    `/calls/${id}`,
    '/credits',
    '/account',
  ]) {
    expect((await visitor.post(page, { action: 'revoke' })).status, page).toBe(403)
    expect((await visitor.post(page, { action: 'revoke', csrf: 'made up' })).status, page).toBe(403)
  }
  expect(await findKey(site.ctx, owner.key)).toBeDefined()
})

describe('keys', () => {
  test('a new key is shown once, works, and has the apps that were ticked', async () => {
    const made = await submit(visitor, '/keys', '/keys', { name: 'Front desk', days: '30', app: 'letters' })
    expect(made.status).toBe(200)
    const key = shownKey(made)
    expect(made.text).toContain(`/mcp --header &quot;Authorization: Bearer ${key}`)
    expect(await findKey(site.ctx, key)).toMatchObject({ owner: owner.id })
    const list = await visitor.get('/keys')
    expect(list.text).toContain('Front desk')
    expect(list.text).not.toContain(key)
    expect(await actions()).toEqual(['key.created'])
  })

  test('programs that sign in by themselves are added by links that have no key in them', async () => {
    const { text } = await visitor.get('/keys')
    const links = [...text.matchAll(/href="((?:cursor|vscode):[^"]+)"/g)].map(([, href = '']) =>
      href.replaceAll('&amp;', '&'),
    )
    const [cursor, code] = links.map((href) => new URL(href))
    const url = `${site.ctx.config.publicUrl}/mcp`
    expect([cursor?.host, cursor?.pathname]).toEqual(['anysphere.cursor-deeplink', '/mcp/install'])
    const config = Buffer.from(cursor?.searchParams.get('config') ?? '', 'base64').toString()
    expect([cursor?.searchParams.get('name'), JSON.parse(config)]).toEqual(['callgate', { url }])
    expect(code?.pathname).toBe('mcp/install')
    expect(JSON.parse(decodeURIComponent(code?.search.slice(1) ?? ''))).toEqual({ name: 'callgate', type: 'http', url })
    expect(text).toContain(`claude mcp add --transport http callgate ${url}`)
    for (const where of ['Add custom connector', 'Add custom MCP server', 'Developer mode', 'MCP: Add Server'])
      expect(text).toContain(where)
  })

  test('an unnamed key is not made', async () => {
    expect((await submit(visitor, '/keys', '/keys', { name: ' ', days: '' })).status).toBe(422)
    expect((await submit(visitor, '/keys', '/keys', { name: 'x', days: '3' })).status).toBe(422)
    expect(await actions()).toEqual([])
  })

  test('a revoked key ends at once', async () => {
    const answer = await submit(visitor, '/keys', `/keys/${owner.keyId}`, { action: 'revoke' })
    expect(answer.headers.get('location')).toBe('/keys?said=revoked')
    expect(await findKey(site.ctx, owner.key)).toBeUndefined()
    expect((await submit(visitor, '/keys', `/keys/${owner.keyId}`, { action: 'revoke' })).status).toBe(404)
    expect(await actions()).toEqual(['key.revoked'])
  })

  test('a replaced key stays valid as long as was chosen, and the new one has its apps', async () => {
    await submit(visitor, '/keys', `/keys/${owner.keyId}`, { action: 'apps', app: 'letters' })
    const made = await submit(visitor, '/keys', `/keys/${owner.keyId}`, { action: 'rotate', hours: '24' })
    const replacement = await findKey(site.ctx, shownKey(made))
    expect(replacement).toMatchObject({ owner: owner.id })
    expect(await findKey(site.ctx, owner.key)).toBeDefined()
    const { rows } = await site.ctx.db.query<{ id: string; apps: string[]; hours: number | null }>(
      `SELECT id, apps, round(extract(epoch FROM expires_at - now()) / 3600)::integer AS hours FROM api_keys WHERE owner = $1 ORDER BY id`,
      [owner.id],
    )
    expect(rows).toEqual([
      { id: owner.keyId, apps: ['letters'], hours: 24 },
      { id: replacement?.id, apps: ['letters'], hours: null },
    ])
    const list = await visitor.get('/keys')
    expect(list.text).toContain('replaced by')
    expect(list.text).toContain('To stop them too, revoke that one as well.')
    const again = await submit(visitor, '/keys', `/keys/${owner.keyId}`, { action: 'rotate', hours: '0' })
    expect([again.status, again.text.includes('This key was replaced before')]).toEqual([409, true])
    expect(await findKey(site.ctx, owner.key)).toBeDefined()
    await submit(visitor, '/keys', `/keys/${String(replacement?.id)}`, { action: 'rotate', hours: '0' })
    expect(await findKey(site.ctx, shownKey(made))).toBeUndefined()
    const ended = await submit(visitor, '/keys', `/keys/${String(replacement?.id)}`, { action: 'rotate', hours: '1' })
    expect(ended.status).toBe(404)
  })

  test('a key may read only, if its owner says so, as may what replaces it', async () => {
    const mayDo = async (keyId: string) =>
      Promise.all(
        (['list_letters', 'write_letter'] as const).map((endpoint) =>
          accessProblem(site.ctx.db, {
            ...{ keyId, owner: owner.id, app: 'letters', endpoint },
            access: endpoint === 'list_letters' ? 'read' : 'write',
          }),
        ),
      )
    const idOf = async (page: Page): Promise<string> => (await findKey(site.ctx, shownKey(page)))?.id ?? ''
    const only = await idOf(
      await submit(visitor, '/keys', '/keys', { name: 'Reader', days: '', all: 'yes', rights: 'read' }),
    )
    expect(await mayDo(only)).toEqual([null, 'SCOPE_DENIED'])
    const next = await idOf(await submit(visitor, '/keys', `/keys/${only}`, { action: 'rotate', hours: '24' }))
    expect(await mayDo(next)).toEqual([null, 'SCOPE_DENIED'])
    expect((await visitor.get('/keys')).text).toContain('only reads')

    const change = (rights: string, who = visitor) =>
      submit(who, '/keys', `/keys/${next}`, { action: 'rights', rights })
    expect((await change('write', stranger)).status).toBe(404)
    expect((await change('write')).headers.get('location')).toBe('/keys?said=rights')
    expect(await mayDo(next)).toEqual([null, null])
    await change('read')
    expect(await mayDo(next)).toEqual([null, 'SCOPE_DENIED'])
    // The form of before says nothing of it: both, as before.
    const both = await idOf(await submit(visitor, '/keys', '/keys', { name: 'Both', days: '', all: 'yes' }))
    expect(await mayDo(both)).toEqual([null, null])
    expect((await actions()).filter((action) => action === 'key.rights')).toHaveLength(2)
  })

  test('a key may call some actions of an app only, if its owner says so, as may what replaces it', async () => {
    const mayCall = (keyId: string) =>
      Promise.all(
        (['list_letters', 'write_letter'] as const).map((endpoint) => {
          const access = endpoint === 'list_letters' ? 'read' : 'write'
          return accessProblem(site.ctx.db, { keyId, owner: owner.id, app: 'letters', endpoint, access })
        }),
      )
    const idOf = async (page: Page): Promise<string> => (await findKey(site.ctx, shownKey(page)))?.id ?? ''
    const wanted = { name: 'Narrow', days: '', all: 'yes', only: 'letters' }
    const reading = { ...wanted, endpoint: 'letters/list_letters' }
    for (const [form, words] of [
      [wanted, 'No action of'],
      [{ ...reading, only: '' }, 'There is no such action'],
      [{ ...wanted, endpoint: 'letters/burn_letter' }, 'There is no such action'],
      [{ ...wanted, endpoint: 'crm/list_letters' }, 'There is no such action'],
      [{ name: 'Narrow', days: '', all: 'yes', endpoint: 'letters/list_letters' }, 'tick “only what is ticked here”'],
    ] as const) {
      const refused = await submit(visitor, '/keys', '/keys', form)
      expect([refused.status, refused.text.includes(words)], words).toEqual([422, true])
    }
    const only = await idOf(await submit(visitor, '/keys', '/keys', reading))
    expect(await mayCall(only)).toEqual([null, 'SCOPE_DENIED'])
    const next = await idOf(await submit(visitor, '/keys', `/keys/${only}`, { action: 'rotate', hours: '24' }))
    expect(await mayCall(next)).toEqual([null, 'SCOPE_DENIED'])
    expect((await visitor.get('/keys')).text).toMatch(/only 1 of \d+ actions of Letters/)

    const path = `/keys/${next}/actions`
    expect((await visitor.get(path)).text).toMatch(/value="letters\/list_letters" checked/)
    expect((await stranger.get(path)).status).toBe(404)
    const save = (fields: Record<string, string>, who = visitor) =>
      submit(who, '/keys', `/keys/${next}`, { action: 'actions', ...fields })
    const shown = { shown: 'letters' }
    expect((await save(shown, stranger)).status).toBe(404)
    expect((await save({ ...shown, only: 'letters' })).status).toBe(422)
    expect(await mayCall(next)).toEqual([null, 'SCOPE_DENIED'])
    // A form that did not show the app takes nothing back of it, nor does one with what is known and no more to be the only.
    expect((await save({})).headers.get('location')).toBe(`${path}?said=saved`)
    expect(await mayCall(next)).toEqual([null, 'SCOPE_DENIED'])
    await save({ ...shown, only: 'letters', endpoint: 'letters/write_letter' })
    expect(await mayCall(next)).toEqual(['SCOPE_DENIED', null])
    await save({ ...shown, endpoint: 'letters/write_letter' })
    expect(await mayCall(next)).toEqual([null, null])
    const log = await listAudit(site.ctx.db, { owner: owner.id, before: null, limit: 20 })
    expect(log.filter(({ action }) => action === 'key.endpoints').map(({ detail }) => detail['endpoints'])).toEqual([
      null,
      ['letters/write_letter'],
      ['letters/list_letters'],
    ])
    expect((await visitor.get('/account')).text).toContain('Changed the actions of a key')
  })

  test('a key sees its own calls only, unless it was made to see all, or its owner says so later', async () => {
    const sights = async () =>
      (await listKeys(site.ctx.db, owner.id)).filter(({ id }) => id !== owner.keyId).map((key) => key.sees_all)
    await submit(visitor, '/keys', '/keys', { name: 'Narrow', days: '30', all: 'yes' })
    expect(await sights()).toEqual([false])
    const wide = await submit(visitor, '/keys', '/keys', { name: 'Wide', days: '30', all: 'yes', sees_all: 'yes' })
    expect(await sights()).toEqual([true, false])
    const page = (await visitor.get('/keys')).text
    for (const words of ['sees all of your calls', 'sees its own calls', 'those of your other keys'])
      expect(page).toContain(words)
    const { id = '' } = (await findKey(site.ctx, shownKey(wide))) ?? {}
    const change = (fields: Record<string, string>) =>
      submit(visitor, '/keys', `/keys/${id}`, { action: 'sight', ...fields })
    expect((await change({})).headers.get('location')).toBe('/keys?said=sight')
    expect(await sights()).toEqual([false, false])
    await change({ sees_all: 'yes' })
    expect(await sights()).toEqual([true, false])
    // What replaces it sees as much.
    await submit(visitor, '/keys', `/keys/${id}`, { action: 'rotate', hours: '24' })
    expect(await sights()).toEqual([true, true, false])
    const log = await listAudit(site.ctx.db, { owner: owner.id, before: null, limit: 20 })
    expect(log.filter(({ action }) => action === 'key.sees_all').map(({ detail }) => detail)).toEqual([
      { key: id, sees_all: true },
      { key: id, sees_all: false },
    ])
    expect((await visitor.get('/account')).text).toContain('Changed which calls a key sees')
  })

  test('the 51st valid key is not made, and what was typed is not lost', async () => {
    await site.ctx.db.query(
      `INSERT INTO api_keys (id, owner, name, hash, hint, line)
       SELECT id || n, owner, name, hash || n::text::bytea, hint, id || n FROM api_keys, generate_series(1, 49) n WHERE id = $1`,
      [owner.keyId],
    )
    const form = { name: 'One too many', days: '30', all: 'yes', sees_all: 'yes' }
    const full = await submit(visitor, '/keys', '/keys', form)
    expect(full.status).toBe(422)
    expect(full.text).toContain('You have 50 valid keys')
    expect(full.text).toContain('One too many')
    const rotated = await submit(visitor, '/keys', `/keys/${owner.keyId}`, { action: 'rotate', hours: '1' })
    expect([rotated.status, rotated.text.includes('You have 50 valid keys')]).toEqual([409, true])
    await submit(visitor, '/keys', `/keys/${owner.keyId}`, { action: 'revoke' })
    expect(shownKey(await submit(visitor, '/keys', '/keys', form))).not.toBe('')
  })

  test('nobody changes the key of another owner', async () => {
    for (const fields of [
      { action: 'revoke' },
      { action: 'rotate', hours: '0' },
      { action: 'apps' },
      { action: 'sight' },
    ])
      expect((await submit(stranger, '/keys', `/keys/${owner.keyId}`, fields)).status).toBe(404)
    expect(await findKey(site.ctx, owner.key)).toBeDefined()
  })
})

describe('an app', () => {
  const change = (fields: Record<string, string>): Promise<Page> =>
    submit(visitor, '/apps/letters', '/apps/letters', fields)
  const problem = (endpoint: string, access: 'read' | 'write') =>
    accessProblem(site.ctx.db, { keyId: owner.keyId, owner: owner.id, app: 'letters', endpoint, access })

  test('can be narrowed to reading, to chosen actions, and widened again', async () => {
    await change({ action: 'scope', mode: 'read' })
    expect([await problem('write_letter', 'write'), await problem('list_letters', 'read')]).toEqual([
      'SCOPE_DENIED',
      null,
    ])
    await change({ action: 'scope', mode: 'chosen', endpoint: 'write_letter' })
    expect([await problem('write_letter', 'write'), await problem('list_letters', 'read')]).toEqual([
      null,
      'SCOPE_DENIED',
    ])
    expect((await visitor.get('/apps/letters')).text).toMatch(/value="write_letter" checked/)
    await change({ action: 'scope', mode: 'all' })
    await change({ action: 'scope', mode: 'all' })
    expect([await problem('write_letter', 'write'), await problem('list_letters', 'read')]).toEqual([null, null])
    expect(await actions()).toEqual(['scope', 'scope', 'scope'])
    expect((await change({ action: 'scope', mode: 'some' })).status).toBe(422)
  })

  test('asks first as its owner says, and only what differs is changed', async () => {
    const fields = { action: 'confirm', 'confirm.write_letter': 'no', 'expiry.write_letter': '3600' }
    expect((await change(fields)).headers.get('location')).toBe('/apps/letters?said=confirm')
    await change(fields)
    const { confirm } = await readSettings(site.ctx, owner.id, 'letters')
    expect(confirm.get('write_letter')).toEqual({ confirm: false, expirySeconds: 3600 })
    expect(await actions()).toEqual(['endpoint.settings'])
    expect((await change({ ...fields, 'expiry.write_letter': '1' })).status).toBe(422)
    expect((await change({ ...fields, 'confirm.write_letter': 'maybe' })).status).toBe(422)
    await change({ action: 'confirm', 'confirm.write_letter': '', 'expiry.write_letter': '' })
    const after = await readSettings(site.ctx, owner.id, 'letters')
    expect(after.confirm.get('write_letter')).toEqual({ confirm: null, expirySeconds: null })
  })

  test.each([
    ['2', 2],
    ['90 s', 90],
    ['45 min', 2_700],
    ['12 hours', 43_200],
    [' 30 Days ', 2_592_000],
  ])(
    'keeps a call open for %j when its owner says so, and shows it so that it can be sent again',
    async (time, seconds) => {
      const set = (value: string) =>
        change({ action: 'confirm', 'confirm.write_letter': 'yes', 'expiry.write_letter': value })
      const now = async () => (await readSettings(site.ctx, owner.id, 'letters')).confirm.get('write_letter')
      expect((await set(time)).status).toBe(303)
      expect(await now()).toEqual({ confirm: true, expirySeconds: seconds })
      const shown = /name="expiry.write_letter" value="([^"]+)"/.exec((await visitor.get('/apps/letters')).text)?.[1]
      await set('')
      await set(shown ?? '')
      expect(await now()).toEqual({ confirm: true, expirySeconds: seconds })
    },
  )

  test.each(['1', '31 days', '0 hours', '-5', '1.5 hours', 'a day', '3 dais', '2592001', '9'.repeat(40)])(
    'refuses %j as the time that a call stays open, says what can be written, and changes nothing',
    async (time) => {
      const answer = await change({ action: 'confirm', 'confirm.write_letter': 'no', 'expiry.write_letter': time })
      expect([answer.status, answer.text]).toEqual([422, expect.stringContaining('2 seconds to 30 days')])
      expect(await actions()).toEqual([])
    },
  )

  describe('whose form was open while its settings were changed elsewhere', () => {
    const now = async () => (await readSettings(site.ctx, owner.id, 'letters')).confirm.get('write_letter')
    /** What the page that is open posts, unless something else is chosen in it. */
    async function opened(): Promise<(chosen?: Record<string, string>) => Promise<Page>> {
      const { text } = await visitor.get('/apps/letters')
      const [, row = ''] = /<fieldset class="setting">(.*?)<\/fieldset>/s.exec(text) ?? []
      const shown = {
        'was.write_letter': hidden(row, 'was.write_letter'),
        'confirm.write_letter': /<option value(?:="(\w+)")? selected>/.exec(row)?.[1] ?? '',
        'expiry.write_letter': findHidden(row, 'expiry.write_letter') ?? '',
      }
      return (chosen = {}) => change({ action: 'confirm', ...shown, ...chosen })
    }

    test('is not changed back by what stood in it', async () => {
      const choices = [
        { confirm: false, expirySeconds: 3600 },
        { confirm: true, expirySeconds: null },
        { confirm: null, expirySeconds: 90 },
      ]
      for (const [index, before] of choices.entries()) {
        const after = choices[(index + 1) % choices.length]!
        await setConfirm(site.ctx, owner.id, 'letters', 'write_letter', before)
        const save = await opened()
        expect((await save()).status).toBe(303)
        expect(await now()).toEqual(before)
        await setConfirm(site.ctx, owner.id, 'letters', 'write_letter', after)
        expect((await save()).headers.get('location')).toBe('/apps/letters?said=confirm')
        expect(await now()).toEqual(after)
      }
      expect(await actions()).toEqual(Array.from({ length: 6 }, () => 'endpoint.settings'))
    })

    test('is not changed by what was chosen in it either, and its owner is told, unless it is the same', async () => {
      const save = await opened()
      await setConfirm(site.ctx, owner.id, 'letters', 'write_letter', { confirm: true, expirySeconds: 3600 })
      const answer = await save({ 'confirm.write_letter': 'no' })
      expect(answer.status).toBe(409)
      expect(answer.text).toContain('Not saved: Write a letter.')
      expect(answer.text).toMatch(/<option value="yes" selected>/)
      expect(answer.text).toContain('name="expiry.write_letter" value="1 hour"')
      expect(await now()).toEqual({ confirm: true, expirySeconds: 3600 })
      const same = await save({ 'confirm.write_letter': 'yes', 'expiry.write_letter': '60 min' })
      expect(same.status).toBe(303)
      expect(await actions()).toEqual(['endpoint.settings'])
      const again = await opened()
      expect((await again({ 'confirm.write_letter': 'no' })).status).toBe(303)
      expect(await now()).toEqual({ confirm: false, expirySeconds: 3600 })
    })

    test('is settled by saving it as it stands, where nobody can tell any more what its owner chose', async () => {
      await setConfirm(site.ctx, owner.id, 'letters', 'write_letter', { confirm: false, expirySeconds: 3600 })
      const save = await opened()
      await site.ctx.db.query('UPDATE endpoint_settings SET proof = NULL WHERE owner = $1', [owner.id])
      await save()
      const unproven = async () => [...(await readSettings(site.ctx, owner.id, 'letters')).unproven]
      expect(await unproven()).toEqual(['write_letter'])
      const warned = await opened()
      expect((await warned()).status).toBe(303)
      expect([await unproven(), await now()]).toEqual([[], { confirm: null, expirySeconds: 3600 }])
      expect((await save({ 'confirm.write_letter': 'yes' })).status).toBe(409)
    })

    test('takes what it showed of a row once', async () => {
      const csrf = await visitor.csrf('/account')
      const body = `csrf=${csrf}&action=confirm&confirm.write_letter=no&was.write_letter=+&was.write_letter=yes+`
      const headers = { cookie: visitor.cookies.header, 'Content-Type': 'application/x-www-form-urlencoded' }
      const answer = await fetch(`${site.url}/apps/letters`, { method: 'POST', redirect: 'manual', body, headers })
      expect(answer.status).toBe(422)
      expect(await now()).toBeUndefined()
    })
  })

  test('lists its accounts, which their owner can disconnect', async () => {
    expect((await visitor.get('/apps/letters')).text).toContain('secretary@club.example')
    const foreign = { action: 'disconnect', account: owner.account }
    expect((await submit(stranger, '/apps/letters', '/apps/letters', foreign)).status).toBe(404)
    const [, asked = ''] =
      /<summary>Disconnect…<\/summary>(.*?)<\/details>/s.exec((await visitor.get('/apps/letters')).text) ?? []
    for (const words of ['Disconnect now', 'connect the account again at any time', `value="${owner.account}"`])
      expect(asked).toContain(words)
    await change({ action: 'disconnect', account: owner.account })
    expect((await visitor.get('/apps/letters')).text).toContain('No account is connected')
    const { rows } = await site.ctx.db.query('SELECT state, session FROM accounts WHERE id = $1', [owner.account])
    expect(rows).toEqual([{ state: 'disconnected', session: null }])
    expect(await actions()).toEqual(['account.disconnected'])
  })

  test('shows which daily looks are wanted, and only its owner agrees to one and ends it', async () => {
    const { account } = owner
    const { id } = await askForWatch(
      site.ctx,
      { app: 'letters', endpoint: 'list_letters', account, input: {} },
      'operator:ann',
    )
    const state = async () =>
      (
        await site.ctx.db.query(
          'SELECT agreed_at IS NOT NULL AS agreed, ended_by, next_at IS NOT NULL AS due FROM watches WHERE id = $1',
          [id],
        )
      ).rows[0] as object
    expect((await visitor.get('/apps/letters')).text).toMatch(/Daily looks[^]*Agree/)
    expect(
      (await submit(stranger, '/apps/letters', '/apps/letters', { action: 'agree-watch', watch: id })).status,
    ).toBe(404)
    expect(await state()).toEqual({ agreed: false, ended_by: null, due: false })
    await change({ action: 'agree-watch', watch: id })
    expect(await state()).toEqual({ agreed: true, ended_by: null, due: true })
    expect((await submit(stranger, '/apps/letters', '/apps/letters', { action: 'end-watch', watch: id })).status).toBe(
      404,
    )
    expect((await visitor.get('/apps/letters')).text).toMatch(/Daily looks[^]*Stop/)
    await change({ action: 'end-watch', watch: id })
    expect(await state()).toEqual({ agreed: true, ended_by: owner.id, due: false })
    expect((await visitor.get('/apps/letters')).text).not.toContain('Daily looks')
    expect(await actions()).toEqual(['watch.ended', 'watch.agreed', 'watch.asked'])
  })

  test('shows what the app refused for now, and tries again when its owner says so', async () => {
    const pause = `${owner.account} write_letter`
    await site.ctx.db.query(
      `INSERT INTO pauses (account, endpoint, until, seconds) VALUES ($1, 'write_letter', now() + interval '1 hour', 3600)`,
      [owner.account],
    )
    expect((await visitor.get('/apps/letters')).text).toContain('The app refused access')
    expect((await submit(stranger, '/apps/letters', '/apps/letters', { action: 'lift', pause })).status).toBe(404)
    await change({ action: 'lift', pause })
    expect((await visitor.get('/apps/letters')).text).not.toContain('The app refused access')
    expect(await actions()).toEqual(['pause.lifted'])
  })
})

describe('calls', () => {
  test('those that wait are shown in full, and several are decided at once', async () => {
    const ids = [
      await askFor(site.ctx, owner, { subject: 'First' }),
      await askFor(site.ctx, owner, { subject: 'Second' }),
      await askFor(site.ctx, owner, { subject: 'Third' }),
    ]
    const { text } = await visitor.get('/waiting')
    for (const words of ['First', 'Second', 'Third', 'Come all!', 'm_2']) expect(text).toContain(words)
    const ticks = [...text.matchAll(/type="checkbox" name="call" value="([^"]+)"/g)].map((match) => match[1] ?? '')
    expect(ticks.map((tick) => tick.split(' ')[0])).toEqual(ids)

    const [first = '', second = '', third = ''] = ticks
    const wrong = `${first.split(' ')[0]} ${second.split(' ')[1]}`
    const body = new URLSearchParams({ csrf: hidden(text, 'csrf'), decision: 'approve' })
    for (const tick of [third, wrong]) body.append('call', tick)
    const answer = await fetch(`${site.url}/waiting`, {
      method: 'POST',
      redirect: 'manual',
      body,
      headers: { cookie: [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    })
    expect(answer.headers.get('location')).toBe('/waiting?decided=1&stale=1')
    expect(await Promise.all(ids.map((id) => statusOf(site.ctx, id)))).toEqual([
      'awaiting_confirmation',
      'awaiting_confirmation',
      'running',
    ])
    await submit(visitor, '/waiting', '/waiting', { decision: 'reject', call: second })
    expect(await statusOf(site.ctx, ids[1]!)).toBe('rejected')
    expect((await submit(visitor, '/waiting', '/waiting', { decision: 'reject' })).status).toBe(422)
    expect((await submit(visitor, '/waiting', '/waiting', { decision: 'perhaps', call: first })).status).toBe(422)
  })

  test('one that waits and cannot be opened hides no other, and is left to be taken back', async () => {
    const broken = await askFor(site.ctx, owner, { subject: 'Broken' })
    await site.ctx.db.query(`UPDATE calls SET input = '\\x00' WHERE id = $1`, [broken])
    const ids = []
    for (const subject of ['First', 'Second', 'Third']) ids.push(await askFor(site.ctx, owner, { subject }))
    const { status, text } = await visitor.get('/waiting')
    expect(status).toBe(200)
    for (const words of ['First', 'Second', 'Third', 'Reject 3 calls now']) expect(text).toContain(words)
    expect(text).toContain(`<a href="/confirm/${broken}">take it back on its own page</a>`)
    const offered = [...text.matchAll(/name="call" value="(call_\w+) /g)].map((match) => match[1])
    expect(new Set(offered)).toEqual(new Set(ids))
  })

  test('are counted on every page, for their owner alone', async () => {
    const count = async (who: Visitor): Promise<string> => (await who.get('/waiting/count')).text
    const before = await count(stranger)
    expect(await count(visitor)).toMatch(/data-waiting="true" hidden>0</)
    expect((await visitor.get('/keys')).text).toMatch(/data-waiting="true" hidden>0</)
    await askFor(site.ctx, owner)
    expect(await count(visitor)).toMatch(/data-waiting="true">1</)
    expect((await visitor.get('/keys')).text).toMatch(/data-waiting="true">1</)
    expect(await count(stranger)).toBe(before)
    expect((await new Visitor(site).get('/waiting/count')).status).toBe(403)
  })

  test('nobody decides a call of another owner there', async () => {
    const mine = await askFor(site.ctx, owner)
    await askFor(site.ctx, other)
    const [tick = ''] = /call_\w+ [\w.-]+/.exec((await visitor.get('/waiting')).text) ?? []
    expect(tick).toContain(mine)
    const answer = await submit(stranger, '/waiting', '/waiting', { decision: 'approve', call: tick })
    expect(answer.headers.get('location')).toBe('/waiting?decided=0&stale=1')
    expect(await statusOf(site.ctx, mine)).toBe('awaiting_confirmation')
  })

  test('are listed by status and app, page by page', async () => {
    const id = await askFor(site.ctx, owner)
    expect((await visitor.get('/calls')).text).toContain(id)
    expect((await visitor.get('/calls?status=awaiting_confirmation&app=letters')).text).toContain(id)
    expect((await visitor.get('/calls?status=executed')).text).toContain('No matching calls')
    for (let n = 0; n < 50; n++) await askFor(site.ctx, owner, { subject: `Letter ${n}` })
    const first = await visitor.get('/calls?app=letters')
    expect(first.text).not.toContain(id)
    const older = /href="(\/calls\?[^"]*before=[^"]*)"/.exec(first.text)?.[1]?.replaceAll('&amp;', '&') ?? ''
    expect((await visitor.get(older)).text).toContain(id)
  })

  test('one has its story, its data and its run, and can be taken back', async () => {
    const id = await askFor(site.ctx, owner, { subject: 'The story' })
    const page = await visitor.get(`/calls/${id}`)
    for (const words of ['Club assistant', '3 credits set aside', 'The story', `/workflows/${id}`])
      expect(page.text).toContain(words)
    const answer = await submit(visitor, `/calls/${id}`, `/calls/${id}`, { action: 'cancel' })
    expect(answer.headers.get('location')).toBe(`/calls/${id}?said=cancelled`)
    expect(await statusOf(site.ctx, id)).toBe('cancelled')
    const after = await visitor.get(`/calls/${id}`)
    expect(after.text).toContain('3 credits returned')
    expect(after.text).toContain('Ended: cancelled')
    const csrf = await visitor.csrf('/account')
    const late = await visitor.post(`/calls/${id}`, { csrf, action: 'cancel' })
    expect(late.status).toBe(409)
    expect(late.text).toContain('Too late to take back')
    expect(late.text).toContain('It was taken back before it was sent')
    expect((await visitor.post(`/calls/${id}`, { csrf, action: 'send' })).status).toBe(422)
  })

  test('the overview tells of what was done, and of all that is not certain, however much came since', async () => {
    const unknown = []
    for (let n = 0; n < 22; n++) unknown.push(await askFor(site.ctx, owner, { subject: `Unsure ${n}` }))
    await site.ctx.db.query(`UPDATE calls SET status = 'unknown' WHERE owner = $1`, [owner.id])
    const resolved = unknown.slice(1)
    const resolve = (ids: readonly string[]) =>
      site.ctx.db.query(
        `UPDATE calls SET resolution = '{"happened": true, "by": "owner", "at": "2026-12-01T00:00:00Z"}' WHERE id = ANY ($1)`,
        [ids],
      )
    const all = (await visitor.get('/')).text
    expect(all).toContain('Did it happen? 22 calls may')
    expect(all).toContain('These are the newest')
    await resolve(resolved)
    const one = (await visitor.get('/')).text
    expect(one).toContain('Did it happen? 1 call may')
    expect(one).toContain(unknown[0])
    expect(one).not.toContain('These are the newest')

    for (let n = 0; n < 50; n++) await askFor(site.ctx, owner, { subject: `Waiting ${n}` })
    const busy = (await visitor.get('/')).text
    expect(busy).not.toContain('Nothing was changed so far.')
    expect(busy).toContain(`href="/calls/${unknown[21]}"`)
  })

  test('what happened to one that ended unknown is recorded once, by its owner', async () => {
    const id = await askFor(site.ctx, owner)
    const csrf = await visitor.csrf('/account')
    expect((await visitor.post(`/calls/${id}`, { csrf, action: 'happened' })).status).toBe(409)
    await site.ctx.db.query(
      `UPDATE calls SET status = 'running', decision = 'approved', decided_at = now() WHERE id = $1`,
      [id],
    )
    await site.ctx.db.query(`SELECT settle_call($1, NULL, 'unknown', NULL, NULL, NULL)`, [id])
    const end = (await findCall(site.ctx.db, owner.id, id))?.updated_at ?? new Date(0)
    expect((await visitor.get('/')).text).toContain('Did it happen?')
    const answer = await submit(visitor, `/calls/${id}`, `/calls/${id}`, { action: 'did-not-happen' })
    expect(answer.headers.get('location')).toBe(`/calls/${id}?said=recorded`)
    expect((await visitor.post(`/calls/${id}`, { csrf, action: 'happened' })).status).toBe(409)
    const { rows } = await site.ctx.db.query('SELECT status, resolution FROM calls WHERE id = $1', [id])
    expect(rows).toEqual([
      { status: 'unknown', resolution: { happened: false, by: 'owner', at: expect.stringMatching(/^20\d\d-/) } },
    ])
    const { text } = await visitor.get(`/calls/${id}`)
    expect(text).toContain('Recorded: it did not happen')
    const [, ended = ''] = /<time datetime="([^"]*)"[^>]*>[^<]*<\/time><\/span> Ended: uncertain/.exec(text) ?? []
    expect(end.getTime() - Date.parse(ended)).toSatisfy((before: number) => before >= 0 && before < 1000)
    expect((await visitor.get('/')).text).not.toContain('Did it happen?')
    expect(await actions()).toEqual(['call.resolved'])
  })
})

describe('credits', () => {
  const plan = (name: string): Promise<Page> => submit(visitor, '/credits', '/credits', { plan: name })
  const left = async (): Promise<number> => {
    const { rows } = await site.ctx.db.query<{ available: number }>('SELECT available FROM balances WHERE owner = $1', [
      owner.id,
    ])
    return rows[0]?.available ?? -1
  }

  test('a larger size tops this month up at once, however often it is changed', async () => {
    await site.ctx.db.query(`UPDATE users SET plan = 'small' WHERE id = $1`, [owner.id])
    expect((await visitor.get('/credits')).text).toContain('1,000 credits left this month')
    expect((await plan('medium')).headers.get('location')).toBe('/credits?topped_up=9000')
    expect(await left()).toBe(10_000)
    expect((await plan('small')).headers.get('location')).toBe('/credits?topped_up=0')
    expect((await plan('medium')).headers.get('location')).toBe('/credits?topped_up=0')
    expect(await left()).toBe(10_000)
    expect((await plan('large')).headers.get('location')).toBe('/credits?topped_up=90000')
    expect(await left()).toBe(100_000)
    expect((await plan('huge')).status).toBe(422)
    const page = await visitor.get('/credits')
    for (const words of ['Monthly credits', 'Larger plan', '+90,000', '100,000 granted'])
      expect(page.text).toContain(words)
  })

  test('a call has one line, which says what it came to', async () => {
    const id = await askFor(site.ctx, owner)
    const lines = async (): Promise<string> => {
      const { text } = await visitor.get('/credits')
      expect(text.split(`href="/calls/${id}"`)).toHaveLength(2)
      return text
    }
    expect(await lines()).toMatch(/\(−3\).*set aside until the call ends/s)
    await submit(visitor, `/calls/${id}`, `/calls/${id}`, { action: 'cancel' })
    expect(await lines()).toMatch(/amount">0<.*not charged/s)
  })

  test('changes that come at once top it up once', async () => {
    await site.ctx.db.query(`UPDATE users SET plan = 'small' WHERE id = $1`, [owner.id])
    const toppedUp = await Promise.all(
      Array.from({ length: 12 }, (_, index) => changePlan(site.ctx, owner.id, index % 2 === 0 ? 'medium' : 'small')),
    )
    expect(toppedUp.filter((credits) => credits > 0)).toEqual([9000])
    expect(await left()).toBe(10_000)
  })

  test('an address says nothing that Callgate did not say', async () => {
    for (const said of ['constructor', '__proto__', 'toString', '<b>paid</b>'])
      for (const page of ['/account', '/keys', '/apps/letters']) {
        const { status, text } = await visitor.get(`${page}?said=${encodeURIComponent(said)}`)
        expect([status, text.includes('notice good'), text.includes('<b>')]).toEqual([200, false, false])
      }
    for (const credits of ['-5', '1e9', 'lots', ''])
      expect((await visitor.get(`/credits?topped_up=${credits}`)).text).not.toMatch(/notice good|NaN/)
  })

  test('a size that was chosen before the month’s first call grants its own credits once', async () => {
    await site.ctx.db.query(`UPDATE users SET plan = 'small' WHERE id = $1`, [owner.id])
    const csrf = await visitor.csrf('/account')
    await visitor.post('/credits', { csrf, plan: 'medium' })
    expect(await left()).toBe(10_000)
  })
})

describe('the account', () => {
  const change = (fields: Record<string, string>): Promise<Page> =>
    submit(visitor, '/account', '/account', { action: 'password', ...fields })

  test('its password is changed with the old one, and other browsers are signed out', async () => {
    const elsewhere = await visitorOf(site, owner)
    const next = 'a much longer one'
    expect((await change({ current: 'wrong', new: next, again: next })).status).toBe(422)
    expect((await change({ current: owner.password, new: 'short', again: 'short' })).status).toBe(422)
    expect((await change({ current: owner.password, new: next, again: `${next}!` })).status).toBe(422)
    expect((await change({ current: owner.password, new: next, again: next })).status).toBe(303)
    expect((await visitor.get('/account')).status).toBe(200)
    expect((await elsewhere.get('/account')).status).toBe(303)
    expect((await new Visitor(site).signIn({ email: owner.email, password: next })).status).toBe(303)
  })

  test('guessing the old password is stopped', async () => {
    const guesses = []
    for (let n = 0; n < 11; n++)
      guesses.push(
        (await change({ current: `guess ${n}`, new: 'a much longer one', again: 'a much longer one' })).status,
      )
    expect(guesses).toEqual([...Array.from({ length: 10 }, () => 422), 429])
  })

  test('is signed out of every browser at once', async () => {
    const elsewhere = await visitorOf(site, owner)
    await submit(visitor, '/account', '/account', { action: 'sign-out' })
    for (const one of [visitor, elsewhere]) expect((await one.get('/account')).status).toBe(303)
  })

  test('tells what was changed, by whom', async () => {
    await submit(visitor, '/apps/letters', '/apps/letters', { action: 'scope', mode: 'read' })
    const { text } = await visitor.get('/account')
    expect(text).toContain('Changed what agents may do')
    expect(text.replaceAll(/<[^>]*>/g, '')).toContain('App: Letters, Allowed: only reading')
  })
})
