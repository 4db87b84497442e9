import { text, UnknownShape } from './wire.ts'

/** Translates enum values both ways, from one table: the gateway's word → the app's. */
export interface Codec<Word extends string> {
  /** The gateway's words, for a schema. */
  readonly words: Word[]
  /** The app's word. */
  encode(word: Word): string
  /** The gateway's word; an unknown app word is an `UnknownShape`. */
  decode(value: unknown): Word
}

export function codec<const T extends Readonly<Record<string, string>>>(table: T): Codec<keyof T & string> {
  const words = Object.keys(table) as (keyof T & string)[]
  const ours = new Map<string | undefined, keyof T & string>(words.map((word) => [table[word], word]))
  return {
    words,
    encode: (word) => table[word] ?? '',
    decode(value) {
      const found = ours.get(text(value))
      if (found === undefined) throw new UnknownShape('not a known word', value)
      return found
    },
  }
}
