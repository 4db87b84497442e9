import type { IncomingMessage } from 'node:http'
import { Type } from 'typebox'
import type { TObject, TProperties } from 'typebox'
import { equalTexts } from '../activities/crypto.ts'
import { allPauses, appStates, auditOfOperators, findCallsOfAll } from '../activities/db/operations.ts'
import { findUserByEmail } from '../activities/db/users.ts'
import { emailOf } from '../activities/email-address.ts'
import { invite, revokeInvitation } from '../activities/invitations.ts'
import { callOfAll, operatorToken, resolveForOwner, setRates } from '../activities/operate.ts'
import { liftPause, setAppPaused, setEndpointPaused } from '../activities/settings.ts'
import { callStatuses } from '../schemas/call.ts'
import { CallgateError } from '../schemas/errors.ts'
import type { Api } from './api.ts'
import { invalidInput } from './call-request.ts'
import { findApp, findEndpoint } from './find.ts'
import { flagOf, limitOf, readBody } from './operator-request.ts'
import { refund } from './refund.ts'

/** One request of an operator. */
interface Asked {
  readonly api: Api
  /** Who it was, for the log. */
  readonly actor: string
  readonly params: readonly string[]
  readonly query: URLSearchParams
  readonly body: Readonly<Record<string, unknown>>
}

interface Route {
  readonly method: 'GET' | 'POST'
  readonly path: RegExp
  readonly body?: TObject
  readonly handle: (asked: Asked) => Promise<unknown>
}

const closed = (properties: TProperties): TObject => Type.Object(properties, { additionalProperties: false })
const rate = Type.Optional(Type.Union([Type.Number({ exclusiveMinimum: 0, maximum: 1000 }), Type.Null()]))

/** Everything below /operator/ on the admin port. */
const routes: readonly Route[] = [
  {
    method: 'GET',
    path: /^\/operator\/apps$/,
    handle: async ({ api }) => ({
      apps: await appStates(
        api.ctx.db,
        api.ctx.apps.all.map(({ slug }) => slug),
      ),
    }),
  },
  {
    method: 'POST',
    path: /^\/operator\/apps\/([a-z-]+)$/,
    body: closed({ paused: Type.Optional(Type.Boolean()), app_rate: rate, account_rate: rate }),
    handle: changeApp,
  },
  {
    method: 'POST',
    path: /^\/operator\/apps\/([a-z-]+)\/endpoints\/([\w-]+)$/,
    body: closed({ paused: Type.Boolean() }),
    handle: pauseEndpoint,
  },
  {
    method: 'GET',
    path: /^\/operator\/pauses$/,
    handle: async ({ api }) => ({ pauses: await allPauses(api.ctx.db) }),
  },
  {
    method: 'POST',
    path: /^\/operator\/pauses\/(acct_\w+)\/([a-z_]+)\/lift$/,
    handle: async ({ api, actor, params: [account = '', endpoint = ''] }) => {
      if (!(await liftPause(api.ctx, account, endpoint, actor)))
        throw new CallgateError('not_found', {
          message: 'Nothing is paused there: GET /operator/pauses lists what is.',
        })
      return { account, endpoint, lifted: true }
    },
  },
  { method: 'GET', path: /^\/operator\/calls$/, handle: listCalls },
  {
    method: 'GET',
    path: /^\/operator\/calls\/(call_\w+)$/,
    handle: ({ api, params: [callId = ''] }) => callOfAll(api.ctx, callId),
  },
  {
    method: 'POST',
    path: /^\/operator\/calls\/(call_\w+)\/resolve$/,
    body: closed({ happened: Type.Boolean() }),
    handle: async ({ api, actor, params: [callId = ''], body }) => {
      if (!(await resolveForOwner(api.ctx, callId, body['happened'] === true, actor)))
        throw new CallgateError('invalid_input', { message: 'This call did not end unknown, or was recorded before.' })
      return callOfAll(api.ctx, callId)
    },
  },
  {
    method: 'POST',
    path: /^\/operator\/calls\/(call_\w+)\/refund$/,
    body: closed({ reason: Type.String({ minLength: 3, maxLength: 500 }) }),
    handle: async ({ api, actor, params: [callId = ''], body }) => ({
      call_id: callId,
      refunded: await refund(api, callId, String(body['reason']), actor),
    }),
  },
  {
    method: 'POST',
    path: /^\/operator\/users$/,
    body: closed({ email: Type.String({ maxLength: 254 }), may_invite: Type.Optional(Type.Boolean()) }),
    handle: addUser,
  },
  {
    method: 'POST',
    path: /^\/operator\/invitations\/(inv_\w+)\/revoke$/,
    handle: async ({ api, actor, params: [id = ''] }) => {
      if (!(await revokeInvitation(api.ctx, { id, by: actor })))
        throw new CallgateError('not_found', { message: 'There is no such open invitation.' })
      return { invitation: id, revoked: true }
    },
  },
  {
    method: 'GET',
    path: /^\/operator\/log$/,
    handle: async ({ api, query }) => ({ log: await auditOfOperators(api.ctx.db, limitOf(query)) }),
  },
]

