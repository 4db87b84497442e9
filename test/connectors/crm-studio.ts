import type { AppCaller, Row } from './app-caller.ts'

/** All items of a list, to its end, of whichever user: tests share an account's rate (120 calls in 10 s), so long readings are spread. */
export async function every(
  studio: AppCaller,
  name: string,
  key: string,
  input: Row = {},
  user?: string,
  between?: () => Promise<unknown>,
): Promise<readonly Row[]> {
  const items: Row[] = []
  let cursor: unknown
  do {
    const page = await studio.call(name, { limit: 100, ...input, cursor }, user)
    items.push(...(page[key] as Row[]))
    cursor = page['next_cursor'] ?? undefined
    await between?.()
  } while (cursor !== undefined)
  return items
}

/** Newest first, of moments in UTC or days. */
export function descending(texts: readonly unknown[]): readonly unknown[] {
  return texts.map(String).toSorted((a, b) => (a > b ? -1 : 1))
}
