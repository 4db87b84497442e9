import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { listKeys } from '../../core/keys/keys.ts'
import { readSettings, setConfirm } from '../../core/accounts/settings.ts'
import { askFor, makeOwner, startTestSite, statusOf } from './site.ts'
import type { Owner, TestSite } from './site.ts'
import { visitorOf } from './visitor.ts'
import type { Page, Visitor } from './visitor.ts'

let site: TestSite
let owner: Owner
let visitor: Visitor

beforeAll(async () => {
  site = await startTestSite()
})
beforeEach(async () => {
  owner = await makeOwner(site.ctx)
  visitor = await visitorOf(site, owner)
})
afterAll(() => site.stop())

/** Posts fields, some of them several times, with the token of the session. */
async function submit(path: string, fields: readonly (readonly [string, string])[]): Promise<Page> {
  const csrf = await visitor.csrf('/account')
  const body = new URLSearchParams([['csrf', csrf], ...fields.map(([name, value]) => [name, value])])
  const response = await fetch(`${site.url}${path}`, {
    method: 'POST',
    redirect: 'manual',
    body,
    headers: { cookie: [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

const keys = async () => (await listKeys(site.ctx.db, owner.id)).map(({ name, apps }) => ({ name, apps }))
const first = { name: 'Club assistant', apps: null }

describe('a new key', () => {
  test('whose name will not do is not made, and the form keeps what was typed', async () => {
    const name = `${'x'.repeat(90)}<b>`
    const { status, text } = await submit('/keys', [
      ['name', name],
      ['days', '365'],
      ['app', 'letters'],
    ])
    expect(status).toBe(422)
    expect(text).toContain('No key was made yet')
    expect(text).toContain('aria-invalid="true" aria-describedby="problem-name"')
    expect(text).toContain('Give the key a name of 1 to 80 characters')
    expect(text).toContain(`value="${name.replace('<', '&lt;')}"`)
    expect(text).toMatch(/<option value="365" selected>/)
    expect(text).toMatch(/name="app" value="letters" checked/)
    expect(text.slice(text.indexOf('id="new"'), text.indexOf('Make the key'))).not.toMatch(
      /name="all" value="yes" checked/,
    )
    expect(await keys()).toEqual([first])
  })

  test('for all apps and for some at once is not made, as nobody knows which was meant', async () => {
    const { status, text } = await submit('/keys', [
      ['name', 'Both'],
      ['days', '30'],
      ['all', 'yes'],
      ['app', 'letters'],
    ])
    expect(status).toBe(422)
    expect(text).toContain('All apps, or only those ticked?')
    expect(text).toMatch(/name="all" value="yes" checked/)
    expect(text).toMatch(/name="app" value="letters" checked/)
    expect(text).toContain('value="Both"')
    expect(await keys()).toEqual([first])
  })

  test('with an app or an expiry that there is not is not made', async () => {
    for (const fields of [
      [['app', 'nothing-of-ours']],
      [
        ['app', 'letters'],
        ['days', '7'],
      ],
    ] as const) {
      const { status, text } = await submit('/keys', [['name', 'Odd'], ['days', ''], ...fields])
      expect(status).toBe(422)
      expect(text).toContain('value="Odd"')
    }
    expect(await keys()).toEqual([first])
  })
})

test('the apps of a key that will not do are shown again as they were ticked, and nothing is saved', async () => {
  const path = `/keys/${owner.keyId}`
  const { status, text } = await submit(path, [
    ['action', 'apps'],
    ['all', 'yes'],
    ['app', 'letters'],
  ])
  expect(status).toBe(422)
  expect(text).toContain('<details open><summary>Apps of this key')
  expect(text).toContain('All apps, or only those ticked?')
  expect(
    (
      await submit(path, [
        ['action', 'apps'],
        ['app', 'nothing-of-ours'],
      ])
    ).status,
  ).toBe(422)
  expect(await keys()).toEqual([first])

  await submit(path, [
    ['action', 'apps'],
    ['app', 'letters'],
  ])
  expect(await keys()).toEqual([{ ...first, apps: ['letters'] }])
  const widened = await submit(path, [
    ['action', 'apps'],
    ['all', 'yes'],
    ['app', 'letters'],
  ])
  expect(widened.status).toBe(303)
  expect(await keys()).toEqual([first])
})

describe('the settings of an app', () => {
  const scope = async () => (await readSettings(site.ctx, owner.id, 'letters')).scope
  const confirm = async () => (await readSettings(site.ctx, owner.id, 'letters')).confirm.get('write_letter')

  test('keep what was ticked when it is not what was chosen, and change nothing', async () => {
    const before = await scope()
    const { status, text } = await submit('/apps/letters', [
      ['action', 'scope'],
      ['mode', 'all'],
      ['endpoint', 'list_letters'],
    ])
    expect(status).toBe(422)
    expect(text).toContain('choose “Only what is ticked below”')
    expect(text).toMatch(/name="endpoint" value="list_letters" checked/)
    const unknown = await submit('/apps/letters', [
      ['action', 'scope'],
      ['mode', 'chosen'],
      ['endpoint', 'no_such'],
    ])
    expect([unknown.status, await scope()]).toEqual([422, before])
  })

  test('are not half changed by a form that is half right, nor by a field that was sent twice', async () => {
    const asks = ['confirm.write_letter', 'no'] as const
    for (const more of [
      [['expiry.write_letter', '1']],
      [['confirm.write_letter', 'yes']],
      [
        ['expiry.write_letter', ''],
        ['expiry.write_letter', '3600'],
      ],
    ] as const)
      expect((await submit('/apps/letters', [['action', 'confirm'], asks, ...more])).status).toBe(422)
    expect(await confirm()).toBeUndefined()
  })

  test('let somebody switch asking off where the time to decide was set elsewhere, and keep that', async () => {
    await setConfirm(site.ctx, owner.id, 'letters', 'write_letter', { confirm: null, expirySeconds: 2 })
    expect((await visitor.get('/apps/letters')).text).toContain('name="expiry.write_letter" value="2 seconds"')
    await submit('/apps/letters', [
      ['action', 'confirm'],
      ['confirm.write_letter', 'no'],
    ])
    expect(await confirm()).toEqual({ confirm: false, expirySeconds: 2 })
  })
})

test('what was typed is given back when the session ended meanwhile, but no secret, and nothing from elsewhere', async () => {
  const secret = { password: 'hunter2hunter2', csrf: 'old-token', 'was.write_letter': 'shown before' }
  const fields = { name: 'Evening <b>agent', days: '30', ...secret }
  const stale = await visitor.post('/keys', fields)
  visitor.cookies.clear()
  const gone = await visitor.post('/keys', fields)
  expect(gone.text).toContain('You are not signed in')
  for (const { status, text } of [stale, gone]) {
    expect(status).toBe(403)
    expect(text).toContain('What you typed')
    expect(text).toContain('Evening &lt;b>agent')
    expect(text).not.toContain('hunter2')
    expect(text).not.toContain('old-token')
    expect(text).not.toContain('shown before')
  }
  for (const headers of [{ 'Sec-Fetch-Site': 'cross-site' }, { Origin: 'https://elsewhere.example' }]) {
    const planted = await visitor.post('/keys', fields, headers)
    expect(planted.status).toBe(403)
    expect(planted.text).not.toContain('Evening')
  }
  expect(await keys()).toEqual([first])
})

test('an account that has to be connected again says why, and leads to that', async () => {
  const page = async () => (await visitor.get('/apps/letters')).text
  expect(await page()).toContain('Last connected')
  expect(await page()).not.toContain('Sign in again')
  await site.ctx.db.query(`UPDATE accounts SET state = 'needs_check', reason = 'CAPTCHA_REQUIRED' WHERE id = $1`, [
    owner.account,
  ])
  expect(await page()).toContain('a check that only a person can pass')
  expect(await page()).toContain(`<a href="/connect/letters?account=${owner.account}">Sign in again</a>`)
})

test('a password that will not do is named beside its fields, and not changed', async () => {
  const { status, text } = await submit('/account', [
    ['action', 'password'],
    ['current', owner.password],
    ['new', 'long enough, but'],
    ['again', 'not the same'],
  ])
  expect(status).toBe(422)
  expect(text).toMatch(/name="new"[^>]*aria-describedby="password-problem"/)
  expect(text).toMatch(/id="password-problem">The password was not changed\. The new password was not typed the same/)
  expect(await visitorOf(site, owner)).toBeDefined()
})

describe('the page of waiting calls', () => {
  test('says that nothing was ticked, and keeps what was', async () => {
    const id = await askFor(site.ctx, owner, { subject: 'Still here' })
    const none = await submit('/waiting', [['decision', 'approve']])
    expect(none.status).toBe(422)
    expect(none.text).toContain('Nothing was decided. Tick at least one call')
    expect(none.text).toContain('Still here')
    const tick = /name="call" value="([^"]+)"/.exec(none.text)?.[1] ?? ''
    const odd = await submit('/waiting', [
      ['decision', 'perhaps'],
      ['call', tick],
    ])
    expect(odd.text).toContain(`value="${tick}" checked`)
    expect(await statusOf(site.ctx, id)).toBe('awaiting_confirmation')
  })

  test('takes a reason for all that are decided, and keeps one that is too long', async () => {
    const id = await askFor(site.ctx, owner, { subject: 'Not like this' })
    const tick = new RegExp(`name="call" value="(${id} [^"]+)"`).exec((await visitor.get('/waiting')).text)?.[1] ?? ''
    const decide = (reason: string) =>
      submit('/waiting', [
        ['decision', 'reject'],
        ['call', tick],
        ['reason', reason],
      ])
    const long = await decide('x'.repeat(501))
    expect([long.status, await statusOf(site.ctx, id)]).toEqual([422, 'awaiting_confirmation'])
    expect(long.text).toContain('Nothing was decided: this has 501 characters, and 500 fit.')
    expect(long.text).toContain(`value="${tick}" checked`)
    await decide('Too many of these')
    expect(await statusOf(site.ctx, id)).toBe('rejected')
    expect((await visitor.get(`/calls/${id}`)).text).toContain('Too many of these')
  })

  test('says which key asks, and that an equal call waits', async () => {
    await askFor(site.ctx, owner, { subject: 'Twice' }, 'one')
    await askFor(site.ctx, owner, { subject: 'Twice' }, 'two')
    const { text } = await visitor.get('/waiting')
    expect(text).toContain('Club assistant')
    expect(text).toContain('This call was asked for twice.')
  })
})

test('a call that ended unknown names the read that may show it', async () => {
  const id = await askFor(site.ctx, owner)
  await site.ctx.db.query(
    `UPDATE calls SET status = 'unknown', decision = 'approved', decided_by = owner, decided_at = now() WHERE id = $1`,
    [id],
  )
  for (const page of [`/calls/${id}`, `/confirm/${id}`])
    expect((await visitor.get(page)).text).toContain(`<a href="/play/letters/list_letters?call=${id}"`)
  expect((await visitor.get(`/play/letters/list_letters?call=${id}`)).status).toBe(200)
})
