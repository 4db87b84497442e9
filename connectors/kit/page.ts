import { pageTree, questions } from './page-tree.ts'
import type { Questions } from './page-tree.ts'
import { UnknownShape } from './wire.ts'

type Given<Q extends keyof Questions> = Questions[Q] extends (tree: never, ...given: infer G) => unknown ? G : never
type Answer<Q extends keyof Questions> = ReturnType<Questions[Q]>

/** A page that answers questions; elements are numbers. */
export interface Page {
  readonly source: string
  readonly ask: <Q extends keyof Questions>(question: Q, ...given: Given<Q>) => Answer<Q>
}

/**
 * What the host thread answers an isolate. `gone`: it has dropped this tree. `known`: what the kit
 * will probably ask next about the elements found.
 */
export type Answered =
  | { readonly is: unknown; readonly known?: Readonly<Record<string, Known>> }
  | { readonly unknown: string }
  | { readonly gone: true }

export interface Known {
  readonly attributes: Readonly<Record<string, string>>
  readonly text?: string
}

/** In an isolate, the host thread parses pages and holds their trees. */
const { callgateTree, callgatePage } = globalThis as {
  callgateTree?: (source: string) => { readonly unknown: string } | { readonly tree: number }
  callgatePage?: (tree: number, question: string, ...given: readonly unknown[]) => Answered
}

/** Isolates only, and reset after each call. */
let last: Page | undefined

/** Throws `UnknownShape` if the page exceeds a limit. */
export function pageOf(source: string): Page {
  if (callgateTree === undefined || callgatePage === undefined) {
    const tree = pageTree(source)
    const ask = (question: keyof Questions, ...given: readonly unknown[]): unknown =>
      (questions[question] as (...all: readonly unknown[]) => unknown)(tree, ...given)
    return { source, ask: ask as Page['ask'] }
  }
  if (last?.source !== source) last = around(source, callgateTree, callgatePage)
  return last
}

function around(
  source: string,
  open: NonNullable<typeof callgateTree>,
  answer: NonNullable<typeof callgatePage>,
): Page {
  const opened = (): number => {
    const made = open(source)
    if ('unknown' in made) throw new UnknownShape(made.unknown)
    return made.tree
  }
  let tree = opened()
  const known: Record<string, Known> = {}
  const ask = (question: string, ...given: readonly unknown[]): unknown => {
    const told = question === 'attributes' || question === 'text' ? known[String(given[0])]?.[question] : undefined
    if (told !== undefined) return told
    const said = answer(tree, question, ...given)
    if ('is' in said) {
      if (said.known !== undefined) Object.assign(known, said.known)
      return said.is
    }
    if ('unknown' in said) throw new UnknownShape(said.unknown)
    // Reopening is safe: the same source always gets the same numbers.
    tree = opened()
    return ask(question, ...given)
  }
  return { source, ask: ask as Page['ask'] }
}
