import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { setConfirm } from '../../core/accounts/settings.ts'
import { revokeStanding } from '../../core/approvals/standing-rules.ts'
import { exampleOf } from '../../connectors/examples.ts'
import { loadApps } from '../../connectors/registry.ts'
import type { Endpoint } from '../../connectors/registry.ts'
import { codesOf } from '../../web/play/code.ts'
import { fieldsOf, inputOf, typedOf } from '../../web/play/form.ts'
import { propertiesOf } from '../../web/parts/schema.ts'
import { hidden } from '../../scripts/browsing.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { firstContact } from '../support/contacts.ts'
import type { Person } from '../support/person.ts'
import { pythonWith } from '../../scripts/python.ts'
import { standingFor } from '../support/standing.ts'
import type { TestUser } from '../support/user.ts'

const run = promisify(execFile)
const nasty = `It's "5 o'clock" \\ $HOME \`id\` %s\n— «ü» 🏠 \u2028 end`

let stack: Stack
let user: TestUser
let person: Person
beforeAll(async () => {
  stack = await startStack()
})
beforeEach(async () => {
  user = await stack.user()
  person = await user.person()
})
afterAll(() => stack.stop())

interface Answered {
  readonly status: number
  readonly text: string
}

/** Presses a button of an endpoint's form, with these fields instead of its own. */
async function press(
  endpoint: string,
  fields: Record<string, string>,
  options: { action?: string; once?: string; by?: Person } = {},
): Promise<Answered> {
  const by = options.by ?? person
  const address = `/play/property-advertising/${endpoint}`
  const page = await (await by.get(address)).text()
  const typed = new Map(Object.entries(fields).map(([name, text]) => [`in.${name}`, text]))
  const answer = await by.post(address, {
    csrf: hidden(page, 'csrf'),
    once: options.once ?? hidden(page, 'once'),
    key: user.keyId,
    action: options.action ?? 'run',
    ...Object.fromEntries(typed),
  })
  return { status: answer.status, text: await answer.text() }
}

const decoded = (html: string): string =>
  html.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')

/** The text of one of the code blocks of a page. */
function shown(page: string, id: string): string {
  const text = new RegExp(`<pre id="text-${id}"[^>]*><code>([^]*?)</code>`).exec(page)?.[1]
  if (text === undefined) throw new Error(`the page shows no ${id}`)
  return decoded(text)
}

const ownCalls = async (): Promise<Record<string, unknown>[]> =>
  (await user.send('GET', '/calls')).body['calls'] as Record<string, unknown>[]

