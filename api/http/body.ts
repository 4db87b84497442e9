import type { IncomingMessage } from 'node:http'
import { CallgateError } from '../../schemas/errors.ts'
import type { Http } from '../../core/http/api.ts'
import { parseObject } from '../../core/http/json.ts'

const usualLimit = 1024 * 1024
/** Read and discarded beyond the limit: a client that is still sending would not see the answer. */
const drainLimit = 16 * usualLimit

/**
 * The body's JSON object; `{}` without a body. Throws payload_too_large, unsupported_media_type or
 * invalid_json.
 */
export async function readJsonBody(http: Http, limit = usualLimit): Promise<Record<string, unknown>> {
  return parseObject(await readJsonBytes(http, limit))
}

/** The body's bytes, declared as JSON. Throws payload_too_large or unsupported_media_type. */
export async function readJsonBytes(http: Http, limit = usualLimit): Promise<Buffer> {
  const bytes = await readBytes(http.req, limit)
  if (bytes.length > 0) checkMediaType(http)
  return bytes
}

function checkMediaType(http: Http): void {
  const [type, ...parameters] = http.get('Content-Type').toLowerCase().split(';')
  const charset = parameters
    .map((parameter) => /^charset\s*=\s*"?([^"\s]+)"?$/.exec(parameter.trim())?.[1])
    .find(Boolean)
  const encoding = http.get('Content-Encoding').toLowerCase()
  if (type?.trim() !== 'application/json') throw new CallgateError('unsupported_media_type')
  if (charset !== undefined && !/^utf-?8$/.test(charset))
    throw unsupported('Send the body in UTF-8, and name no other charset in Content-Type.')
  if (encoding !== '' && encoding !== 'identity')
    throw unsupported('Send the body as it is, without Content-Encoding: what is compressed is not taken.')
}

function unsupported(message: string): CallgateError {
  return new CallgateError('unsupported_media_type', { message })
}

async function readBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    // Leaving the loop must not destroy the request: its socket carries the answer.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size <= limit) chunks.push(chunk)
      else if (size > drainLimit) break
    }
  } catch (error) {
    throw new CallgateError('invalid_json', { message: 'The body ended before its end.', cause: error })
  }
  if (size > limit)
    throw new CallgateError('payload_too_large', { headers: size > drainLimit ? { Connection: 'close' } : {} })
  return Buffer.concat(chunks)
}
