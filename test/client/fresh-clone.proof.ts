import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { filesBelow } from '../support/find-bytes.ts'
import { run } from './run.ts'

const root = path.join(import.meta.dirname, '../..')
let folder: string
let clone: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'callgate-clone-'))
  clone = path.join(folder, 'clone')
  const tracked = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root })
  for (const file of tracked.toString().split('\0').filter(Boolean)) {
    mkdirSync(path.join(clone, path.dirname(file)), { recursive: true })
    cpSync(path.join(root, file), path.join(clone, file))
  }
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** With npm's cache and certificates, and nothing that this project put into PATH. */
const npm = (...args: string[]) => {
  const { PATH = '', ...env } = process.env
  const outside = PATH.split(path.delimiter).filter((place) => !place.startsWith(root))
  const own = Object.entries(env).filter(([name]) => !/^(npm_|NODE_)/.test(name))
  return run('npm', args, { cwd: clone, env: { ...Object.fromEntries(own), PATH: outside.join(path.delimiter) } })
}

/** What the archive has, by path. */
function unpacked(archive: string): ReadonlyMap<string, string> {
  const place = path.join(folder, path.basename(archive, '.tgz'), path.basename(path.dirname(archive)))
  mkdirSync(place, { recursive: true })
  execFileSync('tar', ['xzf', archive, '-C', place])
  return new Map(filesBelow(place).map((file) => [path.relative(place, file), readFileSync(file, 'utf8')]))
}

test(
  'npm packs the client and the kit in a fresh clone, before anything is installed',
  { timeout: 900_000 },
  async () => {
    expect(readdirSync(clone)).not.toContain('node_modules')
    const client = await npm('pack', '--silent', '--prefer-offline', './client')
    expect([client.code, client.out]).toEqual([0, 'callgate-client-0.1.0.tgz\n'])
    const kit = await npm('pack', '--silent', './connectors/kit')
    expect([kit.code, kit.out]).toEqual([0, 'callgate-kit-1.0.0.tgz\n'])
    expect([...unpacked(path.join(clone, 'callgate-kit-1.0.0.tgz')).keys()]).toContain(
      'package/dist/connectors/kit/index.d.ts',
    )

    // What the gateway serves is the same package.
    const served = path.join(folder, 'served')
    execFileSync(process.execPath, [path.join(root, 'scripts/client/pack.ts'), served])
    expect(unpacked(path.join(served, 'callgate-client-0.1.0.tgz'))).toEqual(
      unpacked(path.join(clone, 'callgate-client-0.1.0.tgz')),
    )

    // A connector that changed is in the next package.
    const connector = path.join(clone, 'connectors/crm/projects.ts')
    const text = readFileSync(connector, 'utf8')
    writeFileSync(connector, text.replace('List leads and booked jobs', 'List what changed, leads and booked jobs'))
    expect((await npm('pack', '--silent', './client')).code).toBe(0)
    const types = unpacked(path.join(clone, 'callgate-client-0.1.0.tgz')).get('package/dist/endpoints/crm.d.ts')
    expect(types).toContain('List what changed, leads')

    const surface = path.join(clone, 'client/api-surface.txt')
    writeFileSync(surface, readFileSync(surface, 'utf8').replace('crm.list_projects read', 'crm.list_projects write'))
    const checked = await npm('run', '--silent', 'surface', '--', '--check')
    expect([checked.code, checked.err]).toEqual([1, expect.stringContaining('npm run surface')])

    // One that does not load keeps nothing from running but the packing. Commands that make types say so.
    writeFileSync(connector, text.replace('export const list_projects ', 'export const list-projects '))
    const help = await npm('run', '--silent', 'callgate', '--', '--help')
    expect([help.code, help.out]).toEqual([0, expect.stringContaining('callgate')])
    expect((await npm('run', '--silent', 'surface')).err).toContain('projects.ts')
    expect((await npm('pack', '--silent', './client')).code).not.toBe(0)
  },
)
