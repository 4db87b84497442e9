import { createHmac } from 'node:crypto'

const first =
  'Ada Ben Cleo Dana Eli Fay Gus Hana Ida Jon Kim Lea Max Nia Otto Pia Quinn Rosa Sam Tara Uma Vic Wren Xena Yara Zoe Alma Bruno Cora Dario Elsa Finn'.split(
    ' ',
  )
const last =
  'Adler Brook Carver Dale Ember Field Grove Hale Irons Jarvis Keller Lake Moss North Oakes Pine Quill Rivers Stone Thorne Ulrich Vale Winter Yates Ash Birch Cole Drake Elm Frost Glen Holt'.split(
    ' ',
  )

const email = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g
const phone = /(?<![\w.])\+\d[\d ()/.-]{7,18}\d(?![\w.])/g
/** What JSON and forms call people. */
const personName =
  /^(?:full|first|last|family|given|display|real|user|nick|screen|customer|attendee|author|owner|member|guest|contact|sender|recipient)[-_ ]?name$|^(?:author|username|fullname|nickname|attendee|customer|surname)$/i
/** What markup calls them, as a word of a class, `itemprop` or `rel`. */
const personClass =
  /(?:^|[\s_-])(?:author|user-?name|user-?link|user-?card|person|customer|attendee|member-?name|profile-?name|full-?name|nick(?:name)?|vcard|fn)(?:$|[\s_-])/i

export const isPersonName = (name: string): boolean => personName.test(name)
export const isPersonClass = (words: string): boolean => personClass.test(words)

/** Puts made-up people of the same shape in the place of others; the same person is the same everywhere with one key. */
export class People {
  readonly #key: Buffer
  readonly #own: ReadonlySet<string>
  readonly #names = new Map<string, string>()

  /** `own`: names that stay. */
  constructor(key: Buffer, own: readonly string[]) {
    this.#key = key
    this.#own = new Set(own.map((name) => name.trim().toLowerCase()))
  }

  /** Somebody is called so. */
  meet(name: string): void {
    const plain = name.trim()
    if (plain.length < 2 || plain.length > 60 || !/\p{L}{2}/u.test(plain) || /[<>{}@]/.test(plain)) return
    if (this.#own.has(plain.toLowerCase()) || plain.split(/\s+/).length > 4) return
    this.#names.set(plain, this.#madeUp(plain))
  }

  /** The text with made-up people. */
  replaced(text: string): string {
    const known = [...this.#names].toSorted(([a], [b]) => b.length - a.length)
    const named = known.reduce((so, [name, made]) => so.replaceAll(whole(name), made), text)
    return named
      .replaceAll(email, (found) => (this.#own.has(found.toLowerCase()) ? found : this.#email(found)))
      .replaceAll(phone, (found) => found.replaceAll(/\d/g, (_, at: number) => String(this.#number(found + at) % 10)))
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
