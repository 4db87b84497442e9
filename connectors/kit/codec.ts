import { text, UnknownShape } from './wire.ts'

/** The gateway's words for some of the app's, in both directions, out of one table: the gateway's word → the app's. */
export interface Codec<Word extends string> {
  /** The gateway's words, for a schema. */
  readonly words: Word[]
  /** The app's word. */
  encode(word: Word): string
  /** The gateway's word; an unknown one of the app's is an unknown shape. */
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
