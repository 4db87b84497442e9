import { Webhook } from 'standardwebhooks'
import type { Context } from '../context.ts'
import { unwrapDataKey } from '../secrets/crypto.ts'
import { confirmUrl } from '../calls/record.ts'
import type { NoticeRow } from './rows.ts'

/** A secret as programs get it, once. */
export function shownSecret(secret: Buffer): string {
  return `whsec_${secret.toString('base64')}`
}

/** What a webhook says, the same at every try. Never what a call says or answers. */
export function eventBody(notice: NoticeRow, publicUrl: string): string {
  const { kind, call_id: callId, app, endpoint, status, created_at: at } = notice
  const data = callId !== null && {
    call_id: callId,
    app,
    endpoint,
    status,
    ...(kind === 'call.waiting' && { confirm_url: confirmUrl(publicUrl, callId) }),
    url: `${publicUrl}/api/v1/calls/${callId}`,
  }
  return JSON.stringify({ type: kind, timestamp: at.toISOString(), data: data === false ? {} : data })
}

/** Headers of one try, as Standard Webhooks has them: while a secret is being replaced, both sign. */
export function eventHeaders(
  ctx: Pick<Context, 'secrets'>,
  notice: NoticeRow,
  body: string,
  now = new Date(),
): Record<string, string> {
  const secrets = [notice.secret, notice.old_secret].filter((secret) => secret !== null)
  const signatures = secrets.map((sealed) =>
    new Webhook(shownSecret(unwrapDataKey(ctx.secrets, notice.target, sealed))).sign(notice.id, now, body),
  )
  return {
    'content-type': 'application/json',
    'user-agent': 'Callgate',
    'webhook-id': notice.id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': signatures.join(' '),
  }
}
