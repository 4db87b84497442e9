import { CallgateError } from '../../schemas/errors.ts'
import type { Http } from '../http/api.ts'
import { readJsonBytes } from '../http/body.ts'
import { checkJson, parseJson } from '../http/json.ts'

/** Each message of a batch may have an answer of its own. */
const largestBatch = 10
/** `params.arguments.input` within a batch: so many levels are not the caller's own. */
const envelopeDepth = 4

/** What is no message of the protocol. `code`: of JSON-RPC. */
export class BadMessage extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.name = 'BadMessage'
    this.code = code
  }
}

/** The message, or batch of messages, and how many of them there are. Throws BadMessage, payload_too_large or unsupported_media_type. */
export async function readMessages(http: Http): Promise<{ readonly body: unknown; readonly count: number }> {
  const body = await readJson(http)
  if (!Array.isArray(body)) return { body, count: 1 }
  if (body.length > largestBatch) {
    const problem = `A batch may have ${largestBatch} messages at most; this one has ${body.length}, and nothing was done.`
    throw new BadMessage(-32_600, `${problem} Send them in several batches.`)
  }
  return { body, count: Math.max(1, body.length) }
}

async function readJson(http: Http): Promise<unknown> {
  const bytes = await readJsonBytes(http)
  if (bytes.length === 0) throw new BadMessage(-32_700, 'The body is empty. Send one JSON-RPC message.')
  const body = faulty(-32_700, () => parseJson(bytes))
  faulty(-32_600, () => checkJson(body, 1 - envelopeDepth))
  return body
}

function faulty<T>(code: number, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof CallgateError ? new BadMessage(code, error.message) : error
  }
}

/** A fault of the protocol, in its own form. */
export function replyFault(http: Http, status: number, code: number, message: string): void {
  http.status = status
  http.body = { jsonrpc: '2.0', id: null, error: { code, message } }
}
