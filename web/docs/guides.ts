import { readFileSync } from 'node:fs'
import path from 'node:path'
import { marked } from 'marked'
import type { Token } from 'marked'

/** A page from a file of `docs/`. */
export interface Guide {
  readonly slug: string
  readonly title: string
  /** One-line summary. */
  readonly about: string
  readonly tokens: readonly Token[]
}

const files = [
  ['mcp', 'MCP', 'Give an agent its tools: clients, signing in, tools, long waits.'],
  ['webhooks', 'Webhooks', 'Have your program told when a call waits or has ended.'],
  ['connectors', 'Connectors', 'Bring an app of your own: what a connector can say, with an example each.'],
] as const

const folder = path.join(import.meta.dirname, '../../docs')
/** The default URL, used in the files. */
const usualAddress = 'http://127.0.0.1:8080'
/** Parts for contributors, and names of tests: of use only with the repository. */
const forBuilders = /<!-- for builders -->[^]*?<!-- for everybody -->| \(`test\/[^)]*`\)/g

const read = new Map<string, readonly Guide[]>()

/** All guides, with this gateway's own URL. */
export function guidesAt(publicUrl: string): readonly Guide[] {
  const known = read.get(publicUrl)
  if (known !== undefined) return known
  const guides = files.map(([slug, title, about]) => {
    const text = readFileSync(path.join(folder, `${slug}.md`), 'utf8')
    const own = text.replaceAll(forBuilders, '').replaceAll(usualAddress, () => publicUrl)
    return { slug, title, about, tokens: marked.lexer(own) }
  })
  read.set(publicUrl, guides)
  return guides
}

/** A file's link as a page link; external ones stay. Undefined: only in the repository. */
export function pageOf(href: string): string | undefined {
  if (/^(https?:|#)/.test(href)) return href
  const [, slug, place = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? []
  return files.some(([known]) => known === slug) ? `/docs/${slug}${place}` : undefined
}

/** Anchor of a heading, as GitHub makes it. */
export function placeOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s-]/gu, '')
    .trim()
    .replaceAll(/\s+/g, '-')
}
