import type { Asking, Decision, Run } from './draft.ts'
import { bodyOf } from './bodies.ts'
import { Encoded } from './encoded.ts'
import { segmentsOf } from './exchanges.ts'
import { formRequest } from './form-request.ts'
import { Inputs } from './inputs.ts'
import { property, quoted } from './literal.ts'

/** Cache-busting parameters that scripts add. */
const busters = /^(?:_|cb|cachebust(?:er)?|nocache|ts|timestamp)$/

/**
 * The request of the endpoint, from that of each run. `isRead`: the endpoint is to be a read.
 * `cursor`: the query's paging parameter. Throws if the runs have different shapes.
 */
export function askingOf(
  runs: readonly Run[],
  origin: string,
  { isRead, cursor }: { readonly isRead: boolean; readonly cursor?: string | undefined },
): Asking {
  const [first] = runs
  if (first === undefined) throw new Error('there is no run')
  const { method } = first.exchange.request
  const inputs = new Inputs(runs, origin)
  const path = inputs.pathOf(
    runs.map(({ exchange }) => exchange.request.url),
    'new',
    isRead,
  )
  if (path === undefined)
    throw new Error(
      `the runs ask for addresses of different shapes, or ones that no path of an endpoint can have: ${(segmentsOf(first.exchange.request.url, origin) ?? []).join('/')}`,
    )
  const form = method === 'POST' && !isRead ? formRequest(inputs, path) : undefined
  const made = form ?? encodedRequest(inputs, cursor)
  const decisions: Decision[] = [...inputs.decisions, ...made.decisions]
  if (runs.length === 1)
    decisions.push({
      at: 'input:',
      question:
        'There was one run alone: what differs from call to call is guessed. A second run with other values tells.',
    })
  return { method, path, inputs: inputs.drafts, segments: inputs.segments, fields: made.fields, decisions }
}

/** For a request that no page's form produces. */
function encodedRequest(inputs: Inputs, cursor?: string): Pick<Asking, 'fields' | 'decisions'> {
  const { runs } = inputs
  const encoded = new Encoded(inputs)
  const requests = runs.map(({ exchange }) => exchange.request)
  const bodies = requests.map(bodyOf)
  const [body] = bodies
  const parts: string[] = []
  const queries = requests.map(({ url }) => groups([...new URL(url).searchParams]))
  const paged = cursor === undefined ? queries : queries.map((one) => new Map([...one, [cursor, ['1']]]))
  const query = entriesCode(encoded, paged, 'query', cursor)
  if (query !== '') parts.push(`query: ${query}`)
  const decisions: Decision[] = []
  if (body?.kind === 'json')
    parts.push(`json: ${encoded.json(bodies.map((one) => (one.kind === 'json' ? one.value : undefined)))}`)
  if (body?.kind === 'form' || body?.kind === 'multipart') {
    const forms = bodies.map((one) => ('entries' in one ? groups(one.entries) : new Map<string, readonly string[]>()))
    parts.push(`${body.kind}: ${entriesCode(encoded, forms, 'form') || '{}'}`)
  }
  if (body?.kind === 'other')
    decisions.push({ at: 'request:', question: 'The body is of a kind that is not known here: encode has to make it.' })
  const headers = headersCode(
    encoded,
    requests.map((one) => one.headers),
  )
  if (headers !== '') parts.push(`headers: ${headers}`)
  const fields = new Map<string, string>()
  const isPaged = cursor !== undefined
  if (encoded.before.size > 0) fields.set('before', beforeCode(encoded))
  const isWrite = requests[0]?.method !== 'GET'
  const [csrf, ...more] = encoded.tokens
  if (csrf !== undefined) fields.set('csrf', csrf)
  if (more.length > 0) fields.set('volatile', `[${more.join(', ')}]`)
  const path = new Set(encoded.used)
  const taken = [...path].toSorted()
  const context = [...(isPaged ? ['anchor'] : []), ...(encoded.before.size > 0 ? ['before'] : [])]
  const first = taken.length > 0 ? `{ ${taken.join(', ')} }` : '_input'
  const args = context.length > 0 ? `${first}, { ${context.join(', ')} }` : taken.length > 0 ? first : ''
  // Without `encode`, all inputs outside the path would be sent, and a write would have a body.
  if (parts.length > 0 || isWrite)
    fields.set('encode', `(${args}) => ({${parts.length === 0 ? '' : ` ${parts.join(', ')} `}})`)
  return { fields, decisions: [...decisions, ...encoded.decisions] }
}

function groups(entries: readonly (readonly [string, string])[]): ReadonlyMap<string, readonly string[]> {
  return new Map(
    [...Map.groupBy(entries, ([name]) => name)].map(([name, own]) => [name, own.map(([, value]) => value)]),
  )
}

/** `{ name: value }`; '' if empty. */
function entriesCode(
  encoded: Encoded,
  runs: readonly ReadonlyMap<string, readonly string[]>[],
  at: 'query' | 'form',
  cursor?: string,
): string {
  const names = [...new Set(runs.flatMap((one) => [...one.keys()]))]
  const parts = names.flatMap((name) => {
    if (at === 'query' && name === cursor) return [property(name, 'anchor')]
    if (at === 'query' && busters.test(name)) return []
    const lists = runs.map((one) => one.get(name))
    if (lists.some((list) => (list?.length ?? 0) > 1))
      return [
        property(
          name,
          encoded.json(
            lists.map((list) => list ?? []),
            name,
          ),
        ),
      ]
    const code = encoded.value(
      name,
      lists.map((list) => list?.[0]),
      at,
      { optional: lists.some((list) => list?.[0] === undefined || list[0] === '') },
    )
    return code === null ? [] : [property(name, code)]
  })
  return parts.length === 0 ? '' : `{ ${parts.join(', ')} }`
}

/** Headers that a script of the page set. */
function headersCode(encoded: Encoded, runs: readonly Readonly<Record<string, string>>[]): string {
  const names = Object.keys(runs[0] ?? {}).filter((name) =>
    /^(?:x-(?!forwarded|real-ip|http-method|method|original|rewrite)[\w-]+|if-match)$/.test(name),
  )
  const parts = names.flatMap((name) => {
    const values = runs.map((one) => one[name])
    if (values.some((value) => value === undefined)) return []
    const code = encoded.value(name, values, 'header', { optional: false })
    return code === null ? [] : [property(name, code)]
  })
  return parts.length === 0 ? '' : `{ ${parts.join(', ')} }`
}

function beforeCode({ before }: Encoded): string {
  const pages = [...before].map(([name, { request, isJson, takes }]) => {
    const given = [...takes].map(([field, code]) => property(field, code)).join(', ')
    const take = isJson ? `(answer) => ({ ${given} })` : `(_answer, { page }) => ({ ${given} })`
    return `${name}: { request: ${quoted(`GET ${request}`)}, ${isJson ? '' : `answer: 'page', `}take: ${take} }`
  })
  return `{ ${pages.join(', ')} }`
}
