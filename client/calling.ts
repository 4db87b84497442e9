import { readFileSync } from 'node:fs'
import { Usage } from './answer.ts'
import type { Answer } from './answer.ts'
import type { Callgate, EndpointId } from './callgate.ts'
import type { CallRecord } from './records.ts'
import { endpointOf } from './discovery.ts'
import { CallEndedError, CallgateError } from './errors.ts'

/** Exit code of calls that are not final. */
const waits = 3

interface CallingOptions {
  readonly file?: string | undefined
  readonly account?: string | undefined
  readonly key?: string | undefined
  readonly reason?: string | undefined
  readonly metadata?: string | undefined
  readonly wait?: boolean | undefined
}

/** `callgate call`: makes a call and, with `--wait`, waits until it is final. */
export async function call(
  client: Callgate,
  [id, given, ...more]: readonly string[],
  options: CallingOptions,
): Promise<Answer> {
  endpointOf(id)
  if (more.length > 0) throw new Usage('The input is one argument: put it in quotes, as \'{"limit":3}\'.')
  const { account, key, reason, metadata, wait = false } = options
  // No check here: the gateway validates the input against the endpoint's schema.
  const made = await client.call(id as EndpointId, inputOf(given, options.file) as never, {
    ...(account !== undefined && { account }),
    ...(key !== undefined && { idempotencyKey: key }),
    ...(reason !== undefined && { reason }),
    ...(metadata !== undefined && { metadata: metadataOf(metadata) }),
  })
  if (made.status === 'executed') return { value: made.output }
  const { status, callId } = made
  if (status === 'awaiting_confirmation') {
    process.stderr.write(`Nothing has been sent yet. Approve it here: ${made.confirmUrl}\n`)
    if (!wait) return { value: { status, call_id: callId, confirm_url: made.confirmUrl }, code: waits }
  } else if (status !== 'running') return ended(await client.getCall(callId))
  else if (!wait) return { value: { status, call_id: callId }, code: waits }
  return ended(await client.waitForEnd(callId))
}

function metadataOf(text: string): Readonly<Record<string, string>> {
  try {
    return JSON.parse(text) as Readonly<Record<string, string>>
  } catch (error) {
    throw new Usage(`--metadata is not JSON: ${error instanceof Error ? error.message : ''}`)
  }
}

function inputOf(given: string | undefined, file: string | undefined): unknown {
  if (given !== undefined && file !== undefined)
    throw new Usage('Give the input as an argument or as --file, not both.')
  const text = file !== undefined ? readFile(file) : given === '-' ? readFileSync(0, 'utf8') : (given ?? '{}')
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Usage(`The input is not JSON: ${error instanceof Error ? error.message : ''}`)
  }
}

function readFile(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new Usage(`The input cannot be read: ${error instanceof Error ? error.message : ''}`)
  }
}

/** `callgate wait`: the call's final record with --json, otherwise its output. */
export async function wait(client: Callgate, id: string | undefined): Promise<Answer> {
  const record = await client.waitForEnd(callId(id))
  return { value: record, text: JSON.stringify(ended(record).value, null, 2) }
}

/** `callgate cancel`: returns once the call is cancelled. */
export async function cancel(client: Callgate, id: string | undefined): Promise<Answer> {
  const record = await client.cancel(callId(id))
  return { value: record, text: `${record.call_id} was cancelled; nothing was sent.` }
}

/** `callgate calls`: one page of calls, with the cursor of the next. */
export async function calls(
  client: Callgate,
  filter: Readonly<Record<'status' | 'app' | 'limit' | 'cursor', string | undefined>>,
): Promise<Answer> {
  const given = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined))
  const page = await client.listCalls(given)
  const lines = page.calls.map(
    (one) => `${one.call_id}  ${one.status.padEnd(22)}${one.app}.${one.endpoint}  ${one.created_at}`,
  )
  const more = page.next_cursor === null ? [] : [`more: --cursor ${page.next_cursor}`]
  return { value: page, text: lines.length === 0 ? 'No calls.' : [...lines, ...more].join('\n') }
}

/** The output, or the record of an open call. Throws the error that a call ended with. */
function ended(record: CallRecord): Answer {
  const { status, call_id: id, error } = record
  if (status === 'executed') return { value: record.output }
  if (status === 'awaiting_confirmation' || status === 'running') return { value: record, code: waits }
  if (status === 'failed') throw new CallgateError(error?.http_status ?? 500, error ?? {})
  throw new CallEndedError(id, status, record)
}

function callId(id: string | undefined): string {
  if (id === undefined) throw new Usage('Say which call: its id begins with call_.')
  return id
}
