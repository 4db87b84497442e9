import { ProtocolError } from '@modelcontextprotocol/server'
import type { CallToolResult } from '@modelcontextprotocol/server'
import { basePath } from '../../core/http/api.ts'
import { CallgateError } from '../../schemas/errors.ts'
import { callIdOf, errorResult } from './results.ts'
import type { Session, ToolResult } from './tool.ts'

const mebibyte = 1024 * 1024
/** Size of one HTTP response, with all messages of a batch. */
const largest = 2 * mebibyte
/** Size of a message besides its result, and of an error in its place. */
const envelope = 4 * 1024
const tooLarge = 'The answer would be larger than 2 MiB, so it is left out as a whole.'

/** Room left in an HTTP response: what does not fit becomes an error that says what to do. */
export class Room {
  readonly #session: Session
  #left = largest

  constructor(session: Session) {
    this.#session = session
  }

  /** For a list of the protocol. Throws a ProtocolError. */
  list<T extends object>(result: T): T {
    if (this.#takes(result)) return result
    throw new ProtocolError(
      -32_000,
      `${tooLarge} Use /mcp, where a few tools reach all apps, or name fewer in ?apps=. In a batch: send this message alone.`,
    )
  }

  /** For a tool's result. Its call was made, whatever happens to the answer. */
  result<T extends ToolResult>(result: T): T | CallToolResult {
    if (this.#takes(result)) return result
    const { _meta } = result
    const callId = callIdOf(result)
    const known = callId !== undefined
    const made = known ? ` The call is there: GET ${basePath}/calls/${callId} over HTTP has all of it.` : ''
    const message = `${tooLarge} Ask for less: a smaller limit, then next_cursor.${made} In a batch: send this message alone.`
    const error = new CallgateError('payload_too_large', { message, fields: known ? { call_id: callId } : {} })
    return { ...errorResult(this.#session, error), ...(_meta && { _meta }) }
  }

  #takes(result: object): boolean {
    const size = Buffer.byteLength(JSON.stringify(result)) + envelope
    const fits = size <= this.#left
    this.#left -= fits ? size : envelope
    return fits
  }
}
