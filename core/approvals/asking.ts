import type { Endpoint } from '../../connectors/registry.ts'
import { switchMatches } from './approval.ts'
import type { SwitchPlace } from './approval.ts'
import type { Context } from '../context.ts'
import { noteTampered } from '../security-log.ts'
import { demandKey } from './passkey-demands.ts'

/** A user's approval policy for an endpoint, as in the database; both null: none. */
export interface AskingSwitch {
  readonly confirm: boolean | null
  readonly proof: string | null
  /** The calling key's lineage, if set to never ask, and its proof; null: not set for that key. */
  readonly key_line?: string | null
  readonly key_proof?: string | null
}

/**
 * Whether the user must approve a call of the endpoint: by their policy for the key, else for all
 * keys, else by the endpoint's default.
 */
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

/** Set to never ask without a valid proof: altered, or its key is gone (indistinguishable). */
export function isUnproven(
  ctx: Pick<Context, 'secrets'>,
  place: SwitchPlace,
  { confirm, proof }: Pick<AskingSwitch, 'confirm' | 'proof'>,
): boolean {
  return confirm === false && (proof === null || !switchMatches(ctx, place, proof))
}

/** Whether the user set the endpoint to never ask for just this key. */
export function isTrusted(
  ctx: Pick<Context, 'secrets'>,
  place: SwitchPlace & { readonly keyLine: string },
  proof: string,
): boolean {
  return switchMatches(ctx, place, proof)
}
