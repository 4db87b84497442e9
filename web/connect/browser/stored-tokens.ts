import type { Page } from 'playwright-core'
import { isToken } from '../../../connectors/runtime/session-tokens.ts'

/**
 * What the app's own pages keep in localStorage under the connector's keys. Reads nothing from
 * pages of other origins.
 */
export async function storedTokens(
  pages: readonly Page[],
  root: string,
  keys: readonly string[],
): Promise<Readonly<Record<string, string>>> {
  const { origin } = new URL(root)
  const page = pages.findLast((one) => URL.parse(one.url())?.origin === origin)
  if (page === undefined || keys.length === 0) return {}
  const values = await page.evaluate(
    ([own, names]) => (location.origin === own ? names.map((name) => [name, localStorage.getItem(name)] as const) : []),
    [origin, keys] as const,
  )
  return Object.fromEntries(values.flatMap(([name, value]) => (isToken(value) ? [[name, value] as const] : [])))
}
