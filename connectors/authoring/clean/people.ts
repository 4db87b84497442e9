import { createHmac } from 'node:crypto'

const first =
  'Ada Ben Cleo Dana Eli Fay Gus Hana Ida Jon Kim Lea Max Nia Otto Pia Quinn Rosa Sam Tara Uma Vic Wren Xena Yara Zoe Alma Bruno Cora Dario Elsa Finn'.split(
    ' ',
  )
const last =
  'Adler Brook Carver Dale Ember Field Grove Hale Irons Jarvis Keller Lake Moss North Oakes Pine Quill Rivers Stone Thorne Ulrich Vale Winter Yates Ash Birch Cole Drake Elm Frost Glen Holt'.split(
    ' ',
  )

const email = /[\w.+-]+(?:@|%40)[\w-]+(?:\.[\w-]+)+/g
const phone = /(?<![\w.])(?:\+\d[\d ()/.-]{7,18}\d|0\d{1,4}[ /-]\d{3,4}[ -]?\d{2,5})(?![\w.])/g

/** Values of name fields that are not people: common words in pages. */
const technical = new Set(
  'default admin administrator anonymous guest user users system none null undefined true false public private web mobile api staff all me self unknown owner member members author authors customer person name username profile contact everyone nobody'.split(
    ' ',
  ),
)

/** Replaces people by fictitious ones of the same format; with one key, consistently. */
export class People {
  readonly #key: Buffer
  readonly #own: ReadonlySet<string>
  readonly #names = new Map<string, string>()

  /** `own`: names that are kept. */
  constructor(key: Buffer, own: readonly string[]) {
    this.#key = key
    this.#own = new Set(own.map((name) => name.trim().toLowerCase()))
  }

  /** Registers a person's name. */
  meet(name: string): void {
    const plain = name.trim()
    if (plain.length < 2 || plain.length > 60 || !/\p{L}{2}/u.test(plain) || /[<>{}@]/.test(plain)) return
    if (technical.has(plain.toLowerCase()) || /^(?:https?:|[./#])/.test(plain)) return
    if (this.#own.has(plain.toLowerCase()) || plain.split(/\s+/).length > 4) return
    this.#names.set(plain, this.#madeUp(plain))
  }

  /** Registers an address or phone number. */
  reach(text: string): void {
    const plain = text.trim()
    if (/^https?:|^\/|@/.test(plain)) return
    if (plain.length >= 4 && plain.length <= 200 && !this.#own.has(plain.toLowerCase()))
      this.#names.set(plain, this.#scrambled(plain))
  }

  /** The text with fictitious people. */
  replaced(text: string): string {
    const known = [...this.#names].toSorted(([a], [b]) => b.length - a.length)
    const named = known.reduce((so, [name, made]) => so.replaceAll(whole(name), made), text)
    return named
      .replaceAll(email, (found) => (this.#own.has(found.toLowerCase()) ? found : this.#email(found)))
      .replaceAll(phone, (found) => this.#scrambled(found))
  }

  /** In the same format: letters stay letters, digits stay digits. */
  #scrambled(text: string): string {
    const other = (first: string, size: number) => (_: string, at: number) =>
      String.fromCharCode(first.charCodeAt(0) + (this.#number(`${text} ${at}`) % size))
    return text
      .replaceAll(/\d/g, other('0', 10))
      .replaceAll(/\p{Ll}/gu, other('a', 26))
      .replaceAll(/\p{Lu}/gu, other('A', 26))
  }

  #madeUp(name: string): string {
    const words = name.split(/\s+/)
    const made = words.map((word, at) => {
      const list = at === 0 ? first : last
      const one = list[this.#number(`${name} ${at}`) % list.length] ?? ''
      const digits = /\d+$/.exec(word)?.[0] ?? ''
      const number = digits === '' ? '' : String(this.#number(`${name} digits`)).slice(0, digits.length)
      return (word === word.toLowerCase() ? one.toLowerCase() : one) + number
    })
    return made.join(' ')
  }

  #email(address: string): string {
    const number = this.#number(address)
    return `${(first[number % first.length] ?? '').toLowerCase()}${number % 997}@example.org`
  }

  #number(text: string): number {
    return createHmac('sha256', this.#key).update(text).digest().readUInt32BE()
  }
}

function whole(name: string): RegExp {
  const escaped = name.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)
  return new RegExp(`(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])`, 'gu')
}
