export const day = 86_400

const iso = (seconds: number): string => new Date(seconds * 1000).toISOString()

/** `2026-11-21 18:30:00`, UTC. */
export const momentOut = (seconds: number): string => iso(seconds).slice(0, 19).replace('T', ' ')

/** `20261121`, UTC. */
export const dayOut = (seconds: number): string => iso(seconds).slice(0, 10).replaceAll('-', '')

/** Midnight UTC of `20261121`; undefined where there is no such day. */
export function dayStart(text: string): number | undefined {
  const [, year, month, date] = /^(\d{4})(\d\d)(\d\d)$/.exec(text) ?? []
  const ms = Date.parse(`${year}-${month}-${date}T00:00:00Z`)
  return !Number.isNaN(ms) && dayOut(ms / 1000) === text ? ms / 1000 : undefined
}

/** From the first moment of `202611` to the first one after it. */
export function monthSpan(text: string): { from: number; to: number } | undefined {
  const from = dayStart(`${text}01`)
  if (from === undefined) return undefined
  const first = new Date(from * 1000)
  return { from, to: Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 1) / 1000 }
}
