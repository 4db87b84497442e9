import { execFile } from 'node:child_process'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import versions from '../../local-services/versions.json' with { type: 'json' }
import { judged, readReport } from '../../scripts/supply/advisories.ts'
import type { Exception } from '../../scripts/supply/advisories.ts'
import { goModules, pythonPackages } from '../../scripts/supply/components.ts'
import type { Component } from '../../scripts/supply/components.ts'
import { nameOf, namedImages } from '../../scripts/supply/images.ts'
import { portOf } from '../support/listen.ts'
import { temporaryFolder } from './temp.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const node = process.execPath
const files = ['local-services/versions.json', 'Dockerfile', 'docker-compose.yml']
const imagesIn = (folder: string) =>
  ['Dockerfile', 'docker-compose.yml'].flatMap((name) => namedImages(readFileSync(join(folder, name), 'utf8')))

test('images are those of local-services/versions.json', () => {
  const known = Object.entries(versions.images).map(([name, image]) => nameOf(name, image))
  expect(new Set(imagesIn(root))).toEqual(new Set(known))
})

test('images are pinned by what the registry says of their tags, all or none', async () => {
  // Like Docker's: nothing without a token, which anybody gets.
  let digest = (path: string): string => (path.includes('/library/') ? 'a'.repeat(64) : 'b'.repeat(64))
  const server = createServer((request, response) => {
    const { pathname, origin } = new URL(request.url ?? '', `http://${request.headers.host}`)
    if (pathname === '/token') return response.end(JSON.stringify({ token: 'anybody' }))
    if (request.headers.authorization !== 'Bearer anybody')
      return response
        .writeHead(401, { 'WWW-Authenticate': `Bearer realm="${origin}/token",service="r",scope="s"` })
        .end()
    const found = digest(pathname)
    if (found === '') return response.writeHead(404).end()
    return response.writeHead(200, { 'Docker-Content-Digest': `sha256:${found}` }).end()
  }).listen(0, '127.0.0.1')
  const registry = `http://127.0.0.1:${await portOf(server)}`
  const folder = temporaryFolder()
  for (const name of files) cpSync(join(root, name), join(folder, name))
  const texts = () => files.map((name) => readFileSync(join(folder, name), 'utf8'))
  const pin = () =>
    promisify(execFile)(node, [join(root, 'scripts/pin-images.ts'), '--registry', registry, '--root', folder])
  try {
    const { stdout } = await pin()
    expect(stdout).toContain(`postgres:${versions.images.postgres.tag}@sha256:${'a'.repeat(64)}\n`)
    const named = imagesIn(folder)
    expect(named).toHaveLength(imagesIn(root).length)
    expect(named.every((image) => image.includes(`@sha256:${image.includes('/') ? 'bb' : 'aa'}`))).toBe(true)

    // Later, of other bytes: the digests are replaced.
    digest = () => 'c'.repeat(64)
    await pin()
    expect(imagesIn(folder).every((image) => image.endsWith(`@sha256:${'c'.repeat(64)}`))).toBe(true)

    const before = texts()
    digest = (path) => (path.includes('temporalio/ui') ? '' : 'd'.repeat(64))
    await expect(pin()).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^Nothing was pinned: .*ui.*404/),
    })
    expect(texts()).toEqual(before)
  } finally {
    server.close()
  }
})

test('the bill of materials names everything that is fetched, each once, with its hash where there is one', async () => {
  const { stdout } = await promisify(execFile)(node, [join(root, 'scripts/sbom.ts')], { maxBuffer: 2 ** 26 })
  const bom = JSON.parse(stdout) as { bomFormat: string; specVersion: string; components: readonly Component[] }
  expect([bom.bomFormat, bom.specVersion]).toEqual(['CycloneDX', '1.5'])
  const purls = new Map(bom.components.map((one) => [one.purl, one]))
  expect(purls.size).toBe(new Set(bom.components.map((one) => one['bom-ref'])).size)
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version?: string; integrity?: string; name?: string }>
  }
  const missing = Object.entries(lock.packages).filter(([place, { version = '', name, integrity }]) => {
    if (!place.includes('node_modules/') || integrity === undefined) return false
    const called = name ?? place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)
    return purls.get(`pkg:npm/${called.replace('@', '%40')}@${version}`)?.hashes?.[0]?.alg !== 'SHA-512'
  })
  expect(missing.map(([place]) => place)).toEqual([])
  const engine = readFileSync(join(root, 'engine/cluster/go.mod'), 'utf8')
  const [server = ''] = /go\.temporal\.io\/server v\S+/.exec(engine) ?? []
  for (const purl of [
    `pkg:golang/${server.replace(' ', '@')}`,
    `pkg:github/temporalio/cli@v${versions.temporal.version}`,
    `pkg:docker/temporalio/server@${versions.images['temporalio/server'].digest ?? versions.images['temporalio/server'].tag}`,
    'pkg:pypi/askbot@0.13.0',
  ])
    expect(purls.has(purl), purl).toBe(true)
})

