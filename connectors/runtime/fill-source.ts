import type { Fill } from '../kit/csrf.ts'
import type { Endpoint } from './app.ts'
import { samePlace } from './message.ts'
import { tokensOf } from './rendered.ts'
import { isOfSession } from './session-tokens.ts'
import { sourceText } from './token-source.ts'

/** Describes where the host takes the value of a filled field from. */
export function sourceOf(fill: Fill, endpoint: Endpoint | undefined): string {
  if (isOfSession(fill)) return `token "${fill.token}" of the connection`
  const source = endpoint && tokensOf(endpoint).find(({ fills }) => samePlace(fills, fill))
  return source === undefined ? 'what the form of the app has there' : `${sourceText(source.from)} of ${source.page}`
}
