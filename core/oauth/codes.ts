import type { Context } from '../context.ts'
import { audit } from '../audit.ts'
import { transaction } from '../database/pool.ts'
import { inWords } from '../keys/endpoints.ts'
import type { KeyEndpoints } from '../keys/endpoints.ts'
import { mostKeys, validKeys } from '../keys/keys.ts'
import type { OAuthClient } from './clients.ts'
import { placeOf } from './metadata.ts'
import { newSecret, secretHash } from './secrets.ts'

/** Lifetime of a code, in seconds. */
const codeSeconds = 60

/** What a user grants a client. */
export interface Allowed {
  readonly client: OAuthClient
  readonly redirectUri: string
  /** PKCE with S256. */
  readonly challenge: string
  /** `/mcp` or `/mcp/{app}`. */
  readonly resource: string
  readonly owner: string
  /** Null: all. */
  readonly apps: readonly string[] | null
  readonly readOnly: boolean
  /** By app, the endpoints; null: no limit. */
  readonly endpoints: KeyEndpoints | null
}

/** Creates the authorization code. 'full': the owner has the maximum of keys and grants. */
export function makeCode(
  ctx: Pick<Context, 'db' | 'secrets'>,
  allowed: Allowed,
): Promise<{ readonly code: string } | 'full'> {
  const { client, redirectUri, challenge, resource, owner, apps, readOnly, endpoints } = allowed
  const code = newSecret('code')
  return transaction(ctx.db, async (db) => {
    if ((await validKeys(db, owner)) >= mostKeys) return 'full'
    await db.query(
      `INSERT INTO oauth_codes (hash, client, client_name, redirect_uri, challenge, resource, owner, apps, read_only, expires_at, endpoints)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, clock_timestamp() + make_interval(secs => $10), $11)`,
      [
        secretHash(ctx, 'code', code),
        client.id,
        client.name,
        redirectUri,
        challenge,
        resource,
        owner,
        apps,
        readOnly,
        codeSeconds,
        endpoints && JSON.stringify(endpoints),
      ],
    )
    const to = placeOf(redirectUri)
    const rights = { apps, read_only: readOnly, endpoints: inWords(endpoints) }
    await audit(db, owner, 'oauth.allowed', { client: client.name, to, resource, ...rights })
    return { code }
  })
}
