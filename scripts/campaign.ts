import { parseArgs } from 'node:util'
import { runCampaign } from './campaign/run.ts'
import { holds, tell } from './campaign/report.ts'
import { runUpgrade, upgradeHolds } from './campaign/upgrade/run.ts'

/**
 * Runs calls under random kills: `npm run campaign -- --calls 300 --kills 20 --seed 1 [--apart]`;
 * with `--upgrade`, while a release is deployed, rolled back and redeployed. See
 * docs/reliability.md.
 */
const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '300' },
    kills: { type: 'string', default: '20' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    apart: { type: 'boolean', default: false },
    upgrade: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
  },
})

function whole(name: 'calls' | 'kills' | 'seed', least: number): number {
  const value = Number(values[name])
  if (Number.isInteger(value) && value >= least) return value
  console.error(`--${name} must be a whole number of at least ${least}, not "${values[name]}"`)
  process.exit(2)
}

const wanted = { calls: whole('calls', 1), kills: whole('kills', 0), seed: whole('seed', 0) }
const log = (line: string) => console.error(line)
if (values.upgrade) {
  const upgrade = await runUpgrade({ ...wanted, keep: values.keep, log })
  console.log(JSON.stringify(upgrade, null, 2))
  process.exit(upgradeHolds(upgrade) ? 0 : 1)
}
const report = await runCampaign({ ...wanted, apart: values.apart, keep: values.keep, log })
console.log(values.json ? JSON.stringify(report, null, 2) : tell(report))
process.exit(holds(report) ? 0 : 1)
