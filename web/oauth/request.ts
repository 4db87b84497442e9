import { fieldsOf, required } from '../../core/oauth/form.ts'
import type { Fields } from '../../core/oauth/form.ts'
import { clientToShow } from '../../core/oauth/clients.ts'
import type { OAuthClient } from '../../core/oauth/clients.ts'
import { isDocumentAddress } from '../../core/oauth/document.ts'
import { isRedirectOf } from '../../core/oauth/metadata.ts'
import { checkRedirectUri } from '../../core/oauth/redirects.ts'
import { OAuthRefusal } from '../../core/oauth/refusal.ts'
import { resourceOf } from '../../core/oauth/resource.ts'
import { PageError } from '../page-error.ts'
import { countAttempt } from '../parts/attempt-limits.ts'
import type { Visit } from '../visit.ts'

/** The requesting client, with a redirect URI that is verified to be its own. */
export interface Asker {
  readonly client: OAuthClient
  readonly redirectUri: string
  readonly state: string | undefined
}

/** A valid authorization request. */
export interface Asked extends Asker {
  readonly challenge: string
  readonly resource: string
  /** Only the `read` scope is requested. */
  readonly readsOnly: boolean
}

/**
 * Reads an authorization request. `refused`: invalid, to report to the client by redirect. Throws
 * PageError when only the user may see the error: the redirect URI is not verified.
 */
export async function readRequest(
  visit: Visit,
  query: string,
): Promise<{ readonly asked: Asked } | { readonly refused: OAuthRefusal; readonly asker: Asker }> {
  const { fields, asker } = await readAsker(visit, query).catch((error: unknown) => {
    if (error instanceof OAuthRefusal) throw unfit(error.message)
    throw error
  })
  try {
    return { asked: { ...asker, ...readAsked(visit, fields) } }
  } catch (error) {
    if (!(error instanceof OAuthRefusal)) throw error
    return { refused: error, asker }
  }
}

async function readAsker(visit: Visit, query: string): Promise<{ readonly fields: Fields; readonly asker: Asker }> {
  const { ctx, koa, person } = visit
  const fields = fieldsOf(new URLSearchParams(query))
  const id = required(fields, 'client_id')
  if (isDocumentAddress(id)) {
    // Each may make this server fetch a URL.
    const wait = await countAttempt(ctx.db, [{ name: `oauth-document:${person.owner}`, max: 60 }])
    if (wait > 0) {
      koa.set('Retry-After', String(wait))
      throw new PageError(429, 'Too many tries', 'Please wait a few minutes and try again.')
    }
  }
  const client = id.length > 2_000 ? undefined : await clientToShow(ctx, id)
  if (client === undefined)
    throw unfit(
      'It is not registered here, or that was too long ago. In the program, remove Callgate and add it again.',
    )
  const redirectUri =
    fields.get('redirect_uri') ?? (client.redirectUris.length === 1 ? client.redirectUris[0] : undefined)
  if (redirectUri === undefined || !isRedirectOf(client.redirectUris, redirectUri))
    throw unfit('It wants to send you to an address that is not among its own. Nothing was sent there.')
  // Clients registered before this check keep their grants, but get no redirects there.
  checkRedirectUri(redirectUri)
  return { fields, asker: { client, redirectUri, state: fields.get('state') } }
}

function readAsked({ ctx }: Visit, fields: Fields): Omit<Asked, keyof Asker> {
  if (required(fields, 'response_type') !== 'code')
    throw new OAuthRefusal('unsupported_response_type', 'response_type must be code.')
  const challenge = required(fields, 'code_challenge')
  if (fields.get('code_challenge_method') !== 'S256' || !/^[\w-]{43}$/.test(challenge))
    throw new OAuthRefusal('invalid_request', 'PKCE is needed, with code_challenge_method S256.')
  const resource = resourceOf(fields.get('resource'), { publicUrl: ctx.config.publicUrl, apps: ctx.apps })
  const wanted = fields.get('scope')?.split(' ') ?? []
  return { challenge, resource, readsOnly: wanted.includes('read') && !wanted.includes('write') }
}

function unfit(why: string): PageError {
  return new PageError(400, 'This program cannot be let in', why)
}

/** Redirect to the client with the result, including the issuer (RFC 9207). */
export function backTo(
  { redirectUri, state }: Asker,
  publicUrl: string,
  answer: Readonly<Record<string, string>>,
): string {
  const fields = new URLSearchParams({ ...answer, ...(state !== undefined && { state }), iss: publicUrl })
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${fields.toString()}`
}
