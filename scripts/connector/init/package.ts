import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { connectors } from '../../../connectors/apps.ts'
import { named } from '../../../schemas/names.ts'
import { apiVersion, slugOf } from '../package.ts'
import { agentsFile } from './agents-file.ts'
import { draft } from './draft.ts'
import type { Found } from './look-around.ts'
import { packKit } from '../../pack-kit.ts'

const root = path.join(import.meta.dirname, '../../..')

/** A folder for a new connector's package. */
export interface Place {
  readonly folder: string
  readonly name: string
  readonly slug: string
}

/** Checks the folder of the new package. Throws why it cannot be used. */
export function placeFor(folder: string): Place {
  const name = path.basename(path.resolve(folder))
  const slug = slugOf(name)
  if (!named('{slug}').test(slug) || slug.length > 64)
    throw new Error(`"${slug}" cannot name an app: name the folder with small letters, digits and dashes.`)
  if (Object.hasOwn(connectors, slug)) throw new Error(`Callgate has an app ${slug}: name the folder otherwise.`)
  if (!path.relative(root, path.resolve(folder)).startsWith('..'))
    throw new Error(`${folder} is inside of Callgate itself: choose a folder outside, such as ../${name}.`)
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new Error(`${folder} is not empty, and nothing of it is overwritten.`)
  return { folder, name, slug }
}

/** Writes a connector package with the kit's types. Returns its files, each with a description. */
export async function writePackage(
  { folder, name, slug }: Place,
  origin: string,
  found: Found,
): Promise<Readonly<Record<string, string>>> {
  const kit = await packKit(folder)
  const hosts = [new URL(origin).origin, ...(found.elsewhere === null ? [] : [found.elsewhere])]
  const files = {
    'package.json': json(packageJson(name, kit, hosts)),
    'tsconfig.json': json({ compilerOptions, include: ['*.ts'] }),
    'index.ts': draft(origin, found),
    'AGENTS.md': agentsFile(slug),
  }
  for (const [file, content] of Object.entries(files)) await writeFile(path.join(folder, file), content)
  return {
    'package.json': 'the hosts that it may reach',
    'index.ts': 'the app: how a person signs in, what its failures look like',
    'AGENTS.md': 'how a coding agent goes on',
    [kit]: 'the kit to compile against',
  }
}

/** The root URL of an app, ending in a slash. Throws for other text. */
export function rootOf(address: string): string {
  const url = URL.parse(address)
  if (url === null || !/^https?:$/.test(url.protocol) || url.username + url.password + url.search + url.hash !== '')
    throw new Error(`"${address}" is not the address of an app: https://shop.example.com/, or one below a path.`)
  return url.href.replace(/\/*$/, '/')
}

function packageJson(name: string, kit: string, hosts: readonly string[]): object {
  const { devDependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    readonly devDependencies: { readonly typescript: string }
  }
  return {
    name,
    version: '1.0.0',
    private: true,
    type: 'module',
    callgate: { connector: './index.ts', api: apiVersion, hosts },
    devDependencies: { '@callgate/kit': `file:./${kit}`, typescript: devDependencies.typescript },
  }
}

const compilerOptions = {
  target: 'es2024',
  module: 'nodenext',
  lib: ['es2024', 'dom'],
  types: [],
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  erasableSyntaxOnly: true,
  exactOptionalPropertyTypes: true,
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
