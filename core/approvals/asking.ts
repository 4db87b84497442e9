import type { Endpoint } from '../../connectors/registry.ts'
import { switchMatches } from './approval.ts'
import type { SwitchPlace } from './approval.ts'
import type { Context } from '../context.ts'

/** An owner's switch of an endpoint, as the database has it: both null where there is none. */
export interface AskingSwitch {
  readonly confirm: boolean | null
  readonly proof: string | null
}

/** Whether the owner is asked before a call of the endpoint is sent: as their switch says, or as the endpoint comes. */
export function asksFirst(
  ctx: Pick<Context, 'log' | 'secrets'>,
  owner: string,
  { app, name, access, confirm }: Endpoint,
  asking: AskingSwitch,
): boolean {
  if (access !== 'write') return false
  const place = { owner, app, endpoint: name }
  if (!isUnproven(ctx, place, asking)) return asking.confirm ?? confirm
  ctx.log.warn(
    place,
    'asking is switched off without a valid proof that the owner did it; the endpoint asks as it comes',
  )
  return confirm
}

/** Asking is switched off, and not by the owner, or with an approval key that is gone: nobody can tell these two apart. */
export function isUnproven(
  ctx: Pick<Context, 'secrets'>,
  place: SwitchPlace,
  { confirm, proof }: AskingSwitch,
): boolean {
  return confirm === false && (proof === null || !switchMatches(ctx, place, proof))
}