/** The answer to an operator, or undefined when the path is none of theirs. Throws CallgateError. */
export async function answerOperator(api: Api, request: IncomingMessage): Promise<unknown> {
  const url = new URL(request.url ?? '/', 'http://admin')
  if (!url.pathname.startsWith('/operator/')) return undefined
  const token = /^bearer +(.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? ''
  if (!equalTexts(token, operatorToken(api.ctx.secrets)))
    throw new CallgateError('api_key_invalid', { message: 'Send the operator token: npm run -s admin -- token.' })
  const found = routes.filter(({ path }) => path.test(url.pathname))
  const route = found.find(({ method }) => method === request.method)
  if (route === undefined) throw new CallgateError(found.length > 0 ? 'method_not_allowed' : 'not_found')
  const named = /^[\w.@-]{1,60}$/.exec(request.headers['x-operator']?.toString() ?? '')?.[0]
  return route.handle({
    api,
    actor: `operator:${named ?? 'unnamed'}`,
    params: (route.path.exec(url.pathname) ?? []).slice(1),
    query: url.searchParams,
    body: route.body === undefined ? {} : await readBody(request, route.body),
  })
}

async function addUser({ api, actor, body }: Asked): Promise<unknown> {
  const email = emailOf(String(body['email']))
  if (email === undefined) throw invalidInput([{ path: 'email', message: 'must be an email address' }])
  if ((await findUserByEmail(api.ctx, email)) !== undefined)
    throw invalidInput([{ path: 'email', message: 'is that of a user already' }])
  const made = await invite(api.ctx, { email, by: actor, mayInvite: body['may_invite'] === true })
  if (made === undefined) throw invalidInput([{ path: 'email', message: 'too many invitations are open: revoke some' }])
  return { invitation: made.id, email, link: made.link, expires_at: made.expires_at }
}

async function changeApp({ api, actor, params: [slug = ''], body }: Asked): Promise<unknown> {
  const { ctx } = api
  findApp(ctx.apps, slug)
  const [now] = await appStates(ctx.db, [slug])
  const {
    paused,
    app_rate: app,
    account_rate: account,
  } = body as {
    paused?: boolean
    app_rate?: number | null
    account_rate?: number | null
  }
  if (app !== undefined || account !== undefined) {
    const rates = {
      appRate: app === undefined ? (now?.app_rate ?? null) : app,
      accountRate: account === undefined ? (now?.account_rate ?? null) : account,
    }
    await setRates(ctx, slug, rates, actor)
  }
  if (paused !== undefined) await setAppPaused(ctx, slug, paused, actor)
  return stateOf(api, slug)
}

async function pauseEndpoint({ api, actor, params: [slug = '', name = ''], body }: Asked): Promise<unknown> {
  const { app, name: endpoint } = findEndpoint(findApp(api.ctx.apps, slug), name)
  await setEndpointPaused(api.ctx, { app, endpoint, paused: body['paused'] === true }, actor)
  return stateOf(api, app)
}

async function stateOf({ ctx }: Api, slug: string): Promise<unknown> {
  const [state] = await appStates(ctx.db, [slug])
  return state?.pending === true
    ? { ...state, message: 'Saved. It takes effect when the engine is back: pending is false then.' }
    : state
}

async function listCalls({ api, query }: Asked): Promise<unknown> {
  const names = ['call_id', 'owner', 'app', 'status', 'waiting_for', 'stuck', 'unresolved', 'before', 'limit']
  const unknown = [...query.keys()].filter((name) => !names.includes(name))
  const status = query.get('status') ?? undefined
  if (unknown.length > 0)
    throw invalidInput(unknown.map((path) => ({ path, message: `is none of ${names.join(', ')}` })))
  if (status !== undefined && !callStatuses.some((known) => known === status))
    throw invalidInput([{ path: 'status', message: `must be one of ${callStatuses.join(', ')}` }])
  return {
    calls: await findCallsOfAll(api.ctx.db, {
      call_id: query.get('call_id') ?? undefined,
      owner: query.get('owner') ?? undefined,
      app: query.get('app') ?? undefined,
      status,
      waiting_for: query.get('waiting_for') ?? undefined,
      stuck: flagOf(query, 'stuck'),
      unresolved: flagOf(query, 'unresolved'),
      before: query.get('before') ?? undefined,
      limit: limitOf(query),
    }),
  }
}

/** What there is, without what it does. */
export const operatorAddresses: readonly Pick<Route, 'method' | 'path'>[] = routes
