import { setTimeout } from 'node:timers/promises'
import { keyedHash } from '../../core/secrets/crypto.ts'
import type Koa from 'koa'
import type { Context } from '../../core/context.ts'
import { isPassword } from '../../core/users/password-hashes.ts'
import { weaknessOf } from '../../core/users/password-rules.ts'
import type { Weakness } from '../../core/users/password-rules.ts'
import { findUser, findUserByEmail, hashToTry } from '../../core/users/rows.ts'
import { partyOf } from '../../core/users/passkeys.ts'
import { totpSince } from '../../core/users/totp.ts'
import { beginStep } from './second-step.ts'
import { hasToken, wrongToken } from '../form.ts'
import { networkOf } from '../../core/network.ts'
import { knownDevice, rememberDevice } from './known-device.ts'
import { LoginPage, longestPassword, shortestPassword } from './login-page.tsx'
import { replyPage, seeOther } from '../reply.ts'
import { beginSession, checkLoginToken, endSession, forgetSession, loginToken, personOf } from '../session.ts'
import type { AnyPosted, AnyVisit } from '../visit.ts'
import { forgiveAttempt, countAttempt } from '../parts/attempt-limits.ts'
import type { Bucket } from '../parts/attempt-limits.ts'

/** Default target after sign-in. */
const home = '/'

export async function showLogin(visit: AnyVisit): Promise<void> {
  const { ctx, koa } = visit
  const returnTo = ownPath(koa.URL.searchParams.get('return_to'))
  const person = await personOf(ctx, koa)
  // A signed-in user signs in again only for actions that need a fresh sign-in.
  if (person !== undefined && koa.URL.searchParams.get('again') !== 'yes') return seeOther(koa, returnTo)
  const said = koa.URL.searchParams.get('said')
  showLoginForm(visit, 200, { returnTo, email: person?.email ?? '', said })
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
  if ((await totpSince(ctx.db, tried.owner)) !== undefined) {
    beginStep(ctx, koa, { id: tried.owner, password_hash: tried.hash })
    return seeOther(koa, `/login/code?return_to=${encodeURIComponent(returnTo)}`)
  }
  if (!(await beginSession(ctx, koa, tried.owner, tried.hash)))
    return showLoginForm(posted, 422, {
      returnTo,
      email,
      problem: 'The password was changed in this moment. Please sign in with the new one.',
    })
  seeOther(koa, returnTo)
}

export async function signOut({ ctx, koa, form }: AnyPosted): Promise<void> {
  const person = await personOf(ctx, koa)
  if (person !== undefined && !hasToken(form, person.csrf)) throw wrongToken()
  await endSession(ctx, koa)
  forgetSession(ctx, koa)
  seeOther(koa, '/login')
}

/** The user and the password's hash; undefined: wrong password. */
type Tried = { readonly owner: string; readonly hash: string } | { readonly owner: undefined }

/**
 * Checks a password. Limits on wrong ones per 15 minutes: 10 in a browser known for the user,
 * whatever happens elsewhere; otherwise 10 per email and network, and 100 per network. Beyond them,
 * `wait` is the delay in seconds. After 50 for an email from anywhere, each wrong one takes three
 * seconds more: attackers cannot lock a user out.
 */
export async function tryPassword(
  visit: AnyVisit,
  email: string,
  password: string,
): Promise<Tried | { readonly wait: number }> {
  const { ctx, koa } = visit
  const user = await findUserByEmail(ctx, email)
  const device = user && knownDevice(ctx, koa, user)
  const buckets = device === undefined ? elsewhere(visit, email) : [{ name: `login-device:${device}`, max: 10 }]
  const wait = await countAttempt(ctx.db, buckets)
  if (wait > 0) {
    ctx.security.note('sign_in_slowed', koa.ip)
    return { wait }
  }
  let right: boolean
  try {
    right = await isPassword(hashToTry(user), password, device === undefined ? 'anybody' : 'known')
  } catch (error) {
    // The password was not checked: do not count it.
    await forgiveAttempt(ctx.db, buckets)
    throw error
  }
  if (user && right) {
    await forgiveAttempt(ctx.db, buckets)
    rememberDevice(ctx, koa, user)
    return { owner: user.id, hash: user.password_hash }
  }
  ctx.security.note('sign_in_failed', koa.ip)
  // Delay, not refusal: a correct password is never slowed down.
  const everywhere = { name: `login-email:${emailHash(visit, email)}`, max: 50 }
  if (device === undefined && (await countAttempt(ctx.db, [everywhere])) > 0) await setTimeout(slowed)
  return { owner: undefined }
}

/** After a new password or a passkey, this browser is known for the user. */
export async function rememberUser(ctx: Context, koa: Koa.Context, owner: string): Promise<void> {
  const user = await findUser(ctx, owner)
  if (user !== undefined) rememberDevice(ctx, koa, user)
}

/** Delay of a wrong password for an email under attack, in ms. */
const slowed = 3_000

/** The network's bucket first: once it is full, no other bucket is counted. */
function elsewhere(visit: AnyVisit, email: string): readonly Bucket[] {
  const from = networkOf(visit.koa.ip)
  return [addressBucket(visit), { name: `login-from:${from}:${emailHash(visit, email)}`, max: 10 }]
}

/** Keyed hash of an email, for bucket names. */
export function emailHash({ ctx }: AnyVisit, email: string): string {
  return keyedHash(ctx.secrets, 'login-email', email.toLowerCase()).toString('hex')
}

/** Failed passkeys per network, separate from passwords. */
export function passkeyBucket({ koa }: { readonly koa: { readonly ip: string } }): Bucket {
  return { name: `login-passkey-ip:${networkOf(koa.ip)}`, max: 100 }
}

/** Wrong passwords per network: an IPv4 address, or the /64 of an IPv6 one. */
export function addressBucket({ koa }: { readonly koa: { readonly ip: string } }): Bucket {
  return { name: `login-ip:${networkOf(koa.ip)}`, max: 100 }
}

/** What is wrong with a chosen password; undefined: nothing. */
export async function passwordProblem(email: string, password: string, again: string): Promise<string | undefined> {
  if (password.length < shortestPassword || password.length > longestPassword || password.includes('\0'))
    return `A password has ${shortestPassword} to ${longestPassword} characters.`
  if (password !== again) return 'The new password was not typed the same twice.'
  const weakness = await weaknessOf(password, email)
  return weakness && `${weaknesses[weakness]} Take three or four words that do not belong together.`
}

const weaknesses: Readonly<Record<Weakness, string>> = {
  common: 'This password is among those that are tried first, because many people have it.',
  repeats: 'This password repeats itself, or is a row of letters or digits.',
  theirs: 'This password follows from your email address, or from our name.',
}

export function tooManyTries(wait: number): string {
  const minutes = Math.ceil(wait / 60)
  return `Too many tries. Please wait ${minutes === 1 ? 'a minute' : `${minutes} minutes`} and try again.`
}

/** The address if it is an own path, else home. Never `//host`, `/\host` or equivalents. */
export function ownPath(address: string | null | undefined): string {
  if (address === null || address === undefined) return home
  return /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(address) ? address : home
}

export function showLoginForm(
  { ctx, koa }: AnyVisit,
  status: number,
  fields: {
    readonly returnTo: string
    readonly email: string
    readonly problem?: string
    readonly said?: string | null
  },
): void {
  const passkeys = partyOf(ctx.config.publicUrl) !== undefined
  replyPage(koa, status, LoginPage({ ...fields, passkeys, csrf: loginToken(ctx, koa) }))
}
