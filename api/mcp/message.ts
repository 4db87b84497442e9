import { CallgateError } from '../../schemas/errors.ts'
import type { Http } from '../../core/http/api.ts'
import { readJsonBytes } from '../http/body.ts'
import { isFields } from '../../connectors/kit/wire.ts'
import { checkJson, parseJson, refuseInexact } from '../../core/http/json.ts'
import { wrongParams } from './params.ts'

/** Each message of a batch may have its own answer. */
const largestBatch = 10
/** `params.arguments.input` within a batch: these levels of nesting are not the caller's. */
const envelopeDepth = 4

/** Not a message of the protocol. `code`: of JSON-RPC. */
export class BadMessage extends Error {
  readonly code: number
  /** Id of the message that is answered, if it could be read. */
  readonly id: string | number | null

  constructor(code: number, message: string, id: unknown = null) {
    super(message)
    this.name = 'BadMessage'
    this.code = code
    this.id = typeof id === 'string' || typeof id === 'number' ? id : null
  }

  get fault(): Fault {
    const { id, code, message } = this
    return { id, code, message }
  }
}

export interface Messages {
  readonly body: unknown
  readonly count: number
  /** By id of a tools/call: paths of arguments that no double can hold; its result refuses them. */
  readonly inexact: ReadonlyMap<unknown, readonly string[]>
}

/**
 * The message, or batch of messages, and their number. Throws BadMessage, payload_too_large or
 * unsupported_media_type.
 */
export async function readMessages(http: Http): Promise<Messages> {
  const { value: body, inexact: paths } = await readJson(http)
  const inexact = inexactArguments(body, paths)
  for (const message of [body].flat()) checkParams(message)
  if (!Array.isArray(body)) return { body, count: 1, inexact }
  if (body.length > largestBatch) {
    const problem = `A batch may have ${largestBatch} messages at most; this one has ${body.length}, and nothing was done.`
    throw new BadMessage(-32_600, `${problem} Send them in several batches.`)
  }
  return { body, count: Math.max(1, body.length), inexact }
}

async function readJson(http: Http): Promise<ReturnType<typeof parseJson>> {
  const bytes = await readJsonBytes(http)
  if (bytes.length === 0) throw new BadMessage(-32_700, 'The body is empty. Send one JSON-RPC message.')
  const parsed = faulty(-32_700, () => parseJson(bytes))
  faulty(-32_600, () => checkJson(parsed.value, 1 - envelopeDepth))
  return parsed
}

/** Refused in the tool's result, which models see; elsewhere in a message, by a protocol error. */
function inexactArguments(body: unknown, paths: readonly string[]): Messages['inexact'] {
  const found = paths.map((path) => {
    const [, place, argument] = /^(?:(\d+)\.)?params\.arguments\.(.+)$/s.exec(path) ?? []
    const message: unknown = Array.isArray(body) ? body[Number(place)] : body
    const id = isFields(message) && message['method'] === 'tools/call' ? message['id'] : undefined
    if (argument === undefined || id === undefined) faulty(-32_600, () => refuseInexact(paths))
    return { id, argument: argument ?? '' }
  })
  const byCall = Map.groupBy(found, ({ id }) => id)
  return new Map([...byCall].map(([id, of]) => [id, of.map(({ argument }) => argument)]))
}

/** Throws the specification's error for wrong parameters; the SDK reports an internal error. */
function checkParams(message: unknown): void {
  if (!isFields(message)) return
  const { id, method, params } = message
  if (typeof method !== 'string') return
  // A notification gets no answer; a message with an id of another type is not a request.
  if (typeof id !== 'string' && typeof id !== 'number') return
  // For revisions without a handshake, the SDK answers that there is no such method.
  const named = isFields(params) && isFields(params['_meta']) && versionKey in params['_meta']
  if (method === 'initialize' && named) return
  const problem = wrongParams(method, params)
  if (problem !== undefined) throw new BadMessage(-32_602, problem, id)
}

const versionKey = 'io.modelcontextprotocol/protocolVersion'

function faulty<T>(code: number, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof CallgateError ? new BadMessage(code, error.message) : error
  }
}

interface Fault extends Pick<BadMessage, 'code' | 'message'>, Partial<Pick<BadMessage, 'id'>> {
  readonly data?: Readonly<Record<string, unknown>>
}

/** A protocol error, in JSON-RPC's form. */
export function replyFault(http: Http, status: number, fault: Fault): void {
  http.status = status
  http.body = faultBody(fault)
}

export function faultBody({ id = null, ...error }: Fault): object {
  return { jsonrpc: '2.0', id, error }
}
