import type { Element } from 'domhandler'
import { htmlTree } from '../../kit/html-tree.ts'
import { having } from '../../kit/select.ts'
import { pageForm } from '../../runtime/forms/page-form.ts'
import type { Control } from '../../runtime/forms/controls.ts'
import { UnknownShape } from '../../kit/wire.ts'
import type { TracedExchange } from '../trace.ts'
import { kindOf } from './exchanges.ts'
import { isIdLike } from './inputs.ts'
import { quoted } from './literal.ts'
import { exactly, find, isWord, waysTo } from './selectors.ts'

/** A form of a page that a browser visited. */
export interface FoundForm {
  readonly selector: string
  readonly controls: readonly Control[]
  readonly isValidated: boolean
  /** The elements of this name inside the form. */
  readonly elements: (name: string) => readonly Element[]
}

/** The page's forms that post to this URL. */
export function formsTo(exchange: TracedExchange, action: URL): readonly FoundForm[] {
  const { request, answer } = exchange
  if (answer.text === null || kindOf(exchange) !== 'page') return []
  const page = htmlTree(answer.text)
  return find('form', page).flatMap((form) => {
    const selector = exactly(formWays(form, action), page, [form])
    const found = selector === undefined ? undefined : understood(request.url, answer.text ?? '', selector)
    if (selector === undefined || found === undefined) return []
    if (found.action.origin !== action.origin || found.action.pathname !== action.pathname) return []
    const elements = (name: string) =>
      find('input, select, textarea, button', form).filter((one) => one.attribs['name'] === name)
    const { controls, isValidated } = found
    return [{ selector, controls, isValidated, elements }]
  })
}

/** Selectors for a form: by its name, its action, or its fields. */
function formWays(form: Element, action: URL): readonly string[] {
  const { id = '', name = '', action: to = '' } = form.attribs
  const last =
    to
      .split(/[?#]/, 1)[0]
      ?.split('/')
      .findLast((part) => part !== '') ?? ''
  const isSlashed = to.split(/[?#]/, 1)[0]?.endsWith('/') === true
  const fields = find('input[name], textarea[name], select[name]', form).map((one) => one.attribs['name'] ?? '')
  return [
    ...(isWord(id) ? [`form#${id}`] : []),
    ...(isWord(name) ? [`form${having('name', name)}`] : []),
    ...waysTo(form).filter((way) => /^form\.[\w-]+$/.test(way)),
    ...(isWord(last) && !endsInId(last) ? [`form[action$="/${last}${isSlashed ? '/' : ''}"]`] : []),
    ...(action.pathname.split('/').some(endsInId) || to === '' ? [] : [`form${having('action', to)}`]),
    ...fields.filter((one) => /^[a-z][\w[\].-]*$/i.test(one)).map((one) => `form:has(${having('name', one)})`),
    ...(/\d/.test(action.pathname) ? [] : ['form[method="post" i]']),
  ]
}

const endsInId = (segment: string): boolean => isIdLike(segment) || /[a-z][-_]?\d+$/i.test(segment)

function understood(url: string, text: string, selector: string) {
  try {
    return pageForm({ url: new URL(url), text, type: 'text/html; charset=utf-8' }, { selector })
  } catch (error) {
    // A form that the runtime cannot send, such as a GET search.
    if (error instanceof UnknownShape) return undefined
    throw error
  }
}

/** What a page declares about a field. */
export interface FieldType {
  readonly schema: string
  /** The caller's value for what was sent. */
  readonly given: (values: readonly string[]) => unknown
  /** The input is a list. */
  readonly isList: boolean
}

const mostWords = 30

/** The schema of a field, from its type, options and bounds. */
export function typeOfField(element: Element | undefined, own: readonly Control[], label: string): FieldType {
  const [first] = own
  const { type = 'text', maxlength = '', min = '', max = '', step = '', placeholder = '' } = element?.attribs ?? {}
  const said = quoted(describe(label, placeholder))
  const one = (values: readonly string[]): unknown => (values[0] === '' ? undefined : values[0])
  const simple = (schema: string, given: FieldType['given'] = one): FieldType => ({ schema, given, isList: false })
  if (first?.kind === 'checkbox' && own.length === 1)
    return simple(`Type.Boolean({ description: ${said} })`, (values) => values.length > 0)
  const words = [...new Set(own.flatMap(({ offers }) => offers.map(({ value }) => value)))].filter(
    (word) => word !== '',
  )
  const several = first?.takesSeveral === true || (first?.kind === 'checkbox' && own.length > 1)
  if (words.length > 0 && words.length <= mostWords && !several)
    return simple(`oneOf([${words.map(quoted).join(', ')}], ${said})`)
  if (several)
    return {
      schema: `Type.Array(Type.String(), { maxItems: 50, description: ${said} })`,
      given: (values) => [...values],
      isList: true,
    }
  const bounds = [numeric('minimum', min), numeric('maximum', max), `description: ${said}`].filter(Boolean).join(', ')
  if (type === 'number' || type === 'range') {
    const kind = step === '' || /^\d+$/.test(step) ? 'Integer' : 'Number'
    return simple(`Type.${kind}({ ${bounds} })`, (values) =>
      values[0] === '' || values[0] === undefined ? undefined : Number(values[0]),
    )
  }
  if (type === 'date') return simple(`day(${said})`)
  if (type === 'email') return simple(`Type.String({ format: 'email', maxLength: 254, description: ${said} })`)
  const most =
    /^\d{1,7}$/.test(maxlength) && Number(maxlength) > 0
      ? Number(maxlength)
      : element?.name === 'textarea'
        ? 20_000
        : 500
  return simple(`Type.String({ minLength: 1, maxLength: ${most}, description: ${said} })`)
}

/** A description from the page's label. */
function describe(label: string, placeholder: string): string {
  const text =
    placeholder.trim() === '' || placeholder.trim() === label ? label : `${label}, such as: ${placeholder.trim()}`
  return `${text
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')
    .slice(0, 200)
    .replace(/[.\s]+$/, '')}.`
}

function numeric(name: string, value: string): string {
  return /^-?\d+(?:\.\d+)?$/.test(value) ? `${name}: ${Number(value)}` : ''
}
