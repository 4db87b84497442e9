import { expect, test } from 'vitest'
import { exampleOf } from '../../connectors/examples.ts'
import { exchange } from '../../connectors/runtime/exchange.ts'
import { loadApps } from '../../connectors/registry.ts'
import type { Endpoint } from '../../connectors/registry.ts'
import { startExampleSandbox } from '../../scripts/examples/sandbox.ts'
import { idPlaces, textsAt } from './kinds.ts'
import { Replaying } from './replaying.ts'
import { ownOrigin } from '../../connectors/runtime/site.ts'

/** Answers that do not say which thing they are about, so that there is nothing to compare: `endpoint input`, by app. */
const silent: Readonly<Record<string, readonly string[]>> = {
  crm: ['apply_form_template template_id'],
  'event-management': [
    'list_attendees event_id',
    'list_registrations event_id',
    'add_attendee event_id',
    'list_speakers event_id',
  ],
  'field-service': ['create_job customer_number'],
  'fitness-studio': ['switch_member_plan new_plan_template_id'],
  invitations: ['get_guest event_id', 'list_guests event_id'],
  'real-estate-analytics': ['export_neighborhood_data preset_id'],
  salon: ['search_availability service_id'],
  'travel-booking': ['book_trip fare_id'],
  'travel-log': ['list_step_comments step_id'],
}

/** Another id of the same form. */
function neighbour(id: string): string {
  const at = id.search(/[A-Za-z0-9][^A-Za-z0-9]*$/)
  const last = id.charAt(at)
  const next = /\d/.test(last) ? (Number(last) + 1) % 10 : String.fromCharCode(last.charCodeAt(0) ^ 1)
  return `${id.slice(0, at)}${next}${id.slice(at + 1)}`
}

/** An id as the app itself has it. */
function theirs(endpoint: Endpoint, origin: string, name: string, kind: string, id: string): string {
  if (endpoint.numbered) return id.slice(kind.length + 1)
  const segment = endpoint.definition.segments[name]?.(id, origin) ?? id
  const last: unknown = Array.isArray(segment) ? segment.at(-1) : segment
  if (typeof last !== 'string') throw new Error(`${name} is no segment`)
  return last
}

const { all: apps } = loadApps({ sandboxUrl: 'http://localhost:8090' })

test.each(apps)(
  'an answer of $slug about another thing is never taken for one about what was asked',
  async ({ slug }) => {
    const sandbox = await startExampleSandbox(slug, { actions: 100_000, seconds: 60 })
    try {
      await using app = await Replaying.before(sandbox.url)
      const known = loadApps({ sandboxUrl: app.url }).get(slug)!
      const { endpoints } = known
      const origin = ownOrigin(known)
      const { session } = (await sandbox.accounts(slug)).find(({ user }) => user === 'demo')!
      const [mute, deceived]: [string[], string[]] = [[], []]
      for (const endpoint of endpoints.values()) {
        const example = exampleOf(slug, endpoint.name, new Date())
        const text = JSON.stringify(example?.input).replaceAll('http://localhost:8090', app.url)
        const parsed = endpoint.parseInput(JSON.parse(text), sandbox)
        if (!parsed.ok) throw new Error(`${endpoint.name}: ${JSON.stringify(parsed.details)}`)
        const { input } = parsed
        const ask = (fence: () => Promise<boolean>) =>
          exchange({ endpoint, input, session, origin, cursorKey: sandbox.cursorKey, fence })
        app.record()
        const { outcome } = await ask(() => Promise.resolve(true))
        if (outcome.kind !== 'ok') throw new Error(`${endpoint.name}: ${JSON.stringify(outcome)}`)

        const required = new Set(
          Array.isArray(endpoint.inputSchema['required']) ? endpoint.inputSchema['required'] : [],
        )
        for (const { path, kind } of idPlaces(endpoint.inputSchema)) {
          const [name = '', ...deeper] = path
          const [id] = textsAt(input, path)
          if (id === undefined || deeper.length > 0 || !required.has(name)) continue
          const own = theirs(endpoint, origin, name, kind, id)
          const whole = new RegExp(`(?<![A-Za-z0-9])${own.replaceAll(/\W/g, '\\$&')}(?![A-Za-z0-9])`, 'g')
          let [acted, told] = [endpoint.access === 'read', 0]
          app.replay((said) => {
            if (!acted) return said
            told += said.match(whole)?.length ?? 0
            return said.replaceAll(whole, neighbour(own))
          })
          const again = await ask(() => Promise.resolve((acted = true)))
          if (told === 0) mute.push(`${endpoint.name} ${name}`)
          else if (again.outcome.kind !== 'changed') deceived.push(`${endpoint.name} ${name}: ${again.outcome.kind}`)
        }
      }
      expect(deceived).toEqual([])
      expect(mute).toEqual(silent[slug] ?? [])
    } finally {
      await sandbox.close()
    }
  },
)
