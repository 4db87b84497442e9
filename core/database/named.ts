/** Named arguments of a SQL function. The same names in the same order give the same text. */
export function named(parameters: Readonly<Record<string, unknown>>): {
  readonly list: string
  readonly values: unknown[]
} {
  const list = Object.keys(parameters).map((name, at) => `${name} => $${at + 1}`)
  return { list: list.join(', '), values: Object.values(parameters) }
}
