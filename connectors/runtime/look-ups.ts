import { placed } from '../kit/before.ts'
import type { BeforePage } from '../kit/before.ts'
import type { EncodeContext, Input, Parts } from '../kit/define.ts'
import { address, parseLine } from '../kit/request-line.ts'
import type { Fields } from '../kit/wire.ts'
import { fieldsOf } from './answer.ts'
import type { AnswerOf } from './answer.ts'
import { shaped } from './outcome.ts'
import { requestOf } from './rendered.ts'
import type { Rendered } from './rendered.ts'

/** A page that is read before the request can be made. */
export interface LookUp {
  readonly request: Rendered
  readonly answer: 'json' | 'page'
}

interface Asking {
  readonly anchor: string | null
  readonly now: Date
  readonly input: Input
  /** The inputs as parts of an address. */
  readonly named: Fields
  readonly origin: string
  readonly ask: (one: LookUp) => Promise<AnswerOf>
}

/** Reads one page after another, and what each gives, by its name. */
export async function lookUps(
  pages: Readonly<Record<string, BeforePage<Input, EncodeContext, Parts>>>,
  { anchor, now, input, named, origin, ask }: Asking,
): Promise<Fields> {
  let before: Fields = {}
  for (const [name, page] of Object.entries(pages)) {
    const { method, path } = parseLine(page.request)
    const answer = page.answer ?? 'json'
    const known = before
    const parts = shaped(known, (given) => page.encode?.(input, { anchor, now, before: given }) ?? {})
    const values = placed(known)
    // What an earlier page gave is the app's, and no fault of the caller's.
    const url = /\{\w+\./.test(path)
      ? shaped(known, () => address(origin, path, { ...named, ...values }))
      : address(origin, path, named)
    const said = await ask({ answer, request: requestOf(method, url, { parts, origin, answer, fills: [] }) })
    const found = shaped(said.json, (json): unknown => {
      const fields = fieldsOf({ ...said, json }, answer)
      const text = answer === 'page' ? said.text : ''
      if (page.take) return page.take(fields, { anchor, now, input, page: text, before: known })
      return answer === 'page' ? text : fields
    })
    before = { ...known, [name]: JSON.parse(JSON.stringify(found ?? null)) as unknown }
  }
  return before
}
