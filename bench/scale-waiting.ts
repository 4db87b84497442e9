import { sleep } from '../core/sleep.ts'
import type { Gateway } from './gateway.ts'
import { lanes, median, quantile } from './measure.ts'
import { makePeople } from './people.ts'
import type { Person } from './people.ts'
import { watchLag } from './scale-site.ts'
import type { Scale, ScaleSite } from './scale-site.ts'
import { effectTimes } from './waiting.ts'

const clients = 32
const approvals = 40
/** Timeout of an approved call, in ms; beyond it the measurement is void. */
const longest = 300_000

interface Waiting {
  readonly person: Person
  readonly callId: string
  readonly message: string
}

/** Calls that await approval, and how many are left after everything was killed. */
export async function scaleWaiting({ site, gateways, calls, rows, minutes, say }: Scale): Promise<void> {
  const { stage } = site
  const gatewayOf = (n: number): Gateway => gateways[n % gateways.length] as Gateway
  // Each user may make one call a second and have a thousand waiting.
  const [theirs, ...everybody] = await makePeople(stage, stage.databaseUrl, Math.max(20, Math.ceil(calls / 500)) + 1)
  if (theirs === undefined) throw new Error('nobody')
  const contacts = new Map<Person, unknown>()
  await lanes(8, [theirs, ...everybody], async (person) => {
    const { contacts: found } = await gatewayOf(0).call(person, 'list_contacts', {})
    contacts.set(person, (found as readonly { readonly contact_id: string }[])[0]?.contact_id)
  })
  const ask = async (n: number, person = everybody[n % everybody.length] as Person): Promise<Waiting> => {
    const message = `Message ${n}`
    const input = { contact_id: contacts.get(person), message }
    const { call_id } = await gatewayOf(n).call(person, 'reply_to_contact', input, 202)
    return { person, message, callId: String(call_id) }
  }
  say(`memory in MB, ${everybody.length} people: ${site.memory()}`)
  if (rows > 0) say(await prepareRows(site, (await ask(0, theirs)).callId, rows))

  const open: Waiting[] = []
  const lag = watchLag(site)
  const until = Date.now() + minutes * 60_000
  let made = 0
  const clicking = new AbortController()
  const creating = lanes(
    clients,
    Array.from({ length: calls }, (_, n) => n + 1),
    async (n) => {
      if (Date.now() > until) return
      open.push(await ask(n))
      if (++made % 5_000 === 0) process.stderr.write(`${made} waiting calls\n`)
    },
  ).finally(() => clicking.abort())
  const [created, meanwhile] = await Promise.all([creating, clickUntil(clicking.signal)])
  say(`click to effect while they came: ${spread(meanwhile)}`)
  const ms = created.ms.slice(0, made)
  say(
    `${made} waiting calls of ${calls}: ${((made / calls) * created.perSecond).toFixed(1)} a second, p50 ${median(ms).toFixed(0)} ms, p99 ${quantile(ms, 0.99).toFixed(0)} ms`,
  )
  say(`told to come back (503) meanwhile: ${gateways.reduce((sum, gateway) => sum + gateway.away, 0)} times`)
  say(`memory in MB with them: ${site.memory()}`)
  say(`sweeper behind while they came: ${lag.most()}`)
  say(`click to effect: ${spread(await effectsOf(open.splice(0, approvals)))}`)

  const before = await waitingRows(site)
  lag.again()
  const began = performance.now()
  await site.killAll()
  if (!(await stage.ready(600_000))) throw new Error('it did not get ready again')
  const ready = performance.now() - began
  await gatewayOf(0).call(everybody[0] as Person, 'list_contacts', {})
  say(
    `everything killed: ready after ${(ready / 1000).toFixed(1)} s, first call answered after ${((performance.now() - began) / 1000).toFixed(1)} s`,
  )
  const some = open.splice(0, approvals)
  say(`click to effect after that: ${spread(await effectsOf(some))}`)
  say(`sweeper behind since: ${await lag.stop()}; memory in MB: ${site.memory()}`)
  const left = await waitingRows(site)
  if (left !== before - some.length) throw new Error(`${left} calls wait, and not ${before - some.length}`)
  say(`${left} calls wait as before: none was lost`)

  /** Latency of approvals while other calls run, in ms. */
  async function clickUntil(over: AbortSignal): Promise<readonly number[]> {
    const times: number[] = []
    while (!over.aborted) {
      times.push(...(await effectsOf(open.splice(0, 1))))
      await sleep(2_000, over)
    }
    return times
  }

  async function effectsOf(chosen: readonly Waiting[]): Promise<readonly number[]> {
    const clicks = new Map<string, number>()
    for (const [n, { person, callId, message }] of chosen.entries()) {
      const gateway = gatewayOf(n)
      const form = await gateway.confirmForm(person, callId)
      const clicked = performance.now()
      clicks.set(message, performance.timeOrigin + clicked)
      await gateway.approve(person, callId, form)
      for (let status: unknown; status !== 'executed';) {
        ;({ status } = await gateway.ended(person, callId))
        // The preview changed before the click: the approver reads the page and approves again.
        if (status === 'awaiting_confirmation')
          await gateway.approve(person, callId, await gateway.confirmForm(person, callId))
        else if (status !== 'executed' && status !== 'running')
          throw new Error(`an approved call ended as ${String(status)}`)
        if (performance.now() - clicked > longest) throw new Error(`${callId} was approved long ago, and is ${status}`)
      }
    }
    const effects = await effectTimes(stage)
    return [...clicks].map(([message, at]) => (effects.get(message) ?? Number.NaN) - at)
  }
}

