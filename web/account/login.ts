import type Koa from 'koa'
import type { Context } from '../../core/context.ts'
import { keyedHash } from '../../core/secrets/crypto.ts'
import { verifyPassword } from '../../core/users/rows.ts'
import { partyOf } from '../../core/users/passkeys.ts'
import { checkSameSite, readForm } from '../form.ts'
import { LoginPage, longestPassword, shortestPassword } from './login-page.tsx'
import { replyPage, seeOther } from '../reply.ts'
import {
  beginSession,
  checkCsrf,
  checkLoginToken,
  endSession,
  forgetSession,
  loginToken,
  signedIn,
} from '../session.ts'
import { giveTryBack, takeTry } from '../parts/tries.ts'
import type { Bucket } from '../parts/tries.ts'

/** Where a person goes who came from nowhere. */
const home = '/'

export async function showLogin(ctx: Context, koa: Koa.Context): Promise<void> {
  const returnTo = ownPath(koa.URL.searchParams.get('return_to'))
  if (await signedIn(ctx, koa)) return seeOther(koa, returnTo)
  showLoginForm(ctx, koa, 200, { returnTo, email: '' })
}

export async function signIn(ctx: Context, koa: Koa.Context): Promise<void> {
  checkSameSite(koa, ctx.config.publicUrl)
  const form = await readForm(koa)
  const email = (form.get('email') ?? '').trim()
  const returnTo = ownPath(form.get('return_to') ?? koa.URL.searchParams.get('return_to'))
  if (!checkLoginToken(ctx, koa, form))
    return showLoginForm(ctx, koa, 403, {
      returnTo,
      email,
      problem: 'The page was open for too long. Please try again.',
    })

  const tried = await tryPassword(ctx, koa, email, form.get('password') ?? '')
  if ('wait' in tried) {
    koa.set('Retry-After', String(tried.wait))
    return showLoginForm(ctx, koa, 429, { returnTo, email, problem: tooManyTries(tried.wait) })
  }
  if (tried.owner === undefined)
    return showLoginForm(ctx, koa, 422, {
      returnTo,
      email,
      problem: 'Email and password do not match. Please try again.',
    })
  await beginSession(ctx, koa, tried.owner)
  seeOther(koa, returnTo)
}

export async function signOut(ctx: Context, koa: Koa.Context): Promise<void> {
  checkSameSite(koa, ctx.config.publicUrl)
  const person = await signedIn(ctx, koa)
  if (person !== undefined) {
    checkCsrf(person, await readForm(koa))
    await endSession(ctx, koa)
  }
  forgetSession(ctx, koa)
  seeOther(koa, '/login')
}

/** Checks a password, at most 10 wrong ones per email and 100 per address in 15 minutes; then `wait` says for how many seconds. */
export async function tryPassword(
  ctx: Context,
  koa: Koa.Context,
  email: string,
  password: string,
): Promise<{ readonly owner: string | undefined } | { readonly wait: number }> {
  // The address first: one that is used up locks nobody out elsewhere.
  const buckets = [
    addressBucket(koa),
    { name: `login-email:${keyedHash(ctx.secrets, 'login-email', email.toLowerCase()).toString('hex')}`, max: 10 },
  ]
  const wait = await takeTry(ctx.db, buckets)
  if (wait > 0) return { wait }
  const owner = await verifyPassword(ctx, email, password)
  if (owner !== undefined) await giveTryBack(ctx.db, buckets)
  return { owner }
}

/** Failed sign-ins of all kinds from one address. */
export function addressBucket(koa: Koa.Context): Bucket {
  return { name: `login-ip:${koa.ip}`, max: 100 }
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
  ctx: Context,
  koa: Koa.Context,
  status: number,
  fields: { readonly returnTo: string; readonly email: string; readonly problem?: string },
): void {
  const passkeys = partyOf(ctx.config.publicUrl) !== undefined
  replyPage(koa, status, LoginPage({ ...fields, passkeys, csrf: loginToken(ctx, koa) }))
}
