import type { Random } from './random.ts'
import { fieldNames, headerNames, odd, tells, texts } from './words.ts'

const js = (value: unknown): string => JSON.stringify(value)

/** A function of an author that mostly answers with `value`, and sometimes does what one must not. */
export function authorFunction(r: Random, value: string, named = 'i, c', before = ''): string {
  const body = r.chance(0.93)
    ? `return (${value})`
    : r.pick([
        'throw new Error("\\u001b[2J")',
        'throw { name: "InputRejected", code: "x", message: "y" }',
        `return Promise.resolve(${value})`,
        'return 7',
        'return null',
        'return [[]]',
        `return { toJSON: () => (${value}) }`,
        `return new Proxy((${value}), {})`,
        `return state.n++ % 2 ? (${value}) : {}`,
        `const x = {}; x.x = x; return x`,
        'return { ["__proto__"]: { form: { a: 1 } } }',
      ])
  return `(${named}) => { ${before} ${body} }`
}

/** What an author's `encode` answers with: one or several parts of a request, of good and of odd names and values. */
export function partsOf(r: Random): string {
  const value = (): string => r.pick(r.chance(0.85) ? texts : r.chance(0.5) ? tells : odd)
  const fields = (names: readonly string[], most: number): string =>
    `{ ${r.some(0, most, () => `[${js(r.pick(names))}]: ${value()}`).join(', ')} }`
  const body = (): string =>
    r.pick([
      () => `form: ${fields(fieldNames, 5)}`,
      () => `form: ${fields(fieldNames.slice(0, 4), 5)}`,
      () => `json: ${r.chance(0.7) ? fields(fieldNames, 5) : value()}`,
      () => `multipart: ${fields(fieldNames, 5)}`,
      () => `multipart: { to: i.to, photo: ${r.pick([...odd, ...photos])} }`,
      () => `file: ${r.pick([...odd, ...photos])}`,
    ])()
  const parts = [
    ...(r.chance(0.85) ? [body()] : []),
    ...(r.chance(0.1) ? [body()] : []),
    ...(r.chance(0.3) ? [`query: ${fields(fieldNames, 3)}`] : []),
    ...(r.chance(0.25) ? [`headers: ${fields(r.chance(0.8) ? headerNames.slice(0, 7) : headerNames, 2)}`] : []),
  ]
  return `{ ${parts.join(', ')} }`
}

/** The call's file, the same called otherwise, and one that its author makes up. */
const photos = [
  ...['i.photo', 'i.photo', 'i.photo', '{ ...i.photo, name: "b.png" }', '{ ...i.photo, type: "text/html", size: 1 }'],
  ...['[i.photo, i.photo]', '{ sha256: "a".repeat(64), name: "x.png", type: "image/png", size: 3 }'],
]
