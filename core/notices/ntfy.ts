import type { Context } from '../context.ts'
import type { Message } from './message.ts'
import { post } from './post.ts'
import type { Posted } from './post.ts'
import { openPlace } from './sealed.ts'

/** A topic of an ntfy server, https://ntfy.sh/my-topic, with its access token if needed. */
export interface Topic {
  readonly url: string
  readonly token: string | null
}

/** One attempt, https://docs.ntfy.sh/publish/#publish-as-json. Throws only on abort of `signal`. */
export async function tellNtfy(
  ctx: Context,
  { target, secret }: { readonly target: string; readonly secret: Buffer | null },
  message: Message,
  signal: AbortSignal,
): Promise<Posted> {
  if (secret === null) return { delivered: false, result: 'gone' }
  const { url, token } = openPlace(ctx, target, secret) as Topic
  const server = new URL('.', url).href
  const { title, body, path, urgent } = message
  return post(
    server,
    {
      body: JSON.stringify({
        topic: topicOf(url),
        title,
        message: body,
        click: `${ctx.config.publicUrl}${path}`,
        priority: urgent ? 4 : 3,
      }),
      headers: { 'content-type': 'application/json', ...(token !== null && { authorization: `Bearer ${token}` }) },
    },
    ctx.config.webhookAllow,
    signal,
  )
}

/** The last segment of its URL; undefined: no valid topic. */
export function topicOf(url: string): string | undefined {
  return /^[\w-]{1,64}$/.exec(new URL(url).pathname.split('/').at(-1) ?? '')?.[0]
}
