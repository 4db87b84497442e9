import { selectAll } from 'css-select'
import { isTag } from 'domhandler'
import type { AnyNode, Element } from 'domhandler'
import { parsed } from '../../kit/document.ts'
import type { SubmitButton } from '../../kit/whole-form.ts'
import { UnknownShape } from '../../kit/wire.ts'
import { controlsOf, isPressed } from './controls.ts'
import type { Control } from './controls.ts'
import { Labels } from './labels.ts'
import { around, elementsIn, has } from './tree.ts'

/** A page as it was read. */
export interface ReadPage {
  readonly url: URL
  readonly text: string
  /** Its `Content-Type`. */
  readonly type: string
}

/** A form as it stands on its page. */
export interface PageForm {
  /** Where it is posted to. */
  readonly action: URL
  readonly controls: readonly Control[]
  /** It is sent as multipart/form-data. */
  readonly isMultipart: boolean
}

export interface FormPlace {
  readonly selector: string
  readonly submit?: SubmitButton
}

/** No form that people fill in has more. */
const mostFields = 5_000

/** The form of a page, found and understood; throws `UnknownShape`. */
export function pageForm(page: ReadPage, { selector, submit }: FormPlace): PageForm {
  const tree = parsed(page.text)
  const elements = [...elementsIn(tree.children)]
  const form = theOne(selectAll<AnyNode, Element>(selector, tree), selector)
  const inner = [...elementsIn(form.children)]
  if ([...around(form), ...inner].some(({ name }) => name === 'form'))
    throw new UnknownShape('the form stands within another')
  const owned = elements.filter((element) => ownerOf(element, form))
  if (owned.length > mostFields) throw new UnknownShape('the form has too many fields')
  const pressed = submit && owned.find((element) => isPressed(element, submit))
  const controls = controlsOf(owned, new Labels(elements), pressed)
  if (submit && !controls.some(({ kind }) => kind === 'button'))
    throw new UnknownShape(`no button "${submit.name}" in the form`)
  const told = (name: string): string | undefined => pressed?.attribs[`form${name}`] ?? form.attribs[name]
  if ((told('method') ?? '').toLowerCase() !== 'post') throw new UnknownShape('the form is not posted')
  const enctype = (told('enctype') ?? '').toLowerCase()
  if (enctype === 'text/plain') throw new UnknownShape('the form is sent as plain text')
  if (!isUtf8(form, elements, page.type) && controls.some(({ sends }) => sends.some((one) => /[^\0-\u007f]/.test(one))))
    throw new UnknownShape('the form is not sent in UTF-8')
  return {
    action: actionOf(told('action') ?? '', elements, page.url),
    controls,
    isMultipart: enctype === 'multipart/form-data',
  }
}

function theOne(found: readonly AnyNode[], selector: string): Element {
  const [form, ...others] = found
  if (form === undefined || !isTag(form)) throw new UnknownShape(`no form "${selector}"`)
  if (others.length > 0) throw new UnknownShape(`more than one form "${selector}"`)
  if (form.name !== 'form') throw new UnknownShape(`what is found as "${selector}" is no form`)
  return form
}

/** A field belongs to the form that it names, else to the one around it. */
function ownerOf(element: Element, form: Element): boolean {
  if (!['input', 'select', 'textarea', 'button'].includes(element.name)) return false
  if (has(element, 'form')) return element.attribs['form'] !== '' && element.attribs['form'] === form.attribs['id']
  return around(element).find(({ name }) => name === 'form') === form
}

function actionOf(action: string, elements: readonly Element[], page: URL): URL {
  if (action.trim() === '') return page
  const base = elements.find((one) => one.name === 'base' && has(one, 'href'))?.attribs['href'] ?? ''
  const from = URL.parse(base, page.href)?.href ?? page.href
  const url = URL.parse(action.trim(), from)
  if (url === null) throw new UnknownShape('the form is posted to no address')
  return url
}

function isUtf8(form: Element, elements: readonly Element[], type: string): boolean {
  const own = form.attribs['accept-charset']?.trim().split(/\s+/)[0]
  const said = /;\s*charset\s*=\s*["']?([^\s;"']+)/i.exec(type)?.[1]
  const metas = elements.filter(({ name }) => name === 'meta')
  const inPage = metas.find((meta) => has(meta, 'charset'))?.attribs['charset']
  const older = metas.find(({ attribs }) => attribs['http-equiv']?.toLowerCase() === 'content-type')
  const inOlder = /charset\s*=\s*([^\s;"']+)/i.exec(older?.attribs['content'] ?? '')?.[1]
  return /^utf-?8$/i.test((own || undefined) ?? said ?? inPage ?? inOlder ?? '')
}
