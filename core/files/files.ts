import { largestFiles } from '../../connectors/kit/files.ts'
import type { Endpoint } from '../../connectors/registry.ts'
import { fileAddresses, mostBytes } from '../../connectors/runtime/file-inputs.ts'
import type { CallFile, FileAddress } from '../../connectors/runtime/file-inputs.ts'
import type { Contents } from '../../connectors/runtime/message.ts'
import { caps } from '../calls/caps.ts'
import { invalidInput } from '../calls/invalid-input.ts'
import { openBytes, openPayload, placeOf, sealBytes, sealPayload } from '../calls/payload.ts'
import type { PayloadPlace } from '../calls/payload.ts'
import type { CallRow } from '../calls/rows.ts'
import type { Context } from '../context.ts'
import type { Db } from '../database/pool.ts'
import { codeOf } from '../error-labels.ts'
import { CallgateError } from '../../schemas/errors.ts'
import { NotFetched, fetchFile } from './fetch.ts'
import type { FetchedFile } from './fetch.ts'
import { withRoom } from './room.ts'

/** How long a call may wait for its files before it is accepted (ms). */
const longest = 10_000

type Row = Pick<CallRow, 'id' | 'owner' | 'account' | 'data_key'>
type RowWithFiles = Row & Pick<CallRow, 'files'>
type Input = Readonly<Record<string, unknown>>

/** The file URLs in a call's input. */
export function addressesIn({ definition }: Endpoint, input: Input): readonly FileAddress[] {
  return fileAddresses(definition.input, input)
}

/**
 * Fetches each file, concurrently. Throws invalid_input, which names failed ones, or rate_limited.
 */
export async function fetchFiles(
  { config }: Pick<Context, 'config'>,
  owner: string,
  addresses: readonly FileAddress[],
  /** Bytes of files that the call has already. */
  already = 0,
): Promise<readonly FetchedFile[]> {
  if (addresses.length === 0) return []
  const budget = { left: Math.min(mostBytes(addresses), largestFiles - already) }
  return withRoom(owner, budget.left, async () => {
    const limits = { budget, networks: config.fileAllow, signal: AbortSignal.timeout(longest) }
    const results = await Promise.allSettled(addresses.map((one) => fetchFile(one, limits)))
    const details = results.flatMap((result, at) => {
      if (result.status === 'fulfilled') return []
      const reason: unknown = result.reason
      if (!(reason instanceof NotFetched)) throw reason
      return [{ path: addresses[at]?.place ?? '', message: reason.message }]
    })
    if (details.length > 0) throw invalidInput(details)
    return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  })
}

/** A file as stored beside its call. */
export interface SealedFile {
  readonly place: string
  /** Sealed description (CallFile). */
  readonly about: Buffer
  /** Sealed bytes. */
  readonly content: Buffer
}

export function sealFile({ secrets }: Pick<Context, 'secrets'>, place: PayloadPlace, fetched: FetchedFile): SealedFile {
  const { file, bytes } = fetched
  return {
    place: file.place,
    about: sealPayload(secrets, place, 'file', file),
    content: sealBytes(secrets, place, file.sha256, bytes),
  }
}

/** The descriptions of a call's files, ordered by place. Throws when one cannot be opened. */
export function openFiles({ secrets }: Pick<Context, 'secrets'>, row: RowWithFiles): readonly CallFile[] {
  const files = (row.files ?? []).map((about) => openPayload(secrets, placeOf(row), 'file', about) as CallFile)
  return files.toSorted((one, other) => (one.place < other.place ? -1 : 1))
}

/** The sealed bytes of a call's files, by place; null: deleted. */
export async function sealedContents(
  { db }: Pick<Context, 'db'>,
  { id, files }: Pick<RowWithFiles, 'id' | 'files'>,
): Promise<ReadonlyMap<string, Buffer | null>> {
  if (files === null) return new Map()
  const { rows } = await db.query<{ place: string; content: Buffer | null }>(
    'SELECT place, content FROM call_files WHERE call_id = $1',
    [id],
  )
  return new Map(rows.map(({ place, content }) => [place, content]))
}

