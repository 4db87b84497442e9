import type { Control } from '../../runtime/forms/controls.ts'
import { unfit } from '../../runtime/forms/held.ts'
import type { Asking, Decision } from './draft.ts'
import { bodyOf } from './bodies.ts'
import { formsTo, typeOfField } from './form-fields.ts'
import type { FoundForm } from './form-fields.ts'
import type { Inputs } from './inputs.ts'
import { isIdLike } from './inputs.ts'
import { labelOf, nameOf, plainly, property, quoted } from './literal.ts'
import { tidy } from './tidy.ts'
import { isSecret, isTokenName, likeIn } from './tokens.ts'

interface OfRun {
  readonly form: FoundForm
  readonly page: string
  readonly sent: ReadonlyMap<string, readonly string[]>
}

/** The request as a form of a page, sent whole; undefined: no page has such a form in all runs. */
export function formRequest(inputs: Inputs, actionPath: string): Pick<Asking, 'fields' | 'decisions'> | undefined {
  const found = sharedForm(inputs)
  const [first] = found ?? []
  if (found === undefined || first === undefined) return undefined
  const pages = found.map(({ page }) => page)
  const path = inputs.pathOf(pages, 'known') ?? inputs.pathOf(pages, 'new')
  const query = path === undefined ? undefined : queryOf(inputs, pages)
  if (path === undefined || query === undefined || !actionPath.startsWith('/')) return undefined
  const decisions: Decision[] = []
  const fields = [...Map.groupBy(first.form.controls, ({ name }) => name)]
  const [set, volatile, labels, used]: [string[], string[], string[], string[]] = [[], [], [], []]
  const [kept, scripted]: [string[], string[]] = [[], []]
  for (const [name, own] of fields) {
    const values = found.map(({ sent }) => sent.get(name) ?? [])
    // A connector must not set a field of this name.
    if (name === '__proto__') kept.push(name)
    else if (isFilled(name, own, values)) volatile.push(name)
    else if (own.some(({ kind }) => kind === 'file'))
      decisions.push({
        at: 'set:',
        question: `The form takes a file as ${plainly(name)}: declare it with file(…) in the input, and set it.`,
      })
    else if (isOfScript(own, values)) set.push(property(name, quoted(values[0]?.[0] ?? '')))
    else if (isSet(name, own, found, inputs.runs.length)) {
      const input = inputOf(inputs, name, own, found, values)
      set.push(property(name, input))
      used.push(input)
      if (found.some((run) => isScripted(name, run))) scripted.push(name)
      // A property of every object cannot be a key of `labels`.
      if (input !== name && !(name in Object.prototype)) labels.push(property(name, quoted(input)))
    } else if (own.some(({ kind }) => kind !== 'hidden')) kept.push(name)
  }
  const button = buttonOf(first)
  const parts = [
    `page: ${quoted(`GET ${path}`)}`,
    ...(query === '' ? [] : [`query: ${query}`]),
    `selector: ${quoted(first.form.selector)}`,
    ...(volatile.length === 0 ? [] : [`volatile: [${volatile.map(quoted).join(', ')}]`]),
    ...(scripted.length === 0 ? [] : [`scripted: [${scripted.map(quoted).join(', ')}]`]),
    ...(labels.length === 0 ? [] : [`labels: { ${labels.join(', ')} }`]),
    `set: (${used.length === 0 ? '' : `{ ${[...new Set(used)].join(', ')} }`}) => ({ ${set.join(', ')} })`,
    ...(button === undefined ? [] : [`submit: ${button}`]),
  ]
  if (kept.length > 0)
    decisions.push({
      at: 'set:',
      question: `Sent as the page has them: ${kept.map((name) => plainly(name)).join(', ')}. Is one of them an input?`,
    })
  if (inputs.runs.length === 1)
    decisions.push({
      at: 'set:',
      question:
        'All fields that people see are inputs, for one run cannot tell which were filled in: take out what the app fills itself.',
    })
  // The form includes its own token.
  const code = new Map([
    ['csrf', 'null'],
    ['form', `{\n${parts.map((part) => `    ${tidy(part, 4)},`).join('\n')}\n  }`],
  ])
  return { fields: code, decisions }
}

/** The form in each run's last page that has it, at URLs of one shape. */
function sharedForm(inputs: Inputs): readonly OfRun[] | undefined {
  const [first] = inputs.runs
  if (first === undefined) return undefined
  for (const one of first.trace.exchanges.slice(0, first.at).toReversed()) {
    if (one.request.method !== 'GET' || one.answer.status !== 200) continue
    const all = inputs.runs.map((run) => {
      const page = run === first ? one : likeIn(run, one.request.url, inputs.origin)
      const body = bodyOf(run.exchange.request)
      if (page === undefined || !('entries' in body)) return undefined
      const sent = new Map(
        [...Map.groupBy(body.entries, ([name]) => name)].map(([name, own]) => [name, own.map(([, value]) => value)]),
      )
      const form = formsTo(page, new URL(run.exchange.request.url)).find((each) => covers(each, sent))
      return form && { form, page: page.request.url, sent }
    })
    const selector = all[0]?.form.selector
    if (all.every((each) => each !== undefined && each.form.selector === selector)) return all as readonly OfRun[]
  }
  return undefined
}

/** Whether the form has all that was sent, except for at most one button; scripts may send more. */
function covers({ controls, elements }: FoundForm, sent: ReadonlyMap<string, unknown>): boolean {
  const names = new Set(controls.map(({ name }) => name))
  const others = [...sent.keys()].filter((name) => !names.has(name))
  const isButton = others.every((name) => elements(name).length > 0)
  return isButton && others.length <= 1 && sent.size > others.length
}

