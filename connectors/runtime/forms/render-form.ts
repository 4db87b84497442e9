import { labelKey } from '../../kit/declared.ts'
import type { EncodeContext, EndpointDefinition, FormDefinition } from '../../kit/define.ts'
import { address } from '../../kit/request-line.ts'
import { UnknownShape } from '../../kit/wire.ts'
import type { Fields } from '../../kit/wire.ts'
import type { Control } from './controls.ts'
import { filledForm, settings } from './filled-form.ts'
import { unfit } from './held.ts'
import { inputOf, refusal } from './refused.ts'
import type { FormLine, FormValue } from './filled-form.ts'
import { entriesOf, formBody } from './form-body.ts'
import type { FileOf } from '../../kit/files.ts'
import type { RenderedBody } from '../multipart.ts'
import { pageForm } from './page-form.ts'
import type { FormPlace, PageForm, ReadPage } from './page-form.ts'

/** The form behind a request: what is set and kept, and the page to recheck it on. */
export interface RenderedForm extends FormPlace {
  /** URL of the page. */
  readonly page: string
  readonly lines: readonly FormLine[]
}

/** The request of a form: its query, its body, and what the approver sees. */
export interface FormRequest {
  readonly search: string
  readonly body: RenderedBody
  /** Fields whose values are read from the page at sending. */
  readonly volatile: readonly string[]
  readonly form: RenderedForm
}

/** The input that a query value `{order}` refers to. */
export function placeholderOf(word: string): string | undefined {
  return /^\{(\w+)\}$/.exec(word)?.[1]
}

/** URL of a form's page. */
export function formAddress(root: string, { page, query }: FormDefinition, named: Fields): URL {
  const url = address(root, page.path, named)
  for (const [name, value] of Object.entries(query)) {
    const input = placeholderOf(value)
    url.searchParams.append(name, input === undefined ? value : String(named[input]))
  }
  return url
}

interface Rendering {
  readonly definition: EndpointDefinition
  readonly form: FormDefinition
  readonly asked: Fields
  readonly context: EncodeContext
  readonly page: ReadPage
  /** URL of the request line. */
  readonly url: URL
  /** Fields that take a token of the connector. */
  readonly tokens: readonly string[]
  /** Files of the input. */
  readonly files: readonly FileOf[]
}

/** Throws `UnknownShape` if the form is not the connector's, or lacks a required value. */
export function formRequest({ definition, form, asked, context, page, url, tokens, files }: Rendering): FormRequest {
  const { selector, submit, volatile } = form
  const place = { selector, ...(submit && { submit }) }
  const found = pageForm(page, place)
  const { action, controls, disabled } = found
  if (action.origin !== url.origin || action.pathname !== url.pathname)
    throw new UnknownShape('the form is posted to another address than the request line says')
  const values = Object.fromEntries(
    [...Map.groupBy(controls, ({ name }) => name)].map(([name, own]) => [name, own.flatMap(({ sends }) => sends)]),
  )
  const given = form.set(asked, { ...context, values })
  const said = { definition, form, asked }
  const locked = Object.keys(given).find(
    (name) => given[name] !== undefined && disabled.has(name) && !controls.some((one) => one.name === name),
  )
  if (locked !== undefined)
    throw refusal({ name: locked, isSet: true, wants: 'locked' }, inputOf(locked, undefined, said))
  const set = settings(controls, given)
  const filled = new Set([...tokens, ...volatile])
  check(controls, said, set, filled)
  hold(found, set, filled, said)
  const { entries, lines } = filledForm(controls, set, { filled, suggested: new Set(form.suggested) }, (name) =>
    labelOf(definition, form, name),
  )
  const places = new Set(controls.flatMap(({ name, kind }) => (kind === 'file' ? [name] : [])))
  if (!found.isMultipart && [...places].some((name) => set.get(name)?.some((hash) => hash !== '')))
    throw new UnknownShape('the form is not sent as multipart/form-data, so it takes no files')
  const body = formBody(entries, found, files)
  const named = lines.map((line) =>
    line.after && places.has(line.name) ? { ...line, after: line.after.map((one) => byName(one, files)) } : line,
  )
  return { search: action.search, body, volatile, form: { ...place, page: page.url.href, lines: named } }
}

/** People recognize a file by its name, not its hash. */
function byName(one: FormValue, files: readonly FileOf[]): FormValue {
  const file = files.find(({ sha256 }) => sha256 === one.value)
  return file ? { value: one.value, text: file.name } : one
}

