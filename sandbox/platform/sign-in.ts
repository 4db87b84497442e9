import { randomBytes, randomInt } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isBanned, endSession, findBySignIn, setDemand, startSession, type Demand, type Session } from './accounts.ts'
import { readCookie } from './body.ts'
import { speak } from './dialects.ts'
import { html, type Html } from './html.ts'
import { page, seeOther } from './replies.ts'
import type { Store } from './store.ts'
import { Refusal, type Problem, type Reply, type Route, type SandboxApp } from './types.ts'
import { walls, type Wall } from './walls.ts'

/** A new question for the check: a sum for the CAPTCHA, a code of six digits as second factor. */
export function newChallenge(demand: Demand): string {
  return demand === 'mfa' ? String(randomInt(100_000, 1_000_000)) : `${randomInt(2, 10)} + ${randomInt(2, 10)}`
}

function isAnswer(demand: Demand, challenge: string, answer: string): boolean {
  if (demand === 'mfa') return answer === challenge
  const sum = challenge.split(' + ').reduce((total, part) => total + Number(part), 0)
  return answer === String(sum)
}

interface Visit {
  request: IncomingMessage
  method: string
  url: URL
  /** Below the app: `/sign-in`. */
  path: string
  query: URLSearchParams
  form: URLSearchParams
  session: Session | undefined
}

function cookie(store: Store, name: string, value: string, rest = ''): string {
  return `${name}=${value}; Path=/${store.app.slug}; HttpOnly; SameSite=Lax${rest}`
}

/** Only ever back to a page of this app. */
function backTo(store: Store, wanted: string | null): string {
  const root = `/${store.app.slug}/`
  const safe = wanted !== null && wanted.startsWith(root) && !wanted.includes('\\') && !wanted.includes('//')
  return safe ? wanted : `/${store.app.slug}${store.app.paths.home}`
}

function formPage(store: Store, title: string, fields: Html, problem: Problem | undefined, status: number): Reply {
  const body = html`<h1>${title}</h1>
    <form method="post" class="narrow">${fields}</form>`
  const notice = problem ? { problem: speak(store.app).notice(problem) } : {}
  return page(store.app.layout({ title, body, viewer: undefined, ...notice }), status)
}

function signInPage(store: Store, visit: Visit, problem?: Problem): Reply {
  const name = `${store.app.cookie}_pre`
  const token = readCookie(visit.request, name) ?? randomBytes(18).toString('base64url')
  const fields = html`<input type="hidden" name="${store.app.csrf.field}" value="${token}" />
    <label
      >E-mail <input type="email" name="email" autocomplete="username" required value="${visit.form.get('email')}"
    /></label>
    <label>Password <input type="password" name="password" autocomplete="current-password" required /></label>
    <button>Sign in</button>`
  const reply = formPage(store, 'Sign in', fields, problem, problem?.status ?? 200)
  reply.headers['set-cookie'] = cookie(store, name, token)
  return reply
}

function signIn(store: Store, visit: Visit): Reply {
  if (visit.method === 'GET') return signInPage(store, visit)
  const token = readCookie(visit.request, `${store.app.cookie}_pre`)
  if (token === undefined || visit.form.get(store.app.csrf.field) !== token) {
    return signInPage(store, visit, {
      status: 403,
      code: 'TOKEN_INVALID',
      message: 'This form is out of date. Please try again.',
    })
  }
  const account = findBySignIn(store.db, visit.form.get('email') ?? '', visit.form.get('password') ?? '')
  if (!account) {
    return signInPage(store, visit, { status: 422, code: 'SIGN_IN_WRONG', message: 'E-mail or password is not right.' })
  }
  if (isBanned(store.db, account.account)) return blocked(store.app, visit, 'page')
  const reply = seeOther(backTo(store, visit.query.get(speak(store.app).away.back)))
  reply.headers['set-cookie'] = [
    cookie(store, store.app.cookie, startSession(store.db, account.account), '; Max-Age=2592000'),
    cookie(store, `${store.app.cookie}_pre`, '', '; Max-Age=0'),
  ]
  return reply
}

