import type { Watcher } from '../kit/watching.ts'

/** Elements of a page, numbered in the order of their tags. */
export interface Picked {
  readonly page: string
  readonly css: string
  readonly elements: Set<number>
  /** The attribute that was read; absent: the elements themselves were selected. */
  readonly attribute?: string
}

/** Everything that a connector has read, over several runs. */
export class Reads {
  #pages: string[] = []
  #picked = new Map<string, Picked>()
  #scripts = new Set<string>()

  /** Each selector or attribute of a page once, with all elements found. */
  get picked(): readonly Picked[] {
    return [...this.#picked.values()].filter(({ elements }) => elements.size > 0)
  }

  /** The same in the order of the reads, including those that found nothing. */
  get all(): readonly Picked[] {
    return [...this.#picked.values()]
  }

  /** Raw JSON found in scripts. */
  get scripts(): readonly string[] {
    return [...this.#scripts]
  }

  forget(): void {
    this.#pages = []
    this.#picked = new Map()
    this.#scripts = new Set()
  }

  /** The watcher passed to the functions of a watched connector. */
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
