import type Koa from 'koa'
import getRawBody from 'raw-body'
import { isOwn } from '../core/http/csrf.ts'
import { equalTexts } from '../core/secrets/crypto.ts'
import { NotSignedIn, PageError } from './page-error.ts'

const limit = 64 * 1024

/** A posted form. A field that was sent twice counts as missing: which one was meant is unknown. */
export interface Form {
  get(name: string): string | undefined
  /** All values of a repeatable field, such as checkboxes. */
  all(name: string): readonly string[]
  /** All fields in posted order. */
  entries(): readonly (readonly [name: string, value: string])[]
  /** What the user typed, by name, to refill the form after an error; without secrets. */
  typed(): Typed
}

export type Typed = Readonly<Record<string, string>>

const notTyped = new Set(
  'csrf,approval_hash,once,credential,action,decision,call,key,version,return_to,email,password,current,new,again,token,request,rights,again_password,again_code,code,again_credential,recovery_code,subscription'.split(
    ',',
  ),
)

/** Reads a form-encoded body of at most 64 KiB; throws PageError 415 for other types. */
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
 * Refuses cross-site requests by Sec-Fetch-Site, or Origin in older browsers;
 * the CSRF token is checked as well.
 */
export function checkSameSite(koa: Koa.Context, publicUrl: string): void {
  if (!isOwn(koa, publicUrl)) throw wrongToken()
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
