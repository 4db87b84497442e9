import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import pixelmatch from 'pixelmatch'
import { PNG } from 'pngjs'
import { coarsely, smallPng } from './small-png.ts'

/**
 * Two pictures of a page are the same when at most so many pixels differ. The same browser with the same letters draws the same: this is for
 * processors that round otherwise. What only looks like the edge of a letter does not count.
 */
export const tolerance = { pixels: 12, threshold: 0.05 } as const

const folder = path.join(import.meta.dirname, 'references')

export interface Difference {
  /** How many pixels differ. */
  readonly pixels: number
  /** Where, in red over the pale picture. */
  readonly picture: Buffer
}

/** What differs between two pictures, as PNG; undefined when nothing does that counts. One that is longer differs in all of its rest. */
export function differenceOf(expected: Buffer, actual: Buffer): Difference | undefined {
  const [before, after] = [PNG.sync.read(expected), PNG.sync.read(actual)]
  const [width, height] = [Math.max(before.width, after.width), Math.max(before.height, after.height)]
  const shown = new PNG({ width, height })
  const sizes = [before, after].map((one) => onto(one, width, height))
  const [first, second] = sizes.map(coarsely) as [Uint8Array, Uint8Array]
  if (Buffer.compare(first, second) === 0) return undefined
  const { threshold } = tolerance
  const pixels = pixelmatch(first, second, shown.data, width, height, { threshold, alpha: 0.2 })
  return pixels > tolerance.pixels ? { pixels, picture: PNG.sync.write(shown) } : undefined
}

/** The pixels of a picture on a transparent ground of that size. */
function onto(picture: PNG, width: number, height: number): Buffer {
  if (picture.width === width && picture.height === height) return picture.data
  const ground = new PNG({ width, height })
  PNG.bitblt(picture, ground, 0, 0, picture.width, picture.height, 0, 0)
  return ground.data
}

/** The reviewed pictures. */
export class Album {
  readonly #kept = new Set<string>()
  readonly #isRemade: boolean
  readonly #faults: string

  /** `isRemade`: what differs becomes the reference. `faults`: the folder for what differs otherwise. */
  constructor(options: { readonly isRemade: boolean; readonly faults: string }) {
    this.#isRemade = options.isRemade
    this.#faults = options.faults
  }

  /** What is wrong with a picture. Kept beside each other then: what was expected, what is, and where they differ. */
  faultOf(name: string, actual: Buffer): string | undefined {
    this.#kept.add(`${name}.png`)
    const file = path.join(folder, `${name}.png`)
    const expected = existsSync(file) ? readFileSync(file) : undefined
    const difference = expected && differenceOf(expected, actual)
    if (expected && !difference) return undefined
    if (this.#isRemade) {
      mkdirSync(folder, { recursive: true })
      writeFileSync(file, smallPng(PNG.sync.read(actual)))
      return undefined
    }
    mkdirSync(this.#faults, { recursive: true })
    const at = path.join(this.#faults, name)
    writeFileSync(`${at}.actual.png`, actual)
    if (expected) writeFileSync(`${at}.expected.png`, expected)
    if (difference) writeFileSync(`${at}.difference.png`, difference.picture)
    const what = difference ? `${difference.pixels} pixels differ` : 'there is no reference'
    return `${what} (${at}.*.png; if it is meant so: npm run pictures, and look at what it changes)`
  }

  /** The file names of all pictures so far. */
  get compared(): ReadonlySet<string> {
    return this.#kept
  }

  /** Those of pages that there are no more: taken out where they are remade. */
  strays(all: readonly string[]): readonly string[] {
    const strays = all.filter((name) => !this.#kept.has(name))
    if (!this.#isRemade) return strays
    for (const name of strays) rmSync(path.join(folder, name))
    return []
  }
}
