import { Type } from 'typebox'
import { connectUrl } from '../../core/accounts/accounts.ts'
import { connectedAccounts } from '../../core/accounts/connections.ts'
import { CallgateError } from '../../schemas/errors.ts'
import { listConnections } from '../http/connections-routes.ts'
import { describer } from '../http/discovery-routes.ts'
import { findApp, findEndpoint } from '../http/find.ts'
import { named } from './action-tools.ts'
import { plainResult } from './results.ts'
import { searchEndpoints } from './search.ts'
import { annotations, closed, text, tool, withoutDeclarations } from './tool.ts'

const search_actions = tool({
  name: 'search_actions',
  description:
    'Find actions of web apps (bookings, listings, invoices, messages, …) by words. Start here. confirm = a person approves it first.',
  annotations: annotations.look,
  input: Type.Object(
    {
      words: Type.String({
        maxLength: 400,
        description: 'What to do, e.g. "create appointment". "" lists everything.',
      }),
      app: Type.Optional(text('Only of this app.')),
      access: Type.Optional(Type.Enum(['read', 'write'])),
      limit: Type.Integer({ minimum: 1, maximum: 100, default: 10 }),
    },
    closed,
  ),
  output: {
    type: 'object',
    required: ['actions', 'total'],
    properties: {
      actions: {
        type: 'array',
        items: {
          type: 'object',
          required: ['app', 'action', 'access', 'confirm', 'summary'],
          properties: {
            app: { type: 'string' },
            action: { type: 'string' },
            access: { enum: ['read', 'write'] },
            confirm: { type: 'boolean' },
            summary: { type: 'string' },
          },
        },
      },
      total: { type: 'integer' },
      apps: { type: 'array', items: { type: 'string' } },
    },
  },
  async run({ words, app, access, limit }, { api }) {
    const { apps } = api.ctx
    const found = searchEndpoints(app === undefined ? apps.all : [findApp(apps, app)], words).filter(
      (endpoint) => access === undefined || endpoint.access === access,
    )
    return plainResult({
      actions: found.slice(0, limit).map((endpoint) => ({
        app: endpoint.app,
        action: endpoint.name,
        access: endpoint.access,
        confirm: endpoint.confirm,
        summary: endpoint.summary,
      })),
      total: found.length,
      ...(found.length === 0 && { apps: apps.all.map(({ slug }) => slug) }),
    })
  },
})

const get_action = tool({
  name: 'get_action',
  description: "An action's input and output schema, credits, and an example that works. Look before you run one.",
  annotations: annotations.look,
  input: Type.Object(named, closed),
  async run({ app, action: name }, { api }) {
    const found = findApp(api.ctx.apps, app)
    const { links: _, ...described } = describer(api.ctx.config.publicUrl).endpoint(findEndpoint(found, name))
    return plainResult({ ...withoutDeclarations(described), ...(found.added && { built_in: false }) })
  },
})

const list_connections = tool({
  name: 'list_connections',
  description: "The person's connected app accounts and whether each works.",
  annotations: annotations.look,
  input: Type.Object({}, closed),
  output: {
    type: 'object',
    required: ['connections'],
    properties: { connections: { type: 'array', items: { type: 'object' } } },
  },
  run: async (_, { api, key }) => plainResult(await listConnections(api, key)),
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
  output: {
    type: 'object',
    required: ['app', 'connect_url', 'message'],
    properties: { app: { type: 'string' }, connect_url: { type: 'string' }, message: { type: 'string' } },
  },
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
