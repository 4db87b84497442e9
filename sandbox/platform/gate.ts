import type { IncomingMessage } from 'node:http'
import { ban, endSession, findSession, setDemand, type Session } from './accounts.ts'
import { parseJson, readCookie } from './body.ts'
import { refuse, standIn } from './dialects.ts'
import { actionFaults, anyRequest, sessionFaults, takeFault, type Fault } from './faults.ts'
import { report } from './report.ts'
import { findRoute } from './routes.ts'
import { transaction } from './rows.ts'
import { answerSignIn, blocked, checkInPlace, newChallenge } from './sign-in.ts'
import type { Store } from './store.ts'
import { Refusal, type AppRequest, type Reply, type Route, type Situation, type Viewer } from './types.ts'

export interface Incoming {
  request: IncomingMessage
  method: string
  /** Below the app: `/api/ads`. */
  path: string
  url: URL
  body: string
}

export interface Answer {
  reply: Reply
  fault?: Fault
}

/** What stands between the network and an app's routes: blocks, sessions, checks, rate, faults, CSRF, effects. */
export class Gate {
  readonly #store: Store
  readonly #recent = new Map<string, number[]>()

  constructor(store: Store) {
    this.#store = store
  }

  forget(): void {
    this.#recent.clear()
  }

  answer(incoming: Incoming): Answer {
    const { app, db } = this.#store
    const found = findRoute(app.routes, incoming.method, incoming.path)
    const answers = 'route' in found ? found.route.answers : incoming.path.startsWith('/api/') ? 'json' : 'page'
    let session = findSession(db, readCookie(incoming.request, app.cookie))
    const stopped = takeFault(db, anyRequest, incoming.path) ?? (session?.bannedUntil ?? 0) > Date.now()
    if (stopped) return { reply: blocked(app, incoming, answers) }
    try {
      const form = new URLSearchParams(isForm(incoming.request) ? incoming.body : '')
      const visit = { ...incoming, query: incoming.url.searchParams, form, session }
      const own = answerSignIn(this.#store, visit)
      if (own) return { reply: own }
      session = this.#meetSessionFault(session, incoming.path)
      if (!('route' in found)) {
        if (found.allow.length === 0) throw new Refusal(404, 'PAGE_NOT_FOUND', 'There is no such page.')
        const refused = refuse(
          answers,
          { status: 405, code: 'METHOD_NOT_ALLOWED', message: 'Not this method.' },
          { app, path: incoming.url.pathname },
        )
        refused.headers['allow'] = found.allow.join(', ')
        return { reply: refused }
      }
      const { route, params } = found
      if (!route.open) {
        const gone = this.#notIn(route, session, incoming)
        if (gone) return { reply: gone }
      }
      return this.#act(route, params, incoming, form, session?.live && !session.demand ? session : undefined)
    } catch (error) {
      return { reply: this.#failed(answers, error, incoming) }
    }
  }

  #act(
    route: Route,
    params: Record<string, string>,
    incoming: Incoming,
    form: URLSearchParams,
    session: Session | undefined,
  ): Answer {
    const { app, db } = this.#store
    if (route.action && session && this.#isTooFast(session.account.account)) {
      ban(db, session.account.account)
      return { reply: blocked(app, incoming, route.answers) }
    }
    const fault = route.action ? takeFault(db, actionFaults, incoming.path) : undefined
    const instead = fault && this.#withoutActing(route.answers, fault, incoming)
    if (instead) return { reply: instead, ...(fault.kind === 'drop_before' ? { fault } : {}) }
    let reply: Reply
    try {
      reply = this.#handle(route, params, incoming, form, session)
    } catch (error) {
      reply = this.#failed(route.answers, error, incoming)
    }
    return { reply, ...(fault ? { fault } : {}) }
  }

  #handle(
    route: Route,
    params: Record<string, string>,
    incoming: Incoming,
    form: URLSearchParams,
    session: Session | undefined,
  ): Reply {
    const { app, db, effects } = this.#store
    const { request, method } = incoming
    if (session) this.#store.ensureSeeded(session.account)
    if (route.open) this.#store.ensureNamedSeeded()
    const viewer: Viewer | undefined = session && { account: session.account, csrf: session.csrf }
    if (method !== 'GET' && !route.open) {
      const token = route.answers === 'json' ? request.headers[app.csrf.header.toLowerCase()] : form.get(app.csrf.field)
      if (token !== session?.csrf) return this.#standIn(route.answers, 'forged', incoming)
    }
    let line: string | undefined
    const seen: AppRequest = {
      db,
      params,
      query: incoming.url.searchParams,
      form,
      json: request.headers['content-type']?.includes('json') ? parseJson(incoming.body) : undefined,
      base: `${incoming.url.origin}/${app.slug}`,
      now: Math.floor(Date.now() / 1000),
      day: this.#store.day(),
      viewer,
      effect(action, body) {
        if (line !== undefined) throw new Error(`${incoming.path} records a second effect.`)
        line = effects.record(viewer?.account.account ?? 'visitor', action, body)
      },
    }
    const run = (): Reply => {
      if (route.open) return route.handle(seen)
      if (!viewer) throw new Error(`${incoming.path} is not open.`)
      return route.handle({ ...seen, viewer })
    }
    const reply = method === 'GET' ? run() : transaction(db, run)
    if (line !== undefined) effects.append(line)
    return reply
  }

