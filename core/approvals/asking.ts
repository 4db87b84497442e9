import type { Endpoint } from '../../connectors/registry.ts'
import { switchMatches } from './approval.ts'
import type { SwitchPlace } from './approval.ts'
import type { Context } from '../context.ts'
import { noteTampered } from '../security-log.ts'
import { demandKey } from './passkey-demands.ts'

/** An owner's switch of an endpoint, as the database has it: both null where there is none. */
export interface AskingSwitch {
  readonly confirm: boolean | null
  readonly proof: string | null
  /** That it is off for the line of the key that calls, with its proof; null: nothing is said of that key. */
  readonly key_line?: string | null
  readonly key_proof?: string | null
}

/** Whether the owner is asked before a call of the endpoint is sent: as their switch for the key says, or the one for all, or as the endpoint comes. */
export function asksFirst(
  ctx: Pick<Context, 'log' | 'secrets' | 'security'>,
  owner: string,
  { app, name, access, confirm }: Endpoint,
  asking: AskingSwitch,
): boolean {
  if (access !== 'write') return false
  const place = { owner, app, endpoint: name }
  const { key_line: keyLine, key_proof: keyProof } = asking
  if (keyLine != null) {
    if (isTrusted(ctx, { ...place, keyLine }, keyProof ?? '')) return false
    warn(ctx, { ...place, keyLine })
  }
  if (!isUnproven(ctx, place, asking)) return asking.confirm ?? confirm
  warn(ctx, place)
  return confirm
}

function warn(ctx: Pick<Context, 'log' | 'security'>, place: SwitchPlace): void {
  noteTampered(ctx, `switch:${place.owner}:${demandKey(place.app, place.endpoint)}`)
  ctx.log.warn(
    place,
    'asking is switched off without a valid proof that the owner did it; the endpoint asks as it comes',
  )
}

/** Asking is switched off, and not by the owner, or with an approval key that is gone: nobody can tell these two apart. */
export function isUnproven(
  ctx: Pick<Context, 'secrets'>,
  place: SwitchPlace,
  { confirm, proof }: Pick<AskingSwitch, 'confirm' | 'proof'>,
): boolean {
  return confirm === false && (proof === null || !switchMatches(ctx, place, proof))
}

/** Whether the owner switched asking off for just this key. */
export function isTrusted(
  ctx: Pick<Context, 'secrets'>,
  place: SwitchPlace & { readonly keyLine: string },
  proof: string,
): boolean {
  return switchMatches(ctx, place, proof)
}
