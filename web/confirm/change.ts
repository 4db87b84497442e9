import { isFields } from '../../connectors/kit/wire.ts'
import type { Fields } from '../../connectors/kit/wire.ts'
import type { Detail, Endpoint, ParsedInput } from '../../connectors/registry.ts'
import type { Context } from '../../core/context.ts'
import type { Form } from '../form.ts'
import { parsedInput } from '../parts/parsed-input.ts'
import { legibleJson } from '../parts/text.tsx'
import { readTyped, sentTwice } from '../play/form.ts'
import type { Typed } from '../play/form.ts'
import { changeFields, withTyped } from './change-fields.ts'
import type { ChangeField } from './change-fields.ts'

/** The edit form: as first shown, or with the user's edits and their validation errors. */
export interface ChangeView {
  readonly fields: readonly ChangeField[]
  readonly typed: Typed
  /** The same input as JSON. */
  readonly json: string
  readonly details: readonly Detail[]
  /** Which form was posted, fields or JSON; undefined: none yet. */
  readonly sent: 'fields' | 'json' | undefined
}

const asJson = (input: Fields): string => legibleJson(JSON.stringify(input, null, 2))

/** Largest encoded input in bytes: a longer one would not fit into a form post. */
const most = 48 * 1024

/** Undefined: the input is too large for a form. */
export function changeOf(endpoint: Endpoint, input: Fields): ChangeView | undefined {
  const json = asJson(input)
  if (new URLSearchParams({ input: json }).toString().length > most) return undefined
  const fields = changeFields(endpoint, input)
  return { fields, typed: new Map(fields.map(({ name, now }) => [name, now])), json, details: [], sent: undefined }
}

/** The edited input, validated against the endpoint; otherwise the view with the errors. */
export function readChange(
  ctx: Pick<Context, 'secrets'>,
  endpoint: Endpoint,
  now: Fields,
  form: Form,
): { readonly input: Fields; readonly view: ChangeView } | { readonly input: undefined; readonly view: ChangeView } {
  const fields = changeFields(endpoint, now)
  const usual = {
    fields,
    typed: new Map(fields.map((field) => [field.name, field.now])),
    json: asJson(now),
  }
  if (form.get('by') === 'fields') {
    const typed = readTyped(fields, form)
    const { input, bad } = withTyped(fields, typed, now)
    const said = [...sentTwice(fields, form), ...bad]
    const parsed = parsedInput(ctx, endpoint, input)
    return result(parsed, { ...usual, typed, sent: 'fields', details: said })
  }
  const json = form.get('input') ?? ''
  const { value, details } = readJson(json)
  const parsed: ParsedInput = details.length > 0 ? { ok: false, details: [] } : parsedInput(ctx, endpoint, value)
  return result(parsed, { ...usual, json, sent: 'json', details })
}

function result(parsed: ParsedInput, view: ChangeView): ReturnType<typeof readChange> {
  const wrong = parsed.ok ? [] : parsed.details
  const details = [...view.details, ...wrong.filter(({ path }) => view.details.every((one) => one.path !== path))]
  return parsed.ok && details.length === 0
    ? { input: parsed.input, view }
    : { input: undefined, view: { ...view, details } }
}

function readJson(json: string): { readonly value: unknown; readonly details: readonly Detail[] } {
  try {
    const value: unknown = JSON.parse(json)
    return { value, details: isFields(value) ? [] : [{ path: 'The JSON', message: 'must be an object' }] }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return { value: undefined, details: [{ path: 'The JSON', message: `cannot be read: ${error.message}` }] }
  }
}
