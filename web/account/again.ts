import { beginPasskeySignIn, verifyPasskey } from '../../core/users/passkey-sign-in.ts'
import { partyOf } from '../../core/users/passkeys.ts'
import { takesPasswords } from '../../core/users/rows.ts'
import { totpSince } from '../../core/users/totp.ts'
import { proveWebSession } from '../../core/users/web-sessions.ts'
import { countAttempt, forgiveAttempt } from '../parts/attempt-limits.ts'
import { replyPage } from '../reply.ts'
import type { SignedIn } from '../session.ts'
import type { Posted } from '../visit.ts'
import { AgainPage, againFields } from './again-page.tsx'
import { passkeyBucket, tooManyTries, tryPassword } from './login.ts'
import { partyHere, readUsed, refuse } from './passkeys.ts'
import { tryCode } from './second-step.ts'

/**
 * The user, if they re-authenticated within the last ten minutes or with this form. Otherwise
 * undefined: the reply is a page that asks for the password or a passkey and posts the form again.
 */
export async function provenOf(posted: Posted): Promise<SignedIn | undefined> {
  const { ctx, person, form } = posted
  if (person.recent) return person
  const password = form.get(againFields.password)
  const credential = form.get(againFields.credential)
  const problem =
    password !== undefined
      ? await problemOfPassword(posted, password)
      : credential !== undefined
        ? await problemOfPasskey(posted)
        : ask
  if (problem === undefined) {
    await proveWebSession(ctx.db, person)
    return { ...person, recent: true }
  }
  if (problem.wait !== undefined) posted.koa.set('Retry-After', String(problem.wait))
  const code = (await totpSince(ctx.db, person.owner)) !== undefined
  replyPage(
    posted.koa,
    problem.status,
    AgainPage({
      viewer: person,
      path: posted.koa.path + posted.koa.search,
      fields: form.entries().filter(([name]) => !Object.values<string>(againFields).includes(name)),
      code,
      passwords: await takesPasswords(ctx.db, person.owner),
      passkeys: partyOf(ctx.config.publicUrl) !== undefined,
      ...(problem.text !== undefined && { problem: problem.text }),
    }),
  )
  return undefined
}

/** WebAuthn request options. */
export async function askAgain({ ctx, koa, person }: Posted): Promise<void> {
  const party = partyHere(ctx)
  const wait = await countAttempt(ctx.db, [{ name: `passkey-again:${person.owner}`, max: 60 }])
  if (wait > 0) return refuse(koa, 429, tooManyTries(wait), wait)
  koa.body = await beginPasskeySignIn(ctx, party, person.csrf)
}

interface Problem {
  readonly status: number
  readonly text?: string
  readonly wait?: number
}

/** Not asked yet. */
const ask: Problem = { status: 403 }

async function problemOfPassword(posted: Posted, password: string): Promise<Problem | undefined> {
  const tried = await tryPassword(posted, posted.person.email, password)
  if ('wait' in tried) return { status: 429, text: tooManyTries(tried.wait), wait: tried.wait }
  const { owner } = posted.person
  if (tried.owner !== owner) return { status: 422, text: 'The password is not right.' }
  if ((await totpSince(posted.ctx.db, owner)) === undefined) return undefined
  const right = await tryCode(posted, owner, posted.form.get(againFields.code) ?? '')
  if (typeof right === 'object') return { status: 429, text: tooManyTries(right.wait), wait: right.wait }
  return right ? undefined : { status: 422, text: 'The code is not right, or was used before.' }
}

async function problemOfPasskey(posted: Posted): Promise<Problem | undefined> {
  const { ctx, koa, person, form } = posted
  const buckets = [passkeyBucket(posted)]
  const wait = await countAttempt(ctx.db, buckets)
  if (wait > 0) {
    ctx.security.note('sign_in_slowed', koa.ip)
    return { status: 429, text: tooManyTries(wait), wait }
  }
  const used = readUsed(form, againFields.credential)
  const owner = used && (await verifyPasskey(ctx, partyHere(ctx), { ...used, clientExtensionResults: {} }, person.csrf))
  if (owner === person.owner) {
    await forgiveAttempt(ctx.db, buckets)
    return undefined
  }
  ctx.security.note('sign_in_failed', koa.ip)
  return {
    status: 422,
    text: 'This passkey is not one of yours, or it took too long. Try again.',
  }
}
