import { isTooDeep, visited } from './html.ts'

/** Whether a page asks for a password or a one-time code. */
export function asksForSecret(page: string): boolean {
  // Not parsed, so unknown: treat the page as one that asks.
  if (isTooDeep(page)) return true
  let asks = false
  visited(page, (tag, { type = '', autocomplete = '' }) => {
    if (tag !== 'input') return
    asks ||= type.toLowerCase() === 'password' || /one-time-code|(?:current|new)-password/i.test(autocomplete)
  })
  return asks
}
