import type { Context } from '../context.ts'
import type { Message } from './message.ts'
import { post } from './post.ts'
import type { Posted } from './post.ts'
import { openPlace } from './sealed.ts'

/** A topic of an ntfy server, https://ntfy.sh/my-topic, and an access token if it wants one. */
export interface Topic {
  readonly url: string
  readonly token: string | null
}

/** One try. Throws only what `signal` was aborted with. Source: https://docs.ntfy.sh/publish/#publish-as-json */
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

/** The last step of its address; undefined: it names no topic. */
export function topicOf(url: string): string | undefined {
  return /^[\w-]{1,64}$/.exec(new URL(url).pathname.split('/').at(-1) ?? '')?.[0]
}
