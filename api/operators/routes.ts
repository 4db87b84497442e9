import type { IncomingMessage } from 'node:http'
import { Type } from 'typebox'
import type { Static, TObject, TProperties } from 'typebox'
import { equalTexts } from '../../core/secrets/crypto.ts'
import { allPauses, appStates, auditOfOperators, findCallsOfAll } from '../../core/operators/rows.ts'
import { findUserByEmail } from '../../core/users/rows.ts'
import { emailOf } from '../../core/users/email-address.ts'
import { invite, revokeInvitation } from '../../core/users/invitations.ts'
import {
  callOfAll,
  cancelForOwner,
  isOperatorName,
  operatorToken,
  resolveForOwner,
  setRates,
} from '../../core/operators/operate.ts'
import { liftPause, setAppPaused, setEndpointPaused } from '../../core/operators/pauses.ts'
import { CallgateError } from '../../schemas/errors.ts'
import { named } from '../../schemas/names.ts'
import type { Api } from '../http/api.ts'
import { invalidInput } from '../http/call-request.ts'
import { findApp, findEndpoint } from '../http/find.ts'
import { bodyReader, callFilterOf, limitOf } from './request.ts'
import { refund } from './refund.ts'

/** One request of an operator. */
interface Asked {
  readonly api: Api
  /** Who it was, for the log. */
  readonly actor: string
  readonly params: readonly string[]
  readonly query: URLSearchParams
  readonly request: IncomingMessage
}

interface Route {
  readonly method: 'GET' | 'POST'
  readonly path: RegExp
  readonly handle: (asked: Asked) => Promise<unknown>
}

/** A route that takes a JSON body with these fields and no others. */
function post<P extends TProperties>(
  path: RegExp,
  fields: P,
  handle: (asked: Asked, body: Static<TObject<P>>) => Promise<unknown>,
): Route {
  const read = bodyReader(Type.Object(fields, { additionalProperties: false }))
  return { method: 'POST', path, handle: async (asked) => handle(asked, await read(asked.request)) }
}

const rate = Type.Optional(Type.Union([Type.Number({ exclusiveMinimum: 0, maximum: 1000 }), Type.Null()]))
const changes = { paused: Type.Optional(Type.Boolean()), app_rate: rate, account_rate: rate }
const newUser = { email: Type.String({ maxLength: 254 }), may_invite: Type.Optional(Type.Boolean()) }

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
      broken: [...api.ctx.apps.broken.values()],
    }),
  },
  post(named('/operator/apps/{slug}'), changes, changeApp),
  post(
    named(String.raw`/operator/apps/{slug}/endpoints/([\w-]+)`),
    { paused: Type.Boolean() },
    async ({ api, actor, params: [slug = '', name = ''] }, { paused }) => {
      const { app, name: endpoint } = findEndpoint(findApp(api.ctx.apps, slug), name)
      await setEndpointPaused(api.ctx, { app, endpoint, paused }, actor)
      return stateOf(api, app)
    },
  ),
  {
    method: 'GET',
    path: /^\/operator\/pauses$/,
    handle: async ({ api }) => ({ pauses: await allPauses(api.ctx.db) }),
  },
  {
    method: 'POST',
    path: named(String.raw`/operator/pauses/(acct_\w+)/{endpoint}/lift`),
    handle: async ({ api, actor, params: [account = '', endpoint = ''] }) => {
      if (!(await liftPause(api.ctx, account, endpoint, actor)))
        throw new CallgateError('not_found', {
          message: 'Nothing is paused there: GET /operator/pauses lists what is.',
        })
      return { account, endpoint, lifted: true }
    },
  },
  {
    method: 'GET',
    path: /^\/operator\/calls$/,
    handle: async ({ api, query }) => ({ calls: await findCallsOfAll(api.ctx.db, callFilterOf(query)) }),
  },
  {
    method: 'GET',
    path: /^\/operator\/calls\/(call_\w+)$/,
    handle: ({ api, params: [callId = ''] }) => callOfAll(api.ctx, callId),
  },
  post(
    /^\/operator\/calls\/(call_\w+)\/resolve$/,
    { happened: Type.Boolean() },
    async ({ api, actor, params: [callId = ''] }, { happened }) => {
      if (!(await resolveForOwner(api.ctx, callId, happened, actor)))
        throw new CallgateError('invalid_input', { message: 'This call did not end unknown, or was recorded before.' })
      return callOfAll(api.ctx, callId)
    },
  ),
  post(
    /^\/operator\/calls\/(call_\w+)\/cancel$/,
    { reason: Type.String({ minLength: 3, maxLength: 500 }) },
    async ({ api, actor, params: [callId = ''] }, { reason }) => {
      await cancelForOwner(api.ctx, callId, reason, actor)
      return callOfAll(api.ctx, callId)
    },
  ),
  post(
    /^\/operator\/calls\/(call_\w+)\/refund$/,
    { reason: Type.String({ minLength: 3, maxLength: 500 }) },
    async ({ api, actor, params: [callId = ''] }, { reason }) => ({
      call_id: callId,
      refunded: await refund(api, callId, reason, actor),
    }),
  ),
  post(/^\/operator\/users$/, newUser, addUser),
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
  if (route === undefined && found.length > 0)
    throw new CallgateError('method_not_allowed', { headers: { Allow: found.map(({ method }) => method).join(', ') } })
  if (route === undefined) throw new CallgateError('not_found')
  const name = request.headers['x-operator']?.toString() ?? ''
  return route.handle({
    api,
    actor: `operator:${isOperatorName(name) ? name : 'unnamed'}`,
    params: (route.path.exec(url.pathname) ?? []).slice(1),
    query: url.searchParams,
    request,
  })
}

async function addUser({ api, actor }: Asked, user: Static<TObject<typeof newUser>>): Promise<unknown> {
  const email = emailOf(user.email)
  if (email === undefined) throw invalidInput([{ path: 'email', message: 'must be an email address' }])
  if ((await findUserByEmail(api.ctx, email)) !== undefined)
    throw invalidInput([{ path: 'email', message: 'is that of a user already' }])
  const made = await invite(api.ctx, { email, by: actor, mayInvite: user.may_invite === true })
  if (made === undefined) throw invalidInput([{ path: 'email', message: 'too many invitations are open: revoke some' }])
  return { invitation: made.id, email, link: made.link, expires_at: made.expires_at }
}

async function changeApp(
  { api, actor, params: [slug = ''] }: Asked,
  { paused, app_rate: app, account_rate: account }: Static<TObject<typeof changes>>,
): Promise<unknown> {
  const { ctx } = api
  findApp(ctx.apps, slug)
  const [now] = await appStates(ctx.db, [slug])
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

async function stateOf({ ctx }: Api, slug: string): Promise<unknown> {
  const [state] = await appStates(ctx.db, [slug])
  if (state?.pending !== true) return state
  const effect = state.paused ? 'A pause holds from now on; the rest takes effect' : 'It takes effect'
  return { ...state, message: `Saved. ${effect} when the engine has taken it: pending is false then.` }
}

/** What there is, without what it does. */
export const operatorAddresses: readonly Pick<Route, 'method' | 'path'>[] = routes
