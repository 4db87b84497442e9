import { type AppPerson } from './open-app.ts'

export type Thing = Record<string, unknown>

export interface Sale extends Thing {
  sale_no: string
  buyer_mail: string
  sold: string
  state: string
  lines: { ware_no: string; label: string; copies: number; line_cents: number; fetches_left: number | null }[]
}

/** One thing that a read answers under a name. */
export const named = async <T = Thing[]>(person: AppPerson, path: string, name: string): Promise<T> =>
  (await person.read<Record<string, T>>(path))[name] as T

/** Somebody without a session buys a ware by the form of its page. */
export async function buys(person: AppPerson, link: string, fields: Record<string, string>): Promise<Response> {
  const address = `${person.base}/w/${link.split('/').at(-1)}`
  return fetch(address, { method: 'POST', redirect: 'manual', body: new URLSearchParams(fields) })
}
