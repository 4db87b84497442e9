import { labelKey } from '../../kit/declared.ts'
import type { EncodeContext, EndpointDefinition, FormDefinition } from '../../kit/define.ts'
import { address } from '../../kit/request-line.ts'
import { UnknownShape } from '../../kit/wire.ts'
import type { Fields } from '../../kit/wire.ts'
import type { Control } from './controls.ts'
import { filledForm, settings } from './filled-form.ts'
import type { FormLine, FormValue } from './filled-form.ts'
import { entriesOf, formBody } from './form-body.ts'
import type { FileOf } from '../../kit/files.ts'
import type { RenderedBody } from '../multipart.ts'
import { pageForm } from './page-form.ts'
import type { FormPlace, PageForm, ReadPage } from './page-form.ts'

/** What a request that was made of a form says of it: what is set and what is kept, and where to look whether that is still so. */
export interface RenderedForm extends FormPlace {
  /** Address of the page. */
  readonly page: string
  readonly lines: readonly FormLine[]
}

/** The request of a form: where it goes, what its body has, and what a person is to see of it. */
export interface FormRequest {
  readonly search: string
  readonly body: RenderedBody
  /** Fields that are put in from the page when it is sent. */
  readonly volatile: readonly string[]
  readonly form: RenderedForm
}

/** The input that stands in the place of a word of a query: `{order}`. */
export function placeholderOf(word: string): string | undefined {
  return /^\{(\w+)\}$/.exec(word)?.[1]
}

/** Where the page of a form is. */
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
  /** Where the request line leads. */
  readonly url: URL
  /** Fields that a token of the connector is put into. */
  readonly tokens: readonly string[]
  /** Of the input. */
  readonly files: readonly FileOf[]
}

/** Throws `UnknownShape` where the form is another than the connector knows, or lacks something that nobody has told. */
export function formRequest({ definition, form, asked, context, page, url, tokens, files }: Rendering): FormRequest {
  const { selector, submit, volatile } = form
  const place = { selector, ...(submit && { submit }) }
  const found = pageForm(page, place)
  const { action, controls } = found
  if (action.origin !== url.origin || action.pathname !== url.pathname)
    throw new UnknownShape('the form is posted to another address than the request line says')
  const values = Object.fromEntries(
    [...Map.groupBy(controls, ({ name }) => name)].map(([name, own]) => [name, own.flatMap(({ sends }) => sends)]),
  )
  const set = settings(controls, form.set(asked, { ...context, values }))
  const filled = new Set([...tokens, ...volatile])
  check(controls, form, set, filled)
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

/** A file's hash says nothing to people. */
function byName(one: FormValue, files: readonly FileOf[]): FormValue {
  const file = files.find(({ sha256 }) => sha256 === one.value)
  return file ? { value: one.value, text: file.name } : one
}

/** A vanished field, or one that has to be filled in and is not, or that nobody knows: nothing is sent. */
function check(
  controls: readonly Control[],
  { fields, volatile }: FormDefinition,
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
    // The page's own names are none of the operator's business.
    const place = known.has(name) ? `"${name}"` : `no. ${at + 1}`
    if (fields && !known.has(name))
      throw new UnknownShape(`the field ${place} of the form has to be filled in, and is new`)
    if (own.every(({ sends }) => sends.every((value) => value === '')))
      throw new UnknownShape(`the field ${place} of the form has to be filled in, and is empty`)
  }
}

/** In the words of the input that it is set from. */
function labelOf({ input }: EndpointDefinition, { labels }: FormDefinition, field: string): string | null {
  const name = labels[field] ?? field
  const schema: Fields = { ...(Object.hasOwn(input.properties, name) ? input.properties[name] : {}) }
  const label = schema[labelKey]
  return typeof label === 'string' ? label : null
}

/** The value that the page has for a field that is put in when it is sent. */
export function formValue(form: PageForm, name: string): string {
  const [value, ...others] = form.controls.filter((one) => one.name === name).flatMap(({ sends }) => sends)
  if (value === undefined) throw new UnknownShape(`no field "${name}" in the form`)
  if (others.length > 0) throw new UnknownShape(`more than one field "${name}" in the form`)
  return value
}

/** Whether the request would be the same if it were made of this page now, with the same fields set: nobody changed the rest meanwhile. */
export function isStill(
  { url: address, body }: { readonly url: string; readonly body: RenderedBody | null },
  form: RenderedForm,
  page: ReadPage,
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
  const told = [found.action.search, found.isMultipart, now.entries, befores(now.lines)]
  const was = [url.search, body !== null && 'multipart' in body, entriesOf(body), befores(lines)]
  return isThere && JSON.stringify(told) === JSON.stringify(was)
}

function befores(lines: readonly FormLine[]): unknown {
  return lines.map(({ name, before }) => [name, before.map(({ value }) => value)])
}

/** Undefined: there is no such form any more. Whoever renders the request anew finds out what there is instead. */
function foundAgain(page: ReadPage, place: FormPlace): PageForm | undefined {
  try {
    return pageForm(page, place)
  } catch (error) {
    if (error instanceof UnknownShape) return undefined
    throw error
  }
}
