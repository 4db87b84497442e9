import type { Context } from '../../core/context.ts'
import { makeStanding } from '../../core/approvals/standing-rules.ts'
import type { NewStanding } from '../../core/approvals/standing-rules.ts'

const app = 'property-advertising'

/** A standing approval of the user's, for the replies of their first account unless said otherwise. Returns its id. */
export async function standingFor(
  ctx: Pick<Context, 'apps' | 'db' | 'secrets'>,
  user: { readonly id: string; readonly account: { readonly id: string } },
  bounds: Partial<Omit<NewStanding, 'endpoint'>> & { readonly endpoint?: string } = {},
): Promise<string> {
  const endpoint = ctx.apps.get(app)?.endpoints.get(bounds.endpoint ?? 'reply_to_contact')
  if (endpoint === undefined) throw new Error('no such endpoint')
  const made = await makeStanding(ctx, {
    owner: user.id,
    account: user.account.id,
    key: null,
    perDay: null,
    only: null,
    until: null,
    ...bounds,
    endpoint,
  })
  if (typeof made === 'string') throw new Error(made)
  return made.id
}
