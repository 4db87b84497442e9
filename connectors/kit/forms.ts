import { only, read } from './html.ts'
import { sawElements } from './watching.ts'

type Attributes = ReadonlyMap<string, string>

interface HiddenInput {
  readonly value: string | undefined
  /** Of the form that it is sent with; undefined when it stands in none. */
  readonly form: Attributes | undefined
}

/** The value of the hidden input of this name in the form that goes to the request's path; without such a form, that of the whole page. Two different ones are an unknown shape. */
export function inputOfAction(
  page: string,
  name: string,
  request: { readonly page: URL; readonly action: URL },
): string {
  const { inputs, base } = hiddenInputs(page, name)
  const from = URL.parse(base, request.page.href)?.href ?? request.page.href
  const goesThere = ({ form }: HiddenInput): boolean => {
    const action = form?.get('action')?.trim() ?? ''
    const target = action === '' ? request.page : URL.parse(action, from)
    return form !== undefined && target?.origin === request.action.origin && target.pathname === request.action.pathname
  }
  const own = inputs.filter(goesThere)
  return only(values(own.length > 0 ? own : inputs), `hidden input "${name}"`)
}

/** The value of the hidden input of this name in the form with these attributes. */
export function inputOfForm(page: string, name: string, wanted: Readonly<Record<string, string>>): string {
  const fits = ({ form }: HiddenInput): boolean =>
    form !== undefined && Object.entries(wanted).every(([key, value]) => has(form, key, value))
  return only(values(hiddenInputs(page, name).inputs.filter(fits)), `hidden input "${name}"`)
}

const values = (inputs: readonly HiddenInput[]) => inputs.map(({ value }) => value)

function has(form: Attributes, key: string, value: string): boolean {
  const given = form.get(key)
  return given === value || (key === 'class' && given?.split(/\s+/).includes(value) === true)
}

/** The page's hidden inputs of this name, each with its form: the one around it, or the one that it names. */
function hiddenInputs(page: string, name: string): { readonly inputs: readonly HiddenInput[]; readonly base: string } {
  const found: { readonly input: Attributes; readonly around: Attributes | undefined; readonly count: number }[] = []
  const forms: Attributes[] = []
  let base: string | undefined
  let around: Attributes | undefined
  read(page, {
    onOpen(opened, given, count) {
      const attributes = new Map(Object.entries(given))
      if (opened === 'base') base ??= attributes.get('href')
      // A form within a form is none.
      if (opened === 'form' && around === undefined) forms.push((around = attributes))
      if (opened !== 'input' || attributes.get('type')?.toLowerCase() !== 'hidden') return
      if (attributes.get('name') === name) found.push({ input: attributes, around, count })
    },
    onClose(closed) {
      if (closed === 'form') around = undefined
    },
  })
  sawElements(
    page,
    `input[name=${name}]`,
    found.map(({ count }) => count),
  )
  const formOf = (input: Attributes, outer: Attributes | undefined): Attributes | undefined =>
    input.has('form') ? forms.find((form) => form.get('id') === input.get('form')) : outer
  return {
    inputs: found.map(({ input, around: outer }) => ({ value: input.get('value'), form: formOf(input, outer) })),
    base: base ?? '',
  }
}
