import { reachService, startRemoteChromium } from './browser-service.ts'
import { startChromium } from './chromium.ts'
import { confine } from './request-filter.ts'
import { openEgressProxy } from './egress-proxy.ts'
import { language, userAgentOf } from './own-words.ts'
import { Reach } from './allowed-hosts.ts'
import { giveCookies } from './session-cookies.ts'
import { Remote } from './sign-in-watch.ts'
import type { RemoteBrowser, RemoteOptions } from './sign-in-watch.ts'

/** Opens the app's sign-in page in a fresh browser, and polls for who has signed in. */
export async function openRemoteBrowser(options: RemoteOptions): Promise<RemoteBrowser> {
  const { origin: root, siteReach, judgesHosts = false, signIn, hosts = [], service, onWanted, isPublic } = options
  const { scale } = options.size
  const reach = new Reach({
    root,
    ...(siteReach && { rootAddresses: siteReach, judgesHosts }),
    hosts: [...(signIn.hosts ?? []), ...hosts],
    onWanted,
    ...(isPublic && { isPublic }),
  })
  // A remote browser reaches this process at the address from which this process reaches it.
  const egress = await openEgressProxy(reach, undefined, service ? await reachService(service) : undefined)
  const starting = service
    ? startRemoteChromium(service, egress.proxy, scale)
    : startChromium(options.dir, egress.proxy, scale)
  const chromium = await starting.catch(async (error: unknown) => {
    await egress.close()
    throw error
  })
  const close = async (): Promise<void> => {
    // Close the proxy first: a browser that does not close then reaches nothing any longer.
    await egress.close()
    await chromium.close()
  }
  try {
    if (!chromium.sandboxed) options.onUnsandboxed()
    const userAgent = options.session?.user_agent ?? userAgentOf(chromium.browser.version())
    const context = await chromium.browser.newContext({
      viewport: { width: options.size.width, height: options.size.height },
      deviceScaleFactor: options.size.scale ?? 1,
      userAgent,
      locale: language,
      acceptDownloads: false,
      serviceWorkers: 'block',
    })
    await confine(context, reach)
    if (options.session) await giveCookies(context, options.session.cookies)
    const remote = new Remote({ context, userAgent }, reach, options, once(close))
    await remote.open()
    return remote
  } catch (error) {
    await close()
    throw error
  }
}

function once<T>(doing: () => T): () => T {
  let done: { readonly value: T } | undefined
  return () => (done ??= { value: doing() }).value
}
