import type Koa from 'koa'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Context } from '../../core/context.ts'
import { beginPasskeySignIn, verifyPasskey } from '../../core/users/passkey-sign-in.ts'
import {
  addPasskey,
  beginAdding,
  listPasskeys,
  mostPasskeys,
  partyOf,
  removePasskey,
} from '../../core/users/passkeys.ts'
import { totpSince } from '../../core/users/totp.ts'
import type { Party } from '../../core/users/passkeys.ts'
import { takesPasswords } from '../../core/users/rows.ts'
import { replyAccount } from './account.ts'
import { wrongToken } from '../form.ts'
import type { Form } from '../form.ts'
import { ownPath, passkeyBucket, rememberUser, showLoginForm, tooManyTries, tryPassword } from './login.ts'
import { PageError } from '../page-error.ts'
import { seeOther } from '../reply.ts'
import { beginSession, checkLoginToken } from '../session.ts'
import type { AnyPosted, Posted } from '../visit.ts'
import { forgiveAttempt, countAttempt } from '../parts/attempt-limits.ts'
import { networkOf } from '../../core/network.ts'

const base64url = Type.String({ pattern: '^[\\w-]+$', maxLength: 20_000 })
const credential = { id: base64url, rawId: base64url, type: Type.Literal('public-key') }
const Made = Compile(
  Type.Object({
    ...credential,
    response: Type.Object({
      clientDataJSON: base64url,
      attestationObject: base64url,
      transports: Type.Optional(Type.Array(Type.String({ pattern: '^[a-z-]{1,20}$' }), { maxItems: 10 })),
    }),
  }),
)
const Used = Compile(
  Type.Object({
    ...credential,
    response: Type.Object({
      clientDataJSON: base64url,
      authenticatorData: base64url,
      signature: base64url,
      userHandle: base64url,
    }),
  }),
)

/** WebAuthn request options. Open to all: they do not reveal who has an account. */
export async function askForPasskey({ ctx, koa, form }: AnyPosted): Promise<void> {
  const party = partyHere(ctx)
  if (!checkLoginToken(ctx, koa, form)) throw wrongToken()
  const wait = await countAttempt(ctx.db, [{ name: `passkey-ip:${networkOf(koa.ip)}`, max: 300 }])
  if (wait > 0) return refuse(koa, 429, tooManyTries(wait), wait)
  koa.body = await beginPasskeySignIn(ctx, party, form.get('csrf') ?? '')
}

export async function signInWithPasskey(posted: AnyPosted): Promise<void> {
  const { ctx, koa, form } = posted
  const party = partyHere(ctx)
  const again = { returnTo: ownPath(form.get('return_to')), email: '' }
  if (!checkLoginToken(ctx, koa, form))
    return showLoginForm(posted, 403, { ...again, problem: 'The page was open for too long. Please try again.' })

  const buckets = [passkeyBucket(posted)]
  const wait = await countAttempt(ctx.db, buckets)
  if (wait > 0) {
    ctx.security.note('sign_in_slowed', koa.ip)
    koa.set('Retry-After', String(wait))
    return showLoginForm(posted, 429, { ...again, problem: tooManyTries(wait) })
  }
  const used = readUsed(form)
  const owner =
    used && (await verifyPasskey(ctx, party, { ...used, clientExtensionResults: {} }, form.get('csrf') ?? ''))
  if (owner === undefined) {
    ctx.security.note('sign_in_failed', koa.ip)
    return showLoginForm(posted, 422, {
      ...again,
      problem: 'This passkey does not open an account here, or it took too long. Try again, or use your password.',
    })
  }
  await forgiveAttempt(ctx.db, buckets)
  await beginSession(ctx, koa, owner)
  await rememberUser(ctx, koa, owner)
  seeOther(koa, again.returnTo)
}

/**
 * WebAuthn creation options, after the password again or, for an account without one, recent
 * re-authentication.
 */
