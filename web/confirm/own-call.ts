import type { CallRow } from '../../core/calls/rows.ts'
import { findCall } from '../../core/calls/rows.ts'
import { isCallId } from '../../schemas/ids.ts'
import type { Form } from '../form.ts'
import { PageError } from '../page-error.ts'
import type { Visit } from '../visit.ts'

const decisions: ReadonlyMap<string | undefined, 'approved' | 'rejected'> = new Map([
  ['approve', 'approved'],
  ['reject', 'rejected'],
])

/** The form's decision; undefined: it has none. */
export function decisionOf(form: Form): 'approved' | 'rejected' | undefined {
  return decisions.get(form.get('decision'))
}

/** 404 for another user's call, as for one that does not exist. */
export async function ownCall({ ctx, person, params: { call } }: Visit<'call'>): Promise<CallRow> {
  const row = isCallId(call) ? await findCall(ctx.db, person.owner, call) : undefined
  if (row?.confirm !== true)
    throw new PageError(
      404,
      'No such call',
      'There is no call of yours at this address. Perhaps you are signed in as somebody else.',
    )
  return row
}
