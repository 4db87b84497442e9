import type { AppCaller, Row } from './app-caller.ts'

/** All items of a list, to its end, of whichever user: tests share an account's rate (120 calls in 10 s), so long readings are spread. */
export function every(
  studio: AppCaller,
  name: string,
  key: string,
  input: Row = {},
  user?: string,
  between?: () => Promise<unknown>,
): Promise<readonly Row[]> {
  return studio.every(name, key, { limit: 100, ...input }, between, user)
}

/** Newest first, of moments in UTC or days. */
export function descending(texts: readonly unknown[]): readonly unknown[] {
  return texts.map(String).toSorted((a, b) => (a > b ? -1 : 1))
}