export async function askToAddPasskey(posted: Posted): Promise<void> {
  const { ctx, koa, person, form } = posted
  const party = partyHere(ctx)
  if (nameOf(form) === undefined) return refuse(koa, 422, nameless)
  if ((await listPasskeys(ctx.db, person.owner)).length >= mostPasskeys)
    return refuse(koa, 422, `You have ${mostPasskeys} passkeys already. Remove one first.`)
  if (await takesPasswords(ctx.db, person.owner)) {
    const tried = await tryPassword(posted, person.email, form.get('password') ?? '')
    if ('wait' in tried) return refuse(koa, 429, tooManyTries(tried.wait), tried.wait)
    if (tried.owner !== person.owner) return refuse(koa, 422, 'The password is not right.')
    // Passkeys skip TOTP, so adding one needs a recent sign-in with a code.
    if (!person.recent && (await totpSince(ctx.db, person.owner)) !== undefined)
      return refuse(
        koa,
        403,
        'You signed in more than ten minutes ago. Sign out and in again, with a code of your app, and add it then.',
      )
  } else if (!person.recent)
    return refuse(koa, 403, 'You signed in too long ago for this: load the page again, and show that it is you.')
  koa.body = await beginAdding(ctx, party, person, person.csrf)
}

export async function addMadePasskey(posted: Posted): Promise<void> {
  const { ctx, koa, person, form } = posted
  const party = partyHere(ctx)
  const name = nameOf(form)
  const made = readMade(form)
  const problem =
    name === undefined
      ? nameless
      : made === undefined
        ? 'The browser did not send a passkey. Please try again.'
        : (await addPasskey(ctx, party, {
              owner: person.owner,
              name,
              response: { ...made, clientExtensionResults: {} },
              formToken: person.csrf,
            }))
          ? undefined
          : 'The passkey was not added: it took too long, or is not what was asked for. Please try again.'
  if (problem === undefined) return seeOther(koa, '/account?said=passkey-added')
  await replyAccount(posted, 422, { about: 'passkey', text: problem, name: form.get('name') ?? '' })
}

export async function changePasskey({ ctx, koa, person, form, params }: Posted<'passkey'>): Promise<void> {
  if (form.get('action') !== 'remove')
    throw new PageError(422, 'Nothing was done', 'The form did not say what to do with the passkey.')
  const result = await removePasskey(ctx, person.owner, params.passkey)
  if (result === 'last')
    throw new PageError(
      409,
      'Nothing was removed',
      'It is the only way into this account, which takes passkeys only. Add another one first, or take a password again.',
    )
  if (result === 'none') throw new PageError(404, 'No such passkey', 'You have no passkey with this id.')
  seeOther(koa, '/account?said=passkey-removed')
}

export const nameless = 'Give the passkey a name of 1 to 60 characters, such as the device that keeps it.'

export function nameOf(form: Form): string | undefined {
  const name = (form.get('name') ?? '').trim()
  return name === '' || name.length > 60 || /[\0\p{Cs}]/u.test(name) ? undefined : name
}

export function partyHere(ctx: Context): Party {
  const party = partyOf(ctx.config.publicUrl)
  if (party === undefined)
    throw new PageError(404, 'No passkeys here', 'Passkeys need an https address with a name, or localhost.')
  return party
}

/** A new passkey's credential; undefined: the form has none. */
export function readMade(form: Form) {
  const value = credentialOf(form)
  return Made.Check(value) ? value : undefined
}

/** A passkey's assertion; undefined: the form has none. */
export function readUsed(form: Form, field = 'credential') {
  const value = credentialOf(form, field)
  return Used.Check(value) ? value : undefined
}

/** Credential JSON from the script, untrusted. */
function credentialOf(form: Form, field = 'credential'): unknown {
  try {
    return JSON.parse(form.get(field) ?? '')
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Replies with JSON; the script shows the problem next to the form. */
export function refuse(koa: Koa.Context, status: number, problem: string, wait?: number): void {
  if (wait !== undefined) koa.set('Retry-After', String(wait))
  koa.status = status
  koa.body = { problem }
}
