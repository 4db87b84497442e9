import { forgetDisconnected } from '../accounts/forget.ts'
import { pruneEmailChanges } from '../users/email-changes.ts'
import { pruneTotp } from '../users/totp.ts'
import { pruneResets } from '../users/password-resets.ts'
import { pruneWebSessions } from '../users/web-sessions.ts'
import { forgetTraces } from '../connectors/traces.ts'
import { forgetTries } from '../connectors/tries.ts'
import { forgetAnswersDue } from '../calls/answers-due.ts'
import type { Context } from '../context.ts'
import { pruneMails } from '../mails/queue.ts'
import { forgetOAuth } from '../oauth/tokens.ts'
import { forgetEnded } from '../personal-data/ends.ts'
import { pruneNotices } from '../notices/start.ts'
import { pruneSecurityLog } from '../security-log.ts'
import { ageDataKeys } from '../secrets/data-keys.ts'
import { forgetCallCounts } from '../watch/call-counts.ts'
import { forgetOutcomes } from '../watch/outcomes.ts'

/** Deletes expired data of all kinds. Errors are logged and do not stop the sweeper. */
export async function prune(ctx: Context): Promise<void> {
  try {
    await ctx.db.query(
      `DELETE FROM rate_limits WHERE coalesce(hits[cardinality(hits)], '-infinity') < now() - interval '1 hour'`,
    )
    await pruneWebSessions(ctx.db)
    await pruneResets(ctx.db)
    await pruneTotp(ctx.db)
    await pruneEmailChanges(ctx.db)
    await pruneMails(ctx.db)
    await pruneNotices(ctx)
    await pruneSecurityLog(ctx.db)
    await forgetOAuth(ctx.db)
    await forgetTries(ctx.db)
    await forgetAnswersDue(ctx.db)
    await forgetTraces(ctx.db)
    await forgetOutcomes(ctx.db)
    await forgetCallCounts(ctx.db)
    await forgetDisconnected(ctx)
    await forgetEnded(ctx)
    await ageDataKeys(ctx)
  } catch (error) {
    ctx.log.error({ err: error }, 'what is old was not cleared away; it is tried again in an hour')
  }
}
