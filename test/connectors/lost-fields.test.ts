import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import { exampleOf } from '../../connectors/examples.ts'
import { loadApps } from '../../connectors/registry.ts'
import type { App, Endpoint } from '../../connectors/registry.ts'
import { mutations } from '../../connectors/recordings/mutations.ts'
import { readRecording } from '../../connectors/recordings/read.ts'
import { Reads } from '../../connectors/recordings/reads.ts'
import { record } from '../../connectors/recordings/record.ts'
import type { Recording } from '../../connectors/recordings/recording.ts'
import { replay } from '../../connectors/recordings/replay.ts'
import { ownOrigin } from '../../connectors/runtime/site.ts'
import { startExampleSandbox } from '../../scripts/examples/sandbox.ts'
import type { ExampleSandbox } from '../../scripts/examples/sandbox.ts'

/** What an app says by leaving it out, by endpoint: another answer without it is the right one. */
const leftOut: Readonly<Record<string, RegExp>> = {
  // Nobody had waited for the place.
  'fitness-studio.remove_reservation': /^moved of location/,
  // No message went out.
  'pet-salon.book_appointment': /^msg of location/,
  // Criteria that are not set.
  'real-estate-analytics.list_filter_presets':
    /^\$\.vals\[\*\]\[\*\]\.(?:px_from|px_to|br_from|ba_from|kind|coc_from)$/,
  'real-estate-analytics.list_property_alerts': /^\$\.vals\[\*\]\[\*\]\.(?:px_from|px_to|kind|coc_from)$/,
}

/** Inputs whose word for something is looked up in the app, where the example has none. */
const further: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'crm.list_projects': { status: 'Reunião marcada' },
  'salon-booking.list_appointments': { status: 'Patch test pending' },
}

const used = new Set<string>()
let tried = 0

async function recorded(
  sandbox: ExampleSandbox,
  app: App,
  endpoint: Endpoint,
  more: Readonly<Record<string, unknown>> = {},
): Promise<Recording> {
  const demo = (await sandbox.accounts(app.slug)).find(({ user }) => user === 'demo')
  const example = exampleOf(app.slug, endpoint.name, new Date())
  if (!demo || !example) throw new Error(`${app.slug}.${endpoint.name} has no account or no example`)
  const site = { origin: ownOrigin(app) }
  const input = { ...example.input, ...more }
  return readRecording((await record({ app, endpoint, input, session: demo.session, site, kind: 'success' })).text)
}

/** What came of each field, header or part of an address that was taken away, where it is neither a failure nor the same answer. */
async function unnoticed(endpoint: Endpoint, recording: Recording): Promise<readonly string[]> {
  const id = `${endpoint.app}.${endpoint.name}`
  const slips: string[] = []
  for (const { what, recording: changed } of mutations(endpoint, recording, new Reads())) {
    tried++
    const { outcome, another } = await replay(endpoint, changed)
    const isSame = outcome?.kind === 'ok' && isDeepStrictEqual(outcome, recording.expected)
    if (isSame || (outcome && outcome.kind !== 'ok' && outcome.kind !== 'rejected')) continue
    if (leftOut[id]?.test(what)) used.add(id)
    else
      slips.push(`${id} without ${what}: ${another ? `sends ${another.sent.split('\n')[0]}` : JSON.stringify(outcome)}`)
  }
  return slips
}

describe('a page that has lost something is a failure or makes no difference: never another answer, a refusal or another request', () => {
  test.each(loadApps({ sandboxUrl: 'http://localhost:8090' }).all.map(({ slug }) => slug))('of %s', async (slug) => {
    const sandbox = await startExampleSandbox(slug, { actions: 10_000, seconds: 1 })
    try {
      const app = loadApps({ sandboxUrl: sandbox.url }).get(slug)
      if (!app) throw new Error(`there is no ${slug}`)
      const slips: string[] = []
      let isFresh = true
      for (const endpoint of app.endpoints.values()) {
        if (!isFresh) await sandbox.reset()
        slips.push(...(await unnoticed(endpoint, await recorded(sandbox, app, endpoint))))
        const more = further[`${slug}.${endpoint.name}`]
        if (more) slips.push(...(await unnoticed(endpoint, await recorded(sandbox, app, endpoint, more))))
        isFresh = endpoint.access === 'read'
      }
      expect(slips).toEqual([])
    } finally {
      await sandbox.close()
    }
  })

  test('and all that apps say by leaving it out was among it', () => {
    expect(tried).toBeGreaterThan(4000)
    expect([...used].toSorted()).toEqual(Object.keys(leftOut).toSorted())
  })
})
