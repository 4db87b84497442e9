import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { connect } from '../../core/accounts/sessions.ts'
import { root } from '../../scripts/supervisor/settings.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { operatorToken } from '../../core/operators/credentials.ts'
import { cornerShop, shopFiles, shopPackage, shopSession } from '../support/corner-shop.ts'
import type { CornerShop, ShopPackage } from '../support/corner-shop.ts'
import type { TestUser } from '../support/user.ts'
import { temporaryFolder } from './temp.ts'

let stack: Stack
let shop: CornerShop
let source: ShopPackage
let user: TestUser
beforeAll(async () => {
  stack = await startStack()
  shop = await cornerShop()
  source = await shopPackage(shopFiles(shop.host))
  user = await stack.user({ accounts: [] })
})
afterAll(async () => {
  await source[Symbol.asyncDispose]()
  await shop[Symbol.asyncDispose]()
  await stack.stop()
})

/** The official client with this command as its server; `person` answers what they are asked, if the client can ask. */
async function author(person?: (message: string) => boolean) {
  const client = new Client(
    { name: 'author', version: '1.0.0' },
    { capabilities: person === undefined ? {} : { elicitation: { form: {} } } },
  )
  if (person !== undefined)
    client.setRequestHandler('elicitation/create', ({ params }) => ({
      action: 'accept',
      content: { agree: person(params.message) },
    }))
  await client.connect(
    new StdioClientTransport({
      ...{ command: process.execPath, stderr: 'inherit' },
      args: [path.join(root, 'scripts/connector.ts'), 'mcp', '--url', stack.adminUrl, '--as', 'ann'],
      env: {
        ...{ PATH: process.env['PATH'] ?? '', CALLGATE_OPERATOR_TOKEN: operatorToken(stack.ctx.secrets) },
        ...{ CALLGATE_URL: `${stack.publicUrl}/api/v1`, CALLGATE_API_KEY: user.key },
      },
    }),
  )
  onTestFinished(() => client.close())
  return {
    client,
    use: async (name: string, args: Readonly<Record<string, unknown>>) => {
      const { content, isError } = await client.callTool({ name: `connector_${name}`, arguments: args })
      const [first] = content
      return { isError: isError === true, text: first?.type === 'text' ? first.text : '' }
    },
  }
}

describe('the verbs as tools of a coding agent', () => {
  it('are those that leave to a person what is theirs', async () => {
    const { client } = await author()
    const { tools } = await client.listTools()
    const names = tools.map(({ name }) => name.replace('connector_', ''))
    expect(names).toEqual(expect.arrayContaining(['init', 'add', 'record', 'suggest', 'update', 'try', 'test', 'list']))
    expect(names.filter((name) => ['trust', 'distrust', 'remove', 'dev', 'mcp'].includes(name))).toEqual([])
    const tried = tools.find(({ name }) => name === 'connector_try')
    expect(tried?.inputSchema).toMatchObject({
      properties: { folder: { type: 'string' }, input: { type: 'object' }, signed_out: { type: 'boolean' } },
      required: ['folder', 'endpoint'],
      additionalProperties: false,
    })
    expect(Object.keys(tried?.inputSchema.properties ?? {}), 'they do not wait for hours').not.toContain('no_wait')
  })

  it('write a draft, and say what is wrong with what they are given', async () => {
    const { use, client } = await author()
    const folder = path.join(temporaryFolder(), 'my-shop')
    const made = await use('init', { folder, address: 'https://shop.example.com/', offline: true })
    expect(made).toMatchObject({ isError: false, text: expect.stringContaining('AGENTS.md') })
    expect(await readFile(path.join(folder, 'index.ts'), 'utf8')).toContain("undecided('which page says")
    expect(await use('add', { source: folder })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/index\.ts:\d+: it is not decided/),
    })
    expect(await use('test', { folder, wait: 1 })).toEqual({
      isError: true,
      text: 'There is no argument wait. Arguments: folder, endpoint, live, reads, account.',
    })
    expect(await use('init', { folder })).toEqual({ isError: true, text: 'address has to be a text.' })
    expect(await use('try', { folder, endpoint: 'x', input: '{}' })).toEqual({
      isError: true,
      text: 'input has to be an object.',
    })
    await expect(client.callTool({ name: 'connector_trust', arguments: {} })).rejects.toThrow('There is no tool')
  })

  it('add a connector once its person has agreed to what they were shown', async () => {
    const { text, isError } = await (await author()).use('add', { source: source.folder })
    expect([isError, text]).toEqual([true, expect.stringContaining('A person has to agree to this, at a shell')])
    const asked: string[] = []
    const no = await (await author((message) => asked.push(message) < 0)).use('add', { source: source.folder })
    expect([no.isError, asked]).toEqual([true, [expect.stringContaining(new URL(shop.host).host)]])
    expect(stack.ctx.apps.get('corner-shop')).toBeUndefined()
    const yes = await (await author((message) => asked.push(message) > 0)).use('add', { source: source.folder })
    expect([yes.isError, asked.length]).toEqual([false, 2])
    await vi.waitUntil(() => stack.ctx.apps.get('corner-shop') !== undefined, { timeout: 120_000 })
  })

  it('try a write without waiting for its person, and go on once it is decided', async () => {
    await connect(stack.ctx, {
      ...{ owner: user.id, app: 'corner-shop', externalId: 'ann', label: 'Ann', session: shopSession },
    })
    const { use } = await author()
    const input = { note: 'Rye' }
    const begun = await use('try', { folder: source.folder, endpoint: 'add_order', input, keep: 'success' })
    const [, call = '', id = ''] = /\/confirm\/(call_\w+) .*--go-on (\w+)\./.exec(begun.text) ?? []
    expect([begun.isError, shop.orders.length]).toEqual([false, 0])
    expect((await use('try', { folder: source.folder, endpoint: 'add_order', input, go_on: id })).text).toBe(begun.text)
    await user.approve(call)
    await vi.waitUntil(() => shop.orders.length === 1, { timeout: 120_000 })
    const done = await use('try', { folder: source.folder, endpoint: 'add_order', input, go_on: id, keep: 'success' })
    expect(done.text).toMatch(/✓ executed[^]*POST \/orders +201[^]*Kept as recordings\/add_order\/success\.http/)
    expect([done.isError, shop.orders.length]).toEqual([false, 1])
  })

  it('say where to record, and end', async () => {
    const { use } = await author()
    const { text } = await use('record', { app: 'corner-shop', endpoint: 'list_orders' })
    expect(text).toMatch(/^Open this, signed in to Callgate, within an hour: http.*\/record\/[\w-]+$/)
    expect((await use('recordings', { app: 'corner-shop' })).text).toContain('"list_orders"')
  })
})
