import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { brotliDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { specVersion } from '../../connectors/kit/define.ts'
import { hashOf } from '../../connectors/runtime/added.ts'
import { connect } from '../../core/accounts/sessions.ts'
import { operatorToken } from '../../core/operators/credentials.ts'
import { findConnectors } from '../../scripts/doctor/connectors.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { listen } from '../support/listen.ts'
import { askAsOperator } from '../support/operator.ts'
import { Person } from '../support/person.ts'

/** `shop.1.ts.txt` as `callgate connector add` of the last release before `specVersion` bundled it. Its token is found by its own code. */
const file = new URL('../connectors/older-bundles/shop.1.js.br', import.meta.url)
const token = /csrf: headerToken\(\{[^}]*\}\),/

const ordered: unknown[] = []
const server = createServer((request, response) => {
  void text(request).then((body) => {
    if (request.method === 'POST') ordered.push(JSON.parse(body))
    const list = ordered.map((one, id) => `<li data-id=${id}>${(one as { title: string }).title}`).join('')
    const [type, answer] =
      request.method === 'POST'
        ? ['application/json', '{"id":7}']
        : ['text/html', `<meta name=csrf content=t><ul>${list || '<li class=none>'}</ul>`]
    response.writeHead(200, { 'content-type': type }).end(answer)
  })
})

let code: string
let origin: string
let stack: Stack
beforeAll(async () => {
  origin = `http://127.0.0.1:${await listen(server)}`
  const bundle = brotliDecompressSync(await readFile(file)).toString()
  code = bundle.replace('http://127.0.0.1:1', `${origin}/`)
  stack = await startStack()
})
afterAll(async () => {
  await stack.stop()
  server.closeAllConnections()
  server.close()
})

const add = (slug: string, more: object) =>
  askAsOperator(stack, 'POST', '/connectors', { slug, package: `${slug}@1.0.0`, hosts: [origin], ...more })

it('a bundle of the release before is added and serves, and operators see that it is one', async () => {
  expect(code).toMatch(token)
  expect(await add('old-shop', { code: code.replace(token, '') })).toMatchObject({ status: 200 })
  const user = await stack.user({ accounts: [] })
  await expect.poll(async () => (await user.send('GET', '/old-shop')).status, { interval: 500 }).toBe(200)
  const session = { cookies: [], user_agent: null }
  await connect(stack.ctx, { owner: user.id, app: 'old-shop', externalId: 'ann', label: 'Ann', session })

  const { status, body } = await user.send('POST', '/old-shop/add_order', { title: 'Bread' })
  expect([status, body], JSON.stringify(body)).toMatchObject([202, { status: 'awaiting_confirmation' }])
  await user.approve(body['call_id'])
  expect((await user.record(body['call_id'], 20))['status']).toBe('executed')
  expect(ordered).toEqual([{ title: 'Bread' }])
  const { body: listed } = await user.send('POST', '/old-shop/list_orders', {})
  expect(listed).toMatchObject({ orders: [{ id: '0', title: 'Bread' }] })

  const update = 'callgate connector update <folder or package of old-shop>'
  const { body: told } = await askAsOperator(stack, 'GET', '/connectors')
  expect(told).toMatchObject({ connectors: [{ slug: 'old-shop', state: 'serves', outdated: true, do: update }] })
  const env = { CALLGATE_ADMIN_URL: stack.adminUrl, CALLGATE_OPERATOR_TOKEN: operatorToken(stack.ctx.secrets) }
  const found = 'old-shop was bundled by an older release'
  expect(await findConnectors(env)).toMatchObject({ ok: false, found, mend: expect.stringContaining('update') })
  expect(await findConnectors({ ...env, CALLGATE_OPERATOR_TOKEN: 'another' })).toMatchObject({ ok: true })
  const operator = new Person(stack.adminUrl)
  await operator.post('/login', { name: 'ann', token: operatorToken(stack.ctx.secrets), return_to: '/' })
  expect(await (await operator.get('/')).text()).toContain('old-shop: bundled by an older release')
})

it('one whose token its own code finds is refused by name, and so is one of a newer release', async () => {
  const { status, body } = await add('old-token', { code })
  expect([status, body['message']]).toEqual([400, expect.stringContaining('run `callgate connector update`')])
  const newer = code.replace(token, `specVersion: ${specVersion + 1},`)
  expect((await add('newer', { code: newer })).body['message']).toContain('bundled by a newer release')
})

it('one that was added before this release is off, named, and says what to do, while others serve', async () => {
  const hash = hashOf(code)
  await stack.ctx.db.query('INSERT INTO connector_bundles (hash, code) VALUES ($1, $2)', [hash, code])
  await stack.ctx.db.query(
    `INSERT INTO added_connectors (slug, hash, package, hosts, endpoints, added_by)
     VALUES ('was-there', $1, 'was-there@1.0.0', $2, '{}', 'ann')`,
    [hash, [origin]],
  )
  const listed = async () => {
    const { body } = await askAsOperator(stack, 'GET', '/connectors')
    return (body['connectors'] as { readonly slug: string }[]).find(({ slug }) => slug === 'was-there')
  }
  await expect.poll(listed, { interval: 500 }).toMatchObject({
    state: 'broken',
    problem: expect.stringContaining('has a token of an older kit'),
    do: 'callgate connector update <folder or package of was-there>',
  })
})
