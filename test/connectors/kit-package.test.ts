import { execFile } from 'node:child_process'
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { apiVersion } from '../../scripts/connector/package.ts'
import { shopFiles, shopPackage } from '../support/corner-shop.ts'
import type { ShopPackage } from '../support/corner-shop.ts'

const run = promisify(execFile)
const root = path.join(import.meta.dirname, '../..')
const modules = path.join(root, 'node_modules')

let shop: ShopPackage
/** The kit as it is unpacked beside somebody's connector. */
let kit: string

beforeAll(async () => {
  shop = await shopPackage(shopFiles('https://shop.example.com'))
  kit = path.join(shop.folder, 'node_modules/@callgate/kit')
  await mkdir(kit, { recursive: true })
  // Made in a copy: others may copy the project's folders meanwhile.
  const source = path.join(shop.folder, 'source')
  for (const each of ['tsconfig.json', 'schemas', 'connectors/kit'])
    await cp(path.join(root, each), path.join(source, each), { recursive: true })
  await symlink(modules, path.join(source, 'node_modules'))
  const npm = ['pack', '--silent', '--pack-destination', shop.folder, path.join(source, 'connectors/kit')]
  const { stdout } = await run('npm', npm, { cwd: source })
  await run('tar', ['-xzf', path.join(shop.folder, stdout.trim()), '-C', kit, '--strip-components=1'])
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

interface PackageJson {
  readonly dependencies: Readonly<Record<string, string>>
  readonly callgate: { readonly api: number }
}

const readJson = async (file: string): Promise<unknown> => JSON.parse(await readFile(file, 'utf8'))
const packageJson = () => readJson(path.join(kit, 'package.json')) as Promise<PackageJson>

async function compiled(): Promise<string> {
  try {
    return (await run(path.join(modules, '.bin/tsc'), ['-p', shop.folder])).stdout
  } catch (error) {
    return (error as { stdout: string }).stdout
  }
}

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
