import type Koa from 'koa'
import getRawBody from 'raw-body'
import type { Context } from '../core/context.ts'
import { derivedKey, equalTexts, keyedHash } from '../core/secrets/crypto.ts'
import { NotSignedIn, PageError } from './page-error.ts'

const limit = 64 * 1024

/** A posted form. A field that was sent twice counts as not sent: nobody should guess which one was meant. */
export interface Form {
  get(name: string): string | undefined
  /** All values of a field that may come several times, such as ticked boxes. */
  all(name: string): readonly string[]
  /** Everything that was sent, in its order. */
  entries(): readonly (readonly [name: string, value: string])[]
  /** What a person may want back if the form cannot be taken, by name: no secrets, and nothing that no person typed. */
  typed(): Typed
}

export type Typed = Readonly<Record<string, string>>

const notTyped = new Set(
  'csrf,approval_hash,once,credential,action,decision,call,key,version,return_to,email,password,current,new,again,token,request,rights,again_password,again_code,code,again_credential,recovery_code,subscription'.split(
    ',',
  ),
)

/** Reads a form-encoded body of up to 64 KiB, sent by a page of ours. */
export async function readForm(koa: Koa.Context): Promise<Form> {
  if (koa.is('application/x-www-form-urlencoded') === false)
    throw new PageError(415, 'Not a form', 'This address takes forms only (application/x-www-form-urlencoded).')
  const text = await getRawBody(koa.req, { limit, length: koa.request.length ?? null, encoding: 'utf8' }).catch(
    (error: unknown) => {
      throw unreadable(error)
    },
  )
  const fields = new URLSearchParams(text)
  return {
    get(name) {
      const [value, second] = fields.getAll(name)
      return second === undefined ? value : undefined
    },
    all: (name) => fields.getAll(name),
    entries: () => [...fields],
    typed: () =>
      Object.fromEntries(
        [...fields].filter(([name, value]) => !notTyped.has(name) && !name.startsWith('was.') && value !== ''),
      ),
  }
}

/**
 * Refuses what another site made the browser send. Browsers say so in Sec-Fetch-Site, older ones in Origin;
 * the CSRF token is checked besides.
 */
export function checkSameSite(koa: Koa.Context, publicUrl: string): void {
  if (!isOwn(koa, publicUrl)) throw wrongToken()
}

/** Whether a page of that very address, or no page, sent the request. */
export function isOwn(koa: Koa.Context, publicUrl: string): boolean {
  const site = koa.get('Sec-Fetch-Site')
  const origin = koa.get('Origin')
  return site === ''
    ? origin === '' || origin === new URL(publicUrl).origin || URL.parse(origin)?.host === koa.get('Host')
    : site === 'same-origin' || site === 'none'
}

/** Goes into a form as `csrf`: it follows from what only the browser that asked for the form has. */
export function formToken(
  { secrets }: Pick<Context, 'secrets'>,
  purpose: 'session' | 'login' | 'operator',
  about: Buffer | string,
): string {
  const pepper = new Map([['csrf', derivedKey(secrets, 'csrf')]])
  return keyedHash({ pepper }, purpose, about).toString('base64url')
}

export function hasToken(form: Form, token: string): boolean {
  return equalTexts(form.get('csrf') ?? '', token)
}

export function notSignedIn(typed?: Typed): PageError {
  return new NotSignedIn(typed)
}

export function wrongToken(typed?: Typed): PageError {
  return new PageError(
    403,
    'This form is not valid any more',
    'It was open for too long, or it did not come from this page. Nothing was done. Go back, load the page again and repeat.',
    {},
    typed,
  )
}

function unreadable(error: unknown): unknown {
  const type = error instanceof Error && 'type' in error ? error.type : undefined
  if (type === 'entity.too.large') return new PageError(413, 'Too much', 'A form may have 64 KiB at most.')
  if (type === 'request.aborted' || type === 'request.size.invalid')
    return new PageError(400, 'Incomplete', 'The form did not arrive in full. Nothing was done.')
  return error
}
