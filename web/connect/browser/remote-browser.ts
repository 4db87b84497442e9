import { startChromium } from './chromium.ts'
import { confine } from './request-filter.ts'
import { openEgressProxy } from './egress-proxy.ts'
import { language, userAgentOf } from './own-words.ts'
import { Reach } from './allowed-hosts.ts'
import { Remote } from './sign-in-watch.ts'
import type { RemoteBrowser, RemoteOptions } from './sign-in-watch.ts'

/** Opens the app's own sign-in page in a fresh browser, and looks until the app says who has signed in. */
export async function openRemoteBrowser(options: RemoteOptions): Promise<RemoteBrowser> {
  const { origin: root, siteReach, signIn, hosts = [], onWanted, isPublic } = options
  const reach = new Reach({
    root,
    ...(siteReach && { rootAddresses: siteReach }),
    hosts: [...(signIn.hosts ?? []), ...hosts],
    onWanted,
    ...(isPublic && { isPublic }),
  })
  const egress = await openEgressProxy(reach)
  const chromium = await startChromium(options.dir, egress.proxy, options.size.scale).catch(async (error: unknown) => {
    await egress.close()
    throw error
  })
  const close = async (): Promise<void> => {
    // The way out ends first: also a browser that does not want to go reaches nothing any more.
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
    if (options.session) await context.addCookies(options.session.cookies.map((cookie) => ({ ...cookie })))
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
