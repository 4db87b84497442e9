import { setTimeout as pause } from 'node:timers/promises'

const timeoutMs = 10_000
const mostBytes = 2 << 20
/** Limit for all requests together, redirects included. */
const mostRequests = 14
const mostHops = 4

/** An app's answer without a session. */
export interface Page {
  /** The requested URL and its redirects. A last URL on another origin is not requested. */
  readonly route: readonly URL[]
  readonly status: number
  /** HTML, at most 2 MiB; empty for other types. */
  readonly html: string
  readonly setCookies: readonly string[]
}

/** Reads a few pages of an app, without a session and only on its origin. */
export class Visitor {
  readonly root: URL
  readonly #pages = new Map<string, Promise<Page | null>>()
  #asked = 0

  /** `root` ends in a slash. */
  constructor(root: string) {
    this.root = new URL(root)
  }

  /** The page at a URL relative to the root; null without answer in 10 s, or over the limit. */
  page(address: string): Promise<Page | null> {
    const url = new URL(address, this.root)
    url.hash = ''
    const known = this.#pages.get(url.href)
    if (known !== undefined) return known
    const page = this.#visit(url)
    this.#pages.set(url.href, page)
    return page
  }

  /** The path relative to the root, as connectors name pages; null if outside. */
  below(url: URL): string | null {
    const isBelow = url.origin === this.root.origin && url.pathname.startsWith(this.root.pathname)
    return isBelow ? url.pathname.slice(this.root.pathname.length) + url.search : null
  }

  /** Whether both are one page; `url` may have more query parameters, such as a return URL. */
  isPage(url: URL, path: string): boolean {
    const page = new URL(path, this.root)
    return (
      url.origin === page.origin &&
      url.pathname === page.pathname &&
      [...page.searchParams].every(([name, value]) => url.searchParams.get(name) === value)
    )
  }

  async #visit(url: URL): Promise<Page | null> {
    const route = [url]
    const setCookies: string[] = []
    for (let at = url; ;) {
      const answer = await this.#ask(at)
      if (answer === null) return null
      setCookies.push(...answer.headers.getSetCookie())
      const { status } = answer
      const next = status >= 300 && status < 400 ? URL.parse(answer.headers.get('location') ?? '', at) : null
      if (next !== null) route.push(next)
      if (next?.origin !== this.root.origin || route.length > mostHops) {
        const html = /\bhtml\b/i.test(answer.headers.get('content-type') ?? '') ? await textOf(answer) : ''
        if (html === '') await answer.body?.cancel()
        return { route, status, html, setCookies }
      }
      await answer.body?.cancel()
      at = next
    }
  }

  async #ask(url: URL): Promise<Response | null> {
    this.#asked += 1
    if (this.#asked > mostRequests) return null
    // At the pace of a user's clicks.
    if (this.#asked > 1) await pause(200)
    try {
      const headers = { accept: 'text/html,*/*;q=0.5', 'accept-language': 'en' }
      return await fetch(url, { redirect: 'manual', headers, signal: AbortSignal.timeout(timeoutMs) })
    } catch {
      // No answer in time: treated as a page that was not found.
      return null
    }
  }
}

async function textOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  try {
    for await (const chunk of body ?? []) {
      bytes += chunk.length
      text += decoder.decode(chunk, { stream: true })
      if (bytes > mostBytes) break
    }
  } catch {
    // The connection broke: use the part that arrived.
  }
  return text
}
