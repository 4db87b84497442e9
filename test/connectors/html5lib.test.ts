import { readFileSync } from 'node:fs'
import { isComment, isTag, isText } from 'domhandler'
import type { AnyNode } from 'domhandler'
import { expect, test } from 'vitest'
import { htmlTree } from '../../connectors/kit/html-tree.ts'

/** The tree construction tests that browsers are tested with, as this package has them. */
const path = new URL(import.meta.resolve('@mixmark-io/domino/test/html5lib-tests.json'))
const files = JSON.parse(readFileSync(path, 'utf8')) as Readonly<Record<string, readonly Case[]>>

interface Case {
  readonly data: string
  readonly fragment?: unknown
  readonly script?: 'off' | 'on'
  readonly document: { readonly tree: readonly Wanted[] }
}

interface Wanted {
  readonly tag?: string
  readonly ns?: string
  readonly attrs?: readonly { readonly name: string; readonly value: string; readonly ns?: string }[]
  readonly children?: readonly Wanted[]
  readonly text?: string
  readonly comment?: string
}

/** The standard has dropped these elements since: https://github.com/whatwg/html/pull/907 */
const outdated = new Set([
  '<!DOCTYPE html><body><menuitem>A<menuitem>B',
  '<!DOCTYPE html><body><menuitem>A<menu>B</menu>',
  '<!DOCTYPE html><body><menuitem>A<hr>B',
])

/** Read as a piece for a table, other than browsers do. */
const beginsInTable = /^\s*<(?:caption|col|colgroup|tbody|td|tfoot|th|thead|tr)[\s/>]/i

const prefixes: Readonly<Record<string, string>> = {
  'http://www.w3.org/1999/xlink': 'xlink:',
  'http://www.w3.org/XML/1998/namespace': 'xml:',
  'http://www.w3.org/2000/xmlns/': 'xmlns:',
}

function wanted(nodes: readonly Wanted[]): unknown[] {
  return nodes.flatMap(({ tag, ns, attrs = [], children = [], text, comment }): unknown[] => {
    if (text !== undefined) return [text]
    if (comment !== undefined) return [{ comment }]
    if (tag === undefined) return []
    const named = attrs.map((one) => [`${prefixes[one.ns ?? ''] ?? ''}${one.name}`.toLowerCase(), one.value] as const)
    // What a template holds is no part of our trees.
    return [[tag.toLowerCase(), Object.fromEntries(named), tag === 'template' && !ns ? [] : wanted(children)]]
  })
}

function built(nodes: readonly AnyNode[]): unknown[] {
  return nodes.flatMap((node): unknown[] => {
    if (isTag(node)) return [[node.name, node.attribs, built(node.children)]]
    return isText(node) ? [node.data] : isComment(node) ? [{ comment: node.data }] : []
  })
}

test.each(Object.entries(files))('%s', (_file, cases) => {
  for (const { data, document } of cases.filter(isPage))
    expect(built(htmlTree(data).children), data).toEqual(wanted(document.tree))
})

test('more than 1,400 of them', () => {
  expect(Object.values(files).flat().filter(isPage).length).toBeGreaterThan(1_400)
})

function isPage({ data, fragment, script }: Case): boolean {
  return fragment === undefined && script !== 'off' && !beginsInTable.test(data) && !outdated.has(data)
}