function signOut(store: Store, visit: Visit): Reply {
  if (visit.method !== 'POST') throw new Refusal(405, 'METHOD_NOT_ALLOWED', 'Use the sign-out button.')
  const session = visit.session
  if (session?.live) {
    if (visit.form.get(store.app.csrf.field) !== session.csrf) {
      throw new Refusal(403, 'TOKEN_INVALID', 'This form is out of date. Please reload the page.')
    }
    endSession(store.db, session.token, 'signed_out')
  }
  const reply = seeOther(`/${store.app.slug}${store.app.paths.signIn}`)
  reply.headers['set-cookie'] = cookie(store, store.app.cookie, '', '; Max-Age=0')
  return reply
}

function checkFields(store: Store, session: Session, demand: Demand, challenge: string): Html {
  const token = html`<input type="hidden" name="${store.app.csrf.field}" value="${session.csrf}" />`
  return demand === 'captcha'
    ? html`${token}
        <p>We have seen unusual activity. To show that you are human, how much is <b>${challenge}</b>?</p>
        <label>Answer <input name="answer" inputmode="numeric" autocomplete="off" required /></label>
        <button>Continue</button>`
    : html`${token}
        <p>Enter the 6-digit code that we sent to your phone.</p>
        <p class="hint">This is a sandbox, there is no phone: your code is <b data-code-hint>${challenge}</b>.</p>
        <label
          >Code <input name="answer" inputmode="numeric" pattern="[0-9]{6}" autocomplete="one-time-code" required
        /></label>
        <button>Confirm</button>`
}

function checkPage(store: Store, session: Session, demand: Demand, challenge: string, problem?: Problem): Reply {
  const title = demand === 'captcha' ? 'Are you human?' : 'Confirm that it is you'
  return formPage(store, title, checkFields(store, session, demand, challenge), problem, problem?.status ?? 200)
}

function check(store: Store, visit: Visit, demand: Demand): Reply {
  const session = visit.session
  const back = backTo(store, visit.query.get(speak(store.app).away.back))
  if (!session?.live) return seeOther(`/${store.app.slug}${store.app.paths.signIn}`)
  if (session.demand !== demand) return seeOther(back)
  const challenge = session.challenge ?? ''
  if (visit.method === 'GET') return checkPage(store, session, demand, challenge)
  if (visit.form.get(store.app.csrf.field) !== session.csrf) {
    return checkPage(store, session, demand, challenge, {
      status: 403,
      code: 'TOKEN_INVALID',
      message: 'Please try again.',
    })
  }
  if (!isAnswer(demand, challenge, (visit.form.get('answer') ?? '').trim())) {
    const next = demand === 'captcha' ? newChallenge(demand) : challenge
    setDemand(store.db, session.account.account, demand, next)
    return checkPage(store, session, demand, next, {
      status: 422,
      code: 'ANSWER_WRONG',
      message: 'That is not right. Please try again.',
    })
  }
  setDemand(store.db, session.account.account, null, null)
  return seeOther(back)
}

/** The app's own pages for getting in and out; undefined for any other path. Neither faults of sessions nor rates apply. */
export function answerSignIn(store: Store, visit: Visit): Reply | undefined {
  const { paths } = store.app
  if (visit.path === paths.signIn) return signIn(store, visit)
  if (visit.path === paths.signOut) return signOut(store, visit)
  if (visit.path === paths.captcha) return check(store, visit, 'captcha')
  if (visit.path === paths.code) return check(store, visit, 'mfa')
  return undefined
}

type Asked = Pick<Visit, 'method' | 'url'>

const wallOf = (app: SandboxApp): Wall => walls[speak(app).wall]

/** As the wall in front of the app turns somebody away. */
export function blocked(app: SandboxApp, { method, url }: Asked, answers: Route['answers']): Reply {
  const go = `/${app.slug}${app.paths.captcha}`
  return wallOf(app).block({ brand: app.brand, method, url, script: answers === 'json', go, form: html`` })
}

/** The CAPTCHA where it is met; undefined where the app leads to a page of its own. */
export function checkInPlace(
  store: Store,
  session: Session,
  { method, url }: Asked,
  answers: Route['answers'],
): Reply | undefined {
  const { app } = store
  const back =
    method === 'GET' && answers === 'page' ? `?${speak(app).away.back}=${encodeURIComponent(url.pathname)}` : ''
  const go = `/${app.slug}${app.paths.captcha}${back}`
  const form = html`<form method="post" action="${go}">
    ${checkFields(store, session, 'captcha', session.challenge ?? '')}
  </form>`
  return wallOf(app).check?.({ brand: app.brand, method, url, script: answers === 'json', go, form })
}
