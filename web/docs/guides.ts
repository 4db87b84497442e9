import { readFileSync } from 'node:fs'
import path from 'node:path'
import { marked } from 'marked'
import type { Token } from 'marked'

/** A page that is a file of `docs/`. */
export interface Guide {
  readonly slug: string
  readonly title: string
  /** What it is about, in one line. */
  readonly about: string
  readonly tokens: readonly Token[]
}

const files = [
  ['mcp', 'MCP', 'Give an agent its tools: clients, signing in, tools, long waits.'],
  ['webhooks', 'Webhooks', 'Have your program told when a call waits or has ended.'],
  ['connectors', 'Connectors', 'Bring an app of your own: what a connector can say, with an example each.'],
] as const

const folder = path.join(import.meta.dirname, '../../docs')
/** As the files have it: where the gateway is by default. */
const usualAddress = 'http://127.0.0.1:8080'
/** What lies between these, and the names of tests, are for those who have the repository. */
const forBuilders = /<!-- for builders -->[^]*?<!-- for everybody -->| \(`test\/[^)]*`\)/g

const read = new Map<string, readonly Guide[]>()

/** Them all, with the gateway's own address in place of the usual one. */
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

/** A link of a file, as a page: to another of these pages, to elsewhere, or undefined where only the repository has it. */
export function pageOf(href: string): string | undefined {
  if (/^(https?:|#)/.test(href)) return href
  const [, slug, place = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? []
  return files.some(([known]) => known === slug) ? `/docs/${slug}${place}` : undefined
}

/** The id of a heading, as code hosts make it. */
export function placeOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s-]/gu, '')
    .trim()
    .replaceAll(/\s+/g, '-')
}
