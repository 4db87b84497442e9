import type { ConnectorSpec } from '../kit/define.ts'
import type { App, Endpoint } from './app.ts'
import { waysOut } from './leaves.ts'
import { plainLine } from './plain-line.ts'

/** What an operator agrees to with a connector: plain lines that can be diffed between versions. */
export interface Surface {
  /** What leaves without an approval, besides reads and pages by GET. */
  readonly leaves: readonly string[]
  /** What each endpoint does, by its name. */
  readonly endpoints: Readonly<Record<string, string>>
}

export function surfaceOf({ endpoints, added }: App): Surface {
  const texts = [...endpoints.values()].map((endpoint) => [endpoint.name, endpointText(endpoint)])
  return { leaves: added?.leaves ?? [], endpoints: Object.fromEntries(texts) as Surface['endpoints'] }
}

/** `spec`: as its author wrote it. */
export function leavesOf(spec: ConnectorSpec): readonly string[] {
  const ways = waysOut(spec).map(({ kind, text }) =>
    kind === 'read_by_post' ? `${text}: asks first until you trust it` : text,
  )
  const unasked = spec.endpoints.flatMap((file) =>
    Object.entries(file).flatMap(([name, { access, confirm }]) =>
      access === 'write' && !confirm ? [`${name} writes without asking once you trust it`] : [],
    ),
  )
  const signIn = (spec.signIn.hosts ?? []).map((host) => `the sign-in browser loads pages and files of ${host}`)
  return [...ways, ...unasked, ...signIn].map((line) => plainLine(line))
}

function endpointText({ access, label, effect, confirm, definition }: Endpoint): string {
  const how = [definition.line.method, ...(effect === null ? [] : [effect]), confirm ? 'asks first' : 'never asks']
  return `${access.padEnd(5)}  ${plainLine(label)} (${how.join(', ')})`
}
