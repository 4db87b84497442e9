export const dayLength = 86_400

/** `2026/11/04` */
export const slashDay = (seconds: number): string =>
  new Date(seconds * 1000).toISOString().slice(0, 10).replaceAll('-', '/')

/** Whole dollars: `USD 245000`, `USD -312`. */
export const usd = (dollars: number): string => `USD ${dollars}`
