import type { Stack } from '../harness.ts'
import type { TestUser } from '../support/user.ts'
import { Agent } from './agent.ts'
import type { Era, Told } from './agent.ts'

export interface Call {
  readonly app?: string
  readonly endpoint: string
  readonly input?: Record<string, unknown>
  readonly account?: string
  readonly key?: string
}

/** What became of a call, whichever way it went: `executed`, the status of a call that is not over, or an error code. */
export interface Outcome {
  readonly became: string
  readonly callId: string | undefined
  readonly replayed: boolean
  readonly body: Record<string, unknown>
}

/** One way to the gateway. */
export interface Way {
  readonly name: string
  /** What its messages call an account, and a key of one's own. */
  readonly terms: readonly [account: string, idempotencyKey: string]
  call(user: TestUser, call: Call): Promise<Outcome>
  record(user: TestUser, callId: string, wait?: number): Promise<Outcome>
  cancel(user: TestUser, callId: string): Promise<Outcome>
  close(): Promise<void>
}

const defaultApp = 'property-advertising'

export const overHttp: Way = {
  name: 'HTTP',
  terms: ['the header X-Callgate-Account', 'Idempotency-Key'],
  async call(user, { app = defaultApp, endpoint, input = {}, account, key }) {
    const { status, headers, body } = await user.send('POST', `/${app}/${endpoint}`, input, {
      ...(account !== undefined && { 'X-Callgate-Account': account }),
      ...(key !== undefined && { 'Idempotency-Key': key }),
    })
    const became = status === 200 ? 'executed' : status === 202 ? body['status'] : body['error']
    const id = headers.get('X-Request-Id') ?? ''
    return {
      became: String(became),
      callId: id.startsWith('call_') ? id : undefined,
      replayed: headers.get('Idempotent-Replayed') === 'true',
      body,
    }
  },
  record: async (user, callId, wait = 0) => recordOutcome(await user.send('GET', `/calls/${callId}?wait=${wait}`)),
  cancel: async (user, callId) => recordOutcome(await user.cancel(callId)),
  close: async () => {},
}

/** The general tools, and the endpoints as tools of their own. */
export function overMcp(stack: () => Stack, era: Era, form: 'general' | 'own'): Way {
  const agents = new Map<string, Promise<Agent>>()
  const agentOf = (user: TestUser, path: string): Promise<Agent> => {
    const id = `${user.key} ${path}`
    const agent = agents.get(id) ?? Agent.connect(stack().publicUrl, user.key, { era, path })
    agents.set(id, agent)
    return agent
  }
  return {
    name: `MCP of ${era}, ${form} tools`,
    terms: ['the argument account', 'idempotency_key'],
    async call(user, { app = defaultApp, endpoint, input = {}, account, key }) {
      const extras = { ...(account !== undefined && { account }), ...(key !== undefined && { idempotency_key: key }) }
      if (form === 'own') {
        const agent = await agentOf(user, `/mcp/${app}`)
        return toolOutcome(await agent.use(endpoint, { ...input, ...extras }))
      }
      const agent = await agentOf(user, '/mcp')
      const access = stack().ctx.apps.get(app)?.endpoints.get(endpoint)?.access ?? 'read'
      return toolOutcome(await agent.use(`${access}_action`, { app, action: endpoint, input, ...extras }))
    },
    async record(user, callId, wait = 0) {
      const agent = await agentOf(user, '/mcp')
      return recordOutcome(await agent.use('get_call', { call_id: callId, wait }))
    },
    async cancel(user, callId) {
      return recordOutcome(await (await agentOf(user, '/mcp')).use('cancel_call', { call_id: callId }))
    },
    async close() {
      for (const agent of agents.values()) await (await agent).close()
    },
  }
}

function toolOutcome({ isError, body, meta }: Told): Outcome {
  const unfinished = 'call_id' in body && 'message' in body
  const callId = meta['callgate/call_id']
  return {
    became: String(isError ? body['error'] : unfinished ? body['status'] : 'executed'),
    callId: typeof callId === 'string' ? callId : undefined,
    replayed: meta['callgate/idempotent_replayed'] === true,
    body,
  }
}

function recordOutcome({ body }: { readonly body: Record<string, unknown> }): Outcome {
  const id = body['call_id']
  const became = String(body['status'] ?? body['error'])
  return { became, callId: typeof id === 'string' ? id : undefined, replayed: false, body }
}
