import type { App } from '../../connectors/registry.ts'
import type { Reach, Site } from '../../connectors/runtime/site.ts'
import { readAddress } from '../../connectors/runtime/typed-address.ts'
import type { Read } from '../../connectors/runtime/typed-address.ts'
import type { Context } from '../context.ts'
import { addressesOf, mayReach } from '../notices/address.ts'

/** The host of an account is inside a private network, which the operator has not opened. */
export class PrivateAddress extends Error {}

/**
 * Where the app of an account is. `origin`: as its row says, '' for an app that is in one place. Undefined: the connector says by now that it
 * cannot be there, or the operator does not allow it any more; nothing may be sent then.
 */
export function siteOf(ctx: Pick<Context, 'config'>, app: App, origin: string): Site | undefined {
  if (typeof app.origin === 'string') return origin === '' ? { origin: app.origin } : undefined
  const read = origin === '' ? undefined : typedAddress(ctx, app, origin)
  return read && 'origin' in read && read.origin === origin ? { origin, reach: reachOf(ctx) } : undefined
}

/** The address that a person typed for their account, or what is wrong with it. Whether it may be reached is seen when it is. */
export function typedAddress({ config }: Pick<Context, 'config'>, app: App, text: string): Read {
  if (typeof app.origin === 'string') throw new Error(`${app.slug} asks nobody for its address`)
  return readAddress(app.origin, text, { httpHosts: config.appHttpHosts, signInPage: app.signIn.page })
}

/** Looked up for each connection, which then goes to what was judged: no name can lead elsewhere in between. */
function reachOf({ config }: Pick<Context, 'config'>): Reach {
  return async (url, signal) => {
    const found = await addressesOf(url, signal)
    if (found.length === 0 || !found.every(({ address }) => mayReach(address, 'https:', config.appAllow)))
      throw new PrivateAddress('no address that may be reached')
    return found
  }
}

/** Where somebody signs in: at the address of the account that they renew, or at the one that they typed. `problem`: why not, told to them. */
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
  const problem = site.reach && (await whyNotReached(site.reach, new URL(origin)))
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
