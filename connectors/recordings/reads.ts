import type { Watcher } from '../kit/watching.ts'

/** Elements of a page, counted as their tags open. */
export interface Picked {
  readonly page: string
  readonly css: string
  readonly elements: Set<number>
  /** Which of their attributes was read; absent: the elements themselves were looked for. */
  readonly attribute?: string
}

/** What a connector has read, one run after another. */
export class Reads {
  #pages: string[] = []
  #picked = new Map<string, Picked>()
  #scripts = new Set<string>()

  /** Each place of a page once, with all that was found there. */
  get picked(): readonly Picked[] {
    return [...this.#picked.values()].filter(({ elements }) => elements.size > 0)
  }

  /** The same in the order in which it was looked for, also what was not there. */
  get all(): readonly Picked[] {
    return [...this.#picked.values()]
  }

  /** JSON that stands in scripts, as it stands there. */
  get scripts(): readonly string[] {
    return [...this.#scripts]
  }

  forget(): void {
    this.#pages = []
    this.#picked = new Map()
    this.#scripts = new Set()
  }

  /** What the functions of a watched connector are given. */
  readonly watch: Watcher = (what, ...words) => {
    if (what === 'page') return this.#pages.push(String(words[0])) - 1
    if (what === 'json') {
      this.#scripts.add(String(words[0]))
      return null
    }
    const [number, css, counted, attribute] = words
    const page = this.#pages[Number(number)] ?? ''
    const key = JSON.stringify([page, css, what === 'attribute' ? attribute : null])
    const known = this.#picked.get(key) ?? {
      ...{ page, css: String(css), elements: new Set<number>() },
      ...(what === 'attribute' && { attribute: String(attribute) }),
    }
    for (const one of String(counted).split(',')) if (one !== '' && one !== '-1') known.elements.add(Number(one))
    this.#picked.set(key, known)
    return null
  }
}