describe('the form of an endpoint', () => {
  test('of every endpoint says exactly its example, and each of its inputs has a control', () => {
    for (const app of loadApps({ sandboxUrl: 'http://localhost:8090' }).all)
      for (const endpoint of app.endpoints.values()) {
        const fields = fieldsOf(endpoint)
        expect(fields.map(({ name }) => name)).toEqual(Object.keys(propertiesOf(endpoint.inputSchema)))
        const input = exampleOf(app.slug, endpoint.name, new Date())?.input ?? {}
        const read = inputOf(fields, typedOf(fields, input))
        expect(read, `${app.slug}.${endpoint.name}`).toEqual({ input, bad: [] })
      }
  })

  test('needs a signed-in person, its token, and a key of theirs', async () => {
    expect((await fetch(`${stack.publicUrl}/play`, { redirect: 'manual' })).status).toBe(303)
    const address = '/play/property-advertising/list_listings'
    expect((await person.post(address, { key: user.keyId, action: 'run' })).status).toBe(403)
    const other = await stack.user()
    const foreign = await press('list_listings', {}, { by: await other.person() })
    expect(foreign.status).toBe(422)
    expect(foreign.text).toContain('Choose one of your keys')
    expect((await person.get('/play/property-advertising/no_such')).status).toBe(404)
    expect((await person.get('/play/no-such/list_listings')).status).toBe(404)
    expect(await ownCalls()).toEqual([])
  })

  test('refuses a field that was sent twice, rather than guessing', async () => {
    const address = '/play/property-advertising/list_listings'
    const page = await (await person.get(address)).text()
    const csrf = hidden(page, 'csrf')
    const body = new URLSearchParams({ csrf, key: user.keyId, action: 'run', 'in.limit': '1' })
    body.append('in.limit', '2')
    const headers = { cookie: person.cookieHeader }
    const answer = await fetch(`${stack.publicUrl}${address}`, { method: 'POST', body, headers })
    expect(answer.status).toBe(422)
    expect(await answer.text()).toContain('id="in.limit.problem">was sent twice')
    expect(await ownCalls()).toEqual([])
  })

  test('names every field in the wrong, keeps what was typed, and runs nothing', async () => {
    const { status, text } = await press('list_listings', { limit: 'many<b>', status: 'lost' })
    expect(status).toBe(422)
    expect(text).toContain('Nothing was run')
    expect(text).toMatch(/id="in\.limit"[^>]*aria-invalid="true"[^>]*value="many&lt;b>"/)
    expect(text).toMatch(/id="in\.limit\.problem">must be a whole number/)
    expect(text).toMatch(/<option value="lost" selected>/)
    expect(text).toContain('id="in.status.problem"')
    expect(text).not.toContain('text-curl')
    expect(await ownCalls()).toEqual([])
  })

  test('says where a text that should be JSON stops being it', async () => {
    const { status, text } = await press('update_listing', { listing_id: 'l_1', fields: '{"price": 1' })
    expect(status).toBe(422)
    expect(text).toMatch(/id="in\.fields\.problem">is not JSON: /)
    expect(text).toContain('{&quot;price&quot;: 1</textarea>')
    const inner = await press('update_listing', { listing_id: 'l_1', fields: '{"price": "1"}' })
    expect(inner.text).toMatch(/id="in\.fields\.problem">fields\.price must be/)
  })

  test('tells what is empty from what is left out', () => {
    const input = {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'array', items: { type: 'string' } } },
    }
    const fields = fieldsOf({ access: 'write', inputSchema: input } as unknown as Endpoint)
    expect(inputOf(fields, new Map()).input).toEqual({})
    expect(inputOf(fields, typedOf(fields, { a: '', b: [] })).input).toEqual({ a: '', b: [] })
    expect(inputOf(fields, typedOf(fields, { a: ' ', b: ['x'] })).input).toEqual({ a: ' ', b: ['x'] })
  })
})

describe('the button', () => {
  const app = 'property-advertising'
  /** Its words, the tag that goes with it, and whether the code expects to be asked. */
  async function says(endpoint: string): Promise<readonly [button: string, tag: string, code: boolean]> {
    const page = await (await person.get(`/play/${app}/${endpoint}`)).text()
    const button = /name="action" value="run">([^<]*)</.exec(page)?.[1] ?? ''
    return [button, /class="tag warn">([^<]*approval[^<]*)</.exec(page)?.[1] ?? '', page.includes('onConfirm')]
  }
  const always = ['Run: asks you to approve', 'waits for approval', true]
  const never = ['Run', '', false]

  test('says that it asks only where it does: as the owner’s switch says, else as the action comes', async () => {
    expect(await says('reply_to_contact')).toEqual(always)
    expect(await says('add_contact_note')).toEqual(never)
    await setConfirm(stack.ctx, user.id, app, 'reply_to_contact', { confirm: false })
    await setConfirm(stack.ctx, user.id, app, 'add_contact_note', { confirm: true })
    expect(await says('reply_to_contact')).toEqual(never)
    expect(await says('add_contact_note')).toEqual(always)
    expect(await says('list_listings')).toEqual(never)
    await stack.ctx.db.query(`UPDATE endpoint_settings SET proof = NULL WHERE owner = $1`, [user.id])
    expect(await says('reply_to_contact')).toEqual(always)
  })

  test('says that a standing approval may cover it, as long as one stands', async () => {
    const id = await standingFor(stack.ctx, user)
    expect(await says('reply_to_contact')).toEqual([
      'Run: asks you, unless a standing approval covers it',
      'waits for approval, unless a standing approval covers it',
      true,
    ])
    await revokeStanding(stack.ctx, user.id, id)
    expect(await says('reply_to_contact')).toEqual(always)
    await standingFor(stack.ctx, await stack.user())
    expect(await says('reply_to_contact')).toEqual(always)
  })
})