/** Filled by each page: CSRF tokens and the like. */
function isFilled(name: string, own: readonly Control[], values: readonly (readonly string[])[]): boolean {
  if (!own.every(({ kind }) => kind === 'hidden')) return false
  return isTokenName(name) || values.some((list) => list.some(isSecret))
}

/** Hidden, with one value in all runs that differs from the page's: a script sets it. */
function isOfScript(own: readonly Control[], values: readonly (readonly string[])[]): boolean {
  const [first] = values
  const isSame = values.length > 1 && first?.length === 1 && values.every((list) => lines(list) === lines(first))
  return isSame && own.every(({ kind, sends }) => kind === 'hidden' && lines(sends) !== lines(first))
}

/** The form alone would not allow the value: a script filled it, or loaded its options. */
function isScripted(name: string, { form: { controls, isValidated }, sent }: OfRun): boolean {
  const own = controls.filter((one) => one.name === name)
  return unfit({ controls: own, isValidated }, new Map([[name, sent.get(name) ?? []]]), new Set()) !== undefined
}

function isSet(name: string, own: readonly Control[], runs: readonly OfRun[], count: number): boolean {
  const isSeen = own.some(({ kind }) => kind !== 'hidden')
  if (count === 1 && isSeen) return true
  const changed = runs.some(({ form, sent }) => {
    const here = form.controls.filter((one) => one.name === name).flatMap(({ sends }) => sends)
    return lines(here) !== lines(sent.get(name) ?? [])
  })
  return changed
}

const lines = (values: readonly string[]): string => JSON.stringify(values.map((one) => one.replaceAll('\r\n', '\n')))

function inputOf(
  inputs: Inputs,
  name: string,
  own: readonly Control[],
  runs: readonly OfRun[],
  values: readonly (readonly string[])[],
): string {
  const element = runs[0]?.form.elements(name)[0]
  const placeholder = element?.attribs['placeholder'] ?? element?.attribs['title'] ?? ''
  const wanted = nameOf(name.replace(/^.*\[([a-z_]\w*)\]$/i, '$1').replace(/^(?:id|form|field|input)[-_]/, ''))
  const said = (own.length > 1 ? own[0]?.groupLabel : own[0]?.label) ?? placeholder
  const called = plainly(said, 60).replace(/[.:*\s]+$/, '') || labelOf(wanted ?? 'value')
  const flat = values.map((list) => list.map((one) => one.replaceAll('\r\n', '\n')))
  const known = flat.every((list) => list.length === 1) ? inputs.known(flat.map((list) => list[0])) : undefined
  if (known && flat.some((list) => isIdLike(list[0] ?? ''))) return known.name
  const { schema, given } = typeOfField(element, own, called)
  const isKept = flat.map(
    (list, at) =>
      lines(list) ===
      lines(runs[at]?.form.controls.filter((one) => one.name === name).flatMap(({ sends }) => sends) ?? []),
  )
  const gives = flat.map((list, at) => (isKept[at] === true && given(list) !== true ? undefined : given(list)))
  const required =
    element?.attribs['required'] !== undefined ||
    (gives.every((one) => one !== undefined) && !schema.startsWith('Type.Boolean'))
  const isGiven = gives.map((one, at) => (required ? given(flat[at] ?? []) : one))
  return inputs.add(wanted, {
    label: called,
    schema,
    required: required && isGiven.every((one) => one !== undefined),
    given: isGiven,
  }).name
}

/** The submit button whose name was sent. */
function buttonOf({ form, sent }: OfRun): string | undefined {
  const names = new Set(form.controls.map(({ name }) => name))
  const pressed = [...sent].find(([name]) => name !== '' && !names.has(name))
  if (pressed === undefined) return undefined
  const [name, [value = '']] = pressed
  // The text on a name's only button may change.
  const isOne = form.elements(name).length === 1
  return `{ name: ${quoted(name)}${isOne ? '' : `, value: ${quoted(value)}`} }`
}

/** The query of the form's page; undefined: it cannot be expressed. */
function queryOf(inputs: Inputs, pages: readonly string[]): string | undefined {
  const queries = pages.map((page) => [...new URL(page).searchParams])
  const [first = []] = queries
  const parts: string[] = []
  for (const [at, [name, value]] of first.entries()) {
    const values = queries.map((one) => (one[at]?.[0] === name ? one[at][1] : undefined))
    const known = inputs.known(values)
    if (known) parts.push(property(name, quoted(`{${known.name}}`)))
    else if (values.every((one) => one === value) && !/^\{.*\}$/.test(value)) parts.push(property(name, quoted(value)))
    else if (values.every((one) => one !== undefined && one !== ''))
      parts.push(property(name, quoted(`{${inputOfQuery(inputs, name, values.map(String))}}`)))
    else return undefined
  }
  return parts.length === 0 ? '' : `{ ${parts.join(', ')} }`
}

/** The input that identifies the form's page: an id, or a name as users type it. */
function inputOfQuery(inputs: Inputs, name: string, values: readonly string[]): string {
  if (values.every(isIdLike)) return inputs.addId(`${nameOf(name.replace(/_?id$/i, '')) ?? 'thing'}_id`, values).name
  const schema = `Type.String({ minLength: 1, maxLength: 500 })`
  const wanted = nameOf(name)
  return inputs.add(wanted, { label: labelOf(wanted ?? 'text'), schema, required: true, given: values }).name
}
