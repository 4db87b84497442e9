/** `1250,00`: a decimal comma, always two digits behind it, nothing between thousands. */
export function amount(cents: number): string {
  return `${Math.floor(cents / 100)},${String(cents % 100).padStart(2, '0')}`
}

export function centsOf(text: string): number | undefined {
  const [, whole, rest] = /^(\d{1,9}),(\d\d)$/.exec(text) ?? []
  return whole === undefined || rest === undefined ? undefined : Number(whole) * 100 + Number(rest)
}
