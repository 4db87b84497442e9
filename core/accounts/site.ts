import type { App } from '../../connectors/registry.ts'
import type { Reach, Site } from '../../connectors/runtime/site.ts'
import { readAddress } from '../../connectors/runtime/typed-address.ts'
import type { Read } from '../../connectors/runtime/typed-address.ts'
import type { Context } from '../context.ts'
import { addressesOf, isOwnNetwork, mayReach, ownAddressesOf } from '../notices/address.ts'

/** The account's host is inside a private network that the operator has not allowed. */
export class PrivateAddress extends Error {}

/**
 * The site of an account's app. `origin`: as in its row, '' for an app with one fixed origin.
 * Undefined: connector or operator no longer allow the origin; nothing may be sent then.
 */
export function siteOf(ctx: Pick<Context, 'config'>, app: App, origin: string): Site | undefined {
  if (typeof app.origin === 'string') {
    if (origin !== '') return undefined
    return app.added ? { origin: app.origin, reach: reachOf(ctx, app) } : { origin: app.origin }
  }
  const read = origin === '' ? undefined : typedAddress(ctx, app, origin)
  return read && 'origin' in read && read.origin === origin ? { origin, reach: reachOf(ctx, app) } : undefined
}

/** The origin that a user typed, or its problem. Whether it may be reached is checked later. */
export function typedAddress({ config }: Pick<Context, 'config'>, app: App, text: string): Read {
  if (typeof app.origin === 'string') throw new Error(`${app.slug} asks nobody for its address`)
  return readAddress(app.origin, text, { httpHosts: config.appHttpHosts, signInPage: app.signIn.page })
}

/** Resolves the host for each connection, which uses the checked addresses: no DNS rebinding. */
function reachOf({ config }: Pick<Context, 'config'>, app: App): Reach {
  const agreed = agreedOrigins(app)
  return async (url, signal) => {
    // The operator saw at `add` that it leads into their own network.
    if (agreed.has(url.origin) && isOwnNetwork(url)) return ownAddressesOf(url, signal)
    const found = await addressesOf(url, signal)
    if (found.length === 0 || !found.every(({ address }) => mayReach(address, 'https:', config.appAllow)))
      throw new PrivateAddress('no address that may be reached')
    return found
  }
}

/** The fixed origins of an added connector; its operator agreed to each by name. */
function agreedOrigins({ added, origin, hosts, signIn }: App): ReadonlySet<string> {
  if (added === undefined) return new Set()
  const fixed = [...(typeof origin === 'string' ? [origin] : []), ...hosts, ...(signIn.hosts ?? [])]
  return new Set(fixed.map((address) => new URL(address).origin))
}

/**
 * Where the user signs in: at the account's origin or at the typed one. `problem`: for the user.
 */
export async function placeToSignIn(
  ctx: Pick<Context, 'config'>,
  app: App,
  account: { readonly origin: string } | undefined,
  typed: string,
): Promise<{ readonly origin: string; readonly site: Site } | { readonly problem: string }> {
  const read = account ?? (typeof app.origin === 'string' ? { origin: '' } : typedAddress(ctx, app, typed))
  if ('problem' in read) return read
  const { origin } = read
  const site = siteOf(ctx, app, origin)
  if (site === undefined)
    return { problem: `${app.name} is not reached at ${origin} any more. Connect it as another account.` }
  const problem = site.reach && (await whyNotReached(site.reach, new URL(site.origin)))
  return problem === undefined ? { origin, site } : { problem }
}

const lookUpWithin = 10_000

async function whyNotReached(reach: Reach, url: URL): Promise<string | undefined> {
  try {
    await reach(url, AbortSignal.timeout(lookUpWithin))
    return undefined
  } catch (error) {
    return error instanceof PrivateAddress
      ? `${url.host} is inside a private network, where Callgate does not go. Whoever runs Callgate can allow it.`
      : `${url.host} cannot be found. Look for a mistake in the address, or try again in a minute.`
  }
}
