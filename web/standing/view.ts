import type { Context } from '../../core/context.ts'
import { standingBeside } from '../../core/approvals/standing-rows.ts'
import type { StandingPlace, StandingRow, StandingUse } from '../../core/approvals/standing-rows.ts'
import { isListed, openList, stateOf } from '../../core/approvals/standing.ts'
import { whyNotCovered } from './summary.tsx'
import type { Standing } from './summary.tsx'
import { logUnopened } from '../../core/security-log.ts'

type Parts = Pick<Context, 'apps' | 'log' | 'secrets' | 'security'>

/** The rule with its display data. */
export function standingOf(ctx: Parts, row: StandingUse): Standing {
  const app = ctx.apps.get(row.app)
  return {
    row,
    state: stateOf(ctx, row),
    list: listOf(ctx, row),
    appName: app?.name ?? row.app,
    endpoint: app?.endpoints.get(row.endpoint),
  }
}

function listOf(ctx: Parts, row: StandingRow): Standing['list'] {
  try {
    return openList(ctx, row)
  } catch (error) {
    logUnopened(ctx, { standing: row.id }, error, 'the list of a standing approval cannot be opened')
    return undefined
  }
}

/** A rule that might have covered a waiting call, and why it did not. */
export interface Uncovered {
  readonly id: string
  readonly why: string
}

export async function uncovered(
  ctx: Pick<Context, 'db'> & Parts,
  call: StandingPlace & { readonly key_id: string },
  input: Readonly<Record<string, unknown>>,
  needsPasskey: boolean,
): Promise<readonly Uncovered[]> {
  const rows = await standingBeside(ctx.db, call)
  return rows.map((row) => {
    const { list, ...standing } = standingOf(ctx, row)
    if (needsPasskey) return { id: row.id, why: 'you demand a passkey for approving it.' }
    const why = row.for_key
      ? whyNotCovered(standing, isListed(row, list ?? null, input))
      : 'it is for calls of another key.'
    return { id: row.id, why: why ?? 'the call was made before it, or when it was used up.' }
  })
}
