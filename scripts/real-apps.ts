import { parseArgs } from 'node:util'
import { SetupError } from '../local-services/setup-error.ts'
import { askbot } from './real-apps/askbot/app.ts'
import { pretix } from './real-apps/pretix/app.ts'
import type { RealApp } from './real-apps/real-app.ts'
import { recordApps } from './real-apps/record-run.ts'
import { runRealApps } from './real-apps/run.ts'

/** `npm run real-apps [-- name…]`: end-to-end runs of third-party apps. See docs/real-apps.md. */
const apps: readonly RealApp[] = [askbot, pretix]

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    keep: { type: 'boolean', default: false },
    frames: { type: 'string' },
    record: { type: 'boolean', default: false },
    live: { type: 'boolean', default: false },
  },
})
const unknown = positionals.filter((name) => !apps.some((app) => app.name === name))
if (unknown.length > 0) {
  console.error(`There is no app ${unknown.join(', ')}. Apps: ${apps.map(({ name }) => name).join(', ')}.`)
  process.exit(2)
}
const wanted = positionals.length === 0 ? apps : apps.filter(({ name }) => positionals.includes(name))
const halt = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => halt.abort())
try {
  if (values.record) {
    for (const folder of await recordApps(wanted, (line) => console.error(line))) console.log(folder)
    process.exit(0)
  }
  const results = await runRealApps(wanted, {
    ...values,
    keepLive: values.live,
    log: (line) => console.error(line),
    signal: halt.signal,
  })
  for (const { name, problem, seconds } of results)
    console.log(
      `${problem === undefined ? '✓' : '✗'} ${name} (${seconds.toFixed(0)} s)${problem === undefined ? '' : `: ${problem}`}`,
    )
  process.exit(results.every(({ problem }) => problem === undefined) ? 0 : 1)
} catch (error) {
  console.error(error instanceof SetupError ? error.message : error)
  process.exit(halt.signal.aborted ? 130 : 1)
}
