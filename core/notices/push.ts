import webPush from 'web-push'
import type { Context } from '../context.ts'
import type { Message } from './message.ts'
import { post } from './post.ts'
import type { Posted } from './post.ts'
import { pushKeys } from './push-keys.ts'
import { openPlace } from './sealed.ts'

/** A browser's push subscription: endpoint and encryption keys (RFC 8030, 8291). */
export interface Subscription {
  readonly endpoint: string
  /** Base64url. */
  readonly p256dh: string
  readonly auth: string
}

interface Target {
  readonly target: string
  readonly secret: Buffer | null
}

/** One attempt, end-to-end encrypted and VAPID-signed. Throws only the abort reason of `signal`. */
export async function push(
  ctx: Context,
  { target, secret }: Target,
  message: Message,
  signal: AbortSignal,
): Promise<Posted> {
  if (secret === null) return { delivered: false, result: 'gone' }
  const { endpoint, p256dh, auth } = openPlace(ctx, target, secret) as Subscription
  const { publicKey, privateKey } = await pushKeys(ctx)
  const { title, body, path, tag, urgent, seconds } = message
  const request = webPush.generateRequestDetails(
    { endpoint, keys: { p256dh, auth } },
    JSON.stringify({ title, body, path, tag }),
    {
      TTL: seconds,
      urgency: urgent ? 'high' : 'normal',
      contentEncoding: 'aes128gcm',
      vapidDetails: { subject: subjectOf(ctx.config.publicUrl), publicKey, privateKey },
    },
  )
  const headers = Object.fromEntries(new Headers(request.headers))
  return post(endpoint, { body: request.body ?? '', headers }, ctx.config.webhookAllow, signal)
}

/** Contact of the sender for push services (RFC 8292): an https URL, or else a mail address. */
function subjectOf(publicUrl: string): string {
  const { protocol, hostname } = new URL(publicUrl)
  return protocol === 'https:'
    ? publicUrl
    : `mailto:operator@${hostname.includes('.') ? hostname : 'localhost.localdomain'}`
}