/** Asks a registry that answers with this, or with a status alone. */
async function advisories(answer: object | number, exceptions: readonly Exception[]) {
  const server = createServer((request, response) => {
    if (request.method === 'POST' && typeof answer === 'object')
      return response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer))
    return response.writeHead(typeof answer === 'number' ? answer : 404).end('{}')
  }).listen(0, '127.0.0.1')
  const file = join(temporaryFolder(), 'exceptions.json')
  writeFileSync(file, JSON.stringify(exceptions))
  const args = ['--registry', `http://127.0.0.1:${await portOf(server)}`, '--exceptions', file]
  try {
    return await promisify(execFile)(node, [join(root, 'scripts/advisories.ts'), ...args]).then(
      ({ stdout }) => ({ code: 0, stdout }),
      ({ code, stdout }: { code: number; stdout: string }) => ({ code, stdout }),
    )
  } finally {
    server.close()
  }
}

test('a high advisory of what a gateway runs with fails, an excepted one does not, and a registry that gives none is said', async () => {
  const told = (severity: string, name: string) => ({
    id: 1,
    url: `https://github.com/advisories/GHSA-${name}`,
    title: 'A fault',
    severity,
    vulnerable_versions: '*',
    cwe: [],
    cvss: { score: 0, vectorString: null },
  })
  // One of a package of production, a lesser one, and one that only tests need, which is not asked about.
  const faults = { koa: [told('high', 'koa')], pg: [told('moderate', 'pg')], vitest: [told('critical', 'vitest')] }
  const excepted = { advisory: 'GHSA-koa', package: 'koa', reason: 'not reached', until: '2999-12-31' }
  const [found, fine, none, lapsed] = await Promise.all([
    advisories(faults, []),
    advisories(faults, [excepted]),
    advisories(405, []),
    advisories(faults, [{ ...excepted, until: '2020-01-01' }]),
  ])
  expect(found).toEqual({ code: 1, stdout: expect.stringContaining('high: koa: A fault') })
  expect(found.stdout).toContain('1 high or critical, 1 of them not excepted')
  expect(fine).toEqual({ code: 0, stdout: expect.stringContaining('is excepted until 2999-12-31: not reached') })
  expect(none).toEqual({ code: 0, stdout: expect.stringMatching(/^The registry gave no advisories, .*405/) })
  expect(lapsed).toEqual({ code: 1, stdout: expect.stringContaining('was excepted until 2020-01-01') })
})

test('what npm cannot do is no answer, and what nobody tells of any more is to be taken out', () => {
  expect(() => readReport('{"error":{"code":"ENOLOCK","summary":"no lock"}}')).toThrow('ENOLOCK')
  const gone = { advisory: 'GHSA-x', package: 'x', reason: 'was', until: '2999-12-31' }
  expect(judged([], [gone], new Date())).toMatchObject({
    failed: false,
    lines: [expect.stringContaining('GHSA-x'), expect.stringMatching(/^0 /)],
  })
})

test('what a go.mod and a requirements file name', () => {
  const mod =
    'module callgate/x\n\ngo 1.26.10\n\nrequire a.example/b v1.2.3\nrequire (\n\tc.example/d/v2 v2.0.0 // indirect\n)\n'
  expect(goModules(mod).map(({ purl }) => purl)).toEqual([
    'pkg:golang/a.example/b@v1.2.3',
    'pkg:golang/c.example/d/v2@v2.0.0',
  ])
  const requirements = '# made\nMarkup_Safe==3.0.4 \\\n  --hash=sha256:aa\nx[y]==1 ; python_version < "3"\n'
  expect(pythonPackages(requirements).map(({ purl }) => purl)).toEqual(['pkg:pypi/markup-safe@3.0.4', 'pkg:pypi/x@1'])
})

test('the notices have the licence of each package that a gateway runs with, and of no other', async () => {
  const { stdout } = await promisify(execFile)(node, [join(root, 'scripts/notices.ts')], {
    maxBuffer: 16 * 1024 * 1024,
  })
  const [, koa] = /\nkoa 3\.\d+\.\d+\n\nLicense: (.+)\n\n[^-]*Permission is hereby granted/.exec(stdout) ?? []
  expect(koa).toBe('MIT')
  expect(stdout).not.toMatch(/^(vitest|oxlint|knip) \d/m)
})
