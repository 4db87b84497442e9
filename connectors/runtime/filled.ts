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

/** Of a token, in characters: view states are long. */
const longestToken = 65_536

interface Around {
  readonly app: Asking
  readonly endpoint: Endpoint
  readonly session: AppSession
  /** The inputs as parts of an address. */
  readonly named: Fields
}

/** The tokens that a request has places for: the session's, and those of its form or of other pages, which are read for them. */
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
  if (filled.some(({ token }) => token.length > longestToken)) throw changed('a token is too long')
  return filled
}

async function tokenOf(app: Asking, source: Csrf, page: URL, action: URL): Promise<string> {
  const kept = (): string | undefined => source.cookie && app.jar.value(source.cookie, action)
  const known = kept()
  if (known !== undefined) return known
  const { text, url } = await app.page(page, source.answer)
  return kept() ?? shaped(undefined, () => source.find(text, { page: url, action }))
}
