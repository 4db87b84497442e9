import { execFile } from 'node:child_process'
import { copyFile, cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lookAt } from '../../scripts/connector/look.ts'
import { apiVersion } from '../../scripts/connector/package.ts'
import { unseen } from '../../scripts/connector/init/look-around.ts'
import { placeFor, rootOf, writePackage } from '../../scripts/connector/init/package.ts'
import { shopFiles, shopPackage } from '../support/corner-shop.ts'
import type { ShopPackage } from '../support/corner-shop.ts'

const run = promisify(execFile)
const root = path.join(import.meta.dirname, '../..')
const modules = path.join(root, 'node_modules')

let shop: ShopPackage
/** The kit as it is unpacked beside somebody's connector. */
let kit: string
/** A package as it is drafted. */
let fresh: string

beforeAll(async () => {
  shop = await shopPackage(shopFiles('https://shop.example.com'))
  kit = path.join(shop.folder, 'node_modules/@callgate/kit')
  fresh = path.join(shop.folder, 'new/my-shop')
  await mkdir(kit, { recursive: true })
  await writePackage(placeFor(fresh), rootOf('https://shop.example.com/app'), unseen)
  const packed = path.join(fresh, 'callgate-kit-1.0.0.tgz')
  await run('tar', ['-xzf', packed, '-C', kit, '--strip-components=1'])
  const { dependencies } = await packageJson()
  for (const name of Object.keys(dependencies))
    await symlink(path.join(modules, name), path.join(shop.folder, 'node_modules', name))
  const compilerOptions = {
    ...{
      target: 'es2024',
      module: 'nodenext',
      lib: ['es2024', 'dom'],
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      types: [],
    },
    ...{ exactOptionalPropertyTypes: true, allowImportingTsExtensions: true, erasableSyntaxOnly: true },
  }
  await shop.write('tsconfig.json', JSON.stringify({ compilerOptions, include: ['*.ts'] }))
})
afterAll(() => shop[Symbol.asyncDispose]())

const kitSources = path.join(root, 'connectors/kit')
const docs = (file: string) => readFile(path.join(root, 'docs', file), 'utf8')

/** What the kit exports, its types too. */
async function exported(): Promise<readonly string[]> {
  const index = await readFile(path.join(kitSources, 'index.ts'), 'utf8')
  const listed = [...index.matchAll(/^export (?:type )?\{ (.+) \} from/gm)].flatMap(([, names = '']) =>
    names.split(', '),
  )
  const files = [...index.matchAll(/^export \* from '(.+)'/gm)].map(([, file = '']) => path.join(kitSources, file))
  const sources = await Promise.all(files.map((file) => readFile(file, 'utf8')))
  const declared = sources.flatMap((source) => [
    ...source.matchAll(/^export (?:const|function|class|interface|type) (\w+)/gm),
  ])
  return [...new Set([...listed, ...declared.map(([, name = '']) => name)])]
}

/** The TypeScript of a page of docs. */
async function examplesOf(file: string): Promise<readonly string[]> {
  return Array.from((await docs(file)).matchAll(/^```ts\n(.*?)^```/gms), ([, code = '']) => code)
}

interface PackageJson {
  readonly dependencies: Readonly<Record<string, string>>
  readonly callgate: { readonly api: number }
}

const readJson = async (file: string): Promise<unknown> => JSON.parse(await readFile(file, 'utf8'))
const packageJson = () => readJson(path.join(kit, 'package.json')) as Promise<PackageJson>

async function compiled(folder = shop.folder): Promise<string> {
  try {
    return (await run(path.join(modules, '.bin/tsc'), ['-p', folder])).stdout
  } catch (error) {
    return (error as { stdout: string }).stdout
  }
}

test('a new package compiles as it is written', async () => {
  expect(await compiled(fresh)).toBe('')
})

test('a connector elsewhere compiles against the packed kit, and a wrong one does not', async () => {
  expect(await compiled()).toBe('')
  const { 'orders.ts': orders = '' } = shopFiles('https://shop.example.com')
  await shop.write('orders.ts', orders.replace('GET /orders', 'GET /orders/{id}'))
  expect(await compiled()).toContain('The request line names {id}, which is not among the required inputs')
  await shop.write('orders.ts', orders)
})

