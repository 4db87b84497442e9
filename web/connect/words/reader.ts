import { setTimeout as sleep } from 'node:timers/promises'
import type { CDPSession, Page } from 'playwright-core'
import type { WordsInput } from '../browser/input.ts'
import { choose, fill, press } from './hand.ts'
import { itemsOf } from './items.ts'
import type { Item, Target } from './items.ts'
import { treesOf } from './trees.ts'

/** A page as text items. Null in its place: the page is too large. */
export interface PageInWords {
  readonly title: string
  readonly items: readonly Item[]
}

/** Pause after each read of the page, in ms, and at least this multiple of the read's duration. */
const pause = 400
const breather = 3

/** Reads the shown page repeatedly while the user listens, and acts on what it has read. */
export class Reader {
  readonly #shown: () => Page | undefined
  readonly #onRead: (page: PageInWords | null) => void
  readonly #onFailed: (error: Error) => void
  readonly #numbers = new WeakMap<CDPSession, number>()
  #targets: ReadonlyMap<string, Target> = new Map()
  #count = 0
  #last = ''
  #isOn = false
  #isReading = false

  constructor(
    shown: () => Page | undefined,
    onRead: (page: PageInWords | null) => void,
    onFailed: (error: Error) => void,
  ) {
    this.#shown = shown
    this.#onRead = onRead
    this.#onFailed = onFailed
  }

  listen(isOn: boolean): void {
    this.#isOn = isOn
    this.#last = ''
    if (!isOn || this.#isReading) return
    this.#isReading = true
    this.#read()
      .catch((error: unknown) => this.#onFailed(error instanceof Error ? error : new Error('unknown')))
      .finally(() => (this.#isReading = false))
  }

  /** Does nothing for an id that was not read from the page. */
  async act(page: Page, input: WordsInput): Promise<void> {
    const target = this.#targets.get(input.id)
    if (target === undefined) return
    if (input.type === 'press') await press(page, target)
    else if (input.type === 'fill') await fill(page, target, input.text)
    else await choose(target)
  }

  async #read(): Promise<void> {
    while (this.#isOn) {
      const began = Date.now()
      const page = this.#shown()
      const trees = page && (await read(page))
      if (trees !== undefined) this.#tell(trees)
      await sleep(Math.max(pause, breather * (Date.now() - began)))
    }
  }

  #tell(trees: Awaited<ReturnType<typeof treesOf>>): void {
    const read = trees && itemsOf(trees, (cdp) => this.#numberOf(cdp))
    this.#targets = read?.targets ?? new Map()
    const told = read && { title: read.title, items: read.items }
    const now = JSON.stringify(told)
    if (now === this.#last || !this.#isOn) return
    this.#last = now
    this.#onRead(told)
  }

  #numberOf(cdp: CDPSession): number {
    const number = this.#numbers.get(cdp) ?? ++this.#count
    this.#numbers.set(cdp, number)
    return number
  }
}

/** Undefined when the page closed during the read: the next one reads what replaced it. */
async function read(page: Page): Promise<Awaited<ReturnType<typeof treesOf>> | undefined> {
  try {
    return await treesOf(page)
  } catch {
    return undefined
  }
}
