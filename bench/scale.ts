import { parseArgs } from 'node:util'
import { Gateway } from './gateway.ts'
import { scaleKills } from './scale-kills.ts'
import { engines, ScaleSite } from './scale-site.ts'
import { scaleWaiting } from './scale-waiting.ts'

/**
 * `npm run scale [-- --part waiting|kills] [--calls 100000] [--rows 1000000] [--minutes 30]
 * [--engine embedded|cluster]`: two API processes and four workers, with the Temporal of
 * `npm start` or a Temporal server with its own Postgres. `waiting`: creates `calls` calls that
 * await approval among `rows` others; measures throughput, cost, and what survives a kill of
 * everything. `kills`: kills an API process and a worker every 20 s; measures how long users are
 * refused. Each stops after `minutes` and reports what it reached. Self-contained.
 */
const { values } = parseArgs({
  options: {
    part: { type: 'string' },
    calls: { type: 'string', default: '100000' },
    rows: { type: 'string', default: '1000000' },
    minutes: { type: 'string', default: '30' },
    engine: { type: 'string', default: 'embedded' },
  },
})
const [calls, rows, minutes] = (['calls', 'rows', 'minutes'] as const).map((name) => {
  const value = Number(values[name])
  if (!Number.isFinite(value) || value < 0) throw new Error(`--${name} is a number, not "${values[name]}"`)
  return value
}) as [number, number, number]
const parts = { waiting: scaleWaiting, kills: scaleKills }
if (values.part !== undefined && !Object.hasOwn(parts, values.part))
  throw new Error(`--part is one of ${Object.keys(parts).join(', ')}`)
const engine = engines.find((one) => one === values.engine)
if (engine === undefined) throw new Error(`--engine is one of ${engines.join(', ')}`)

const began = Date.now()
const say = (line: string): void =>
  console.log(`${String(Math.round((Date.now() - began) / 1_000)).padStart(5)} s  ${line}`)
for (const [name, run] of Object.entries(parts)) {
  if (values.part !== undefined && values.part !== name) continue
  const opening = ScaleSite.open(engine)
  // Also during startup: processes started by then run independently of this one.
  const quit = (): void => void opening.then((site) => site.close()).finally(() => process.exit(1))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, quit)
  const site = await opening
  const gateways = site.stage.apis.map((url) => new Gateway(url, { patient: true }))
  try {
    say(`${name}: two API processes and four workers, ${engine} engine`)
    await run({ site, gateways, calls, rows, minutes, say })
  } finally {
    await Promise.all(gateways.map((gateway) => gateway.close()))
    await site.close()
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, quit)
  }
}