  /** `expire`, `captcha` and `mfa` meet a session that is still all right. */
  #meetSessionFault(session: Session | undefined, path: string): Session | undefined {
    if (!session?.live || session.demand) return session
    const { db } = this.#store
    const fault = takeFault(db, sessionFaults, path)
    if (!fault) return session
    if (fault.kind === 'expire') endSession(db, session.token, 'expired')
    else if (fault.kind === 'captcha' || fault.kind === 'mfa') {
      setDemand(db, session.account.account, fault.kind, newChallenge(fault.kind))
    }
    return findSession(db, session.token)
  }

  /** Where someone without a session, or with a check to finish, is sent. */
  #notIn(route: Route, session: Session | undefined, incoming: Incoming): Reply | undefined {
    const { app } = this.#store
    if (session?.live && !session.demand) return undefined
    if (session?.live && session.demand === 'captcha') {
      const wall = checkInPlace(this.#store, session, incoming, route.answers)
      if (wall) return wall
    }
    const [situation, path] = !session?.live
      ? (['signedOut', app.paths.signIn] as const)
      : session.demand === 'captcha'
        ? (['humanCheck', app.paths.captcha] as const)
        : (['secondFactor', app.paths.code] as const)
    return this.#standIn(route.answers, situation, incoming, { go: `/${app.slug}${path}` })
  }

  #standIn(
    answers: Route['answers'],
    situation: Situation,
    { method, url }: Incoming,
    more: { go?: string; seconds?: number } = {},
  ): Reply {
    return standIn(answers, situation, { app: this.#store.app, path: url.pathname, ...more }, method === 'GET')
  }

  /** One action more than the published rate allows within its window. */
  #isTooFast(account: string): boolean {
    const { actions, seconds } = this.#store.app.rate
    const now = Date.now()
    const recent = (this.#recent.get(account) ?? []).filter((at) => at > now - seconds * 1000)
    recent.push(now)
    this.#recent.set(account, recent)
    return recent.length > actions
  }

  #withoutActing(answers: Route['answers'], { kind, retryAfter }: Fault, incoming: Incoming): Reply | undefined {
    if (kind === 'rate_limit') return this.#standIn(answers, 'tooFast', incoming, { seconds: retryAfter })
    if (kind !== 'error' && kind !== 'drop_before') return undefined
    return this.#standIn(answers, 'broken', incoming)
  }

  #failed(answers: Route['answers'], error: unknown, incoming: Incoming): Reply {
    if (error instanceof Refusal) {
      return refuse(answers, error.problem, { app: this.#store.app, path: incoming.url.pathname })
    }
    report(error)
    return this.#standIn(answers, 'broken', incoming)
  }
}

function isForm(request: IncomingMessage): boolean {
  return (request.headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded')
}
