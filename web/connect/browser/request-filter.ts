import type { BrowserContext, Request } from 'playwright-core'
import type { Reach } from './allowed-hosts.ts'

/**
 * Stops what pages ask for and may not have before it leaves the browser, and notes what they wanted. What does not pass here, such as
 * redirects and what workers ask for, is stopped by the proxy.
 */
export async function confine(context: BrowserContext, reach: Reach): Promise<void> {
  await context.route('**/*', async (route) => {
    try {
      const request = route.request()
      const shows = request.isNavigationRequest()
      const may = shows ? reach.mayShow(request.url()) : reach.mayLoad(request.url())
      // A page that may not go somewhere stays where it is.
      await (may ? route.continue() : route.abort(shows ? 'aborted' : 'blockedbyclient'))
    } catch {
      // The page that asked is gone, and its request with it: nothing was let through.
    }
  })
  await context.routeWebSocket(/.*/, (socket) => {
    if (reach.mayLoad(socket.url())) socket.connectToServer()
    else void socket.close()
  })
  // Also where a redirect led, which only the proxy has refused.
  context.on('requestfailed', (request) => {
    const shown = shownIn(request)
    const address = request.url()
    const open = shown === 'page' && request.method() === 'GET' ? address : null
    reach.want(address, shown !== 'part', { open, asker: pageOf(request) })
  })
}

/** The address of the page that asked; null when it has none, or is gone. */
function pageOf(request: Request): string | null {
  try {
    const address = request.frame().page().url()
    return isShown(address) ? address : null
  } catch {
    // A worker has no frame, and neither has a page that is gone.
    return null
  }
}

/** Whether there is a page at that address, and not the browser's own words that there is none. */
export function isShown(address: string): boolean {
  return /^https?:/.test(address)
}

/** Where it would have been shown: in the page itself, in a window of its own, or only as a part. */
function shownIn(request: Request): 'page' | 'window' | 'part' {
  if (!request.isNavigationRequest()) return 'part'
  try {
    return request.frame().parentFrame() === null ? 'page' : 'part'
  } catch {
    // A window that was never there has no frame. Its page opens it again: what it says to that window must reach it.
    return 'window'
  }
}
