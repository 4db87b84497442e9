import { readDemands } from '../../core/approvals/passkey-demands.ts'
import { approvalNeedsPasskey } from '../../core/approvals/decide.ts'
import type { CallRow } from '../../core/calls/rows.ts'
import type { Context } from '../../core/context.ts'
import { beginDecision } from '../../core/users/passkey-decisions.ts'
import type { SignedDecision } from '../../core/users/passkey-decisions.ts'
import { listPasskeys, partyOf } from '../../core/users/passkeys.ts'
import { tooManyTries } from '../account/login.ts'
import { partyHere, readUsed, refuse } from '../account/passkeys.ts'
import { countAttempt } from '../parts/attempt-limits.ts'
import type { Posted } from '../visit.ts'
import { decisionOf, ownCall } from './own-call.ts'

/** State of the passkey that the call's approval requires. */
export type WantedPasskey = 'ready' | 'none' | 'not here'

/** Undefined: not needed. 'none': owner has none. 'not here': no WebAuthn at the gateway's URL. */
export async function wantedPasskey(ctx: Context, row: CallRow): Promise<WantedPasskey | undefined> {
  if (!approvalNeedsPasskey(ctx, row, await readDemands(ctx.db, row.owner))) return undefined
  if (partyOf(ctx.config.publicUrl) === undefined) return 'not here'
  return (await listPasskeys(ctx.db, row.owner)).length === 0 ? 'none' : 'ready'
}

/** WebAuthn request options, bound to the form's decision. */
export async function askForDecision(posted: Posted<'call'>): Promise<void> {
  const { ctx, koa, person, form } = posted
  const party = partyHere(ctx)
  const row = await ownCall(posted)
  const decision = decisionOf(form)
  const hash = form.get('approval_hash')
  if (decision === undefined || hash === undefined)
    return refuse(koa, 422, 'The form did not say what to decide. Load the page again, please.')
  const wait = await countAttempt(ctx.db, [{ name: `passkey-decision:${person.owner}`, max: 200 }])
  if (wait > 0) return refuse(koa, 429, tooManyTries(wait), wait)
  const asked = { owner: person.owner, callId: row.id, round: row.round, hash, decision }
  koa.body = await beginDecision(ctx, party, asked, person.csrf)
}

/** The passkey response; undefined: the form has none. */
export function signedIn({ ctx, person, form }: Posted<'call'>): SignedDecision | undefined {
  const party = partyOf(ctx.config.publicUrl)
  const used = readUsed(form)
  return party && used && { party, response: { ...used, clientExtensionResults: {} }, formToken: person.csrf }
}
