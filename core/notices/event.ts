import { Webhook } from 'standardwebhooks'
import type { Context } from '../context.ts'
import { unwrapDataKey } from '../secrets/crypto.ts'
import { confirmUrl } from '../calls/record.ts'
import type { NoticeRow } from './rows.ts'

/** A secret in the format for clients, shown once. */
export function shownSecret(secret: Buffer): string {
  return `whsec_${secret.toString('base64')}`
}

/** A webhook's body, the same in every attempt. Never has a call's input or output. */
export function eventBody(notice: NoticeRow, publicUrl: string): string {
  const { kind, call_id: callId, app, endpoint, status, metadata, created_at: at } = notice
  const data = callId !== null && {
    call_id: callId,
    app,
    endpoint,
    status,
    ...(kind === 'call.waiting' && { confirm_url: confirmUrl(publicUrl, callId) }),
    url: `${publicUrl}/api/v1/calls/${callId}`,
    ...(metadata && { metadata }),
  }
  return JSON.stringify({ type: kind, timestamp: at.toISOString(), data: data === false ? {} : data })
}

/** Headers of one attempt (Standard Webhooks). During a secret's rotation both secrets sign. */
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
