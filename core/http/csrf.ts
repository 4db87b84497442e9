import type Koa from 'koa'
import type { Context } from '../context.ts'
import { derivedKey, keyedHash } from '../secrets/crypto.ts'

/** Whether the request comes from a page of exactly this origin, or from no page. */
export function isOwn(koa: Koa.Context, publicUrl: string): boolean {
  const site = koa.get('Sec-Fetch-Site')
  const origin = koa.get('Origin')
  return site === ''
    ? origin === '' || origin === new URL(publicUrl).origin || URL.parse(origin)?.host === koa.get('Host')
    : site === 'same-origin' || site === 'none'
}

/** CSRF token (form field `csrf`), derived from a secret that only this browser holds. */
export function formToken(
  { secrets }: Pick<Context, 'secrets'>,
  purpose: 'session' | 'login' | 'operator',
  about: Buffer | string,
): string {
  const pepper = new Map([['csrf', derivedKey(secrets, 'csrf')]])
  return keyedHash({ pepper }, purpose, about).toString('base64url')
}
