import { fit, sizeOf, window } from './fit.ts'
import type { Fitted, LeftOut } from './fit.ts'

/**
 * Maximum size of one answer, as sizeOf counts: about 6,000 tokens. Hosts refuse, truncate or write
 * to a file what is much longer (Claude Code: over 25,000 tokens or 50,000 characters). Bytes, not
 * characters: in other scripts a character is more of a token.
 */
export const ceiling = 24_000

/** The note on an answer that is not whole. */
export interface Note {
  readonly parts: readonly LeftOut[]
  readonly message: string
}

export interface Cut {
  readonly value: unknown
  /** Undefined: the value is whole. */
  readonly note: Note | undefined
}

/** The field of an answer that lists what was left out. No output has this name. */
export const leftOut = 'callgate_left_out'

/** How many left-out fields of an object are named, by try: a long note needs another cut. */
const tries = [8, 8, 0, 0]

/** As much of a value as fits `room` bytes with a note on the rest. `readOn`: how to get that. */
export function cutTo(value: unknown, room: number, readOn: string): Cut {
  return noted((left, named) => fit(value, { room: left, named, at: '' }), room, readOn)
}

/** The same for the part of a value at `at`, from an item, a field or a character on. */
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
  // The first name of each object and list, down to what is too large, lets the reader continue.
  const { value, leftOut: parts } = cut(0, 0)
  return { value, note: { parts, message } }
}

/** As much of the body as fits, after a note on the rest: the body may make a reader act. */
export function withinCeiling(body: object, readOn: string): Readonly<Record<string, unknown>> {
  const { value, note } = cutTo(body, ceiling - fieldOf, readOn)
  return { ...(note && { [leftOut]: note }), ...(value as object) }
}

/** Size of the note's name. */
const fieldOf = sizeOf(leftOut) + 2
