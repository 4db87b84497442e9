/** What is wrong with data from an isolate, which was parsed from JSON; undefined: nothing. */
export function checkPlain(
  value: unknown,
  limits: { readonly deepest: number; readonly refused: readonly string[] },
): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { deepest, refused } = limits
  if (deepest === 0) return 'is nested too deeply'
  for (const [name, item] of Object.entries(value)) {
    if (refused.includes(name)) return `has the name ${name}`
    const problem = checkPlain(item, { deepest: deepest - 1, refused })
    if (problem !== undefined) return problem
  }
  return undefined
}
