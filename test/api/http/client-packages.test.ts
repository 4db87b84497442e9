import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { run } from '../../client/run.ts'
import { ask, startGateway } from './gateway.ts'
import type { Gateway } from './gateway.ts'

const npm = 'callgate-client-0.1.0.tgz'
const wheel = 'callgate-0.1.0-py3-none-any.whl'
const proxied = 'https://gate.example.com'

let gateway: Gateway
let behindProxy: Gateway
beforeAll(async () => {
  gateway = await startGateway()
  behindProxy = await startGateway({ PUBLIC_URL: proxied })
})
beforeEach(() => gateway.ctx.db.query('DELETE FROM rate_limits'))
afterAll(async () => {
  await gateway.stop()
  await behindProxy.stop()
})

const get = (file: string, init: RequestInit = {}) => fetch(`${gateway.publicUrl}/clients/${file}`, init)

describe('/clients', () => {
  test.each([
    [npm, 'application/gzip', '\x1f\x8b'],
    [wheel, 'application/zip', 'PK'],
  ])('has %s as it is, for caches to ask again', async (file, type, start) => {
    const response = await get(file)
    const bytes = Buffer.from(await response.arrayBuffer())
    expect([response.status, bytes.toString('latin1', 0, 2)]).toEqual([200, start])
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': type,
      'content-length': String(bytes.length),
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      'ratelimit-policy': '"discovery";q=120;w=60',
    })
    expect(response.headers.has('content-encoding')).toBe(false)

    const etag = response.headers.get('etag') ?? ''
    const again = await get(file, { headers: { 'If-None-Match': etag, 'Cache-Control': 'max-age=0' } })
    expect([again.status, (await again.arrayBuffer()).byteLength]).toEqual([304, 0])

    const head = await get(file, { method: 'HEAD' })
    expect([head.status, head.headers.get('etag'), head.headers.get('content-length')]).toEqual([
      200,
      etag,
      String(bytes.length),
    ])
  })

  test('says in JSON which packages there are to who asks for another, and takes GET and HEAD only', async () => {
    for (const file of ['callgate-client-0.0.9.tgz', 'pack.ts', '..%2fpack.ts', 'callgate']) {
      const { status, body } = await ask(`${gateway.publicUrl}/clients/${file}`)
      expect([status, body], file).toEqual([404, expect.objectContaining({ error: 'not_found' })])
      expect(body['message']).toContain(`${gateway.publicUrl}/clients/${npm}`)
    }
    const posted = await get(npm, { method: 'POST' })
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })

  test('is a page with lines that install them, which docs and llms.txt link to', async () => {
    for (const [{ publicUrl: local }, own] of [
      [gateway, gateway.publicUrl],
      [behindProxy, proxied],
    ] as const) {
      const page = await (await fetch(`${local}/clients`)).text()
      expect(page).toContain(`npm install ${own}/clients/${npm}`)
      expect(page).toContain(`pip install ${own}/clients/${wheel}`)
      for (const from of ['/docs', '/docs/start', '/docs/search?q=install+typescript'])
        expect(await (await fetch(`${local}${from}`)).text(), from).toContain('href="/clients"')
      expect(await (await fetch(`${local}/llms.txt`)).text()).toContain(`${own}/clients`)
    }
  })
})

test('processes that start at once, beside the draft of one that was killed, make the same packages once', async () => {
  const dir = await mkdtemp(path.join(tmpdir(), 'callgate-clients-'))
  try {
    const script = `import { clientPackages } from '${path.resolve('core/http/client-packages.ts')}'
      const packages = await clientPackages('${dir}')
      console.log(packages.map(({ file, document }) => file + document.etag).join(' '))`
    const ask = () => run(process.execPath, ['--input-type=module', '-e', script], { cwd: process.cwd(), env: {} })
    await mkdir(path.join(dir, 'bundles', 'clients-0000000000000000.1'), { recursive: true })
    await writeFile(path.join(dir, 'bundles', 'clients-0000000000000000.1', npm), 'half a pack')
    const [one, other] = await Promise.all([ask(), ask()])
    expect([one.code, one.err]).toEqual([0, ''])
    expect(other.out).toBe(one.out)
    const [made = '', ...more] = (await readdir(path.join(dir, 'bundles'))).filter((name) => !name.endsWith('.1'))
    expect([made, more]).toEqual([expect.stringMatching(/^clients-[0-9a-f]{16}$/), []])

    // Made once: what stands there is taken as it is.
    await writeFile(path.join(dir, 'bundles', made, npm), 'kept')
    const tag = createHash('sha256').update('kept').digest('base64url').slice(0, 27)
    expect((await ask()).out).toContain(`${npm}"${tag}"`)
  } finally {
    await rm(dir, { recursive: true })
  }
})
