import type { CallArgs } from '../../schemas/call.ts'
import { pacingKey } from '../secrets/crypto.ts'
import { appQueue } from '../temporal/task-queues.ts'
import type { CallRow } from './rows.ts'

/** The start arguments of the call's workflow. */
export function callArgs(
  row: Pick<
    CallRow,
    | 'id'
    | 'owner'
    | 'app'
    | 'endpoint'
    | 'account'
    | 'access'
    | 'confirm'
    | 'created_at'
    | 'expires_at'
    | 'decided_at'
    | 'attempt'
    | 'round'
  >,
): CallArgs {
  return {
    callId: row.id,
    owner: row.owner,
    app: row.app,
    endpoint: row.endpoint,
    account: row.account,
    access: row.access,
    confirm: row.confirm,
    acceptedAt: row.created_at.getTime(),
    // A run that starts after the decision has nothing to wait for.
    expiresAt: (row.decided_at === null ? row.expires_at : row.created_at)?.getTime() ?? null,
    taskQueue: appQueue(row.app),
    pacingKey: pacingKey(row.account),
    attempt: row.attempt,
  }
}
