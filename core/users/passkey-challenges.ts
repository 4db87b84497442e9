import type { Context } from '../context.ts'
import { keyedHash, keyedHashes } from '../secrets/crypto.ts'
import { webauthnHelpers } from './webauthn.ts'

type Ctx = Pick<Context, 'db' | 'secrets'>

/** What a challenge is for. 'add' is only issued after the user proved their identity. */
export type Purpose = 'add' | 'sign_in' | 'approve' | 'recover'

const browserPurpose = 'passkey-browser'

/** Binds the challenge to the browser through its CSRF token, which derives from its cookie. */
export async function keepChallenge(ctx: Ctx, challenge: string, purpose: Purpose, formToken: string): Promise<void> {
  await ctx.db.query('DELETE FROM passkey_challenges WHERE expires_at <= now()')
  await ctx.db.query(
    `INSERT INTO passkey_challenges (challenge, purpose, browser, expires_at) VALUES ($1, $2, $3, now() + interval '5 minutes')`,
    [challenge, purpose, keyedHash(ctx.secrets, browserPurpose, formToken)],
  )
}

/** Consumes a challenge. False: used, expired, of another purpose or of another browser. */
export async function takeChallenge(
  ctx: Ctx,
  challenge: string,
  purpose: Purpose,
  formToken: string,
): Promise<boolean> {
  // Postgres text cannot hold a null character: the statement would fail.
  if (!/^[\w-]{1,100}$/.test(challenge)) return false
  const { rowCount } = await ctx.db.query(
    'DELETE FROM passkey_challenges WHERE challenge = $1 AND purpose = $2 AND browser = ANY ($3) AND expires_at > clock_timestamp()',
    [challenge, purpose, keyedHashes(ctx.secrets, browserPurpose, formToken)],
  )
  return rowCount === 1
}

/** The challenge that the browser claims to have signed; the library checks whether it did. */
export function challengeOf(
  ctx: Pick<Context, 'log'>,
  { response }: { response: { clientDataJSON: string } },
): Promise<string | undefined> {
  return unlessRefused(ctx, async () => {
    const { decodeClientDataJSON } = await webauthnHelpers()
    const { challenge }: { challenge: unknown } = decodeClientDataJSON(response.clientDataJSON)
    return typeof challenge === 'string' ? challenge : undefined
  })
}

/** Undefined where the library throws: it has no error type for malformed or unexpected input. */
export async function unlessRefused<T>(ctx: Pick<Context, 'log'>, check: () => Promise<T>): Promise<T | undefined> {
  try {
    return await check()
  } catch (error) {
    ctx.log.info({ reason: error instanceof Error ? error.message.slice(0, 200) : 'unknown' }, 'passkey refused')
    return undefined
  }
}
