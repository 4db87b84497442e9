import { createHmac, randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { Usage } from './answer.ts'
import type { Answer } from './answer.ts'
import type { Callgate } from './callgate.ts'
import { CallgateError } from './errors.ts'
import type { CallRecord } from './records.ts'

/** Polling interval in ms: half of the key's rate limit for `/calls`. */
const everyMs = 1_000
const longestDeliveryMs = 15_000

interface Listening {
  readonly client: Callgate
  /** Ends in `/api/v1`. */
  readonly url: string
  /** Port, `localhost:8000/hooks` or a URL. */
  readonly to: string | undefined
  readonly signal?: AbortSignal
  readonly say?: (line: string) => void
}

/**
 * `callgate listen`: posts the webhook events of this key's calls to a local server, signed as
 * webhooks are. Starts with events from now on and runs until it is interrupted.
 */
export async function listen({ client, url, to, signal, say = told }: Listening): Promise<Answer> {
  const target = targetOf(to)
  const secret = randomBytes(32)
  say(`Forwarding to ${target.href}\nWEBHOOK_SECRET=whsec_${secret.toString('base64')}`)
  const open = new Map<string, string>()
  let newest = ''
  const isOver = (): boolean => signal?.aborted === true
  for (let isFirst = true; !isOver(); isFirst = false) {
    const records = await changesOf(client, open, newest).catch((error: unknown) => {
      // Outages and rate limits are retried.
      if (
        isFirst ||
        !(error instanceof CallgateError) ||
        (error.status < 500 && error.status !== 429 && error.status !== 0)
      )
        throw error
      return []
    })
    for (const record of records) {
      if (record.call_id > newest) newest = record.call_id
      const state = stateOf(record)
      const before = open.get(record.call_id)
      if (isOpen(record)) open.set(record.call_id, state)
      else open.delete(record.call_id)
      const type = isOpen(record) ? 'call.waiting' : 'call.final'
      if (!isFirst && before !== state && record.status !== 'running')
        say(await deliver(target, secret, { type, record, url }))
    }
    await pause(everyMs)
  }
  return { value: null, text: '' }
}

/** New calls, oldest first, and the current records of open ones. */
async function changesOf(client: Callgate, open: ReadonlyMap<string, string>, newest: string): Promise<CallRecord[]> {
  const { calls } = await client.listCalls({ limit: 100 })
  const listed = calls.filter(({ call_id: id }) => id > newest || open.has(id)).toReversed()
  const older = [...open.keys()].filter((id) => !calls.some(({ call_id }) => call_id === id)).slice(0, 20)
  return [...(await Promise.all(older.map((id) => client.getCall(id)))), ...listed]
}

const isOpen = ({ status }: CallRecord): boolean => status === 'awaiting_confirmation' || status === 'running'
const stateOf = ({ status, asked_again: again = 0 }: CallRecord): string => `${status} ${again}`

interface Event {
  readonly type: 'call.waiting' | 'call.final'
  readonly record: CallRecord
  readonly url: string
}

/** One delivery, in the shape and with the signature of a webhook; returns a line about it. */
async function deliver(target: URL, secret: Buffer, { type, record, url }: Event): Promise<string> {
  const { call_id, app, endpoint, status, confirm_url, metadata } = record
  const data = {
    ...{ call_id, app, endpoint, status },
    ...(type === 'call.waiting' && { confirm_url }),
    url: `${url}/calls/${call_id}`,
    ...(metadata && { metadata }),
  }
  const body = JSON.stringify({ type, timestamp: new Date().toISOString(), data })
  const id = `ntc_${randomBytes(16).toString('hex')}`
  const timestamp = String(Math.floor(Date.now() / 1000))
  const signature = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')
  const headers = {
    'content-type': 'application/json',
    ...{ 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` },
  }
  const what = `${type} ${call_id} ${app}.${endpoint} ${status}`
  try {
    const signal = AbortSignal.timeout(longestDeliveryMs)
    const answer = await fetch(target, { method: 'POST', headers, body, redirect: 'manual', signal })
    await answer.body?.cancel()
    return `${what} → ${answer.status}`
  } catch {
    return `${what} → no answer from ${target.origin}`
  }
}

/** Local servers only: the events disclose who does what. */
function targetOf(to: string | undefined): URL {
  const text = to ?? ''
  const url = URL.parse(
    /^\d+$/.test(text) ? `http://127.0.0.1:${text}/` : text.includes('://') ? text : `http://${text}`,
  )
  const local = ['localhost', '127.0.0.1', '[::1]']
  if (url === null || url.protocol !== 'http:' || !local.includes(url.hostname))
    throw new Usage('Say where a program listens on this machine: callgate listen 8000, or localhost:8000/hooks.')
  return url
}

function told(line: string): void {
  process.stdout.write(`${line}\n`)
}
