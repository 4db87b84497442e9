import { join, resolve } from 'node:path'
import type { Finding } from '../../client/finding.ts'
import { messageOf } from '../../local-services/setup-error.ts'
import { loadBrowserService } from '../../config.ts'
import { readSettings } from '../supervisor/settings.ts'
import { findBrowserService, findChromium } from './chromium.ts'
import { findConnectors } from './connectors.ts'
import { findPorts } from './ports.ts'
import { findSecrets } from './secrets.ts'

/**
 * `callgate doctor` on the gateway's machine: checks keys, browser and ports, and prints JSON.
 * Arguments: the ports at which a Callgate has just answered.
 */
const findings = await look()
process.stdout.write(JSON.stringify(findings), () => process.exit())

async function look(): Promise<readonly Finding[]> {
  try {
    const settings = readSettings(process.env)
    const service = loadBrowserService(process.env)
    const answering = process.argv.slice(2).map(Number)
    return [
      findSecrets(resolve(process.env['CALLGATE_SECRETS'] ?? join(settings.dir, 'secrets.json'))),
      ...(await findPorts(settings, answering)),
      await (service ? findBrowserService(service) : findChromium(settings.dir, 30)),
      ...(answering.length === 0 ? [] : [await findConnectors(process.env)]),
    ]
  } catch (error) {
    return [
      {
        what: 'settings',
        ok: false,
        found: messageOf(error),
        mend: 'Correct the variable; docs/operating.md lists all.',
      },
    ]
  }
}
