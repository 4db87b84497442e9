/** Descriptions of common patterns: a regular expression tells an agent little. */
const known: Readonly<Record<string, string>> = {
  '\\S': 'a text that is not blank',
  '^[A-Z]{3}$': 'three capital letters, such as EUR',
  '^[A-Za-z]{2}$': 'two letters',
  '^\\d{4}-(0[1-9]|1[0-2])$': 'a month, written YYYY-MM, such as 2026-03',
  '^([01]\\d|2[0-3]):[0-5]\\d$': 'a time of day, written HH:MM, such as 09:30',
}

/** Undefined: no description is known. */
export function patternWords(pattern: string): string | undefined {
  if (Object.hasOwn(known, pattern)) return known[pattern]
  const [, decimals] = /^\^(?:-\?)?\\d(?:\+|\{1,\d+\})\(\\\.\\d(?:\+|\{1,(\d+)\})\)\?\$$/.exec(pattern) ?? []
  if (decimals !== undefined) return `a decimal number with a point and at most ${decimals} decimals, such as 12.5`
  const [, low, high] = /^\^\[A-Za-z0-9_-\]\{(\d+),(\d+)\}\$$/.exec(pattern) ?? []
  return low === undefined ? undefined : `${low} to ${high} letters, digits, hyphens or underscores`
}
