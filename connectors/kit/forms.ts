import { formAction } from './base-url.ts'
import { openedPage } from './document.ts'
import type { Page } from './page.ts'
import { only } from './html.ts'
import { sawSelected } from './watching.ts'

type Attributes = Readonly<Record<string, string>>

interface HiddenInput {
  readonly value: string | undefined
  /** The owning form; undefined if there is none. */
  readonly form: Attributes | undefined
}

/**
 * Value of the hidden input with this name in the form that posts to the request's path, or in the
 * whole page if there is no such form. Throws `UnknownShape` if values differ.
 */
export function inputOfAction(
  page: string,
  name: string,
  request: { readonly page: URL; readonly action: URL },
): string {
  const opened = openedPage(page)
  const inputs = hiddenInputs(opened, name)
  const base = opened.ask('base')
  const goesThere = ({ form }: HiddenInput): boolean => {
    const target = formAction(form?.['action'] ?? '', base, request.page)
    return form !== undefined && target?.origin === request.action.origin && target.pathname === request.action.pathname
  }
  const own = inputs.filter(goesThere)
  return only(values(own.length > 0 ? own : inputs), `hidden input "${name}"`)
}

/** Value of the hidden input with this name in the form with these attributes. */
export function inputOfForm(page: string, name: string, wanted: Readonly<Record<string, string>>): string {
  const fits = ({ form }: HiddenInput): boolean =>
    form !== undefined && Object.entries(wanted).every(([key, value]) => has(form, key, value))
  return only(values(hiddenInputs(openedPage(page), name).filter(fits)), `hidden input "${name}"`)
}

const values = (inputs: readonly HiddenInput[]) => inputs.map(({ value }) => value)

function has(form: Attributes, key: string, value: string): boolean {
  const given = form[key]
  return given === value || (key === 'class' && given?.split(/\s+/).includes(value) === true)
}

/** The page's hidden inputs with this name, each with its owning form. */
function hiddenInputs(page: Page, name: string): readonly HiddenInput[] {
  const own = page.ask('hidden', name)
  sawSelected(page, `input[name=${name}]`, own)
  return own.map((input) => {
    const form = page.ask('owner', input)
    return {
      value: page.ask('attributes', input)?.['value'],
      form: form === null ? undefined : (page.ask('attributes', form) ?? undefined),
    }
  })
}