/** A missing field, or a required one without a value: the form is not the connector's. */
function check(
  controls: readonly Control[],
  { definition, form: { fields, volatile, labels } }: Saying,
  set: ReadonlyMap<string, readonly string[]>,
  filled: ReadonlySet<string>,
): void {
  for (const name of [...(fields ?? []), ...volatile])
    if (!controls.some((one) => one.name === name)) throw new UnknownShape(`no field "${name}" in the form`)
  const known = new Set([...(fields ?? []), ...filled, ...set.keys()])
  const names = [...new Set(controls.map(({ name }) => name))]
  for (const [at, name] of names.entries()) {
    const own = controls.filter((one) => one.name === name)
    if (set.has(name) || filled.has(name) || !own.some(({ required }) => required)) continue
    const isInput = Object.hasOwn(definition.input.properties, labels[name] ?? name)
    if (known.has(name) || isInput) continue
    // The page's own names may be personal data, so operators see a number only.
    const place = `no. ${at + 1}`
    if (fields) throw new UnknownShape(`the field ${place} of the form has to be filled in, and is new`)
    if (own.every(({ sends }) => sends.every((value) => value === '')))
      throw new UnknownShape(`the field ${place} of the form has to be filled in, and is empty`)
  }
}

interface Saying {
  readonly definition: EndpointDefinition
  readonly form: FormDefinition
  readonly asked: Fields
}

/** Refuses what a user could not submit. */
function hold(
  found: PageForm,
  set: ReadonlyMap<string, readonly string[]>,
  filled: Iterable<string>,
  said: Saying,
): void {
  const wrong = unfit(found, set, new Set([...filled, ...(said.form.scripted ?? [])]))
  if (wrong) throw refusal(wrong, inputOf(wrong.name, set.get(wrong.name), said))
}

/** The label of the input that sets the field. */
function labelOf({ input }: EndpointDefinition, { labels }: FormDefinition, field: string): string | null {
  const name = labels[field] ?? field
  const schema: Fields = { ...(Object.hasOwn(input.properties, name) ? input.properties[name] : {}) }
  const label = schema[labelKey]
  return typeof label === 'string' ? label : null
}

/** The page's value of a field that is filled at sending. */
export function formValue(form: PageForm, name: string): string {
  const [value, ...others] = form.controls.filter((one) => one.name === name).flatMap(({ sends }) => sends)
  if (value === undefined) throw new UnknownShape(`no field "${name}" in the form`)
  if (others.length > 0) throw new UnknownShape(`more than one field "${name}" in the form`)
  return value
}

/**
 * The recheck: whether this page still gives the same request with the same fields set. Throws
 * `FormRefused` if users can no longer submit it.
 */
export function isStill(
  { url: address, body }: { readonly url: string; readonly body: RenderedBody | null },
  form: RenderedForm,
  { page, definition, asked }: Pick<Rendering, 'page' | 'definition' | 'asked'>,
): boolean {
  const found = foundAgain(page, form)
  if (found === undefined) return false
  const { lines } = form
  const set = new Map(lines.flatMap(({ name, after }) => (after ? [[name, after.map(({ value }) => value)]] : [])))
  const named = (what: FormLine['is']) => new Set(lines.filter(({ is }) => is === what).map(({ name }) => name))
  const fresh = { filled: named('filled'), suggested: named('suggested') }
  const now = filledForm(found.controls, set, fresh, () => null)
  const url = new URL(address)
  const isThere = found.action.origin === url.origin && found.action.pathname === url.pathname
  const saidOf = (body: RenderedBody | null): string =>
    (body !== null && 'encoding' in body && body.encoding) || 'UTF-8'
  const told = [found.action.search, found.isMultipart, found.encoding ?? 'UTF-8', now.entries, befores(now.lines)]
  const was = [url.search, body !== null && 'multipart' in body, saidOf(body), entriesOf(body), befores(lines)]
  if (!isThere || JSON.stringify(told) !== JSON.stringify(was)) return false
  if (definition.form) hold(found, set, fresh.filled, { definition, form: definition.form, asked })
  return true
}

function befores(lines: readonly FormLine[]): unknown {
  return lines.map(({ name, before }) => [name, before.map(({ value }) => value)])
}

/** Undefined: the form is gone. The caller then renders the request again and finds out why. */
function foundAgain(page: ReadPage, place: FormPlace): PageForm | undefined {
  try {
    return pageForm(page, place)
  } catch (error) {
    if (error instanceof UnknownShape) return undefined
    throw error
  }
}
