import { UnknownShape } from './wire.ts'

type Headers = Readonly<Record<string, string>>

/**
 * Reads the next page from a `Link` header (RFC 8288): this parameter's value in the URL with
 * `rel="next"`; null on the last page. A URL without the parameter is an `UnknownShape`.
 */
export function nextLink(headers: Headers, parameter: string): string | null {
  const target = linksOf(headers['link'] ?? '').find(({ rels }) => rels.includes('next'))?.target
  if (target === undefined) return null
  const query = /\?([^#]*)/.exec(target)?.[1] ?? ''
  const value = new URLSearchParams(query).get(parameter)
  if (value === null || value === '') throw new UnknownShape(`a next page without \`${parameter}\``)
  return value
}

/** A URL in angle brackets with its parameters; quoted values may contain commas and semicolons. */
const link = /<([^>]*)>((?:\s*;\s*[\w!#$&+.^`|~*-]+\s*(?:=\s*(?:"(?:[^"\\]|\\.)*"|[^\s",;]*))?)*)/g

function linksOf(header: string): { readonly target: string; readonly rels: readonly string[] }[] {
  return [...header.matchAll(link)].map(([, target = '', parameters = '']) => {
    // The first `rel` counts.
    const rel = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s",;]*))/i.exec(parameters)
    const rels = (rel?.[1] ?? rel?.[2] ?? '').toLowerCase().split(/\s+/)
    return { target: target.trim(), rels }
  })
}
