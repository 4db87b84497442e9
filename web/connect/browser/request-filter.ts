import type { BrowserContext, Request } from 'playwright-core'
import type { Reach } from './allowed-hosts.ts'

/**
 * Blocks disallowed requests of pages before they leave the browser, and records which hosts they
 * wanted. The proxy blocks what does not pass here, such as redirects and requests of workers.
 */
export async function confine(context: BrowserContext, reach: Reach): Promise<void> {
  await context.route('**/*', async (route) => {
    try {
      const request = route.request()
      const shows = request.isNavigationRequest()
      const may = shows ? reach.mayShow(request.url()) : reach.mayLoad(request.url())
      // A blocked navigation leaves the page where it is.
      await (may ? route.continue() : route.abort(shows ? 'aborted' : 'blockedbyclient'))
    } catch {
      // The page closed, and its request ended with it: nothing was let through.
    }
  })
  await context.routeWebSocket(/.*/, (socket) => {
    if (reach.mayLoad(socket.url())) socket.connectToServer()
    else void socket.close()
  })
  // Includes targets of redirects, which only the proxy refuses.
  context.on('requestfailed', (request) => {
    const shown = shownIn(request)
    const address = request.url()
    const open = shown === 'page' && request.method() === 'GET' ? address : null
    reach.want(address, shown !== 'part', { open, asker: pageOf(request) })
  })
}

/** URL of the page that sent the request; null when it has none, or is closed. */
function pageOf(request: Request): string | null {
  try {
    const address = request.frame().page().url()
    return isShown(address) ? address : null
  } catch {
    // A worker has no frame, and a closed page has none either.
    return null
  }
}

/** Whether a URL is a page's, not one of the browser's own, such as its error page. */
export function isShown(address: string): boolean {
  return /^https?:/.test(address)
}

/** Where it would have been shown: as the page itself, in a new window, or only as a part. */
function shownIn(request: Request): 'page' | 'window' | 'part' {
  if (!request.isNavigationRequest()) return 'part'
  try {
    return request.frame().parentFrame() === null ? 'page' : 'part'
  } catch {
    // A window that never opened has no frame. Its page must open it again itself, so that what it
    // sends to that window arrives.
    return 'window'
  }
}
