import { mostBefore } from '../kit/before.ts'
import type { EndpointDefinition } from '../kit/define.ts'
import { freeText } from '../kit/free-text.ts'
import { parseLine } from '../kit/request-line.ts'
import type { Line } from '../kit/request-line.ts'

/** What is wrong with the request lines of an endpoint, such as `names {page?} in …`. */
export function lineFault(definition: EndpointDefinition): string | undefined {
  const { access, line, after, form, answer, segments } = definition
  const lines = [line, ...(after === null || after === 'location' ? [] : [after]), ...(form ? [form.page] : [])]
  if (after === 'location' && answer === 'page') return 'goes on where it is led, and waits for a page'
  if (access === 'write' && line.names.some((name) => segments[name] === freeText))
    return 'writes to a path with free text, which could be that of another action'
  return lines.map((one) => namesFault(one, definition)).find(Boolean) ?? beforeFault(definition)
}

function namesFault(
  { path, names, optional }: Line,
  { input }: EndpointDefinition,
  earlier: readonly string[] = [],
): string | undefined {
  const required = new Set(input.required)
  const known = (name: string): boolean =>
    optional.includes(name) ? Object.hasOwn(input.properties, name) : required.has(name)
  const lacking = names.find((name) => !known(name) && !earlier.some((page) => name.startsWith(`${page}.`)))
  if (lacking === undefined) return undefined
  return optional.includes(lacking)
    ? `names {${lacking}?} in ${path}, which is no input`
    : `names {${lacking}} in ${path}, which is not among its required inputs`
}

function beforeFault(definition: EndpointDefinition): string | undefined {
  const { before } = definition
  if (before === null || typeof before === 'string') return undefined
  const pages = Object.entries(before)
  if (pages.length > mostBefore) return `reads more than ${mostBefore} pages before its request`
  const wrong = pages.map(([name, { request, harmless }], at) => {
    const one = parseLine(request)
    if (one.method !== 'GET' && (one.method !== 'POST' || harmless !== true))
      return `reads ${name} with ${one.method}, which is not declared harmless`
    return namesFault(
      one,
      definition,
      pages.slice(0, at).flatMap(([earlier, { ahead }]) => (ahead === true ? [] : [earlier])),
    )
  })
  return wrong.find(Boolean)
}
