import { type AppPerson } from './open-app.ts'

export type Item = Record<string, unknown>
export const rest = '/extranet/rest'

/** A form of somebody without a session; answers where it leads. */
export async function guest(me: AppPerson, path: string, fields: Record<string, string> = {}): Promise<string> {
  const body = new URLSearchParams(fields)
  const response = await fetch(`${me.base}${path}`, { method: 'POST', redirect: 'manual', body })
  if (response.status !== 303) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return (response.headers.get('location') ?? '').replace('/tour-supplier', '')
}

/** `20261231`, so many days from today, UTC. */
export const day = (offset: number): string =>
  new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '')

/** Walking Tour of Alfama & Mouraria, small group: three departures every day. */
async function walk(me: AppPerson): Promise<{ activity: string; variant: string }> {
  const { items } = await me.read<{ items: { activityId: string; variants: { variantId: string }[] }[] }>(
    `${rest}/activities`,
  )
  return { activity: items[0]?.activityId ?? '', variant: items[0]?.variants[0]?.variantId ?? '' }
}

/** A guest books that walk; answers the path of the guest's page. */
export async function book(me: AppPerson, on: string, fields: Record<string, string> = {}): Promise<string> {
  const { activity, variant } = await walk(me)
  const what = { variant, day: on, start: '0900', adults: '1', guest: 'Meanwhile', mail: 'm@mail.example' }
  return guest(me, `/tours/${activity}/book`, { ...what, ...fields })
}

/** The path of the guest's page of an order. */
export async function tripOf(me: AppPerson, orderNo: unknown): Promise<string> {
  const page = await (await me.get(`/extranet/orders/${String(orderNo)}`)).text()
  return /\/trip\/\w+/.exec(page)?.[0] ?? ''
}
