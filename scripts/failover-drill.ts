import { parseArgs } from 'node:util'
import { SetupError } from '../local-services/setup-error.ts'
import { failover } from './failover-drill/drill.ts'
import type { Failover } from './failover-drill/drill.ts'

/**
 * `npm run failover-drill`: failover under load, then point-in-time restore. docs/reliability.md.
 */
const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '200' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    keep: { type: 'boolean', default: false },
  },
})
const [calls, seed] = [Number(values.calls), Number(values.seed)]
if (!Number.isInteger(calls) || calls < 1 || !Number.isInteger(seed)) {
  console.error('--calls and --seed must be whole numbers')
  process.exit(2)
}
try {
  const done = await failover({ calls, seed, keep: values.keep, log: (line) => console.error(line) })
  console.log(JSON.stringify({ seed, ...done }, null, 2))
  process.exit(holds(done) ? 0 : 1)
} catch (error) {
  console.error(error instanceof SetupError ? error.message : error)
  process.exit(1)
}

function holds({ settled, violations, ledgerDifference, restore, calls: ended }: Failover): boolean {
  const { lost, doubled, untrue, unapproved, split, contradicted } = violations
  const isTrue = [lost, doubled, untrue, unapproved, split, contradicted].every(({ length }) => length === 0)
  const isRestored = restore.lacks === 0 && restore.tooMany === 0 && restore.calls > 0
  return isTrue && isRestored && settled !== null && ledgerDifference === 0 && Object.keys(ended).length > 0
}
