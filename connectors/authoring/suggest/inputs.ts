import type { Decision, InputDraft, Run } from './draft.ts'
import { segmentsOf, wordOfNumbers } from './exchanges.ts'
import { Names, labelOf, nameOf, plainly, quoted, singular } from './literal.ts'

const idLike = /^(?:\d+|[\da-f]{8}-[\da-f-]{27}|[\da-f]{12,}|[\dA-Z]{4,12})$/

/** Whether a text looks like an id rather than a word of a URL. */
export const isIdLike = (text: string): boolean => idLike.test(text)

/** Replaces URL words that apps ignore, such as titles beside an id. */
export const noWords = '-'

/** The inputs of a block: values that agree in all runs share one. */
export class Inputs {
  readonly drafts: InputDraft[] = []
  readonly decisions: Decision[] = []
  readonly segments: string[] = []
  readonly names = new Names()
  readonly runs: readonly Run[]
  readonly origin: string

  constructor(runs: readonly Run[], origin: string) {
    this.runs = runs
    this.origin = origin
  }

  /** The input that had these values in every run. */
  known(values: readonly unknown[]): InputDraft | undefined {
    if (values.every((value) => value === undefined || value === '')) return undefined
    return this.drafts.find(({ given }) =>
      given.every((one, at) => one !== undefined && written(one) === written(values[at])),
    )
  }

  add(wanted: string | undefined, draft: Omit<InputDraft, 'name' | 'label'> & { readonly label?: string }): InputDraft {
    const name = this.names.take(wanted)
    const added = { ...draft, name, label: draft.label ?? labelOf(name) }
    this.drafts.push(added)
    return added
  }

  /** Adds an input for an id of an entity. */
  addId(wanted: string, given: readonly string[]): InputDraft {
    const kind = wanted.replace(/_id$/, '')
    const from = quoted(`Which ${kind.replaceAll('_', ' ')}: ${wanted} of a list.`)
    return this.add(wanted, { schema: `id(${quoted(kind)}, ${from})`, required: true, kind, given })
  }

  /**
   * The path of each run's URL, with inputs in braces. Differing segments become inputs; if `only`
   * is `known`, new ones are not allowed and the result is undefined.
   */
  pathOf(addresses: readonly string[], only: 'known' | 'new', isRead = true): string | undefined {
    const split = addresses.map((one) => segmentsOf(one, this.origin))
    const [first, ...others] = split
    if (first === undefined || others.some((one) => one?.length !== first.length)) return undefined
    const parts: string[] = []
    for (const [at, raw] of first.entries()) {
      const written = split.map((one) => one?.[at] ?? '')
      const isBesideId = /^\{\w+_id\}$/.test(parts.at(-1) ?? '')
      const part = this.#segment(written, { before: wordBefore(parts), isBesideId, raw, only, isRead })
      if (part === undefined) return undefined
      parts.push(part)
    }
    if (parts.includes(noWords)) this.#tellOfWords(parts, first)
    return `/${parts.join('/')}`
  }

  #tellOfWords(parts: readonly string[], first: readonly string[]): void {
    const words = plainly(first[parts.indexOf(noWords)] ?? '')
    const question = `Beside the id the address has words, such as ${words}; ${noWords} stands for them, as apps seldom read them. Try it.`
    if (!this.decisions.some((one) => one.question === question)) this.decisions.push({ at: `/${noWords}`, question })
  }

  #segment(
    written: readonly string[],
    {
      before,
      isBesideId,
      raw,
      only,
      isRead,
    }: {
      readonly before: string
      readonly isBesideId: boolean
      readonly raw: string
      readonly only: 'known' | 'new'
      readonly isRead: boolean
    },
  ): string | undefined {
    const same = written.every((one) => one === raw)
    const glued = wordOfNumbers(written)
    const prefix = glued ?? /^[a-z]\w*[:=]/i.exec(raw)?.[0] ?? ''
    const suffix = /\.(?:json|html?|php|xml)$/i.exec(raw)?.[0] ?? ''
    const shared = written.every((one) => one.startsWith(prefix) && one.endsWith(suffix))
    const [start, end] = shared ? [prefix, suffix] : ['', '']
    const values = written.map((one) => decoded(one.slice(start.length, one.length - end.length)))
    const known = this.known(values)
    if (known && (!same || isIdLike(values[0] ?? ''))) return `${start}{${known.name}}${end}`
    if (same && !isIdLike(values[0] ?? '')) return raw
    const isText = start === '' && !values.some(isIdLike)
    if (isText && isBesideId && values.every((value, run) => isForPeople(value, this.runs[run]))) return noWords
    if (only === 'known' || values.some((value) => value === '' || /^\.+$/.test(value))) return undefined
    const word = start === '' ? before : start.replace(/[-_:=]$/, '')
    const isFree = glued === undefined && (values.some((value) => /[\s/\\%]/.test(value)) || start !== '')
    if (isFree && !isRead) return undefined
    if (isFree) {
      const added = this.add(nameOf(word) ?? 'text', {
        schema: `Type.String({ minLength: 1, maxLength: 200 })`,
        required: true,
        given: values,
      })
      this.segments.push(`${added.name}: freeText`)
      return `${start}{${added.name}}${end}`
    }
    const base = nameOf(singular(word)) ?? 'thing'
    const added = this.addId(`${base}_id`, values)
    return `${start}{${added.name}}${end}`
  }
}

/** Whether a segment has several words, or is the title of the page. */
function isForPeople(value: string, run: Run | undefined): boolean {
  if (/[a-z]-[a-z]/i.test(value)) return true
  const page = run?.exchange.answer.text ?? ''
  const called = [...page.matchAll(/<(title|h1)\b[^>]*>(.*?)<\/\1\s*>/gis)].map(([, , text = '']) => text.toLowerCase())
  return value.length > 2 && called.some((text) => text.includes(value.toLowerCase()))
}

const written = (value: unknown): string | undefined => (typeof value === 'string' ? value : JSON.stringify(value))

function wordBefore(parts: readonly string[]): string {
  return parts.findLast((part) => part !== '' && !part.includes('{') && !/^(?:api|v\d+|index)$/i.test(part)) ?? ''
}

/** The text itself if it is not valid percent-encoding. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError) return text
    throw error
  }
}
