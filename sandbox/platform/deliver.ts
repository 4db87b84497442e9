import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from './faults.ts'
import type { Reply } from './types.ts'

function write(response: ServerResponse, reply: Reply): void {
  response.writeHead(reply.status, { ...reply.headers, 'content-length': Buffer.byteLength(reply.body) })
  response.end(reply.body)
}

const nonsense = '<!doctype html>\n<html><body><p>We will be right back.</p></body></html>\n'

/** Sends the same paragraphs for as long as the client reads: each chunk is over the high-water mark, so `drain` follows. */
function endless(response: ServerResponse): void {
  const chunk = '<p>and so on</p>\n'.repeat(4096)
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
  const more = (): void => {
    if (!response.destroyed) response.write(chunk)
  }
  response.on('drain', () => setImmediate(more))
  more()
}

/** Answers, or fails to answer, as the armed fault says. */
export async function deliver(
  response: ServerResponse,
  reply: Reply,
  fault: Fault | undefined,
  stopped: AbortSignal,
): Promise<void> {
  const kind = fault?.kind
  if (kind === 'drop_before' || kind === 'drop_after') {
    response.socket?.destroy()
  } else if (kind === 'garbage') {
    write(response, { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: nonsense })
  } else if (kind === 'huge') {
    endless(response)
  } else {
    if (kind === 'slow') await sleep(fault?.ms, undefined, { signal: stopped }).catch(() => response.destroy())
    if (!response.destroyed) write(response, reply)
  }
}
