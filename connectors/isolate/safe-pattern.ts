/**
 * Patterns that added connectors may ask for: those whose search takes a time that grows with the text's length and no faster. They are tried on
 * this side of the wall, on texts that anybody may send.
 *
 * How often a search may begin anew is counted from the pattern: once for each way in which its parts can share out a text among them. One part
 * without a limit makes that grow with the text; two of them, or one within another, faster than that. But where what follows one begins with
 * signs that it cannot have, as in `\d+(\.\d+)?$`, there is one place only where it can end: these are had one at a time.
 */
interface Cost {
  /** In how many ways it can match from one place on, apart from those parts. */
  readonly ways: number
  /** Parts without a limit that can be had one after another. */
  readonly endless: number
}

/** One after another in a sequence. */
interface Part extends Cost {
  /** A single sign of the text, as a pattern; null: a group, or no sign. */
  readonly sign: string | null
  /** All signs that it can begin with, if these are known; none for the end of the text. */
  readonly begins: readonly string[] | null
  /** It can be nothing at all. */
  readonly isOptional: boolean
}

const mostWays = 1000
const longestPattern = 500
const furthest = 1000

/** What is wrong with a pattern; undefined: it may be used. */
export function patternProblem(pattern: string): string | undefined {
  if (pattern.length > longestPattern) return 'is too long'
  try {
    if (!isUnicodePattern(pattern)) return 'is no regular expression'
    const { ways, endless } = new Reader(pattern).all()
    // One that does not say where it begins is tried at each place of the text.
    const tries = pattern.startsWith('^') && !hasChoiceOutside(pattern) ? endless : endless + 1
    return tries > 1 || ways > mostWays
      ? 'could take too long: begin it with ^, and give limits, as in {1,20}'
      : undefined
  } catch (error) {
    if (error instanceof NotTaken) return error.message
    throw error
  }
}

function isUnicodePattern(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u').unicode
  } catch {
    return false
  }
}

class NotTaken extends Error {}

/** Whether `|` stands outside of all groups: then `^` holds for the first choice only. */
function hasChoiceOutside(pattern: string): boolean {
  let depth = 0
  const bare = pattern.replaceAll(/\\.|\[(?:\\.|[^\]\\])*\]/gsu, '')
  for (const sign of bare) {
    if (sign === '(') depth++
    if (sign === ')') depth--
    if (sign === '|' && depth === 0) return true
  }
  return false
}

/** Whether the text says where a part without a limit ends: whatever can follow begins with what it cannot have. */
function endsInOnePlace({ sign, endless }: Part, rest: readonly Part[]): boolean {
  if (endless === 0 || sign === null || rest.every(({ isOptional }) => isOptional)) return false
  const own = new RegExp(`^(?:${sign})$`, 'u')
  return firstOf(rest)?.every((one) => !own.test(one)) === true
}

/** The signs that these can begin with, one after another; null: not all are known. */
function firstOf(parts: readonly Part[]): readonly string[] | null {
  const until = parts.findIndex(({ isOptional }) => !isOptional)
  return together(until === -1 ? parts : parts.slice(0, until + 1))
}

function together(parts: readonly Part[]): readonly string[] | null {
  const all = parts.map(({ begins }) => begins)
  return all.some((one) => one === null) ? null : all.flatMap((one) => one ?? [])
}

class Reader {
  readonly #signs: readonly string[]
  #at = 0

  constructor(pattern: string) {
    this.#signs = Array.from(pattern)
  }

