/**
 * Checks the patterns of added connectors, which run on the host on anyone's text (ReDoS): search
 * time must grow at most linearly with the text.
 *
 * Backtracks are counted from the pattern: one for each way its parts can divide a text. One
 * unbounded part makes that linear; two in sequence, or nested, make it worse. But where what
 * follows one starts with a character that it cannot match, as in `\d+(\.\d+)?$`, it can end in one
 * position only, so such parts count once.
 */
interface Cost {
  /** Number of ways it can match from one position, not counting unbounded parts. */
  readonly ways: number
  /** Number of unbounded parts that can match one after another. */
  readonly endless: number
  /** Characters that it examines from one position, not counting unbounded parts. */
  readonly length: number
}

/** One item of a sequence. */
interface Part extends Cost {
  /** The pattern of a single character; null: a group, or no character. */
  readonly sign: string | null
  /** All characters that it can begin with; null: unknown; empty at the end of the text. */
  readonly begins: readonly string[] | null
  /** It can match the empty string. */
  readonly isOptional: boolean
}

const mostWays = 1000
/** Limits of characters examined from one position: tried at one position only, or at each. */
const longestLook = { once: 100_000, everywhere: 1_000 }
const longestPattern = 500
const furthest = 1000

/** What is wrong with a pattern; undefined: it is safe. */
export function patternProblem(pattern: string): string | undefined {
  if (pattern.length > longestPattern) return 'is too long'
  try {
    if (!isUnicodePattern(pattern)) return 'is no regular expression'
    const { ways, endless, length } = new Reader(pattern).all()
    // Without a leading ^ it is tried at each position of the text.
    const isOnce = pattern.startsWith('^') && !hasChoiceOutside(pattern)
    const tries = isOnce ? endless : endless + 1
    // An unbounded part may retry what follows it at each position.
    const furthestLook = isOnce && endless === 0 ? longestLook.once : longestLook.everywhere
    return tries > 1 || ways > mostWays || length > furthestLook
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

/** Whether `|` is outside of all groups: then `^` applies to the first alternative only. */
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

/** Whether an unbounded part has one possible end: it cannot match what can follow it. */
function endsInOnePlace({ sign, endless }: Part, rest: readonly Part[]): boolean {
  if (endless === 0 || sign === null || rest.every(({ isOptional }) => isOptional)) return false
  const own = new RegExp(`^(?:${sign})$`, 'u')
  return firstOf(rest)?.every((one) => !own.test(one)) === true
}

/** The characters that a sequence of these can begin with; null: not all are known. */
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
      length: each.reduce((sum, one) => sum + one.length, 0),
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
    const length = parts.reduce((sum, one) => sum + one.length, 0)
    return {
      ways,
      endless,
      length,
      sign: null,
      begins: firstOf(parts),
      isOptional: parts.every((one) => one.isOptional),
    }
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
    // Half of a surrogate pair: two of these may be one character.
    const isHalf = written.startsWith(String.raw`\u`)
    const isPlace = sign === '^' || sign === '$' || /^\\b$/i.test(written)
    const known = /^(?:[^[\\.^$]|\\[^\p{L}\p{N}])$/u.test(written) ? [written.replace(/^\\(?=.)/su, '')] : null
    return {
      ways: 1,
      endless: 0,
      length: 1,
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
    return { ...once, ways, length: once.length * most, isOptional: once.isOptional || least === 0 }
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
