import { readFolder } from '../../connectors/recordings/folder.ts'
import type { Case } from '../../connectors/recordings/folder.ts'
import type { Recording, Step } from '../../connectors/recordings/recording.ts'
import { shapeOf } from '../../connectors/recordings/shape.ts'
import { holds } from './expect.ts'

/**
 * Throws where a connector's offline examples differ from the recordings of its app in cases,
 * inputs, requests, form fields or outcomes. Only the pages may differ: those of the examples are
 * written by us.
 */
export function examplesMatch(folder: string, recorded: string): void {
  const [ours, real] = [factsIn(folder), factsIn(recorded)]
  const names = [...new Set([...ours.keys(), ...real.keys()])].toSorted()
  const different = names.filter((name) => ours.get(name) !== real.get(name))
  const lines = different.map((name) => `${name}\n  example: ${ours.get(name)}\n  app:     ${real.get(name)}`)
  holds(`offline examples that the app does not confirm:\n${lines.join('\n')}`, different.length === 0)
}

/** Keyed by endpoint and name. */
function factsIn(folder: string): ReadonlyMap<string, string> {
  const { cases } = readFolder(folder)
  return new Map([...cases].flatMap(([endpoint, all]) => all.map((one) => [`${endpoint}/${one.name}`, factsOf(one)])))
}

function factsOf(one: Case): string {
  if ('problem' in one) return one.problem
  const { kind, input, steps } = one.recording
  return JSON.stringify({ kind, input, requests: steps.map(requestOf), end: endOf(one.recording) })
}

/** Without field values, which differ: tokens, today's date, button texts. */
function requestOf({ request: { method, url, body } }: Step): string {
  const fields = [...new URLSearchParams(body?.toString() ?? '').keys()].toSorted()
  return `${method} ${url.pathname}${url.search} ${fields.join()}`
}

function endOf({ expected }: Recording): unknown {
  if (expected.kind === 'ok')
    return Object.fromEntries([...shapeOf(expected.output)].map(([place, sorts]) => [place, [...sorts].toSorted()]))
  return [expected.kind, expected.kind === 'rejected' ? expected.appCode : '']
}
