import { html, type Html, type Part } from '../platform/html.ts'
import { page } from '../platform/replies.ts'
import { table } from '../platform/shell.ts'
import type { Reply, SignedIn } from '../platform/types.ts'
import { clockIn, momentOf } from './clock.ts'
import { ownCompany } from './company.ts'
import { invalid } from './input.ts'
import { csrf, layout, root } from './layout.ts'
import type { Listed } from './paging.ts'

export const shown = ({ viewer }: SignedIn, title: string, body: Html): Reply =>
  page(
    layout({
      title,
      body: html`<h1 dir="auto">${title}</h1>
        ${body}`,
      viewer,
    }),
  )

/** `12.50 EUR` */
export function amount(request: SignedIn, minor: number): string {
  const { money, digits } = ownCompany(request)
  return `${(minor / 10 ** digits).toFixed(digits)} ${money}`
}

export const time = (request: SignedIn, at: number | null): string =>
  at === null ? '' : clockIn(ownCompany(request).zone, at)

export const link = (path: string, label: Part): Html => html`<a href="${root}${path}">${label}</a>`

/** A page of a list, with the way on to the next one. */
export function listPage<T>(
  request: SignedIn,
  { title, path, heads, above }: { title: string; path: string; heads: readonly string[]; above?: Html },
  listed: Listed<T>,
  cells: (row: T) => readonly Part[],
): Reply {
  const { page: at, per_page, total, snapshot, rows } = listed
  const next = new URLSearchParams(request.query)
  next.set('page', String(at + 1))
  if (snapshot !== null) next.set('snapshot', snapshot)
  const body = html`${above}
    <p class="small">${total} in all, page ${at}</p>
    ${table(heads, rows.map(cells))}
    ${at * per_page < total && html`<p>${link(`${path}?${next.toString()}`, 'Next page')}</p>`}`
  return shown(request, title, body)
}

/** The form's fields but the key; a field that is left empty is left out. */
export function given(form: URLSearchParams, ...skip: string[]): Record<string, string> {
  return Object.fromEntries(
    [...form].filter(([name, value]) => value !== '' && name !== csrf.field && !skip.includes(name)),
  )
}

/** What a `datetime-local` field says on the company's clocks. */
export function formMoment(request: SignedIn, name: string): number {
  const [, y, m, d, hour, minute] = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)$/.exec(request.form.get(name) ?? '') ?? []
  if (minute === undefined) throw invalid('TIME_INVALID', `${name} must be a date and a time.`, name)
  return momentOf(`${y}${m}${d}`, Number(hour) * 60 + Number(minute), ownCompany(request).zone)
}

/** Pairs of `entry` and `qty`, where a quantity is given. */
export function formLines(form: URLSearchParams): { entry: string; qty: number }[] {
  const amounts = form.getAll('qty')
  return form.getAll('entry').flatMap((entry, index) => {
    const qty = amounts[index] ?? ''
    return qty === '' ? [] : [{ entry, qty: Number(qty) }]
  })
}
