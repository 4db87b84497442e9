import type { SetValue } from '../../../connectors/kit/whole-form.ts'
import { UnknownShape } from '../../../connectors/kit/wire.ts'
import { isChoice } from '../../../connectors/runtime/forms/controls.ts'
import type { Control } from '../../../connectors/runtime/forms/controls.ts'
import { filledForm, settings } from '../../../connectors/runtime/forms/filled-form.ts'
import { pageForm } from '../../../connectors/runtime/forms/page-form.ts'
import { chance } from './pages.ts'

/** A form of a page, and what is done to it. */
export interface Change {
  readonly source: string
  readonly selector: string
  readonly set: readonly [name: string, values: readonly string[]] | null
  readonly button: string | null
}

const nothingFresh = { filled: new Set<string>(), suggested: new Set<string>() }
const formOf = (source: string, address: string, selector: string, button: string | null = null) =>
  pageForm(
    { url: new URL(address), text: source, type: 'text/html; charset=utf-8' },
    { selector, ...(button !== null && { submit: { name: button } }) },
  )

/** Each form as it stands, with each of three of its fields changed, and with a button pressed. */
export function changes(sources: readonly string[], address: string): readonly Change[] {
  const below = chance(34)
  return sources.flatMap((source) =>
    ['form#f', 'form#g', 'form#h'].flatMap((selector) => {
      const controls = unlessOther(() => formOf(source, address, selector).controls)
      if (controls === undefined) return []
      const groups = [...Map.groupBy(controls, ({ name }) => name)]
      const settable = groups.filter(([name, own]) => name !== '_charset_' && own.every(({ kind }) => kind !== 'file'))
      const first = below(settable.length + 1)
      const chosen = [...settable.slice(first), ...settable.slice(0, first)].slice(0, 3)
      const sets = chosen.flatMap(([name, own]) => valuesFor(name, own, below).map((values) => [name, values] as const))
      const plain = { source, selector, set: null, button: null }
      const button = below(2) === 0 ? 'u' : 'v'
      return [plain, ...sets.map((set) => ({ ...plain, set })), { ...plain, button }]
    }),
  )
}

/** What is no form, or one of several, is refused: see the tests of forms. */
function unlessOther<T>(make: () => T): T | undefined {
  try {
    return make()
  } catch (error) {
    if (error instanceof UnknownShape && /^(?:no|more than one|what is found as) /.test(error.message)) return undefined
    throw error
  }
}

const fitting: Readonly<Record<string, string>> = {
  ...{ nu: '2', em: 'q@r.example', ra: '3', co: '#010203', mo: '2026-01', dt: '2026-01-02', ti: '01:02' },
  ...{ we: '2026-W01', dl: '2026-01-02T03:04' },
}

function valuesFor(name: string, own: readonly Control[], below: (most: number) => number): readonly string[][] {
  const choices = own.filter(isChoice)
  if (choices.length === 0) {
    const text = fitting[name] ?? (/^(?:t|w|h)$/.test(name) ? 'new\n\u05D0' : 'new')
    return [own.map((_, at) => (name in fitting ? text : text + at))]
  }
  if (choices[0]?.kind === 'list') return [choices.map(({ offers }) => offers.at(-1)?.value ?? '')]
  const offers = choices.flatMap((one) => one.offers)
  return [[offers[below(offers.length)]?.value ?? '']]
}

/** In the words of what Chromium is asked; no entries: it has no such button. */
export function ownEntries({ source, selector, set, button }: Change, address: string): unknown {
  const form = unlessOther(() => formOf(source, address, selector, button))
  if (form === undefined) return { action: formOf(source, address, selector).action.href, entries: null }
  const given: Readonly<Record<string, SetValue>> = set === null ? {} : { [set[0]]: set[1] }
  const { entries } = filledForm(form.controls, settings(form.controls, given), nothingFresh, () => null)
  return { action: form.action.href, entries }
}
