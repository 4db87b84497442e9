import type { Context } from '../context.ts'
import { audit } from '../audit.ts'
import { transaction } from '../database/pool.ts'
import { mostKeys, validKeys } from '../keys/keys.ts'
import type { OAuthClient } from './clients.ts'
import { placeOf } from './metadata.ts'
import { newSecret, secretHash } from './secrets.ts'

/** Seconds in which a code has to be exchanged. */
const codeSeconds = 60

/** What a person allows a program. */
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
}

/** The code that the program gets its tokens with. 'full': the owner has as many keys and grants as there may be. */
export function makeCode(
  ctx: Pick<Context, 'db' | 'secrets'>,
  allowed: Allowed,
): Promise<{ readonly code: string } | 'full'> {
  const { client, redirectUri, challenge, resource, owner, apps, readOnly } = allowed
  const code = newSecret('code')
  return transaction(ctx.db, async (db) => {
    if ((await validKeys(db, owner)) >= mostKeys) return 'full'
    await db.query(
      `INSERT INTO oauth_codes (hash, client, client_name, redirect_uri, challenge, resource, owner, apps, read_only, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, clock_timestamp() + make_interval(secs => $10))`,
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
      ],
    )
    const to = placeOf(redirectUri)
    await audit(db, owner, 'oauth.allowed', { client: client.name, to, resource, apps, read_only: readOnly })
    return { code }
  })
}