/** The bytes, by SHA-256. Throws if some are deleted or cannot be opened. */
export function openContents(
  { secrets }: Pick<Context, 'secrets'>,
  row: RowWithFiles,
  sealed: ReadonlyMap<string, Buffer | null>,
): Contents {
  const opened = openFiles({ secrets }, row).map(({ place, sha256 }): [string, Buffer] => {
    const content = sealed.get(place)
    if (!content) throw new Error('a file of a call is gone')
    return [sha256, openBytes(secrets, placeOf(row), sha256, content)]
  })
  return new Map(opened)
}

/** The bytes of one file, kept until the call has ended. */
export async function contentOf(
  { db, secrets }: Pick<Context, 'db' | 'secrets'>,
  row: RowWithFiles,
  { place, sha256 }: CallFile,
): Promise<Buffer | undefined> {
  const { rows } = await db.query<{ content: Buffer | null }>(
    'SELECT content FROM call_files WHERE call_id = $1 AND place = $2',
    [row.id, place],
  )
  const content = rows[0]?.content
  return content ? openBytes(secrets, placeOf(row), sha256, content) : undefined
}

/** The files of an edited input: those that the call has are kept. Throws like `fetchFiles`. */
export async function filesForChange(
  ctx: Context,
  row: CallRow,
  endpoint: Endpoint,
  input: Input,
): Promise<readonly FetchedFile[]> {
  const addresses = addressesIn(endpoint, input)
  if (addresses.length === 0) return []
  const known = openFiles(ctx, row)
  const contents = openContents(ctx, row, await sealedContents(ctx, row))
  const same = addresses.flatMap(({ place, address, types, maxBytes }): FetchedFile[] => {
    const file = known.find((one) => one.address === address && types.includes(one.type) && one.size <= maxBytes)
    const bytes = file && contents.get(file.sha256)
    return file === undefined || bytes === undefined ? [] : [{ file: { ...file, place }, bytes }]
  })
  const isKept = ({ place }: FileAddress): boolean => same.some(({ file }) => file.place === place)
  const already = same.reduce((sum, { bytes }) => sum + bytes.length, 0)
  const wanted = addresses.filter((one) => !isKept(one))
  return [...same, ...(await fetchFiles(ctx, row.owner, wanted, already))]
}

/** Maximum per owner over all open calls, in sealed bytes. */
const mostKept = 200 * 1024 * 1024

/**
 * SQL: `keep_files` with its values, numbered after the first `before` parameters; `call` is an SQL
 * expression. One parameter per buffer: in an array it would be sent as text, twice as long.
 */
export function keepFiles(call: string, files: readonly SealedFile[], before: number) {
  const values: unknown[] = [mostKept, files.map(({ place }) => place)]
  const list = (buffers: readonly Buffer[]): string =>
    `ARRAY[${buffers.map((one) => `$${before + values.push(one)}`).join(', ')}]::bytea[]`
  const [abouts, contents] = [list(files.map(({ about }) => about)), list(files.map(({ content }) => content))]
  return { text: `keep_files(${call}, $${before + 2}, ${abouts}, ${contents}, $${before + 1})`, values }
}

/** Replaces a call's files. Throws too_many_waiting. */
export async function replaceFiles(db: Db, callId: string, files: readonly SealedFile[]): Promise<void> {
  const { text, values } = keepFiles('$1', files, 1)
  await withinLimit(() => db.query(`SELECT ${text}`, [callId, ...values]))
}

/** Runs a statement with `keep_files`; throws too_many_waiting where the database refuses it. */
export async function withinLimit<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (codeOf(error) !== 'CG001') throw error
    throw new CallgateError('too_many_waiting', {
      message: `Files of calls that have not ended may have ${mostKept / 1024 / 1024} MiB in all. Let waiting calls be decided, or cancel some, before sending more.`,
      fields: { limit: caps.waiting },
      cause: error,
    })
  }
}
