import { addressOf } from './address.ts'
import type { Answer } from './answer.ts'
import { Usage } from './answer.ts'
import { CallgateError } from './errors.ts'

/** Slugs and endpoint names: lower-case letters, digits, and `-` or `_`. */
const slugForm = /^[a-z][a-z0-9-]*$/
const endpointIdForm = /^([a-z][a-z0-9-]*)\.([a-z][a-z0-9_]*)$/

/** `callgate apps`: public, needs no key. `url` is the gateway's, ending in `/api/v1`. */
export async function apps(url: string): Promise<Answer> {
  const { apps: list } = (await discover(url, '/apps')) as {
    apps: { slug: string; name: string; endpoint_count: number; built_in?: false }[]
  }
  const lines = list.map(({ slug, name, endpoint_count: count, built_in: builtIn }) => {
    return `${slug.padEnd(24)}${name} (${count} actions${builtIn === false ? ', added by the operator' : ''})`
  })
  return { value: list, text: lines.join('\n') }
}

/** Timeout of a request, in ms. */
const patience = 30_000

/** The part of /openapi.json that is used. It describes all apps in one request. */
interface OpenApi {
  readonly paths: Readonly<Record<string, { readonly post?: Operation }>>
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> }
}

export async function openApi(url: string): Promise<OpenApi> {
  return (await discover(url, '/openapi.json')) as OpenApi
}

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly 'x-callgate-access'?: string
  readonly 'x-callgate-confirm'?: boolean
}

/** Endpoints that match the words, best first. One request, because discovery is rate limited. */
export async function search(url: string, words: readonly string[]): Promise<Answer> {
  const wanted = words.flatMap((word) => word.toLowerCase().split(/[\s_.]+/)).filter((word) => word !== '')
  if (wanted.length === 0) throw new Usage('Say what you look for: callgate search book appointment')
  const { paths } = await openApi(url)
  const found = Object.values(paths).flatMap(({ post }) => (post?.['x-callgate-access'] === undefined ? [] : [post]))
  const best = found
    .map((one) => ({ one, score: wanted.reduce((sum, word) => sum + scoreOf(one, word), 0) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, 20)
    .map(({ one }) => ({
      endpoint: one.operationId,
      access: one['x-callgate-access'],
      confirm: one['x-callgate-confirm'] === true,
      summary: one.summary,
    }))
  const lines = best.map(({ endpoint, access, confirm, summary }) => {
    return `${endpoint} (${access}${confirm ? ', asks first' : ''})\n    ${summary}`
  })
  return { value: best, text: lines.length === 0 ? 'Nothing fits. callgate apps lists the apps.' : lines.join('\n') }
}

/** A match in the name counts more than one in the summary. */
function scoreOf({ operationId, summary }: Operation, word: string): number {
  if (operationId.split(/[._-]/).includes(word)) return 3
  if (operationId.includes(word)) return 2
  return summary.toLowerCase().includes(word) ? 1 : 0
}

export async function schema(url: string, id: string | undefined): Promise<Answer> {
  const { app, name } = endpointOf(id)
  return { value: await discover(url, `/${app}/endpoints/${name}`) }
}

/** `callgate connect`: the page where the user signs in to the app. */
export async function connect(url: string, slug: string | undefined): Promise<Answer> {
  if (slug === undefined || !slugForm.test(slug)) throw new Usage('Say which app: callgate connect crm')
  const { connection } = (await discover(url, `/${slug}`)) as { connection: { connect_url: string } }
  return { value: { connect_url: connection.connect_url }, text: connection.connect_url }
}

export function endpointOf(id: string | undefined): { readonly app: string; readonly name: string } {
  const [, app = '', name = ''] = endpointIdForm.exec(id ?? '') ?? []
  if (name === '') throw new Usage('Say which action, as app.endpoint, such as crm.get_project')
  return { app, name }
}

async function discover(url: string, path: string): Promise<unknown> {
  const fail = (what: string, cause?: unknown): CallgateError => {
    const message = `${what} ${url}. callgate doctor says more.`
    return new CallgateError(0, { error: 'no_answer', message }, undefined, cause)
  }
  const response = await fetch(`${addressOf(url)}${path}`, { signal: AbortSignal.timeout(patience) }).catch(
    (error: unknown) => {
      throw fail('No answer from', error)
    },
  )
  const body: unknown = await response.json().catch((error: unknown) => {
    throw fail('No Callgate answers at', error)
  })
  if (!response.ok) throw new CallgateError(response.status, Object(body) as Record<string, unknown>)
  return body
}
