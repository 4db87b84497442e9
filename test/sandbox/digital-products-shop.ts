import { digitalProducts } from '../../sandbox/digital-products/app.ts'
import { openApp, type AppPerson, type OpenApp } from './open-app.ts'

export type Thing = Record<string, unknown>

export interface Sale extends Thing {
  sale_no: string
  buyer_mail: string
  sold: string
  state: string
  lines: { ware_no: string; label: string; copies: number; line_cents: number; fetches_left: number | null }[]
}

export const openKramora = (): Promise<OpenApp> =>
  openApp(digitalProducts, async (person) => (await person.read<{ stamp: string }>('/my/shop')).stamp)

/** One thing that a read answers under a name. */
export const named = async <T = Thing[]>(person: AppPerson, path: string, name: string): Promise<T> =>
  (await person.read<Record<string, T>>(path))[name] as T

/** A paged list to its end; `meanwhile` happens after the first page. */
export async function toEnd<T = Thing>(
  person: AppPerson,
  path: string,
  per = 100,
  meanwhile?: () => Promise<unknown>,
): Promise<T[]> {
  const name = path.replace(/^\/my\/|\?.*/g, '')
  const at = `${path}${path.includes('?') ? '&' : '?'}per=${per}`
  const rows: T[] = []
  for (let pageKey: string | null = ''; pageKey !== null;) {
    const page: Thing = await person.read(pageKey === '' ? at : `${at}&pageKey=${encodeURIComponent(pageKey)}`)
    if (pageKey === '') await meanwhile?.()
    rows.push(...(page[name] as T[]))
    pageKey = page['pageKey'] as string | null
  }
  return rows
}

/** Somebody without a session buys a ware by the form of its page. */
export async function buys(person: AppPerson, link: string, fields: Record<string, string>): Promise<Response> {
  const address = `${person.base}/w/${link.split('/').at(-1)}`
  return fetch(address, { method: 'POST', redirect: 'manual', body: new URLSearchParams(fields) })
}
