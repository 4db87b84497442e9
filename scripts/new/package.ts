import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { connectors } from '../../connectors/apps.ts'
import { named } from '../../schemas/names.ts'
import { apiVersion, slugOf } from '../connector/package.ts'
import { packKit } from './pack-kit.ts'
import { appFile, itemsFile } from './package-files.ts'

const root = path.join(import.meta.dirname, '../..')

/**
 * Writes a package of its own for the connector of an app at this address: what the app has to be asked for, with the blanks that its author fills
 * in, and the kit to compile against. Throws what is wrong, before anything is written.
 */
export async function newPackage(folder: string | undefined, address: string | undefined): Promise<string> {
  if (folder === undefined || address === undefined)
    throw new Error('Usage: npm run new -- --package <folder> <address>, such as ../my-shop https://shop.example.com/')
  const name = path.basename(path.resolve(folder))
  const slug = slugOf(name)
  if (!named('{slug}').test(slug) || slug.length > 64)
    throw new Error(`"${slug}" cannot name an app: name the folder with small letters, digits and dashes.`)
  if (Object.hasOwn(connectors, slug)) throw new Error(`Callgate has an app ${slug}: name the folder otherwise.`)
  if (!path.relative(root, path.resolve(folder)).startsWith('..'))
    throw new Error(`${folder} is inside of Callgate itself: choose a folder outside, such as ../${name}.`)
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new Error(`${folder} is not empty, and nothing of it is overwritten.`)
  const origin = rootOf(address)
  const kit = await packKit(folder)
  const files = {
    'package.json': json(packageJson(name, kit, origin)),
    'tsconfig.json': json({ compilerOptions, include: ['*.ts'] }),
    'index.ts': appFile(origin),
    'items.ts': itemsFile,
  }
  for (const [file, content] of Object.entries(files)) await writeFile(path.join(folder, file), content)
  return `${folder}/package.json   the hosts that it may reach
${folder}/index.ts       the app: how a person signs in, what its failures look like
${folder}/items.ts       a read and a write: fill in what is '', and what the app calls things
${folder}/${kit}   the kit to compile against

(cd ${folder} && npm install && npx tsc)             compiles it
npm run -s callgate -- connector add ${folder}      adds it to the gateway that runs here

docs/connect-a-real-app.md goes through all of it with an app.
`
}

/** The root of an app, ending in a slash. */
function rootOf(address: string): string {
  const url = URL.parse(address)
  if (url === null || !/^https?:$/.test(url.protocol) || url.username + url.password + url.search + url.hash !== '')
    throw new Error(`"${address}" is not the address of an app: https://shop.example.com/, or one below a path.`)
  return url.href.replace(/\/*$/, '/')
}

function packageJson(name: string, kit: string, origin: string): object {
  const { devDependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    readonly devDependencies: { readonly typescript: string }
  }
  return {
    name,
    version: '1.0.0',
    private: true,
    type: 'module',
    callgate: { connector: './index.ts', api: apiVersion, hosts: [new URL(origin).origin] },
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
