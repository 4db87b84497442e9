import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connect } from '../../core/accounts/sessions.ts'
import { createKey } from '../../core/keys/rows.ts'
import { createUser } from '../../core/users/rows.ts'
import { seededAccounts } from '../../scripts/demo-accounts.ts'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { balancedLedger } from '../support/ledger.ts'
import { pythonWith } from '../../scripts/python.ts'
import { startRotatingKeys } from '../support/rotating-keys.ts'
import { shuffled } from '../support/shuffle.ts'
import { triableDocument } from '../support/triable-document.ts'

/** By hand, more of it: SCHEMATHESIS_EXAMPLES=20 SCHEMATHESIS_APPS=22 SCHEMATHESIS_SEED=7. */
const { env } = process
const examples = env['SCHEMATHESIS_EXAMPLES'] ?? '2'
const coveredApps = Number(env['SCHEMATHESIS_APPS'] ?? 2)
const seed = env['SCHEMATHESIS_SEED']
/** Keys of each user: so many requests as are sent in a minute need them. */
const keysEach = 60

interface Ran {
  readonly code: number | null
  readonly said: string
}

interface Tried {
  /** What it says where it found something. */
  readonly complaints: readonly string[]
  readonly operations: number
  readonly cases: number
}

const file = (name: string): string => path.join(import.meta.dirname, name)

