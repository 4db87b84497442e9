import { countOf, fit, sizeOf, window } from './fit.ts'
import type { Fitted, LeftOut } from './fit.ts'

/**
 * Bytes of JSON in one answer: about 6,000 tokens, of four bytes each. Hosts warn from 10,000 tokens on, cut where they like, or refuse
 * the whole answer. Bytes, not characters, for in other scripts a character is more of a token.
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

/** How often a value is cut anew because the note about it was longer than thought; then nothing of it is shown. */
const tries = 4

/** As much of a value as fits into `room` bytes together with the note about the rest. `readOn`: how the reader gets that. */
export function cutTo(value: unknown, room: number, readOn: string): Cut {
  return noted((left) => fit(value, left), room, readOn, { at: '', from: 0, of: countOf(value) })
}

/** The same of the part of a value at `at`, from an item, a field or a character on. */
export function cutFrom(part: unknown, room: number, place: LeftOut, readOn: string): Cut {
  return noted((left) => window(part, left, place.at, place.from), room, readOn, place)
}

function noted(cut: (room: number) => Fitted, room: number, readOn: string, whole: LeftOut): Cut {
  const message = `This is not all of it: ${readOn}`
  let left = room
  for (let count = 0; count < tries; count++) {
    const { value: shown, leftOut: parts } = cut(left)
    if (parts.length === 0) return { value: shown, note: undefined }
    const note = { parts, message }
    const over = sizeOf(shown) + sizeOf(note) - room
    if (over <= 0) return { value: shown, note }
    left -= over
  }
  return { value: undefined, note: { parts: [whole], message } }
}

/** A body with a field that says what was left out of it, or the body itself where it fits. The note comes first: whatever follows may make a reader act. */
export function withinCeiling(body: object, readOn: string): Readonly<Record<string, unknown>> {
  const { value, note } = cutTo(body, ceiling - fieldOf, readOn)
  return { ...(note && { [leftOut]: note }), ...(value as object) }
}

/** What the note's name takes. */
const fieldOf = sizeOf(leftOut) + 2