describe('a run', () => {
  test('of a read shows the answer, and is a call of the chosen key', async () => {
    const { status, text } = await press('list_listings', { limit: '2' })
    expect(status).toBe(200)
    expect(text).toContain('>Done <code>200</code>')
    expect(text).toContain('1 credit used')
    const [call] = await ownCalls()
    expect(call).toMatchObject({ endpoint: 'list_listings', status: 'executed', account: user.account.id })
    expect(text).toContain(`/calls/${String(call?.['call_id'])}`)
    const { rows } = await stack.ctx.db.query('SELECT key_id FROM calls WHERE id = $1', [call?.['call_id']])
    expect(rows).toEqual([{ key_id: user.keyId }])
  })

  test('of what needs approval waits for it, like any other', async () => {
    const contact_id = await firstContact(user)
    const { text } = await press('reply_to_contact', { contact_id, message: nasty })
    const id = /href="\/confirm\/(call_\w+)"/.exec(text)?.[1] ?? ''
    expect(text).toContain('It waits for your approval; nothing was sent yet <code>202</code>')
    expect(await user.record(id)).toMatchObject({ status: 'awaiting_confirmation' })
    await user.approve(id)
    expect(await user.record(id, 20)).toMatchObject({ status: 'executed' })
  })

  test('from the page of a waiting call says what an id stands for, and costs nothing', async () => {
    const contact_id = await firstContact(user)
    const { text } = await press('reply_to_contact', { contact_id, message: 'Hello' })
    const id = /href="\/confirm\/(call_\w+)"/.exec(text)?.[1] ?? ''
    // Nothing was told of it: the app did not answer then.
    await stack.ctx.db.query(`UPDATE calls SET preview = NULL, prepare_at = NULL WHERE id = $1`, [id])
    await stack.ctx.db.query(`UPDATE calls SET output = NULL WHERE account = $1 AND access = 'read'`, [user.account.id])
    const asks = await (await person.get(`/confirm/${id}`)).text()
    expect(asks).toContain('Callgate does not know what this stands for')
    const [, read = ''] = /name="look" value="(\w+)"/.exec(asks) ?? []
    const left = async (): Promise<unknown> => {
      const { rows } = await stack.ctx.db.query<{ available: number }>(
        'SELECT available FROM balances WHERE owner = (SELECT owner FROM calls WHERE id = $1)',
        [id],
      )
      return rows[0]?.available
    }
    const before = await left()
    const answer = await person.post(`/confirm/${id}`, { csrf: hidden(asks, 'csrf'), look: read })
    const shown = await (await person.get(answer.headers.get('location') ?? '')).text()
    for (const words of ['What its ids stand for', 'What Property advertising answered']) expect(shown).toContain(words)
    expect(shown).not.toContain('does not know what this stands for')
    expect(await left()).toBe(before)
    const [call] = await ownCalls()
    expect(call).toMatchObject({ endpoint: read, status: 'executed', credits_used: 0 })
    expect(await user.record(id)).toMatchObject({ status: 'awaiting_confirmation' })
  })

  test('from the page of a waiting call may be pressed twice, is refused to a key that ended, and shows nobody what is not theirs', async () => {
    const { text } = await press('reply_to_contact', { contact_id: await firstContact(user), message: 'Hello' })
    const id = /href="\/confirm\/(call_\w+)"/.exec(text)?.[1] ?? ''
    await stack.ctx.db.query(`UPDATE calls SET preview = NULL, prepare_at = NULL WHERE id = $1`, [id])
    await stack.ctx.db.query(`UPDATE calls SET output = NULL WHERE account = $1 AND access = 'read'`, [user.account.id])
    const asks = await (await person.get(`/confirm/${id}`)).text()
    const form = { csrf: hidden(asks, 'csrf'), look: /name="look" value="(\w+)"/.exec(asks)?.[1] ?? '' }
    const other = await stack.user()
    await other.call(form.look, { contact_id: await firstContact(other) })
    const { rows: theirs } = await stack.ctx.db.query<{ id: string }>(
      `SELECT id FROM calls WHERE owner = $1 AND status = 'executed'`,
      [other.id],
    )
    expect(theirs.length).toBeGreaterThan(0)
    const pages = theirs.map(async (call) => (await person.get(`/confirm/${id}?look=${call.id}`)).text())
    for (const shown of await Promise.all(pages)) expect(shown).not.toContain('advertising answered')

    const twice = await Promise.all([1, 2].map(() => person.post(`/confirm/${id}`, form)))
    expect(twice.map(({ status }) => status)).toEqual([303, 303])
    await stack.ctx.db.query(`UPDATE calls SET output = NULL WHERE account = $1 AND access = 'read'`, [user.account.id])
    await stack.ctx.db.query(`UPDATE api_keys SET revoked_at = now() WHERE id = $1`, [user.keyId])
    const refused = await person.post(`/confirm/${id}`, form)
    expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining('It was not looked up.')])
    const { rows } = await stack.ctx.db.query<{ status: string; credits: number }>(
      `SELECT status, credits FROM calls WHERE owner = $1 AND endpoint = $2 ORDER BY id DESC LIMIT 2`,
      [user.id, form.look],
    )
    expect(rows.map(({ credits }) => credits)).toEqual([0, 0])
    expect(await stack.sandbox.effects(user.account.seeded.account)).toEqual([])
  })

  test('sent twice from the same page is one call; changed and sent again it is another', async () => {
    const contact_id = await firstContact(user)
    const once = 'A'.repeat(22)
    const note = { contact_id, note: 'Called back' }
    const first = await press('add_contact_note', note, { once })
    const second = await press('add_contact_note', note, { once })
    expect(first.text).not.toContain('it is the same one')
    expect(second.text).toContain('it is the same one')
    await press('add_contact_note', { ...note, note: 'Called again' }, { once })
    const notes = (await ownCalls()).filter(({ endpoint }) => endpoint === 'add_contact_note')
    expect(notes.map(({ status }) => status)).toEqual(['executed', 'executed'])
  })

  test('holds to the access, the scope and the limit of the key, and says so', async () => {
    await stack.ctx.db.query(`INSERT INTO scopes (owner, app, mode) VALUES ($1, 'property-advertising', 'read')`, [
      user.id,
    ])
    const denied = await press('add_contact_note', { contact_id: 'c_1', note: 'x' })
    expect(denied.text).toContain('SCOPE_DENIED')
    await stack.ctx.db.query(`UPDATE api_keys SET apps = '{crm}' WHERE id = $1`, [user.keyId])
    const refused = await press('list_listings', {})
    expect(refused.text).toContain('Refused or failed <code>403</code>')
    expect(refused.text).toContain(`/access/property-advertising?key=${user.keyId}`)
    expect(refused.text).toContain('No key of yours may call')
    await stack.ctx.db.query(`UPDATE api_keys SET apps = NULL WHERE id = $1`, [user.keyId])
    await Promise.all(Array.from({ length: 58 }, () => user.send('POST', '/crm/no_such', {})))
    const limited = await press('list_listings', {})
    expect(limited.text).toContain('rate_limited')
    await stack.ctx.db.query(`UPDATE api_keys SET revoked_at = now() WHERE id = $1`, [user.keyId])
    expect((await press('list_listings', {})).status).toBe(422)
  })
})

