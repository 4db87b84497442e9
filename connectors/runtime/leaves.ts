import type { ConnectorSpec } from '../kit/define.ts'
import { parseLine } from '../kit/request-line.ts'
import type { RenewFields } from '../kit/session-token.ts'

/** A way for data to leave without an approval. `text`: one plain line for an operator. */
export interface WayOut {
  readonly kind: 'read_by_post' | 'page_by_post' | 'renewal' | 'token_host'
  readonly text: string
}

/** All that a connector declares. An added one's reads by POST need approval unless trusted. */
export function waysOut(spec: ConnectorSpec): readonly WayOut[] {
  return [...spec.endpoints.flatMap(ofEndpoints), ...renewals(spec), ...tokenHosts(spec)]
}

function ofEndpoints(file: ConnectorSpec['endpoints'][number]): readonly WayOut[] {
  return Object.entries(file).flatMap(([name, { access, line, before }]) => {
    const reads: WayOut[] =
      access === 'read' && line.method !== 'GET'
        ? [{ kind: 'read_by_post', text: `${name} reads with ${line.method} ${line.path}` }]
        : []
    const pages = before === null || typeof before === 'string' ? [] : Object.values(before)
    const posts = pages.map(({ request }) => parseLine(request)).filter(({ method }) => method !== 'GET')
    return [
      ...reads,
      ...posts.map(({ method, path }): WayOut => {
        return { kind: 'page_by_post', text: `${name} first asks ${method} ${path}, which it calls harmless` }
      }),
    ]
  })
}

function renewals({ renew }: ConnectorSpec): readonly WayOut[] {
  if (renew === undefined) return []
  const sent = Object.entries(renew.form ?? renew.json ?? {}).map(fieldText)
  const when = 'when the app answers 401, or a token is missing or has expired'
  const what = [...sent, "the app's cookies"].join(', ')
  return [{ kind: 'renewal', text: `${renew.request} renews the session ${when}; it sends ${what}` }]
}

function fieldText([name, value]: [string, RenewFields[string]]): string {
  return typeof value === 'string' ? `${name}=${value}` : `${name}=(the token "${value.token}")`
}

function tokenHosts({ origin, hosts = {}, authorize = [] }: ConnectorSpec): readonly WayOut[] {
  if (authorize.length === 0) return []
  const places = authorize.map(({ header, token }) => `the token "${token}" in the header ${header}`).join(', ')
  const roots = [typeof origin === 'string' ? origin : 'the address that a user types', ...Object.values(hosts)]
  return [...new Set(roots)].map((at) => ({ kind: 'token_host', text: `every request to ${at} has ${places}` }))
}
