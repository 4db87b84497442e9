import { keyedHash } from '../../core/secrets/crypto.ts'
import { verifyPassword } from '../../core/users/rows.ts'
import { partyOf } from '../../core/users/passkeys.ts'
import { hasToken, wrongToken } from '../form.ts'
import { networkOf } from '../../core/network.ts'
import { LoginPage, longestPassword, shortestPassword } from './login-page.tsx'
import { replyPage, seeOther } from '../reply.ts'
import { beginSession, checkLoginToken, endSession, forgetSession, loginToken, personOf } from '../session.ts'
import type { AnyPosted, AnyVisit } from '../visit.ts'
import { forgiveAttempt, countAttempt } from '../parts/attempt-limits.ts'
import type { Bucket } from '../parts/attempt-limits.ts'

/** Where a person goes who came from nowhere. */
const home = '/'

export async function showLogin(visit: AnyVisit): Promise<void> {
  const { ctx, koa } = visit
  const returnTo = ownPath(koa.URL.searchParams.get('return_to'))
  const person = await personOf(ctx, koa)
  // Who is signed in is asked again only before something that needs a sign-in of just now.
  if (person !== undefined && koa.URL.searchParams.get('again') !== 'yes') return seeOther(koa, returnTo)
  showLoginForm(visit, 200, { returnTo, email: person?.email ?? '' })
}

export async function signIn(posted: AnyPosted): Promise<void> {
  const { ctx, koa, form } = posted
  const email = (form.get('email') ?? '').trim()
  const returnTo = ownPath(form.get('return_to') ?? koa.URL.searchParams.get('return_to'))
  if (!checkLoginToken(ctx, koa, form))
    return showLoginForm(posted, 403, {
      returnTo,
      email,
      problem: 'The page was open for too long. Please try again.',
    })

  const tried = await tryPassword(posted, email, form.get('password') ?? '')
  if ('wait' in tried) {
    koa.set('Retry-After', String(tried.wait))
    return showLoginForm(posted, 429, { returnTo, email, problem: tooManyTries(tried.wait) })
  }
  if (tried.owner === undefined)
    return showLoginForm(posted, 422, {
      returnTo,
      email,
      problem: 'Email and password do not match. Please try again.',
    })
  await beginSession(ctx, koa, tried.owner)
  seeOther(koa, returnTo)
}

export async function signOut({ ctx, koa, form }: AnyPosted): Promise<void> {
  const person = await personOf(ctx, koa)
  if (person !== undefined && !hasToken(form, person.csrf)) throw wrongToken()
  await endSession(ctx, koa)
  forgetSession(ctx, koa)
  seeOther(koa, '/login')
}

/** Checks a password, at most 10 wrong ones per email and 100 per network in 15 minutes; then `wait` says for how many seconds. */
export async function tryPassword(
  visit: AnyVisit,
  email: string,
  password: string,
): Promise<{ readonly owner: string | undefined } | { readonly wait: number }> {
  const { ctx } = visit
  // The address first: one that is used up locks nobody out elsewhere.
  const buckets = [
    addressBucket(visit),
    { name: `login-email:${keyedHash(ctx.secrets, 'login-email', email.toLowerCase()).toString('hex')}`, max: 10 },
  ]
  const wait = await countAttempt(ctx.db, buckets)
  if (wait > 0) {
    visit.api.security.note('sign_in_slowed', visit.koa.ip)
    return { wait }
  }
  const owner = await verifyPassword(ctx, email, password)
  if (owner !== undefined) await forgiveAttempt(ctx.db, buckets)
  else visit.api.security.note('sign_in_failed', visit.koa.ip)
  return { owner }
}

/** Failed sign-ins of all kinds from one network: an IPv4 address, or the /64 of an IPv6 one. */
export function addressBucket({ koa }: { readonly koa: { readonly ip: string } }): Bucket {
  return { name: `login-ip:${networkOf(koa.ip)}`, max: 100 }
}

/** What is wrong with a password that somebody chose. */
export function passwordProblem(password: string, again: string): string | undefined {
  if (password.length < shortestPassword || password.length > longestPassword || password.includes('\0'))
    return `A password has ${shortestPassword} to ${longestPassword} characters.`
  return password === again ? undefined : 'The new password was not typed the same twice.'
}

export function tooManyTries(wait: number): string {
  const minutes = Math.ceil(wait / 60)
  return `Too many tries. Please wait ${minutes === 1 ? 'a minute' : `${minutes} minutes`} and try again.`
}

/** The address when it is a path of ours, else the home page. Never `//host`, `/\host`, or what a browser reads as one. */
export function ownPath(address: string | null | undefined): string {
  if (address === null || address === undefined) return home
  return /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(address) ? address : home
}

export function showLoginForm(
  { ctx, koa }: AnyVisit,
  status: number,
  fields: { readonly returnTo: string; readonly email: string; readonly problem?: string },
): void {
  const passkeys = partyOf(ctx.config.publicUrl) !== undefined
  replyPage(koa, status, LoginPage({ ...fields, passkeys, csrf: loginToken(ctx, koa) }))
}
