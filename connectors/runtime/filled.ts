import type { AppSession } from '../../schemas/session.ts'
import type { Csrf } from '../kit/csrf.ts'
import { address } from '../kit/request-line.ts'
import type { Fields } from '../kit/wire.ts'
import type { Endpoint } from './app.ts'
import type { Asking } from './asking.ts'
import { pageForm } from './forms/page-form.ts'
import { formValue } from './forms/render-form.ts'
import { samePlace } from './message.ts'
import type { Filled } from './message.ts'
import { changed, shaped } from './outcome.ts'
import { tokensOf } from './rendered.ts'
import type { Rendered } from './rendered.ts'
import { isOfSession, ofSession } from './session-tokens.ts'
import { tokenIn } from './token-source.ts'

/** Limit of a token, in characters: ASP.NET view states are long. */
const longestToken = 65_536
const headerText = /^[\u0020-\u007e]{1,8192}$/

interface Around {
  readonly app: Asking
  readonly endpoint: Endpoint
  readonly session: AppSession
  /** The inputs as URL segments. */
  readonly named: Fields
}

/** The request's tokens, read from session, forms and pages. Throws `Stopped` if one is missing. */
export async function filledFor(
  { url, fills, form }: Rendered,
  { app, endpoint, session, named }: Around,
): Promise<readonly Filled[]> {
  if (!fills.filter(isOfSession).every((fill) => endpoint.authorize.some((place) => samePlace(fill, place))))
    throw changed('nothing gives the token that the request has a place for')
  const filled: Filled[] = [...ofSession(fills.filter(isOfSession), session)]
  for (const fill of fills) {
    if (isOfSession(fill)) continue
    const source = tokensOf(endpoint).find((one) => samePlace(one.fills, fill))
    if (source) {
      const page = address(app.root, source.page, named)
      filled.push({ fill, token: await tokenOf(app, source, page, new URL(url)) })
    } else if (form && 'field' in fill) {
      const page = await app.formPage(new URL(form.page))
      filled.push({ fill, token: shaped(undefined, () => formValue(pageForm(page, form), fill.field)) })
    } else throw changed('nothing gives the token that the request has a place for')
  }
  for (const { fill, token } of filled) {
    if (token.length > longestToken) throw changed('a token is too long')
    if ('header' in fill && !headerText.test(token)) throw changed(`a token that no header can carry`)
  }
  return filled
}

async function tokenOf(app: Asking, { from, answer }: Csrf, page: URL, action: URL): Promise<string> {
  if ('cookie' in from) return cookieToken(app, from.cookie, page, action)
  const { text, url } = await app.page(page, answer)
  return shaped(undefined, () => tokenIn(text, from, { page: url, action }))
}

/** A double-submit token: readable by scripts, and not the cookie that signs the user in. */
async function cookieToken(app: Asking, cookie: string, page: URL, action: URL): Promise<string> {
  if (app.jar.value(cookie, action) === undefined) await app.page(page, 'page')
  const token = app.jar.value(cookie, action)
  if (token === undefined) throw changed(`no cookie "${cookie}"`)
  if (app.jar.isHttpOnly(cookie, action))
    throw changed(`no page of the app can read the cookie "${cookie}": it is no token`)
  if (!(await app.isSignedInWithout(cookie))) throw changed(`the cookie "${cookie}" signs in: it is no token`)
  return token
}
