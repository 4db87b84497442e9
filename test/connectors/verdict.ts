import type { FailureRule } from '../../connectors/kit/failures.ts'
import { read } from '../../connectors/runtime/answer.ts'

/** An answer of an app: JSON for an object, else a page. */
export interface Said {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: object | string
}

const root = 'https://app.example/shop/'
/** What a rule makes of it: its kind, or the code of a refusal. */
export function verdict(rule: FailureRule, { status = 200, headers = {}, body = '' }: Said): string | undefined {
  const isPage = typeof body === 'string'
  const type = isPage ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8'
  const raw = { status, headers: { 'content-type': type, ...headers }, text: isPage ? body : JSON.stringify(body) }
  const failure = rule(read({ ...raw, setCookies: [] }, new URL('act', root), root))
  return failure?.kind === 'rejected' ? failure.appCode : failure?.kind
}
