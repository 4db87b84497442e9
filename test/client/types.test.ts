import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { memberOf } from '../../client/endpoint-types.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { connectorCommand, cornerShop, shopFiles, shopPackage } from '../support/corner-shop.ts'
import type { CornerShop } from '../support/corner-shop.ts'
import { run } from './run.ts'
import type { Ran } from './run.ts'

const root = path.join(import.meta.dirname, '../..')
const tsc = path.join(root, 'node_modules/.bin/tsc')

let stack: Stack
let shop: CornerShop
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'callgate-types-'))
  shop = await cornerShop()
  stack = await startStack({ worker: false })
  await using connector = await shopPackage(shopFiles(shop.host))
  const added = await connectorCommand(stack, 'add', connector.folder, '--yes')
  expect([added.code, added.said]).toEqual([0, ''])
  const isThere = async () => expect((await fetch(`${stack.url}/corner-shop`)).status).toBe(200)
  await vi.waitFor(isThere, { timeout: 120_000, interval: 500 })

  const client = path.join(folder, 'node_modules/@callgate/client')
  await mkdir(client, { recursive: true })
  execFileSync(process.execPath, [path.join(root, 'scripts/client/pack.ts'), folder])
  const archive = path.join(folder, 'callgate-client-0.1.0.tgz')
  execFileSync('tar', ['xzf', archive, '--strip-components=1', '-C', client])
  const compilerOptions = {
    ...{ target: 'es2022', lib: ['es2022', 'dom'], module: 'node20', strict: true, noEmit: true, types: ['node'] },
    typeRoots: [path.join(root, 'node_modules/@types')],
  }
  await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
})
afterAll(async () => {
  await stack.stop()
  await shop[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const command = (...args: string[]): Promise<Ran> =>
  run(process.execPath, [path.join(folder, 'node_modules/@callgate/client/dist/cli.mjs'), ...args], {
    cwd: folder,
    env: { CALLGATE_URL: stack.publicUrl },
  })

const program = `import { Callgate } from '@callgate/client'
import type { Input } from '@callgate/client'
const callgate = new Callgate({ apiKey: 'k' })
export const orders = async (): Promise<readonly { readonly id: string; readonly note: string }[]> =>
  (await callgate.run('corner-shop.list_orders', {})).orders
export const add = async (input: Input<'corner-shop.add_order'>): Promise<string> =>
  (await callgate.run('corner-shop.add_order', input)).id
export const title = async () => (await callgate.run('property-advertising.list_listings', {})).listings[0]?.title
// @ts-expect-error There is no such field.
export const misspelt = () => callgate.run('corner-shop.add_order', { noet: 'Two rolls' })
// @ts-expect-error A note is text.
export const wrong = () => callgate.run('corner-shop.add_order', { note: 2 })
// @ts-expect-error There is no such action.
export const unknown = () => callgate.run('corner-shop.sell', {})
`

describe('callgate types', () => {
  test('declares the endpoints of an added app, beside those that the client knows', async () => {
    await writeFile(path.join(folder, 'esm.mts'), program)
    await writeFile(path.join(folder, 'cjs.cts'), program)
    const before = await run(tsc, ['-p', '.'], { cwd: folder, env: {} })
    expect([before.code, before.out]).toEqual([1, expect.stringContaining('Unused')])
    await writeFile(path.join(folder, 'callgate.d.ts'), `import '@callgate/client/apps'\n`)
    const known = await run(tsc, ['-p', '.'], { cwd: folder, env: {} })
    expect([known.code, known.out]).toEqual([1, expect.stringContaining('corner-shop.list_orders')])

    const written = await command('types')
    expect([written.code, written.err]).toEqual([0, ''])
    expect(written.out).toMatch(/^callgate\.d\.ts has the types of 30\d actions\.\n$/)
    // Also beside the entry of the built-in apps, which says the same: libraries are not skipped.
    await writeFile(path.join(folder, 'both.mts'), `import '@callgate/client/apps'\n${program}`)
    expect(await run(tsc, ['-p', '.'], { cwd: folder, env: {} })).toEqual({ code: 0, out: '', err: '' })
  })

  test('writes one app, where it is told', async () => {
    const one = await command('types', '--app', 'corner-shop', '-')
    expect([...one.out.matchAll(/'([\w-]+\.\w+)': \{/g)].map(([, id]) => id)).toEqual([
      ...['corner-shop.list_orders', 'corner-shop.add_order', 'corner-shop.add_photo', 'corner-shop.add_to_order'],
    ])
    const told = await command('types', 'mine.d.ts', '--app', 'crm', '--json')
    expect(JSON.parse(told.out)).toEqual({ file: 'mine.d.ts', endpoints: expect.any(Number) })
    expect(await readFile(path.join(folder, 'mine.d.ts'), 'utf8')).toContain("'crm.get_project': {")
    await rm(path.join(folder, 'mine.d.ts'))
  })

  test.each([
    [['--app', 'none'], /has no app none/],
    [['types.json'], /such as src\/callgate\.d\.ts/],
    [['missing/callgate.d.ts'], /cannot be written/],
  ])('%j is wrong usage, and writes nothing', async (args, said) => {
    const { code, err } = await command('types', ...args)
    expect([code, err]).toEqual([2, expect.stringMatching(said)])
  })
})

describe('the types of an endpoint', () => {
  const member = (output: unknown, summary = 'Does it.') =>
    memberOf({ id: 'a.b', summary, access: 'read', confirm: false, input: {}, output }, '')
  const outputOf = (schema: unknown) => /^ {2}output: ([^]*)\n\}$/m.exec(member(schema))?.[1]

  test.each([
    [{ type: ['string', 'null'] }, 'string | null'],
    [{ anyOf: [{ type: 'string' }, { const: '' }, { type: 'null' }] }, 'string | null'],
    [{ oneOf: [{ type: 'integer' }, { type: 'boolean' }] }, 'number | boolean'],
    [{ type: 'array', items: { type: ['string', 'null'] } }, 'readonly (string | null)[]'],
    [{ type: 'array', items: { enum: ["it's", '{'] } }, `readonly ('it\\'s' | '{')[]`],
    [{ type: 'array' }, 'readonly unknown[]'],
    [{ type: 'object' }, 'Readonly<Record<string, unknown>>'],
    [{ type: 'object', additionalProperties: false }, 'Record<string, never>'],
    [{ type: 'object', additionalProperties: { type: 'number' } }, 'Readonly<Record<string, number>>'],
    [{ allOf: [{ type: 'string' }, { enum: ['a', 'b'] }] }, `string & ('a' | 'b')`],
    [{ $ref: '#/elsewhere' }, 'unknown'],
    [true, 'unknown'],
  ])('of %j are %s', (schema, type) => {
    expect(outputOf(schema)).toBe(type)
  })

  test('keep what authors wrote in its comments and quotes', async () => {
    const hostile = `*/ }; export const bad: string = 1 /* '\n"`
    const properties = {
      [hostile]: { type: 'string', description: hostile },
      'two words': { enum: [hostile, 'line\u2028break', '\\'] },
      plain: {
        type: 'array',
        items: { type: 'object', properties: { a: { description: `it's | {`, type: 'string' } } },
      },
    }
    const text = `export interface Endpoints {\n${member({ type: 'object', properties }, hostile)}\n}
export const ok: Endpoints['a.b']['output'] = { 'two words': 'line\u2028break', plain: [{ a: '' }] }
`
    const place = path.join(folder, 'hostile')
    await mkdir(place, { recursive: true })
    await writeFile(path.join(place, 'index.ts'), text)
    await writeFile(path.join(place, 'tsconfig.json'), '{ "compilerOptions": { "strict": true, "noEmit": true } }')
    const ran = await run(tsc, ['-p', '.'], { cwd: place, env: {} })
    expect(ran).toEqual({ code: 0, out: '', err: '' })
    expect(text).not.toMatch(/^export const bad/m)
    await rm(place, { recursive: true })
  })
})
