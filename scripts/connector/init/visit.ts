import { setTimeout as pause } from 'node:timers/promises'

const timeoutMs = 10_000
const mostBytes = 2 << 20
/** Of all requests together, those that were led on included. */
const mostRequests = 14
const mostHops = 4

/** What an app answers to somebody who has no session. */
export interface Page {
  /** The address that was asked for, and those that it led on to, the last being the page's own or one of another host, which is not asked. */
  readonly route: readonly URL[]
  readonly status: number
  /** HTML, with at most 2 MiB; empty for anything else. */
  readonly html: string
  readonly setCookies: readonly string[]
}

/** Reads a few pages of an app, without a session, and never leaves its origin. */
export class Visitor {
  readonly root: URL
  readonly #pages = new Map<string, Promise<Page | null>>()
  #asked = 0

  /** `root` ends in a slash. */
  constructor(root: string) {
    this.root = new URL(root)
  }

  /** The page at this address, relative to the root; null: none, as there was no answer in 10 s, or enough was asked already. */
  page(address: string): Promise<Page | null> {
    const url = new URL(address, this.root)
    url.hash = ''
    const known = this.#pages.get(url.href)
    if (known !== undefined) return known
    const page = this.#visit(url)
    this.#pages.set(url.href, page)
    return page
  }

  /** Where it is below the root, as connectors name pages; null: it is elsewhere. */
  below(url: URL): string | null {
    const isBelow = url.origin === this.root.origin && url.pathname.startsWith(this.root.pathname)
    return isBelow ? url.pathname.slice(this.root.pathname.length) + url.search : null
  }

  /** Whether both are the same page; what else the query of `url` has, such as where to go on, makes no difference. */
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
    // As a person would click, not as a machine can.
    if (this.#asked > 1) await pause(200)
    try {
      const headers = { accept: 'text/html,*/*;q=0.5', 'accept-language': 'en' }
      return await fetch(url, { redirect: 'manual', headers, signal: AbortSignal.timeout(timeoutMs) })
    } catch {
      // Nobody is there, or not in time: to whoever drafts it is a page that was not found.
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
    // The rest does not come: what there is may do.
  }
  return text
}
