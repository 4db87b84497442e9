import { fit, sizeOf, window } from './fit.ts'
import type { Fitted, LeftOut } from './fit.ts'

/**
 * The most that one answer takes up, as sizeOf counts: about 6,000 tokens. What is much longer, hosts refuse, cut where they like, or put
 * into a file (Claude Code: over 25,000 tokens or 50,000 characters). Bytes, not characters, for in other scripts a character is more of a token.
 */
export const ceiling = 24_000

/** What is said of an answer that is not whole. */
export interface Note {
  readonly parts: readonly LeftOut[]
  readonly message: string
}

export interface Cut {
  readonly value: unknown
  /** Undefined: the value is whole. */
  readonly note: Note | undefined
}

/** The field of an answer that says what was left out. No output has one of this name. */
export const leftOut = 'callgate_left_out'

/** How many fields of an object are named as left out, try by try: a value is cut anew because the note about it was longer than thought. */
const tries = [8, 8, 0, 0]

/** As much of a value as fits into `room` bytes together with the note about the rest. `readOn`: how the reader gets that. */
export function cutTo(value: unknown, room: number, readOn: string): Cut {
  return noted((left, named) => fit(value, { room: left, named, at: '' }), room, readOn)
}

/** The same of the part of a value at `at`, from an item, a field or a character on. */
export function cutFrom(part: unknown, room: number, { at, from }: LeftOut, readOn: string): Cut {
  return noted((left, named) => window(part, { room: left, named, at }, from), room, readOn)
}

function noted(cut: (room: number, named: number) => Fitted, room: number, readOn: string): Cut {
  const message = `This is not all of it: ${readOn}`
  let left = room
  for (const named of tries) {
    const { value, leftOut: parts } = cut(left, named)
    if (parts.length === 0) return { value, note: undefined }
    const note = { parts, message }
    const over = sizeOf(value) + sizeOf(note) - room
    if (over <= 0) return { value, note }
    left = sizeOf(value) - over
  }
  // The first name of each object and list, down to what is too large: whoever reads on comes further all the same.
  const { value, leftOut: parts } = cut(0, 0)
  return { value, note: { parts, message } }
}

/** A body with a field that says what was left out of it, or the body itself where it fits. The note comes first: whatever follows may make a reader act. */
export function withinCeiling(body: object, readOn: string): Readonly<Record<string, unknown>> {
  const { value, note } = cutTo(body, ceiling - fieldOf, readOn)
  return { ...(note && { [leftOut]: note }), ...(value as object) }
}

/** What the note's name takes. */
const fieldOf = sizeOf(leftOut) + 2
