import type { Exchange } from '../../connectors/runtime/exchange.ts'
import type { Fields } from '../../connectors/kit/wire.ts'
import type { Endpoint } from '../../connectors/registry.ts'
import { openSeen } from '../approvals/seen.ts'
import type { Context } from '../context.ts'
import { findingOf, fitting } from './finding.ts'
import { keepFirst } from './findings.ts'
import { readFor, verifiedBy, whyUntold } from './look.ts'
import { othersWereAtIt, provenOutput } from './proof.ts'
import type { SendRow } from './sending-rows.ts'

/** In ms. The client waits for this too: with the send's 15 s it fits into the client's 25 s. */
const longestRead = 5_000

interface Sent {
  readonly endpoint: Endpoint
  readonly input: Fields
  readonly began: Date
}

/**
 * Verifies a write once, right away, if its answer was lost or, as its endpoint declares, proves
 * nothing. A match that is certainly this call's becomes the app's answer. Any other result is only
 * stored beside the call, which ends as unknown, as it does if this process dies.
 */
export async function lookAtOnce(
  ctx: Context,
  row: SendRow,
  { endpoint, input, began }: Sent,
  result: Exchange,
): Promise<Exchange> {
  const { kind } = result.outcome
  const by = verifiedBy(ctx, row)
  const isLost = kind === 'lost' || kind === 'timeout' || (kind === 'changed' && endpoint.definition.answer === 'any')
  if (by === undefined || endpoint.access !== 'write' || !result.sent || !isLost) return result
  try {
    const outcome = await readFor(ctx, row, by, input, longestRead)
    const { verify } = by
    if (outcome.kind !== 'ok') {
      await keepFirst(ctx, row, whyUntold(outcome))
      return result
    }
    const found = { verify, input, seen: openSeen(ctx, row), fitting: fitting(verify, input, outcome.output, began) }
    const output = provenOutput(endpoint, found)
    if (output !== undefined && !(await othersWereAtIt(ctx.db, row))) {
      ctx.log.info({ call: row.id }, 'the answer to a write was lost; what it left was found in the app')
      return { ...result, outcome: { kind: 'ok', output } }
    }
    await keepFirst(ctx, row, findingOf(verify, input, outcome.output, began))
  } catch (error) {
    ctx.log.error({ call: row.id, err: error }, 'a look whether a write happened failed; it ends unknown')
  }
  return result
}
