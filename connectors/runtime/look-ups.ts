import { placed } from '../kit/before.ts'
import type { BeforePage } from '../kit/before.ts'
import type { EncodeContext, Input, Parts } from '../kit/define.ts'
import { address, parseLine } from '../kit/request-line.ts'
import type { Fields } from '../kit/wire.ts'
import { fieldsOf } from './answer.ts'
import type { AnswerOf } from './answer.ts'
import { Stopped, shaped } from './outcome.ts'
import type { Outcome } from './outcome.ts'
import { requestOf } from './rendered.ts'
import type { Rendered } from './rendered.ts'

/** A page that is read before the request can be rendered. */
export interface LookUp {
  readonly request: Rendered
  readonly answer: 'json' | 'page'
}

type Page = BeforePage<Input, EncodeContext, Parts>

interface Asking {
  readonly anchor: string | null
  readonly now: Date
  readonly input: Input
  /** The inputs as URL segments. */
  readonly named: Fields
  readonly origin: string
  readonly ask: (one: LookUp) => Promise<AnswerOf>
  /** Nothing is sent yet, so pages that can only rule a call out are read, too. */
  readonly isAhead: boolean
}

/** Reads the pages in order; returns what each gives, by its name. */
export async function lookUps(
  pages: Readonly<Record<string, Page>>,
  { anchor, now, input, named, origin, ask, isAhead }: Asking,
): Promise<Fields> {
  let before: Fields = {}
  for (const [name, page] of Object.entries(pages)) {
    if (page.ahead === true && !isAhead) continue
    const found = await read(page, { anchor, now, input, named, origin, ask, before }).catch((error: unknown) => {
      if (page.ahead === true && error instanceof Stopped && !telling.has(error.outcome.kind)) return null
      throw error
    })
    before = { ...before, [name]: JSON.parse(JSON.stringify(found ?? null)) as unknown }
  }
  return before
}

/** Outcomes of an `ahead` page that end or hold a call; others say nothing about the action. */
const telling: ReadonlySet<Outcome['kind']> = new Set([
  'rejected',
  'auth_expired',
  'captcha',
  'mfa',
  'blocked',
  'rate_limited',
])

type Reading = Omit<Asking, 'isAhead'> & { readonly before: Fields }

async function read(page: Page, { anchor, now, input, named, origin, ask, before }: Reading): Promise<unknown> {
  const { method, path } = parseLine(page.request)
  const answer = page.answer ?? 'json'
  const parts = shaped(before, (given) => page.encode?.(input, { anchor, now, before: given }) ?? {})
  const values = placed(before)
  // A value from an earlier page is the app's fault if invalid, not the caller's.
  const url = /\{\w+\./.test(path)
    ? shaped(before, () => address(origin, path, { ...named, ...values }))
    : address(origin, path, named)
  const said = await ask({ answer, request: requestOf(method, url, { parts, origin, answer, fills: [] }) })
  return shaped(said.json, (json): unknown => {
    const fields = fieldsOf({ ...said, json }, answer)
    const text = answer === 'page' ? said.text : ''
    if (page.take) return page.take(fields, { anchor, now, input, page: text, before })
    return answer === 'page' ? text : fields
  })
}