test('the packed kit runs, and is the one that this gateway takes', async () => {
  await writeFile(
    path.join(shop.folder, 'try.mjs'),
    `import * as kit from '@callgate/kit'; console.log(Object.keys(kit).join())`,
  )
  const { stdout } = await run(process.execPath, [path.join(shop.folder, 'try.mjs')])
  const here = Object.keys(await import('../../connectors/kit/index.ts'))
  expect(stdout.trim().split(',').toSorted()).toEqual(here.toSorted())
  const { dependencies, callgate } = await packageJson()
  expect(callgate.api).toBe(apiVersion)
  const ours = (await readJson(path.join(root, 'package.json'))) as PackageJson
  expect(ours.dependencies).toMatchObject(dependencies)
})

test.each(['askbot', 'pretix'])('the connector of the real app %s compiles against the packed kit', async (name) => {
  const folder = path.join(shop.folder, 'examples', name)
  await cp(path.join(root, 'examples/connectors', name), folder, {
    recursive: true,
    filter: (file) => !file.endsWith('/recordings'),
  })
  await copyFile(path.join(shop.folder, 'tsconfig.json'), path.join(folder, 'tsconfig.json'))
  expect(await compiled(folder)).toBe('')
})

test('the reference names every export of the kit, and has an example of each value and each field', async () => {
  const examples = (await examplesOf('kit.md')).join('\n')
  const named = [examples, ...(await docs('kit.md')).matchAll(/`[^`\n]+`/g)].join('\n')
  const unknown = (words: readonly string[], text: string) =>
    words.filter((word) => !new RegExp(`\\b${word}\\b`).test(text))
  const files = ['define', 'declared', 'before', 'whole-form', 'session-token', 'csrf']
  const sources = files.map((file) => readFile(path.join(kitSources, `${file}.ts`), 'utf8'))
  const found = (await Promise.all(sources)).flatMap((source) => [...source.matchAll(/^ {2}readonly (\w+)\??:/gm)])
  const fields = found.map(([, field = '']) => field)
  expect(fields.length).toBeGreaterThan(100)
  expect(unknown(fields, examples)).toEqual([])
  expect(unknown(Object.keys(await import('../../connectors/kit/index.ts')), examples)).toEqual([])
  expect(unknown(await exported(), named)).toEqual([])
})

test('the examples of the reference compile against the packed kit', async () => {
  const names = await exported()
  const examples = await examplesOf('kit.md')
  expect(examples.length).toBeGreaterThan(15)
  for (const [at, code] of examples.entries()) {
    const own = new Set(Array.from(code.matchAll(/^(?:export )?const (\w+)/gm), ([, name]) => name))
    const used = names.filter((name) => !own.has(name) && new RegExp(`\\b${name}\\b`).test(code))
    await shop.write(`example-${at}.ts`, `import { ${used.join(', ')} } from '@callgate/kit'\n${code}`)
  }
  expect(await compiled()).toBe('')
})

test('the connector that the docs make step by step compiles at each of them, and is taken', async () => {
  const folder = path.join(shop.folder, 'new/ihatemoney')
  await mkdir(folder)
  for (const [file, from, to] of [
    ['package.json', 'https://shop.example.com', 'http://127.0.0.1:5000'],
    ['tsconfig.json', '', ''],
  ] as const)
    await writeFile(path.join(folder, file), (await readFile(path.join(fresh, file), 'utf8')).replace(from, to))
  const taken = []
  for (const code of await examplesOf('connect-a-real-app.md')) {
    const [, file = '', more] = /^\/\/ ([\w-]+\.ts)(, at its end)?\n/.exec(code) ?? []
    const target = path.join(folder, file)
    await writeFile(target, more === undefined ? code : `${await readFile(target, 'utf8')}\n${code}`)
    if (file === 'index.ts') continue
    expect(await compiled(folder)).toBe('')
    taken.push([...(await lookAt(folder)).app.endpoints.keys()].toSorted())
  }
  const reads = ['list_bills', 'list_members']
  expect(taken).toEqual([reads, ['add_bill', ...reads], ['add_bill', 'change_bill', ...reads, 'remove_bill']])
})
