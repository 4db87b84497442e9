import { existsSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Trace } from '../../../connectors/authoring/trace.ts'
import { readPackage } from '../package.ts'
import { ask, askFor } from '../verb.ts'
import type { Given, Verb } from '../verb.ts'

const app = { name: 'app', shown: 'folder | app' }

export const record: Verb = {
  name: 'record',
  about: [
    'an address where you, or somebody, do it once in the live browser; waits until it is kept.',
    'endpoint: what it is to become',
  ],
  words: [app, { name: 'endpoint' }],
  options: { 'no-wait': { type: 'boolean', about: 'say the address, and end' } },
  tool: { always: { 'no-wait': true } },
  async run(given) {
    const [wanted = '', name = ''] = given.words
    const slug = appOf(wanted)
    const { id, url } = await askFor<{ id: string; url: string }>(given, 'POST', routeOf(slug), { name })
    given.say(`Open this, signed in to Callgate, within an hour: ${url}`)
    if (given.options['no-wait'] === true) return 0
    const state = await stateOf(given, slug, id)
    if (state !== 'kept') {
      given.say(state === 'thrown_away' ? 'It was thrown away.' : 'Its hour is over, and it was not made.')
      return 1
    }
    const traces = await askFor<readonly Trace[]>(given, 'GET', `${routeOf(slug)}?name=${name}`)
    given.say(`Kept. Recordings of ${name}: ${traces.length}.`)
    for (const { request, answer, by } of traces.at(-1)?.exchanges ?? [])
      given.say(`  ${request.method} ${new URL(request.url).pathname}   ${answer.status}, by a ${by}`)
    if (traces.length === 1) given.say('A second one with other values shows what is an input.')
    return 0
  },
}

export const recordings: Verb = {
  name: 'recordings',
  about: ['what was recorded; each is kept for 30 days'],
  words: [app],
  options: { forget: { type: 'string', takes: 'ID', about: 'takes one away' } },
  tool: {},
  run(given) {
    const route = routeOf(appOf(given.words[0] ?? ''))
    const { forget } = given.options
    if (typeof forget !== 'string') return ask(given, 'GET', route)
    return ask(given, 'POST', `${route}/${encodeURIComponent(forget)}/forget`, {})
  },
}

const routeOf = (app: string): string => `/connectors/${encodeURIComponent(app)}/traces`

/** The slug of a connector's folder, or the app's name as given. */
export function appOf(wanted: string): string {
  return existsSync(path.join(wanted, 'package.json')) ? readPackage(path.resolve(wanted)).slug : wanted
}

/** Waits until the recording is kept or discarded. Undefined: its page expired. */
async function stateOf(given: Given, app: string, id: string): Promise<string | undefined> {
  for (;;) {
    const { traces } = await askFor<{ traces: { id: string; state: string }[] }>(given, 'GET', routeOf(app))
    const state = traces.find((one) => one.id === id)?.state
    if (state === undefined || state === 'kept' || state === 'thrown_away') return state
    await pause(1_000, undefined, { signal: given.signal })
  }
}
