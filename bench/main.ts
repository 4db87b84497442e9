import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'
import { startBare } from './bare/process.ts'
import { measureAccept } from './accept.ts'
import { measureDiscovery } from './discovery.ts'
import { measureFlood } from './flood.ts'
import { Gateway } from './gateway.ts'
import { cpuOf, lanes } from './measure.ts'
import { makePeople } from './people.ts'
import { report } from './report.ts'
import { measureSettle } from './settle.ts'
import { startSite } from './site.ts'
import { measureStraight } from './straight.ts'
import type { Contact } from './straight.ts'
import { measureRestart, measureWaiting } from './waiting.ts'

/** `npm run bench [-- --quick] [--json]`: Callgate's overhead over Temporal; self-contained. */
const flags = new Set(process.argv.slice(2))
for (const flag of flags) if (!['--quick', '--json'].includes(flag)) throw new Error(`unknown option ${flag}`)
const sizes = flags.has('--quick')
  ? {
      people: 40,
      rounds: 3,
      alone: 10,
      crowded: 48,
      accepts: 100,
      levels: [100],
      approvals: 10,
      bareWaiting: 20,
    }
  : {
      people: 200,
      rounds: 6,
      alone: 30,
      crowded: 128,
      accepts: 500,
      levels: [1_000, 10_000],
      approvals: 60,
      bareWaiting: 1_000,
    }

const load = loadavg()
const began = Date.now()
const site = await startSite(process.env)
const fresh = site.memory()
const bare = await startBare(site.temporalAddress)
const gateway = new Gateway(site.publicUrl)
const stop = async (): Promise<void> => {
  await gateway.close()
  await bare.stop()
  await site.stop()
}
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void stop().finally(() => process.exit(1)))

try {
  const people = await makePeople(site, site.databaseUrl, sizes.people)
  const contacts: Contact[] = []
  // Also the app's first request for each account, which fills it with data.
  await lanes(8, people, async (person) => {
    const { contacts: found } = await gateway.call(person, 'list_contacts', {})
    const [first] = found as readonly { readonly contact_id: string }[]
    if (first === undefined) throw new Error('an account without contacts')
    contacts.push({ person, contact_id: first.contact_id })
  })
  const cpuOfBare = () =>
    cpuOf({ 'bare engine': () => [bare.enginePid], 'bare worker': () => [bare.workerPid], bench: () => [process.pid] })
  const straight = await measureStraight({ site, bare, gateway, cpuOfBare }, contacts, sizes)
  const flood = await measureFlood(site, gateway, people, sizes)
  const accepting = await measureAccept(site, sizes.accepts)
  const settling = await measureSettle(site, sizes.rounds, sizes.accepts / 10)
  const discovery = await measureDiscovery(site)
  const idle = site.memory()
  const idleApi = await site.memoryOfApi()
  // Skips the flooder: its key has used up its rate limit.
  const waiting = await measureWaiting({ site, bare, gateway }, contacts.slice(1), sizes)
  const restart = await measureRestart(site, gateway, contacts[0] as Contact)
  const machine = {
    processor: cpus()[0]?.model ?? 'unknown',
    processors: availableParallelism(),
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    loadBefore: load,
    loadAfter: loadavg(),
    seconds: Math.round((Date.now() - began) / 1000),
  }
  const figures = {
    machine,
    sizes,
    straight,
    flood,
    accepting,
    settling,
    discovery,
    fresh,
    idle,
    idleApi,
    waiting,
    restart,
  }
  console.log(flags.has('--json') ? JSON.stringify(figures, null, 2) : report(figures))
} finally {
  await stop()
}
