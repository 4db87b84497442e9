import type { AppCaller, Row } from './app-caller.ts'

/** Of the demo user's account, all running every day. */
export const walk = { product_id: '1100001', option_id: '2100001' }
export const circle = { product_id: '1100002', option_id: '2100004' }
export const lights = { product_id: '1100003', option_id: '2100005' }

/** A form that somebody without a session sends; answers where it leads. */
async function submitted(app: AppCaller, path: string, fields: Record<string, string>): Promise<string> {
  const body = new URLSearchParams(fields)
  const url = `${app.sandbox.url}/tour-supplier${path}`
  const response = await fetch(url, { method: 'POST', redirect: 'manual', body })
  if (response.status !== 303) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return new URL(response.headers.get('location') ?? '', url).pathname.replace('/tour-supplier', '')
}

/** A guest books the walk in Alfama and is led to a page of their own. */
export function books(app: AppCaller, date: string, more: Record<string, string> = {}): Promise<string> {
  const order = { variant: walk.option_id, day: date.replaceAll('-', ''), start: '0900', adults: '1' }
  const fields = { ...order, guest: 'Meanwhile', mail: 'm@mail.example', ...more }
  return submitted(app, `/tours/${walk.product_id}/book`, fields)
}

export async function cancels(app: AppCaller, trip: string): Promise<void> {
  await submitted(app, `${trip}/cancel`, {})
}

export async function writes(app: AppCaller, trip: string, words: string): Promise<void> {
  await submitted(app, `${trip}/words`, { words })
}

export async function rates(app: AppCaller, trip: string, stars: number, words: string): Promise<void> {
  await submitted(app, `${trip}/rate`, { stars: String(stars), words })
}

/** The page that the guest of a booking has, as the demo user's pages link to it. */
export async function tripOf(app: AppCaller, booking: Row | undefined): Promise<string> {
  const account = (await app.sandbox.accounts('tour-supplier')).find(({ user }) => user === 'demo')
  const cookie = account?.session.cookies.map(({ name, value }) => `${name}=${value}`).join('; ') ?? ''
  const page = `${app.sandbox.url}/tour-supplier/extranet/orders/${String(booking?.['booking_reference'])}`
  const found = /\/trip\/\w+/.exec(await (await fetch(page, { headers: { cookie } })).text())
  if (!found) throw new Error(`no link to the guest's page on ${page}`)
  return found[0]
}
