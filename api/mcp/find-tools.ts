import { Type } from 'typebox'
import { connectUrl } from '../../core/accounts/accounts.ts'
import { connectedAccounts } from '../../core/accounts/connections.ts'
import { noAccess } from '../../core/keys/access.ts'
import type { Context } from '../../core/context.ts'
import type { ApiKey } from '../../core/keys/rows.ts'
import { connectedApps, sightOf } from '../../core/keys/sight.ts'
import type { Sight } from '../../core/keys/sight.ts'
import { CallgateError } from '../../schemas/errors.ts'
import type { ErrorCode } from '../../schemas/errors.ts'
import { listConnections } from '../http/connections-routes.ts'
import type { App } from '../../connectors/registry.ts'
import { describer } from '../http/discovery-routes.ts'
import { findApp, findEndpoint } from '../http/find.ts'
import { isFields } from '../../connectors/kit/wire.ts'
import { named, withApp } from './call-arguments.ts'
import { plainResult, toolTerms } from './results.ts'
import { searchEndpoints } from '../../core/search/search.ts'
import type { McpTool, Session, ToolResult } from './tool.ts'
import { annotations, closed, objectSchema, text, tool, withoutDeclarations } from './tool.ts'

/** The first hit is clear if it scores this many times the second. */
const clearly = 1.4

const search_actions = tool({
  name: 'search_actions',
  description:
    'Find actions of web apps (bookings, listings, invoices, messages, …) by words. Start here. confirm = the person approves it first. A clear first hit has its input_schema.',
  annotations: annotations.look,
  input: Type.Object(
    {
      words: Type.String({
        maxLength: 400,
        description: 'What to do, e.g. "create appointment". "" lists everything.',
      }),
      app: Type.Optional(text('Only of this app.')),
      access: Type.Optional(Type.Enum(['read', 'write'], { type: 'string' })),
      limit: Type.Integer({ minimum: 1, maximum: 100, default: 10 }),
    },
    closed,
  ),
  meant: withWords,
  async run({ words, app, access, limit }, { api: { ctx }, key }) {
    const { apps, db, config } = ctx
    const only = app === undefined ? undefined : findApp(apps, app).slug
    const connected = await connectedApps(db, key)
    const found = searchEndpoints(apps.all, words, { app: only, connected }).filter(
      ({ endpoint }) => access === undefined || endpoint.access === access,
    )
    const [first, second] = found
    const isClear = first !== undefined && first.score > clearly * (second?.score ?? 0)
    const seen = await sightOf(
      ctx,
      key,
      found.slice(0, limit).map(({ endpoint }) => endpoint),
    )
    const hits = {
      actions: seen.map(({ endpoint, problem, bar, asks }) => ({
        app: endpoint.app,
        action: endpoint.name,
        access: endpoint.access,
        confirm: asks,
        summary: endpoint.summary,
        ...(!connected.has(endpoint.app) && { connect_url: connectUrl(config.publicUrl, endpoint.app) }),
        ...(problem !== null && whyNot(ctx, key, { endpoint, problem, bar })),
        ...(isClear && endpoint === first.endpoint && { input_schema: objectSchema(endpoint.inputSchema) }),
      })),
      total: found.length,
      ...(found.length === 0 && { apps: apps.all.map(({ slug }) => slug) }),
    }
    return plainResult(hits, 'ask for less: a smaller limit, one app, one access.')
  },
})

/** Most searches name it `query`. */
function withWords(args: unknown): unknown {
  if (!isFields(args) || !('query' in args) || 'words' in args) return args
  const { query: words, ...rest } = args
  return { ...rest, words }
}

/** Why the key may not run the action, in terms of tools, and the link to request access. */
function whyNot(ctx: Context, { id: keyId }: ApiKey, { endpoint, problem, bar }: Barred): object {
  const { app, name } = endpoint
  const refusal = noAccess(ctx, { keyId, app, endpoint: name, problem, bar })
  const { request_access_url } = refusal.fields
  return { not_allowed: refusal.messageIn(toolTerms), ...(request_access_url !== undefined && { request_access_url }) }
}

interface Barred extends Pick<Sight, 'endpoint' | 'bar'> {
  readonly problem: ErrorCode
}

const get_action = tool({
  name: 'get_action',
  description: "An action's input and output schema, credits, and an example that works. Look before you run one.",
  annotations: annotations.look,
  input: Type.Object(named, closed),
  meant: withApp,
  run: ({ app, action: name }, session) => described(session, app, name),
})

/** get_action where the actions of one or several apps are tools themselves. */
export function toolDescriber(apps: readonly App[]): McpTool {
  const [alone] = apps.length === 1 ? apps : []
  return tool({
    name: get_action.definition.name,
    description: "A tool's schemas in full, of input and output, and an example that works.",
    annotations: annotations.look,
    input: Type.Object(
      {
        app: Type.String(alone && { default: alone.slug }),
        action: text(alone ? "The tool's name." : "The tool's name, without the app."),
      },
      closed,
    ),
    meant: withApp,
    run: ({ app, action: name }, session) => described(session, app, name),
  })
}

/** `confirm`: for this key. Throws unknown_app or unknown_endpoint. */
async function described({ api: { ctx }, key }: Session, app: string, name: string): Promise<ToolResult> {
  const found = findApp(ctx.apps, app)
  const endpoint = findEndpoint(found, name)
  const { links, ...action } = describer(ctx.config.publicUrl).endpoint(endpoint)
  const [sight] = await sightOf(ctx, key, [endpoint])
  if (sight === undefined) throw new Error('an endpoint was asked for, and none came back')
  const { problem, bar, asks } = sight
  return plainResult(
    {
      ...{ ...withoutDeclarations(action), confirm: asks },
      ...(problem !== null && whyNot(ctx, key, { endpoint, problem, bar })),
      ...(found.added && { built_in: false }),
    },
    `all of it is at ${links.self}, for anybody.`,
  )
}

const list_connections = tool({
  name: 'list_connections',
  description: "The person's connected app accounts and whether each works.",
  annotations: annotations.look,
  input: Type.Object({ app: Type.Optional(text('Only of this app.')) }, closed),
  async run({ app }, { api, key }) {
    const of = app === undefined ? undefined : findApp(api.ctx.apps, app).slug
    const { connections } = await listConnections(api, key)
    const wanted = connections
      .filter((account) => of === undefined || account.app === of)
      // A working one needs no link; connect_app has it.
      .map(({ connect_url, ...account }) => (account.state === 'connected' ? account : { ...account, connect_url }))
    return plainResult({ connections: wanted }, 'ask with app for those of one app.')
  },
})

const connect_app = tool({
  name: 'connect_app',
  description:
    'The link where the person connects, or reconnects, an app by signing in themselves. Nothing is signed in here.',
  annotations: annotations.look,
  input: Type.Object(
    { app: named.app, account: Type.Optional(text('To reconnect: the account of list_connections.')) },
    closed,
  ),
  async run({ app, account }, { api, key }) {
    const { slug } = findApp(api.ctx.apps, app)
    const accounts = account === undefined ? [] : await connectedAccounts(api.ctx.db, key.id)
    if (account !== undefined && !accounts.some(({ id, app: of }) => id === account && of === slug))
      throw new CallgateError('unknown_account')
    return plainResult({
      app: slug,
      connect_url: connectUrl(api.ctx.config.publicUrl, slug, account),
      message:
        'Give connect_url to the person: they sign in to the app there. Then list_connections shows the account.',
    })
  },
})

export const findTools = [search_actions, get_action] as const
export const connectionTools = [list_connections, connect_app] as const