describe('the API, tried by schemathesis', () => {
  let stack: Stack
  let python: string
  let dir: string
  let owners: readonly string[]
  let proxy: Awaited<ReturnType<typeof startRotatingKeys>>
  beforeAll(async () => {
    const requirements = (await readFile(file('requirements.txt'), 'utf8')).split('\n').filter((line) => line !== '')
    ;[stack, { python }, dir] = await Promise.all([
      startStack(),
      pythonWith({ requirements }),
      mkdtemp(path.join(tmpdir(), 'schemathesis-')),
    ])
    owners = await connectedUsers()
    proxy = await startRotatingKeys(stack.publicUrl, await keysOf(owners))
    await writeFile(path.join(dir, 'openapi.json'), JSON.stringify(await triableDocument(stack)))
  }, 300_000)
  afterAll(async () => {
    await proxy.stop()
    await stack.stop()
    await rm(dir, { recursive: true, force: true })
  })

  /** For each of the sandbox's people a user who has connected their account of every app. */
  async function connectedUsers(): Promise<readonly string[]> {
    const { ctx, sandbox } = stack
    const ids = new Map<string, string>()
    for (const { slug } of ctx.apps.all) {
      // Of several accounts one is enough: nobody needs to choose.
      const accounts = new Map((await seededAccounts(sandbox.url, slug)).map((account) => [account.user, account]))
      for (const [user, { account: externalId, label, session }] of accounts) {
        const person = { email: `${user}@example.test`, password: 'never signs in', plan: 'large' } as const
        const owner = ids.get(user) ?? (await createUser(ctx, person))
        ids.set(user, owner)
        await connect(ctx, { owner, app: slug, externalId, label, session })
      }
    }
    return [...ids.values()]
  }

  /** What is made with one of them is asked for with another. */
  async function keysOf(users: readonly string[]): Promise<readonly string[]> {
    const keys: string[] = []
    for (let i = 0; i < keysEach; i++)
      for (const owner of users)
        keys.push((await createKey(stack.ctx, { owner, name: `Agent ${i}`, apps: null, seesAll: true })).key)
    return keys
  }

  /** A process for each pattern of addresses, four side by side: threads within one trip over each other in Python 3.11. */
  async function schemathesis(patterns: readonly string[], ...options: readonly string[]): Promise<Tried> {
    const queue = [...patterns]
    const all: Ran[] = []
    const lane = async (): Promise<void> => {
      for (let pattern = queue.shift(); pattern !== undefined; pattern = queue.shift())
        all.push(await run(['--include-path-regex', pattern, ...options]))
    }
    await Promise.all(Array.from({ length: 4 }, lane))
    const complaints = all.filter(({ code }) => code !== 0).map(({ said }) => said.slice(-8_000))
    return { complaints, operations: sum(all, /^ {2}Tested: (\d+)$/m), cases: sum(all, /^ {2}(\d+) generated/m) }
  }

  async function run(options: readonly string[]): Promise<Ran> {
    const args = [
      ...['-m', 'schemathesis.cli', '--config-file', file('schemathesis.toml'), 'run', path.join(dir, 'openapi.json')],
      ...['--url', `${proxy.url}/api/v1`, '--workers', '1', '--mode', 'all', '--no-color'],
      ...['--generation-with-security-parameters', 'false', '--warnings', 'off'],
      ...(seed === undefined ? ['--generation-deterministic'] : ['--generation-database', 'none', '--seed', seed]),
      ...['--generation-allow-x00', 'false', '-H', 'Prefer: wait=5', '--request-timeout', '60'],
      ...['--suppress-health-check', 'all', '--continue-on-failure'],
    ]
    const child = spawn(python, [...args, ...options], { cwd: dir, stdio: ['ignore', 'pipe', 'pipe'] })
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (said += text))
    const [code] = (await once(child, 'close')) as [number | null]
    return { code, said }
  }

  const answered = (status: RegExp): number =>
    [...proxy.answers].reduce((sum, [line, count]) => sum + (status.test(line) ? count : 0), 0)
  const counts = (): string => JSON.stringify(Object.fromEntries(proxy.answers))

  it('answers nothing that its document does not say, and never 5xx, at every address', async () => {
    const slugs = stack.ctx.apps.all.map(({ slug }) => slug)
    const parts = Array.from({ length: 4 }, (_, part) => slugs.filter((__, i) => i % 4 === part))
    const groups = [...parts.map((some) => `^/(${some.join('|')})/`), `^(?!/(${slugs.join('|')})/)`]
    const { complaints, operations, cases } = await schemathesis(
      groups,
      ...['--phases', 'examples,fuzzing', '--max-examples', examples],
    )
    console.log(`schemathesis, every address: ${cases} cases, ${counts()}`)
    expect(complaints).toEqual([])
    expect(operations).toBeGreaterThanOrEqual(298 + 155 + 10)
    expect(answered(/ 5\d\d$/), counts()).toBe(0)
    // It got further than the door.
    expect(answered(/ 429$/), counts()).toBe(0)
    for (const [status, least] of [
      // How many exist by the time they are asked for depends on which of four processes is faster.
      [200, 200],
      [202, 25],
      [400, 100],
      [422, 100],
    ] as const)
      expect(answered(new RegExp(` ${status}$`)), counts()).toBeGreaterThan(least)
  }, 900_000)

  it('does so at every bound of every field and for every method, of its own routes and of some apps', async () => {
    const slugs = shuffled(
      stack.ctx.apps.all.map(({ slug }) => slug),
      Number(seed ?? 1),
    ).slice(0, coveredApps)
    const groups = ['^/(calls|connections|usage)', ...slugs.map((slug) => `^/${slug}/`)]
    proxy.answers.clear()
    const { complaints, cases } = await schemathesis(groups, '--phases', 'coverage')
    console.log(`schemathesis, ${slugs.join(' and ')}: ${cases} cases, ${counts()}`)
    expect(complaints).toEqual([])
    expect(answered(/ 5\d\d$/), counts()).toBe(0)
    expect(answered(/ 429$/), counts()).toBe(0)
    for (const status of [200, 400, 404, 405, 415])
      expect(answered(new RegExp(` ${status}$`)), counts()).toBeGreaterThan(0)
  }, 900_000)

  it('leaves every credit accounted for', async () => {
    let captured = 0
    for (const owner of owners) captured += (await balancedLedger(stack.ctx, owner)).captured
    expect(captured).toBeGreaterThan(100)
  })
})

/** The number that each run tells, added up. */
function sum(all: readonly Ran[], told: RegExp): number {
  return all.reduce((total, { said }) => total + Number(told.exec(said)?.[1] ?? 0), 0)
}
