import { unguarded } from '../kit/content-type.ts'
import type { CsrfRequest, Fill, TokenSource } from '../kit/csrf.ts'
import { inputOfAction, inputOfForm } from '../kit/forms.ts'
import { metaContent } from '../kit/html.ts'
import { select } from '../kit/select.ts'
import { UnknownShape, isFields } from '../kit/wire.ts'

/** Reads a token where a connector declares it. Throws `UnknownShape` if missing or a cookie's. */
export function tokenIn(text: string, from: TokenSource, request: CsrfRequest): string {
  if ('input' in from) {
    const { input, form } = from
    return form ? inputOfForm(text, input, form) : inputOfAction(text, input, request)
  }
  if ('meta' in from) return metaContent(text, from.meta)
  if ('json' in from) return jsonToken(text, from.json)
  if ('css' in from) {
    const found = select(text, from.css)
    return from.attribute === undefined ? found.text() : found.attribute(from.attribute)
  }
  throw new UnknownShape(`no cookie "${from.cookie}"`)
}

/** Description for operators and approvers. */
export function sourceText(from: TokenSource): string {
  if ('input' in from) return `hidden input "${from.input}"`
  if ('meta' in from) return `meta tag "${from.meta}"`
  if ('json' in from) return `JSON field "${from.json}"`
  if ('cookie' in from) return `cookie "${from.cookie}"`
  return from.attribute === undefined ? `text of "${from.css}"` : `attribute "${from.attribute}" of "${from.css}"`
}

export function placeText(fill: Fill): string {
  return 'field' in fill ? `field ${fill.field}` : `header ${fill.header}`
}

function jsonToken(text: string, path: string): string {
  const token = path
    .split('.')
    .reduce<unknown>(
      (at, name) => (isFields(at) && Object.hasOwn(at, name) ? at[name] : undefined),
      JSON.parse(unguarded(text)),
    )
  if (typeof token !== 'string' || token === '') throw new UnknownShape(`no token in the field \`${path}\``)
  return token
}