  all(): Cost {
    const cost = this.#choice()
    if (this.#at < this.#signs.length) throw new NotTaken('has a bracket too many')
    return cost
  }

  #choice(): Part {
    const each = [this.#sequence()]
    while (this.#taken('|')) each.push(this.#sequence())
    return {
      ways: each.reduce((sum, { ways }) => sum + ways, 0),
      endless: Math.max(...each.map((one) => one.endless)),
      sign: null,
      begins: together(each),
      isOptional: each.some((one) => one.isOptional),
    }
  }

  #sequence(): Part {
    const parts: Part[] = []
    let ways = 1
    while (this.#at < this.#signs.length && !'|)'.includes(this.#next())) {
      const part = this.#repeated(this.#atom())
      parts.push(part)
      ways *= part.ways
      if (ways > mostWays) throw new NotTaken('can match in too many ways')
    }
    const endless = parts.reduceRight((rest, part, at) => {
      return endsInOnePlace(part, parts.slice(at + 1)) ? Math.max(part.endless, rest) : part.endless + rest
    }, 0)
    return { ways, endless, sign: null, begins: firstOf(parts), isOptional: parts.every((one) => one.isOptional) }
  }

  #atom(): Part {
    const from = this.#at
    const sign = this.#next()
    this.#at++
    if (sign === '(') return this.#group()
    if (sign === '[') this.#class()
    else if (sign === '\\') this.#escape()
    else if ('*+?{}]'.includes(sign)) throw new NotTaken(`has a ${sign} that repeats nothing`)
    const written = this.#signs.slice(from, this.#at).join('')
    // Two of these may be one sign.
    const isHalf = written.startsWith(String.raw`\u`)
    const isPlace = sign === '^' || sign === '$' || /^\\b$/i.test(written)
    const known = /^(?:[^[\\.^$]|\\[^\p{L}\p{N}])$/u.test(written) ? [written.replace(/^\\(?=.)/su, '')] : null
    return {
      ways: 1,
      endless: 0,
      sign: isPlace || isHalf ? null : written,
      begins: sign === '$' ? [] : known,
      isOptional: isPlace && sign !== '$',
    }
  }

  #group(): Part {
    if (this.#taken('?') && !this.#taken(':')) throw new NotTaken('looks ahead or back, or names a group')
    const inside = this.#choice()
    if (!this.#taken(')')) throw new NotTaken('has a bracket that is not closed')
    return inside
  }

  #class(): void {
    for (; this.#at < this.#signs.length; this.#at++) {
      if (this.#next() === '\\') this.#at++
      else if (this.#next() === ']') {
        this.#at++
        return
      }
    }
    throw new NotTaken('has a bracket that is not closed')
  }

  #escape(): void {
    const sign = this.#next()
    if (/[1-9k]/.test(sign)) throw new NotTaken('refers to what was matched before')
    if (sign === 'c') throw new NotTaken('has a control character')
    this.#at++
    if ('pPux'.includes(sign)) {
      const rest = this.#signs.slice(this.#at).join('')
      this.#at += /^(?:\{[^}]*\}|[\dA-Fa-f]{2,4})/.exec(rest)?.[0].length ?? 0
    }
  }

  #repeated(once: Part): Part {
    const limits = this.#limits()
    if (limits === undefined) return once
    this.#taken('?')
    const [least, most] = limits
    if (most === Infinity) {
      if (once.ways > 1 || once.endless > 0) throw new NotTaken('repeats without a limit what has no fixed length')
      return { ...once, ways: 1, endless: 1, isOptional: once.isOptional || least === 0 }
    }
    if (most > furthest) throw new NotTaken(`repeats more than ${furthest} times`)
    if (once.endless > 0 && most > 1) throw new NotTaken('repeats what has no limit')
    let ways = 0
    for (let times = least; times <= most && ways <= mostWays; times++) ways += once.ways ** times
    return { ...once, ways, isOptional: once.isOptional || least === 0 }
  }

  #limits(): readonly [least: number, most: number] | undefined {
    if (this.#taken('*')) return [0, Infinity]
    if (this.#taken('+')) return [1, Infinity]
    if (this.#taken('?')) return [0, 1]
    const braces = /^\{(\d{1,6})(,?)(\d{0,6})\}/.exec(this.#signs.slice(this.#at, this.#at + 16).join(''))
    if (braces === null) return undefined
    const [all, least = '', comma, most] = braces
    this.#at += all.length
    return [Number(least), comma === '' ? Number(least) : most === '' ? Infinity : Number(most)]
  }

  #next(): string {
    return this.#signs[this.#at] ?? ''
  }

  #taken(sign: string): boolean {
    if (this.#next() !== sign) return false
    this.#at++
    return true
  }
}
