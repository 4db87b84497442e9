import { readFileSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { openStage } from '../scripts/campaign/stage.ts'
import { Gateway } from './gateway.ts'
import { lanes, median, memoryOf, quantile, withChildren } from './measure.ts'
import { makePeople } from './people.ts'
import type { Person } from './people.ts'
import { effectTimes } from './waiting.ts'

/**
 * `npm run scale [-- --calls 100000]`: so many calls that wait for their people, with two API processes and two workers: how fast they come, what
 * they cost, and what is left of it after everything was killed. Starts everything itself and cleans up after itself.
 */
const [flag = '--calls', given = '100000', ...rest] = process.argv.slice(2)
const calls = Number(given)
if (flag !== '--calls' || rest.length > 0 || !Number.isSafeInteger(calls) || calls < 100)
  throw new Error('usage: npm run scale [-- --calls <100 or more>]')

/** Each may call once a second, and have a thousand that wait. */
const people = Math.max(100, Math.ceil(calls / 500))
const clients = 32
const approvals = 40

interface Waiting {
  readonly person: Person
  readonly callId: string
  readonly message: string
}

const stage = await openStage()
const say = (line: string): void => console.log(line)
let database: pg.Client | undefined
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void stage.close({ keep: false }).finally(() => process.exit(1)))
try {
  await stage.start()
  if (!(await stage.ready(120_000))) throw new Error('it did not get ready')
  const everybody = await makePeople(stage, stage.databaseUrl, people)
  const gateways = stage.apis.map((url) => new Gateway(url, { patient: true }))
  const gatewayOf = (n: number): Gateway => gateways[n % gateways.length] as Gateway
  const contacts = new Map<Person, unknown>()
  await lanes(8, everybody, async (person) => {
    const { contacts: found } = await gatewayOf(0).call(person, 'list_contacts', {})
    contacts.set(person, (found as readonly { readonly contact_id: string }[])[0]?.contact_id)
  })
  const idle = memory()

  const open: Waiting[] = []
  const lag = watchLag()
  const created = await lanes(
    clients,
    Array.from({ length: calls }, (_, n) => n),
    async (n) => {
      const person = everybody[n % everybody.length] as Person
      const message = `Message ${n}`
      const input = { contact_id: contacts.get(person), message }
      const { call_id } = await gatewayOf(n).call(person, 'reply_to_contact', input, 202)
      open.push({ person, message, callId: String(call_id) })
      if (open.length % 5_000 === 0) process.stderr.write(`${open.length} waiting calls\n`)
    },
  )
  say(
    `${calls} waiting calls: ${created.perSecond.toFixed(0)} a second, p50 ${median(created.ms).toFixed(0)} ms, p99 ${quantile(created.ms, 0.99).toFixed(0)} ms`,
  )
  const away = gateways.reduce((sum, gateway) => sum + gateway.away, 0)
  say(`told to come back (503) meanwhile: ${away} times`)
  say(`memory in MB before them: ${words(idle)}; with them: ${words(memory())}`)
  say(`sweeper behind by ${lag.most().toFixed(0)} s at most while they came`)
  say(`click to effect: ${await clickToEffect(open.splice(0, approvals))}`)

  lag.again()
  const began = performance.now()
  await stage.killTree()
  if (!(await stage.ready(600_000))) throw new Error('it did not get ready again')
  const ready = performance.now() - began
  await gatewayOf(0).call(everybody[0] as Person, 'list_contacts', {})
  say(
    `everything killed: ready after ${(ready / 1000).toFixed(1)} s, first call answered after ${((performance.now() - began) / 1000).toFixed(1)} s`,
  )
  say(`click to effect after that: ${await clickToEffect(open.splice(0, approvals))}`)
  say(`sweeper behind by ${(await lag.stop()).toFixed(0)} s at most since; memory in MB: ${words(memory())}`)
  const { rows } = await (
    await db()
  ).query<{ n: string }>(`SELECT count(*) AS n FROM calls WHERE status = 'awaiting_confirmation'`)
  const [left, wanted] = [Number(rows[0]?.n), open.length]
  if (left !== wanted) throw new Error(`${left} calls wait, and not ${wanted}`)
  say(`${left} calls wait as before: none was lost`)

  async function clickToEffect(some: readonly Waiting[]): Promise<string> {
    const clicks = new Map<string, number>()
    for (const [n, { person, callId, message }] of some.entries()) {
      const gateway = gatewayOf(n)
      const form = await gateway.confirmForm(person, callId)
      clicks.set(message, performance.timeOrigin + performance.now())
      await gateway.approve(person, callId, form)
      const { status } = await gateway.ended(person, callId)
      if (status !== 'executed') throw new Error(`an approved call ended as ${String(status)}`)
    }
    const effects = await effectTimes(stage)
    const ms = [...clicks].map(([message, at]) => (effects.get(message) ?? Number.NaN) - at)
    return `p50 ${median(ms).toFixed(0)} ms, p95 ${quantile(ms, 0.95).toFixed(0)} ms`
  }
  await Promise.all(gateways.map((gateway) => gateway.close()))
} finally {
  await database?.end()
  await stage.close({ keep: false })
}

/** One that is there again after the database was killed. */
async function db(): Promise<pg.Client> {
  if (database === undefined) {
    const client = new pg.Client({ connectionString: stage.databaseUrl })
    client.on('error', () => (database = undefined))
    await client.connect()
    database = client
  }
  return database
}

/** How far the sweeper was behind at most, in seconds, asked once a second; while the database is away nobody can say. */
function watchLag(): { most(): number; again(): void; stop(): Promise<number> } {
  let most = 0
  const over = new AbortController()
  const look = async (): Promise<void> => {
    const sql =
      'SELECT greatest(extract(epoch FROM clock_timestamp() - min(check_at)), 0)::float8 AS lag FROM calls WHERE check_at IS NOT NULL'
    try {
      const { rows } = await (await db()).query<{ lag: number | null }>(sql)
      most = Math.max(most, rows[0]?.lag ?? 0)
    } catch {
      database = undefined
    }
  }
  const looking = (async () => {
    while (!over.signal.aborted) {
      await look()
      await new Promise((resolve) => setTimeout(resolve, 1_000))
    }
  })()
  return {
    most: () => most,
    again: () => (most = 0),
    async stop() {
      over.abort()
      await looking
      return most
    },
  }
}

/** By process, in MB. */
function memory(): Record<string, number> {
  const pid = (name: string): number => {
    const { pid } = JSON.parse(readFileSync(path.join(stage.dir, 'run', `${name}.json`), 'utf8')) as {
      readonly pid: number
    }
    return pid
  }
  const one = (name: string) => [name, () => [pid(name)]] as const
  return memoryOf({
    ...Object.fromEntries(['api-1', 'api-2', 'worker-1', 'worker-2', 'temporal'].map(one)),
    postgres: () => withChildren(pid('postgres')),
  })
}

function words(figures: Record<string, number>): string {
  return Object.entries(figures)
    .map(([name, mb]) => `${name} ${mb.toFixed(0)}`)
    .join(', ')
}
