import type { Account } from '../../core/accounts/accounts.ts'
import type { Context } from '../../core/context.ts'
import { standingAt } from '../../core/approvals/standing-rows.ts'
import { readSettings } from '../../core/accounts/settings.ts'
import { stateOf } from '../../core/approvals/standing.ts'
import type { Endpoint } from '../../connectors/registry.ts'

/** Whether a run needs approval; `unless-covered`: unless an approval rule covers it. */
export type Asking = 'never' | 'always' | 'unless-covered'

/** From the owner's setting for the key or the endpoint's default, and approval rules. */
export async function askingOf(
  ctx: Context,
  owner: string,
  { app, name, access, confirm }: Endpoint,
  accounts: readonly Account[],
  key: { readonly id: string; readonly line: string } | undefined,
): Promise<Asking> {
  if (access !== 'write') return 'never'
  const settings = await readSettings(ctx, owner, app)
  if (!(settings.confirm.get(name)?.confirm ?? confirm)) return 'never'
  if (key !== undefined && settings.keys.get(name)?.includes(key.line)) return 'never'
  const places = accounts.map(({ id: account }) => standingAt(ctx.db, { owner, account, app, endpoint: name }, key?.id))
  const standing = (await Promise.all(places)).flat()
  return standing.some((row) => stateOf(ctx, row) === 'stands') ? 'unless-covered' : 'always'
}
