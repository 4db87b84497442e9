import type { ConnectorSpec, EndpointDefinition } from '../kit/define.ts'
import { BadBundle } from './failed.ts'

/**
 * Makes an added connector safe to use untrusted: an endpoint that is not a GET becomes a write
 * with approval, whatever it declares, unless the operator trusts it. Reads that run without
 * approval must be GETs, trusted or not. Throws `BadBundle`.
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

/** Reads that run without approval: for previews, for verification, and to describe entities. */
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
