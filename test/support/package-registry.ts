import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { shopPackage } from './corner-shop.ts'
import { listen } from './listen.ts'

interface Packed {
  readonly name: string
  readonly version: string
  readonly integrity: string
  readonly dependencies: object
  tarball: Buffer
}

/** A registry on loopback as npm knows them. What it has, and how npm is set to it, with a cache and settings of its own. */
export interface PackageRegistry extends AsyncDisposable {
  readonly packages: Record<string, Packed>
  readonly npm: Readonly<Record<string, string>>
}

/** With these packages, each given by its files and packed by npm. */
export async function packageRegistry(all: readonly Readonly<Record<string, string>>[]): Promise<PackageRegistry> {
  const dir = await mkdtemp(path.join(tmpdir(), 'callgate-registry-'))
  const packed = await Promise.all(all.map((files) => pack(dir, files)))
  const packages: Record<string, Packed> = Object.fromEntries(packed.map((one) => [one.name, one]))
  const server = createServer((request, response) => {
    const [name = '', file] = decodeURIComponent(request.url ?? '')
      .slice(1)
      .split('/-/')
    const found = packages[name]
    if (found === undefined) return void response.writeHead(404).end('{}')
    if (file !== undefined) return void response.end(found.tarball)
    const { version, integrity, dependencies } = found
    const dist = { tarball: `${url}/${name}/-/package.tgz`, integrity }
    const versions = { [version]: { name, version, dependencies, dist } }
    return void response.end(JSON.stringify({ name, 'dist-tags': { latest: version }, versions }))
  })
  const url = `http://127.0.0.1:${await listen(server)}`
  return {
    packages,
    npm: {
      npm_config_registry: url,
      npm_config_cache: path.join(dir, 'cache'),
      npm_config_userconfig: path.join(dir, 'user'),
      npm_config_globalconfig: path.join(dir, 'global'),
      npm_config_update_notifier: 'false',
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
      await rm(dir, { recursive: true })
    },
  }
}

async function pack(dir: string, files: Readonly<Record<string, string>>): Promise<Packed> {
  await using source = await shopPackage(files)
  const npm = ['pack', '--silent', '--ignore-scripts', '--pack-destination', dir, source.folder]
  const { stdout } = await promisify(execFile)('npm', npm, { cwd: source.folder })
  const tarball = await readFile(path.join(dir, stdout.trim()))
  const { name, version, dependencies = {} } = JSON.parse(files['package.json'] ?? '') as Packed
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`
  return { name, version, dependencies, integrity, tarball }
}
