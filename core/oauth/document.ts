import { Agent, request } from 'undici'
import { always } from '../../connectors/runtime/dns-lookup.ts'
import { addressesOf, checkUrl, mayReach } from '../notices/address.ts'
import { before, reasonOf } from '../notices/post.ts'
import { readMetadata } from './metadata.ts'
import type { ClientMetadata } from './metadata.ts'
import { OAuthRefusal } from './refusal.ts'

/** Maximum size of a metadata document, in bytes. */
const largest = 64 * 1024
const patience = 5_000

/** Whether a client id is the URL of a metadata document. */
export function isDocumentAddress(clientId: string): boolean {
  return /^https?:\/\//i.test(clientId)
}

/**
 * Reads a client's OAuth Client ID Metadata Document under the rules for webhooks: only public
 * addresses and networks that the operator allows, checked before the connection goes to exactly
 * them; no redirects. Throws invalid_client with the reason, or what is wrong with the metadata.
 */
export async function readDocument(clientId: string, networks: readonly string[]): Promise<ClientMetadata> {
  const checked = checkUrl(clientId, networks)
  if ('problem' in checked) throw notRead(checked.problem)
  const url = new URL(clientId)
  if (url.href !== clientId || url.pathname === '/' || url.hash !== '')
    throw notRead('It must be written as browsers write addresses, with a path and without a fragment.')
  const fields = parse(await fetchText(url, networks))
  if (fields['client_id'] !== clientId) throw notRead('The document there does not name this address as its client_id.')
  const method = fields['token_endpoint_auth_method']
  if (typeof method === 'string' && method.startsWith('client_secret'))
    throw new OAuthRefusal('invalid_client_metadata', 'Who is known by a document can share no secret: use none.')
  // PKCE alone authenticates such a client, whatever it could sign with.
  return readMetadata({ ...fields, token_endpoint_auth_method: 'none' }, 'none')
}

async function fetchText(url: URL, networks: readonly string[]): Promise<string> {
  const signal = AbortSignal.timeout(patience)
  try {
    const addresses = await before(signal, addressesOf(url, signal))
    if (!addresses.every(({ address }) => mayReach(address, url.protocol, networks)))
      throw notRead('It is at no public address.')
    const agent = new Agent({ allowH2: false, connect: { lookup: always(addresses) } })
    try {
      const headers = { Accept: 'application/json' }
      const { statusCode, body } = await request(url, { headers, dispatcher: agent, signal })
      if (statusCode !== 200) throw notRead(`The answer there was ${statusCode}, not 200.`)
      const chunks: Buffer[] = []
      let size = 0
      for await (const chunk of body as AsyncIterable<Buffer>) {
        size += chunk.length
        if (size > largest) throw notRead('The document there is too large.')
        chunks.push(chunk)
      }
      return Buffer.concat(chunks).toString()
    } finally {
      await agent.destroy()
    }
  } catch (error) {
    if (error instanceof OAuthRefusal) throw error
    throw notRead(`It could not be read (${signal.aborted ? 'timeout' : reasonOf(error)}).`)
  }
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw notRead('What is there is no JSON object.')
}

function notRead(why: string): OAuthRefusal {
  return new OAuthRefusal('invalid_client', `The client is described at no address that can be used. ${why}`)
}
