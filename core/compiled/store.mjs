import { closeSync, openSync, readSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { join } from 'node:path'

/*
 * One file holds all that was compiled ahead of one copy of this program: a number of twelve digits, so many bytes of JSON (name: [start, length]),
 * and the JavaScript.
 */
const root = join(import.meta.dirname, '../..')

/** Where it is, in the folder of an installation or of a gateway. Another copy of this program beside this one has its own. */
export function fileIn(/** @type {string} */ folder) {
  return join(folder, 'bundles', `compiled-${createHash('sha256').update(root).digest('hex').slice(0, 16)}.bin`)
}

/** What a source with this text is kept as: the text says all, and which Node compiled it. */
export function nameOf(/** @type {string} */ filename, /** @type {string} */ source) {
  const kind = filename.endsWith('.tsx') ? 'tsx' : 'ts'
  return createHash('sha256').update(`${process.version} ${kind} 1\0`).update(source).digest('base64url').slice(0, 22)
}

/**
 * Reads from it, also when another has taken its place since. Undefined: there is none.
 * @returns {{ names: string[], get(name: string): string | undefined, close(): void } | undefined}
 */
export function openStore(/** @type {string} */ file) {
  let descriptor = -1
  try {
    descriptor = openSync(file)
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT') return undefined
    throw error
  }
  const read = (/** @type {number} */ start, /** @type {number} */ length) => {
    const bytes = Buffer.alloc(length)
    if (readSync(descriptor, bytes, 0, length, start) !== length)
      throw new Error(`${file} ends too early: delete it, it is made anew`)
    return bytes.toString('utf8')
  }
  const size = Number(read(0, 12))
  /** @type {Map<string, [number, number]>} */
  const places = new Map(Object.entries(JSON.parse(read(12, size))))
  return {
    names: [...places.keys()],
    get(name) {
      const place = places.get(name)
      return place && read(12 + size + place[0], place[1])
    },
    close: () => closeSync(descriptor),
  }
}

/** All of them, as one file has them. */
export function packed(/** @type {Map<string, string>} */ sources) {
  /** @type {Record<string, [number, number]>} */
  const places = {}
  const bodies = []
  let start = 0
  for (const [name, source] of sources) {
    const body = Buffer.from(source)
    places[name] = [start, body.length]
    start += body.length
    bodies.push(body)
  }
  const index = Buffer.from(JSON.stringify(places))
  return Buffer.concat([Buffer.from(String(index.length).padStart(12, '0')), index, ...bodies])
}
