import webPush from 'web-push'
import type { Context } from '../context.ts'
import type { Message } from './message.ts'
import { post } from './post.ts'
import type { Posted } from './post.ts'
import { pushKeys } from './push-keys.ts'
import { openPlace } from './sealed.ts'

/** A browser's word about where it is pushed to, and for whose eyes (RFC 8030, 8291). */
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

/** One try: sealed for the device, so that whoever passes it on reads nothing, and signed as ours. Throws only what `signal` was aborted with. */
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

/** Whom makers of browsers may write to about our pushes (RFC 8292): an address of the web, or else of mail. */
function subjectOf(publicUrl: string): string {
  const { protocol, hostname } = new URL(publicUrl)
  return protocol === 'https:'
    ? publicUrl
    : `mailto:operator@${hostname.includes('.') ? hostname : 'localhost.localdomain'}`
}
