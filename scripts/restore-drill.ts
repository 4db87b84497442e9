import { parseArgs } from 'node:util'
import { drill, type Drill } from './restore-drill/drill.ts'

/** `npm run restore-drill`: restores one store to an older copy. See docs/reliability.md. */
const { values } = parseArgs({
  options: { older: { type: 'string' }, keep: { type: 'boolean', default: false } },
})

let failed = false
for (const older of ['postgres', 'temporal'] as const) {
  if (values.older !== undefined && values.older !== older) continue
  const done = await drill(older, { keep: values.keep, log: (line) => console.error(line) })
  tell(older, done)
  failed ||= done.openRuns > 0 || done.ledgerDifference !== 0 || done.results.some(({ good }) => !good)
}
process.exit(failed ? 1 : 0)

function tell(older: string, { results, ledgerDifference, openRuns, seconds }: Drill): void {
  const width = Math.max(...results.map(({ name }) => name.length)) + 2
  console.log(`\nOlder ${older}: settled after ${seconds.toFixed(0)} s`)
  for (const { name, wanted, status, effects, good } of results) {
    const verdict = good ? '' : `  WRONG, wanted ${wanted}`
    console.log(`${name.padEnd(width)}${status.padEnd(12)}${effects} in the app${verdict}`)
  }
  console.log(`${'ledger difference'.padEnd(width)}${ledgerDifference}`)
  console.log(`${'open runs'.padEnd(width)}${openRuns}`)
}
