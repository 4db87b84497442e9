import type { Element } from 'domhandler'
import { formAction } from '../../kit/base-url.ts'
import { matching } from '../../kit/css.ts'
import { isDisabled } from '../../kit/field-state.ts'
import { formOwner, isForm } from '../../kit/form-owner.ts'
import { pageTree, questions } from '../../kit/page-tree.ts'
import type { SubmitButton } from '../../kit/whole-form.ts'
import { UnknownShape } from '../../kit/wire.ts'
import { controlsOf, isPressed } from './controls.ts'
import type { Control } from './controls.ts'
import { saidEncoding } from '../body-text.ts'
import { formEncoding } from './encode.ts'
import { Labels } from './labels.ts'
import { bounded, elementsIn, has } from './tree.ts'

/** A page that was read. */
export interface ReadPage {
  readonly url: URL
  readonly text: string
  /** Its `Content-Type`. */
  readonly type: string
}

/** A form as its page has it. */
export interface PageForm {
  /** The URL that it is posted to. */
  readonly action: URL
  readonly controls: readonly Control[]
  /** Disabled fields, which are not sent. */
  readonly disabled: ReadonlySet<string>
  /** Whether browsers validate it before they send it. */
  readonly isValidated: boolean
  /** Whether it is sent as multipart/form-data. */
  readonly isMultipart: boolean
  /** Name of its encoding; undefined: neither form nor page declares one. */
  readonly encoding: string | undefined
}

export interface FormPlace {
  readonly selector: string
  readonly submit?: SubmitButton
}

/** No form that people fill in has more. */
const mostFields = 5_000

/** The form of a page. Throws `UnknownShape`. */
export function pageForm(page: ReadPage, place: FormPlace): PageForm {
  return bounded(() => read(page, place))
}

function read(page: ReadPage, { selector, submit }: FormPlace): PageForm {
  const tree = pageTree(page.text)
  const elements = [...elementsIn(tree.root.children)]
  const form = theOne(matching(selector, tree.root), selector)
  const owned = elements.filter((element) => isField(element) && formOwner(element, tree.byId) === form)
  if (owned.length > mostFields) throw new UnknownShape('the form has too many fields')
  const pressed = submit && owned.find((element) => isPressed(element, submit))
  const encoding = formEncoding(form.attribs['accept-charset'], saidEncoding(page.type, page.text))
  const labels = new Labels(elements)
  const disabled = new Set(owned.filter((element) => isDisabled(element)))
  const controls = controlsOf(owned, labels, pressed).map((one) => toldCharset(one, encoding))
  if (submit && !controls.some(({ kind }) => kind === 'button'))
    throw new UnknownShape(`no button "${submit.name}" in the form`)
  const told = (name: string): string | undefined => pressed?.attribs[`form${name}`] ?? form.attribs[name]
  if ((told('method') ?? '').toLowerCase() !== 'post') throw new UnknownShape('the form is not posted')
  const enctype = (told('enctype') ?? '').toLowerCase()
  const action = formAction(told('action') ?? '', questions.base(tree), page.url)
  if (action === null) throw new UnknownShape('the form is posted to no address')
  if (enctype === 'text/plain') throw new UnknownShape('the form is sent as plain text')
  return {
    action,
    controls,
    disabled: new Set([...disabled].map(({ attribs }) => attribs['name'] ?? '')),
    isValidated: !has(form, 'novalidate') && pressed?.attribs['formnovalidate'] === undefined,
    isMultipart: enctype === 'multipart/form-data',
    encoding,
  }
}

function theOne(found: readonly Element[], selector: string): Element {
  const [form, ...others] = found
  if (form === undefined) throw new UnknownShape(`no form "${selector}"`)
  if (others.length > 0) throw new UnknownShape(`more than one form "${selector}"`)
  if (!isForm(form)) throw new UnknownShape(`what is found as "${selector}" is no form`)
  return form
}

const isField = ({ name }: Element): boolean => ['input', 'select', 'textarea', 'button'].includes(name)

/** `_charset_` tells the app the encoding of the other fields. */
function toldCharset(one: Control, encoding = 'UTF-8'): Control {
  return one.kind === 'hidden' && /^_charset_$/i.test(one.name) ? { ...one, sends: [encoding] } : one
}
