import { createServer } from 'node:http'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { connect } from '../../core/accounts/sessions.ts'
import { lookAt } from '../../scripts/connector/look.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { shopPackage, shopSession } from '../support/corner-shop.ts'
import { listen } from '../support/listen.ts'
import { askAsOperator } from '../support/operator.ts'
import type { TestUser } from '../support/user.ts'

/** What a version of the connector may have otherwise than another. */
interface Version {
  readonly path?: string
  readonly mark?: string
  readonly token?: string
  readonly header?: string
  readonly most?: number
}

let stack: Stack
let user: TestUser
let host: string
let versions = 0
const asked: { line: string; token: string | undefined; body: string }[] = []
const server = createServer((request, response) => {
  void text(request).then((body) => {
    const { 'x-one': one, 'x-two': two } = request.headers
    if (request.method === 'POST') asked.push({ line: request.url ?? '', token: String(one ?? two), body })
    const found = request.method === 'POST' ? { id: 'n1' } : { id: 'ann', name: 'Ann', first: 'T1', second: 'T2' }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(found))
  })
})

const files = ({ path = '/notes', mark = 'one', token = 'first', header = 'x-one', most = 50 }: Version) => ({
  'package.json': JSON.stringify({
    ...{ name: 'note-book', version: `1.0.${++versions}`, type: 'module' },
    callgate: { connector: './index.ts', api: 1, hosts: [host] },
  }),
  'index.ts': `import { Type, connector, endpoint, firstOf, jsonSays, jsonSignIn, jsonToken, labelled } from '@callgate/kit'
const add_note = endpoint({
  summary: 'Add a note.', label: 'Add a note', brief: ['note'], effect: 'adds', shownBy: [], access: 'write',
  request: 'POST ${path}', csrf: jsonToken({ page: 'me', field: '${token}', header: '${header}' }),
  input: { note: labelled('Note', Type.String({ maxLength: ${most} })) }, output: { id: Type.String() },
  encode: ({ note }) => ({ json: { note, mark: '${mark}' } }),
})
export default connector({
  name: 'Note book', description: 'Notes.', role: 'owner', origin: '${host}/', things: {},
  signIn: jsonSignIn({ page: 'login', who: 'me', account: ({ id, name }) => ({ id, label: name }) }),
  failure: firstOf(jsonSays((_, status) => status === 401, 'auth_expired')), endpoints: [{ add_note }],
})
`,
})

async function bring(route: string, version: Version): Promise<void> {
  await using made = await shopPackage(files(version))
  const { slug, package: from, hosts, code } = await lookAt(made.folder)
  const body = { ...(route === '' && { slug }), package: from, hosts, code }
  expect(await askAsOperator(stack, 'POST', `/connectors${route}`, body)).toMatchObject({ status: 200 })
}

/** A new version, and time for all processes to have it: each looks once a second. */
async function update(version: Version): Promise<void> {
  const before = stack.ctx.apps.get('note-book')?.added?.hash
  await bring('/note-book/update', version)
  await expect.poll(() => stack.ctx.apps.get('note-book')?.added?.hash).not.toBe(before)
}

async function waiting(note: string): Promise<string> {
  const { status, body } = await user.send('POST', '/note-book/add_note', { note })
  expect([status, body['status']]).toEqual([202, 'awaiting_confirmation'])
  return String(body['call_id'])
}

const page = async (id: string): Promise<string> => (await (await user.person()).get(`/confirm/${id}`)).text()

/** Approved while nobody sends, so that it is sent by the version that comes. */
async function approvedBefore(note: string, version: Version): Promise<string> {
  const id = await waiting(note)
  await stack.stopWorker()
  await user.approve(id)
  await update(version)
  await stack.startWorker()
  return id
}

beforeAll(async () => {
  host = `http://127.0.0.1:${await listen(server)}`
  stack = await startStack()
  user = await stack.user({ accounts: [] })
  await bring('', {})
  await vi.waitUntil(() => stack.ctx.apps.get('note-book'), 120_000)
  await connect(stack.ctx, {
    owner: user.id,
    app: 'note-book',
    session: shopSession,
    externalId: 'ann',
    label: 'Ann',
  })
})
afterAll(async () => {
  await stack.stop()
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
})

it('before the approval a call is rendered again, under a new hash', async () => {
  const id = await waiting('Waits')
  const person = await user.person()
  const before = await person.confirmForm(id)
  expect(await page(id)).toContain('/notes')
  await update({ path: '/memos', mark: 'two', token: 'second', header: 'x-two' })
  expect((await person.post(`/confirm/${id}`, { ...before, decision: 'approve' })).status).toBe(409)
  const now = await person.confirmForm(id)
  expect(now.approval_hash).not.toBe(before.approval_hash)
  const shown = await page(id)
  expect(shown).toContain('/memos')
  expect(shown).toContain('x-two')
  expect(shown).not.toContain('/notes')
  await user.approve(id)
  expect(await user.record(id, 20)).toMatchObject({ status: 'executed' })
  expect(asked.at(-1)).toMatchObject({
    line: '/memos',
    token: 'T2',
    body: JSON.stringify({ note: 'Waits', mark: 'two' }),
  })
})

it('after the approval it is sent as it was approved', async () => {
  await update({})
  const id = await approvedBefore('As approved', { mark: 'another' })
  expect(await user.record(id, 30)).toMatchObject({ status: 'executed' })
  expect(asked.at(-1)).toMatchObject({ line: '/notes', body: JSON.stringify({ note: 'As approved', mark: 'one' }) })
})

it.each<readonly [what: string, version: Version, sent: object]>([
  ['its route is gone', { path: '/elsewhere' }, { line: '/elsewhere', token: 'T1' }],
  ['its token goes elsewhere', { header: 'x-two' }, { line: '/notes', token: 'T1' }],
  ['its token comes from elsewhere', { token: 'second' }, { line: '/notes', token: 'T2' }],
])('it is asked again where %s', async (_what, version, sent) => {
  await update({})
  const count = asked.length
  const id = await approvedBefore('Once more', version)
  await expect.poll(() => user.record(id)).toMatchObject({ status: 'awaiting_confirmation', asked_again: 1 })
  expect(asked).toHaveLength(count)
  await (await user.person()).confirmForm(id)
  expect(await page(id)).toContain('an operator has updated how Callgate talks to Note book')
  await user.approve(id)
  expect(await user.record(id, 30)).toMatchObject({ status: 'executed' })
  expect(asked.at(-1)).toMatchObject(sent)
})

it('what the new version does not take any more ends as definition_changed, before and after the approval', async () => {
  await update({})
  const count = asked.length
  const waits = await waiting('Too long by then')
  const approved = await approvedBefore('Too long as well', { path: '/elsewhere', most: 5 })
  for (const id of [waits, approved]) {
    const record = await user.record(id, 30)
    expect(record).toMatchObject({ status: 'failed', credits_used: 0, error: { error: 'definition_changed' } })
  }
  expect(asked).toHaveLength(count)
})
