import type { ConnectorSpec, EndpointDefinition } from '../kit/define.ts'
import { BadBundle } from './failed.ts'

/**
 * An added connector as it is treated: its word is not believed. What is sent with another method than GET is a write that asks the person, whatever
 * it calls itself, except for endpoints that the operator trusts. What is looked up without anybody being asked has to be a GET, trusted or not.
 * Throws `BadBundle`.
 */
export function cautious(spec: ConnectorSpec, trusted: readonly string[] = []): ConnectorSpec {
  const all = new Map(spec.endpoints.flatMap((file) => Object.entries(file)))
  for (const [by, name] of lookedUp(spec, all)) {
    const read = all.get(name)
    if (read === undefined) throw new BadBundle(`${by} looks up ${name}, which is not there`)
    if (read.access !== 'read' || read.line.method !== 'GET')
      throw new BadBundle(`${by} looks up ${name}, which is not read with GET`)
  }
  for (const [name, { after, before }] of all) {
    if (after !== null && after !== 'location' && after.method !== 'GET')
      throw new BadBundle(`${name} has a page after it that is no GET`)
    if (before !== null && typeof before !== 'string' && Object.values(before).some(isNoGet))
      throw new BadBundle(`${name} has a page before it that is no GET`)
  }
  const asking = (file: Readonly<Record<string, EndpointDefinition>>) =>
    Object.fromEntries(
      Object.entries(file).map(([name, one]) => [
        name,
        one.line.method === 'GET' || trusted.includes(name) ? one : asWrite(one),
      ]),
    )
  return { ...spec, endpoints: spec.endpoints.map(asking) }
}

function isNoGet({ request }: { readonly request: string }): boolean {
  return !request.startsWith('GET ')
}

function asWrite(definition: EndpointDefinition): EndpointDefinition {
  return { ...definition, access: 'write', confirm: true, effect: definition.effect ?? 'changes' }
}

/** Who looks up what by itself: before the person is asked, after an answer was lost, or to tell of a thing. */
function lookedUp(
  spec: ConnectorSpec,
  all: ReadonlyMap<string, EndpointDefinition>,
): readonly (readonly [by: string, read: string])[] {
  return [
    ...[...all].flatMap(([name, { preview, verify, shownBy }]) =>
      [
        ...preview.flatMap(({ read, goesOnTo = [] }) => [read, ...goesOnTo.map((next) => next.read)]),
        ...(verify === null ? [] : [verify.read]),
        ...shownBy.map(({ read }) => read),
      ].map((read) => [name, read] as const),
    ),
    ...Object.entries(spec.things).flatMap(([kind, { toldBy }]) =>
      toldBy.map(({ read }) => [`things.${kind}`, read] as const),
    ),
  ]
}
