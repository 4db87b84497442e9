import { parseArgs } from 'node:util'
import { goBack, makeCurrent, ramp, readReleases } from '../core/temporal/releases.ts'
import { connectTemporal } from '../core/temporal/client.ts'
import { messageOf } from '../local-services/setup-error.ts'
import { ownConfig } from './supervisor/own-config.ts'

const help = `npm run -s deploy -- [RELEASE] [--current | --ramp PERCENT | --back | --none]

  Which release goes on with open calls: shows it, or changes it. RELEASE is the CALLGATE_RELEASE of its API processes, one of which runs.

  --current   RELEASE does, for all
  --ramp N    RELEASE does, for N of a hundred
  --back      ends a ramp; without one, the release that was current before does
  --none      processes without CALLGATE_RELEASE do
`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    current: { type: 'boolean', default: false },
    ramp: { type: 'string' },
    back: { type: 'boolean', default: false },
    none: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
})
const percent = values.ramp === undefined ? undefined : Number(values.ramp)
const needsRelease = values.current || percent !== undefined
const asked = [values.current, values.ramp !== undefined, values.back, values.none].filter(Boolean).length
const wrong =
  asked > 1 ||
  (needsRelease && positionals.length !== 1) ||
  (!needsRelease && positionals.length > 0) ||
  (percent !== undefined && !(percent >= 0 && percent <= 100))

if (values.help || wrong) {
  console.error(help.trimEnd())
  process.exitCode = values.help ? 0 : 2
} else {
  const { connection, temporal } = await connectTemporal(await ownConfig(process.env))
  try {
    const [release = ''] = positionals
    if (values.current) await makeCurrent(temporal, release)
    if (percent !== undefined) await ramp(temporal, release, percent)
    if (values.back) await goBack(temporal)
    if (values.none) await makeCurrent(temporal, null)
    const { current, ramping, all } = await readReleases(temporal)
    console.log(`current  ${current ?? 'processes without a release'}`)
    if (ramping !== null) console.log(`ramping  ${ramping.release}, ${ramping.percent} of a hundred`)
    const others = all.filter((each) => each.release !== current && each.release !== ramping?.release)
    for (const each of others) console.log(`known    ${each.release}`)
  } catch (error) {
    console.error(messageOf(error))
    process.exitCode = 1
  } finally {
    await connection.close()
  }
}