describe('the same call as code', () => {
  const code = async (endpoint: string, fields: Record<string, string>): Promise<string> =>
    (await press(endpoint, fields, { action: 'show' })).text

  test('is shown without running anything', async () => {
    const page = await code('list_listings', { limit: '1' })
    for (const id of ['curl', 'typescript', 'python', 'mcp']) expect(shown(page, id)).toContain('list_listings')
    expect(page).not.toContain(user.key)
    expect(await ownCalls()).toEqual([])
  })

  test('runs with curl, TypeScript, Python and MCP as it stands, whatever the texts hold', async () => {
    const contact_id = await firstContact(user)
    const dir = await mkdtemp(path.join(tmpdir(), 'callgate-code-'))
    const env = { ...process.env, CALLGATE_API_KEY: user.key }
    const page = async (way: string): Promise<string> =>
      shown(await code('add_contact_note', { contact_id, note: `${way}: ${nasty}` }), way)
    try {
      const curl = await run('sh', ['-c', await page('curl')], { env })
      expect(JSON.parse(curl.stdout)).toMatchObject({ contact_id })

      const clients = await (await fetch(`${stack.publicUrl}/clients`)).text()
      const client = /[^"]+\.tgz/.exec(clients)?.[0] ?? ''
      await run('npm', ['install', '--prefix', dir, '--no-audit', '--no-fund', client], { env })
      await writeFile(path.join(dir, 'call.ts'), await page('typescript'))
      const node = await run(process.execPath, [path.join(dir, 'call.ts')], { env })
      expect(node.stdout).toContain(contact_id)

      const { python } = await pythonWith({ requirements: ['httpx==0.28.1'] })
      await writeFile(path.join(dir, 'call.py'), await page('python'))
      const py = await run(python, [path.join(dir, 'call.py')], { env })
      expect(py.stdout).toMatch(/^200 /)

      const mcp = await fetch(`${stack.publicUrl}/mcp`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${user.key}`,
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
        },
        body: await page('mcp'),
      })
      expect(await mcp.text()).toContain(contact_id)
    } finally {
      await rm(dir, { recursive: true, force: true })
    }
    const { rows } = await stack.ctx.db.query<{ count: number }>(
      `SELECT count(*)::integer AS count FROM calls WHERE owner = $1 AND endpoint = 'add_contact_note' AND status = 'executed'`,
      [user.id],
    )
    expect(rows).toEqual([{ count: 4 }])
    const { body } = await user.call('get_conversation', { contact_id })
    const notes = JSON.stringify(body)
    for (const way of ['curl', 'typescript', 'python', 'mcp'])
      expect(notes).toContain(JSON.stringify(`${way}: ${nasty}`).slice(1, -1))
  })

  test('names the account where there are several', async () => {
    user = await stack.user({ accounts: ['agency', 'agency'] })
    person = await user.person()
    const page = await code('list_listings', {})
    for (const id of ['curl', 'typescript', 'python', 'mcp'])
      expect(shown(page, id)).toContain(user.accounts.map((account) => account.id).toSorted()[0])
  })

  test('quotes for a shell what would end the quotes', async () => {
    const endpoint = loadApps({ sandboxUrl: 'http://localhost:8090' })
      .get('property-advertising')
      ?.endpoints.get('reply_to_contact') as Endpoint
    const input = { contact_id: `'; echo gone; '`, message: `''\\'` }
    const [curl] = codesOf({ publicUrl: 'http://x', endpoint, input, account: `a'b`, asks: true })
    const { stdout } = await run('sh', ['-c', curl!.text.replace(/^curl/, String.raw`printf '%s\n'`)])
    expect(stdout).toContain(`\n-d\n${JSON.stringify(input)}\n`)
    expect(stdout).toContain(`\nX-Callgate-Account: a'b\n`)
  })
})
