import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { Agent, request } from 'undici'
import { always } from '../../connectors/runtime/dns-lookup.ts'
import { fileName, typeOfBytes } from '../../connectors/runtime/file-types.ts'
import type { CallFile, FileAddress } from '../../connectors/runtime/file-inputs.ts'
import { addressesOf, mayReach } from '../notices/address.ts'
import { before, reasonOf } from '../notices/post.ts'

export interface FetchedFile {
  readonly file: CallFile
  readonly bytes: Buffer
}

/** Why a file was not fetched: continues a sentence after the field's name; clients read it. */
export class NotFetched extends Error {}

/** Bytes that may still be read for a call, shared by its files. */
export interface Budget {
  left: number
}

export interface FetchLimits {
  readonly budget: Budget
  /** Networks allowed besides public addresses, as CIDRs. */
  readonly networks: readonly string[]
  readonly signal: AbortSignal
}

const mostRedirects = 3
const longestAddress = 2_000

/**
 * Downloads the file once. Each host on the way is resolved here, and the connection goes to
 * exactly the checked addresses. Throws `NotFetched`.
 */
export async function fetchFile(wanted: FileAddress, limits: FetchLimits): Promise<FetchedFile> {
  const first = checked(wanted.address, limits.networks)
  const bytes = await following(first, wanted, limits)
  if (bytes.length === 0) throw new NotFetched('is empty')
  const type = typeOfBytes(bytes, wanted.types)
  if (type === undefined) throw new NotFetched(`is none of ${wanted.types.join(', ')}, by what its bytes say`)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const { place, address } = wanted
  return { bytes, file: { place, address, sha256, name: fileName(first, type), type, size: bytes.length } }
}

async function following(first: URL, wanted: FileAddress, limits: FetchLimits): Promise<Buffer> {
  let url = first
  for (let steps = 0; steps <= mostRedirects; steps++) {
    const got = await readOnce(url, wanted, limits)
    if (Buffer.isBuffer(got)) return got
    url = checked(URL.parse(got.location, url)?.href ?? got.location, limits.networks, 'is led to an address that ')
  }
  throw new NotFetched(`is led on more than ${mostRedirects} times`)
}

/** Checks a URL by the rules for webhooks. `prefix` precedes the verb of the error. */
function checked(text: string, networks: readonly string[], prefix = ''): URL {
  if (text.length > longestAddress) throw new NotFetched(`${prefix}has more than ${longestAddress} characters`)
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) throw new NotFetched(`${prefix}is no https address`)
  if (url.protocol === 'http:' && networks.length === 0) throw new NotFetched(`${prefix}must begin with https://`)
  if (url.username !== '' || url.password !== '') throw new NotFetched(`${prefix}must have no user name and password`)
  const port = url.port === '' ? 443 : Number(url.port)
  if (port < 1_024 && port !== 80 && port !== 443)
    throw new NotFetched(`${prefix}has a port other than 443, 80 and those from 1024 on`)
  url.hash = ''
  return url
}

async function readOnce(
  url: URL,
  { types, maxBytes }: FileAddress,
  { budget, networks, signal }: FetchLimits,
): Promise<Buffer | { readonly location: string }> {
  const addresses = await reached(() => before(signal, addressesOf(url, signal)), signal)
  if (!addresses.every(({ address }) => mayReach(address, url.protocol, networks)))
    throw new NotFetched('cannot be fetched: nothing on the internet has its address, and only public ones are asked')
  const agent = new Agent({ allowH2: false, connect: { lookup: always(addresses) } })
  const headers = { accept: types.join(', '), 'accept-encoding': 'identity', 'user-agent': 'Callgate' }
  try {
    return await reached(async () => {
      const { statusCode, headers: said, body } = await request(url, { dispatcher: agent, headers, signal })
      const { location } = said
      if ([301, 302, 303, 307, 308].includes(statusCode) && typeof location === 'string') return { location }
      if (statusCode !== 200) throw new NotFetched(`cannot be fetched: its server answers ${statusCode}`)
      if ((said['content-encoding'] ?? 'identity') !== 'identity')
        throw new NotFetched('cannot be fetched: its server packs it although it was asked not to')
      return await allOf(body, maxBytes, budget)
    }, signal)
  } finally {
    await agent.destroy()
  }
}

async function allOf(body: Readable, maxBytes: number, budget: Budget): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length
    budget.left -= chunk.length
    if (size > maxBytes) throw new NotFetched(`has more than the ${maxBytes} bytes that are taken`)
    if (budget.left < 0) throw new NotFetched('is too large together with the other files')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const reasons: Readonly<Record<string, string>> = {
  unknown_host: 'its host is not found',
  refused: 'its host takes no connection',
  timeout: 'its host does not answer in time',
  tls: 'the certificate of its host is not good, or it speaks no TLS',
  lost: 'the connection to its host was lost',
}

/** Network errors in our own text: the original may quote the remote side. */
async function reached<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof NotFetched) throw error
    if (signal.aborted) throw new NotFetched('cannot be fetched: it did not come in time', { cause: error })
    throw new NotFetched(`cannot be fetched: ${reasons[reasonOf(error)] ?? 'it failed'}`, { cause: error })
  }
}
