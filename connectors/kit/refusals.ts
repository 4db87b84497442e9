import { isHtml } from './content-type.ts'
import { rejected } from './failures.ts'
import type { Failure, FailureRule } from './failures.ts'
import { select } from './select.ts'
import { isFields } from './wire.ts'
import type { Fields } from './wire.ts'

/**
 * Thrown by `decode`: the answer says that the app did nothing, such as one that led to the answer that was there before. Not for what is merely
 * not to be seen: that proves nothing.
 */
export class AppRefused extends Error {
  override readonly name = 'AppRefused'
  /** As the app itself would say it, or a word for it. */
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** There is no such thing: told as the app's refusal, with the code `not_found`. */
export function notFound(message = 'The app has no such thing.'): Failure {
  return { kind: 'rejected', appCode: 'not_found', appMessage: message }
}

/** Answers of these statuses say that there is no such thing. */
export function notFoundOn(...statuses: readonly number[]): FailureRule {
  return ({ status }) => (statuses.includes(status) ? notFound() : undefined)
}

/** A page of any status with such elements, such as a form that is shown again with what is wrong in it. Its message is what they say. */
export function refusedPage(css: string, code = 'refused'): FailureRule {
  return ({ status, headers, text }) => {
    if (status >= 500 || !isHtml(headers['content-type'] ?? '')) return undefined
    const said = select(text)
      .any(css)
      .map((element) => element.text())
      .filter((one) => one !== '')
    return said.length === 0 ? undefined : rejected(code, said.join('\n'))
  }
}

/** JSON of any status that refuses: where its code and its message stand; undefined, or no code, where it does not. */
export function refusedJson(
  find: (body: Fields, status: number) => { readonly code: unknown; readonly message: unknown } | undefined,
): FailureRule {
  return ({ status, json }) => {
    const said = status < 500 && isFields(json) ? find(json, status) : undefined
    return said && rejected(said.code, said.message)
  }
}

/** A plain text of any status, whatever type it is labelled with, all of which is such: `/^You cannot .+/`. Its message is the text. */
export function refusedText(pattern: RegExp, code = 'refused'): FailureRule {
  return ({ status, headers, text, json }) => {
    if (status >= 500 || json !== undefined || isHtml(headers['content-type'] ?? '')) return undefined
    const said = text.trim()
    return pattern.test(said) ? rejected(code, said) : undefined
  }
}

/** A redirect to this path below the app's root, and no other, that is led to only when nothing was done. */
export function refusedRedirect(path: string | RegExp, code: string, message: string): FailureRule {
  return ({ location }) => {
    const target = location?.split(/[?#]/, 1)[0]
    const fits = target !== undefined && (typeof path === 'string' ? target === path : path.test(target))
    return fits ? rejected(code, message) : undefined
  }
}