const spread = (times: readonly number[]): string =>
  `p50 ${median(times).toFixed(0)} ms, p95 ${quantile(times, 0.95).toFixed(0)} ms of ${times.length}`

async function waitingRows(site: ScaleSite): Promise<number> {
  const [row] = await site.query<{ n: number }>(
    `SELECT count(*)::integer AS n FROM calls WHERE status = 'awaiting_confirmation'`,
  )
  return row?.n ?? Number.NaN
}

/**
 * Copies a waiting call: nine of ten copies have ended within the last month; the others wait, with
 * their daily check due within a day. These have no workflow until the reconciler starts one.
 */
async function prepareRows(site: ScaleSite, callId: string, rows: number): Promise<string> {
  const began = performance.now()
  const batch = 50_000
  // The cost of notifications about new calls is not part of this.
  await site.query('ALTER TABLE calls DISABLE TRIGGER USER')
  for (let from = 0; from < rows; from += batch)
    await site.query(
      `INSERT INTO calls SELECT (jsonb_populate_record(c, jsonb_build_object('id', 'call_0' || lpad(n::text, 25, '0'),
           'status', CASE WHEN n % 10 = 0 THEN c.status ELSE 'executed' END, 'prepare_at', NULL, 'reserved_month', NULL,
           'created_at', now() - n * interval '30 days' / $3, 'updated_at', now() - n * interval '30 days' / $3,
           'expires_at', now() + interval '7 days',
           'check_at', CASE WHEN n % 10 = 0 THEN now() + interval '1 minute' + random() * interval '1 day' END))).*
       FROM calls c, generate_series($2::bigint, $4::bigint) n WHERE c.id = $1`,
      [callId, from + 1, rows, Math.min(from + batch, rows)],
    )
  await site.query('ALTER TABLE calls ENABLE TRIGGER USER')
  await site.query('ANALYZE calls')
  const [size] = await site.query<{ mb: number }>(`SELECT (pg_total_relation_size('calls') / 1048576)::integer AS mb`)
  return `${rows} rows prepared in ${((performance.now() - began) / 1000).toFixed(0)} s; calls and its indexes take ${size?.mb} MB`
}
