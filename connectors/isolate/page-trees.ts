import { isText as isTextNode } from 'domhandler'
import { pageTree, questions } from '../kit/page-tree.ts'
import type { PageTree, Questions } from '../kit/page-tree.ts'
import { pageItself } from '../kit/page-number.ts'
import type { Answered, Known } from '../kit/page.ts'
import { visibleText } from '../kit/visible-text.ts'
import { UnknownShape } from '../kit/wire.ts'

/**
 * Limit for all trees of one call: source characters plus a share for each element and tree. The
 * largest page fits; beyond it the least recently used tree is evicted, and the kit reopens it.
 */
const mostHeld = 10 * 1024 * 1024
const ofElement = 20
const ofTree = 1_000

/** In characters. One crossing costs more than a few hundred of them. */
const mostKnown = 16 * 1024
const longestText = 100

const isPlace = (value: unknown, { elements }: PageTree): boolean => value === pageItself || isElement(value, elements)
const isOne = (value: unknown, { elements }: PageTree): boolean => isElement(value, elements)
const isList = (value: unknown, { elements }: PageTree): boolean =>
  Array.isArray(value) && value.length <= elements.length && value.every((one) => isElement(one, elements))
const isText = (value: unknown): boolean => typeof value === 'string'
const isTextOrNull = (value: unknown): boolean => value === null || isText(value)

type Check = (value: unknown, tree: PageTree) => boolean

/** Argument checks of each question: the isolate is not trusted. */
const takes: Readonly<Record<keyof Questions, readonly Check[]>> = {
  find: [isPlace, isText],
  shown: [isList, isTextOrNull],
  text: [isPlace],
  content: [isPlace],
  attributes: [isPlace],
  owner: [isOne],
  base: [],
  hidden: [isText],
  elements: [isText],
  words: [],
  everything: [],
}

function isElement(value: unknown, elements: readonly unknown[]): boolean {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) < elements.length
}

/** The trees that one call of an isolate asks about. No other call can reach them. */
export class PageTrees {
  /** Least recently used first. */
  readonly #held = new Map<number, PageTree>()
  #weight = 0
  #last: number

  /** Tree numbers start above `first`. */
  constructor(first = 0) {
    this.#last = first
  }

  /** Parses HTML source into a tree. */
  open(source: string): { readonly tree: number } | { readonly unknown: string } {
    return told(() => {
      const tree = pageTree(source)
      this.#weight += weightOf(tree)
      this.#held.set(++this.#last, tree)
      for (const [number, one] of this.#held) {
        if (this.#weight <= mostHeld || number === this.#last) break
        this.#held.delete(number)
        this.#weight -= weightOf(one)
      }
      return { tree: this.#last }
    })
  }

  /** `[tree, question, …]` as JSON. Throws if it is not a valid question. */
  answer(text: string): Answered {
    const asked: unknown = JSON.parse(text)
    if (!Array.isArray(asked)) throw new TypeError('not a question')
    const [number, question, ...given] = asked as readonly unknown[]
    if (!Number.isInteger(number) || !isQuestion(question)) throw new TypeError('not a question')
    const tree = this.#held.get(Number(number))
    // Evicted, or of another call.
    if (tree === undefined) return { gone: true }
    this.#held.delete(Number(number))
    this.#held.set(Number(number), tree)
    const checks = takes[question]
    if (given.length !== checks.length || !checks.every((check, at) => check(given[at], tree)))
      throw new TypeError('not a question')
    const run = questions[question] as (tree: PageTree, ...given: readonly unknown[]) => unknown
    return told(() => {
      const is = run(tree, ...given)
      return question === 'find' && is !== null ? { is, known: knownOf(tree, is as readonly number[]) } : { is }
    })
  }
}

function isQuestion(word: unknown): word is keyof Questions {
  return typeof word === 'string' && Object.hasOwn(takes, word)
}

/** Attributes of the first of these elements, and the text of those with only a short one. */
function knownOf(tree: PageTree, found: readonly number[]): Readonly<Record<string, Known>> {
  const known: Record<string, Known> = {}
  let left = mostKnown
  for (const number of found) {
    const { attribs: attributes, children } = tree.element(number)
    const [only] = children
    const isShort =
      children.length <= 1 && (only === undefined || (isTextNode(only) && only.data.length <= longestText))
    const text = isShort ? visibleText(tree.element(number)) : undefined
    left -= Object.entries(attributes).reduce((sum, [name, value]) => sum + name.length + value.length, 40)
    if (left < 0) break
    known[number] = { attributes, ...(text !== undefined && { text }) }
  }
  return known
}

function weightOf({ source, elements }: PageTree): number {
  return source.length + ofElement * elements.length + ofTree
}

/** A page beyond a limit is reported as an unknown shape. */
function told<T>(answer: () => T): T | { readonly unknown: string } {
  try {
    return answer()
  } catch (error) {
    if (error instanceof UnknownShape) return { unknown: error.message }
    throw error
  }
}
