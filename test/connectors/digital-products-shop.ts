import { expect } from 'vitest'
import { AppCaller } from './app-caller.ts'
import type { Row } from './app-caller.ts'

const slug = 'digital-products'

export const openShop = (): Promise<AppCaller> => AppCaller.open(slug)

/** What the app itself tells the account of this user, as JSON. */
export async function told(shop: AppCaller, path: string, user = 'demo'): Promise<Row> {
  const response = await fetch(`${shop.sandbox.url}/${slug}/${path}`, { headers: await signedIn(shop, user) })
  return (await response.json()) as Row
}

export async function signedIn(shop: AppCaller, user = 'demo'): Promise<{ cookie: string }> {
  const account = (await shop.sandbox.accounts(slug)).find((one) => one.user === user)
  return { cookie: account?.session.cookies.map(({ name, value }) => `${name}=${value}`).join('; ') ?? '' }
}

/** A form that somebody without a session sends. */
function submitted(url: string, fields: Record<string, string>): Promise<Response> {
  return fetch(url, { method: 'POST', redirect: 'manual', body: new URLSearchParams(fields) })
}

/** Somebody buys a product at its address; answers the status and the new order's id. */
export async function buys(url: unknown, mail: string, more: Record<string, string> = {}) {
  const response = await submitted(String(url), { mail, copies: '1', ...more })
  const order_id = new URL(response.headers.get('location') ?? '', String(url)).searchParams.get('sale')
  return { status: response.status, order_id }
}

/** The same where it must work. */
export async function bought(url: unknown, mail: string, more: Record<string, string> = {}): Promise<string> {
  const { status, order_id } = await buys(url, mail, more)
  expect(status).toBe(303)
  return String(order_id)
}

/** The letters about an order, newest first. */
export async function lettersOf(shop: AppCaller, order_id: string): Promise<Row[]> {
  return (await told(shop, `my/letters?sale_no=${order_id}`))['letters'] as Row[]
}

/** A buyer downloads a product of an order once, by the link in the receipt. */
export async function downloads(shop: AppCaller, order_id: string, product_id: unknown): Promise<void> {
  const link = /\/digital-products\/get\/\S+/.exec(String((await lettersOf(shop, order_id))[0]?.['words']))?.[0] ?? ''
  const response = await submitted(shop.sandbox.url + link, { ware_no: String(product_id) })
  expect(response.status).toBe(303)
}

/** How often each file of an order can still be downloaded. */
export async function creditsOf(shop: AppCaller, order_id: string): Promise<unknown[]> {
  const sale = (await told(shop, `my/sales/${order_id}`))['sale'] as Row
  return (sale['lines'] as Row[]).map(({ fetches_left }) => fetches_left)
}

export const effects = async (shop: AppCaller, action: string): Promise<number> =>
  (await shop.control.effects()).filter((effect) => effect.action === action).length

/** Hundredths, so that sums are exact. */
export const cents = (amount: unknown): number => Math.round(Number(amount) * 100)

export const total = (amounts: readonly unknown[]): number => amounts.reduce<number>((sum, one) => sum + cents(one), 0)
