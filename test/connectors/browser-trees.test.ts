import { afterAll, beforeAll, expect, test } from 'vitest'
import { isTag, isText } from 'domhandler'
import type { Document, Element } from 'domhandler'
import type { Page } from 'playwright-core'
import { htmlEvents } from '../../connectors/isolate/html-answer.ts'
import { baseUrl } from '../../connectors/kit/base-url.ts'
import { matching } from '../../connectors/kit/css.ts'
import { elementsById, formOwner, isForeign, tagsIn } from '../../connectors/kit/form-owner.ts'
import { htmlTree } from '../../connectors/kit/html-tree.ts'
import { pageTree, questions } from '../../connectors/kit/page-tree.ts'
import { select } from '../../connectors/kit/select.ts'
import { startBrowser } from '../support/chromium.ts'
import type { RunningBrowser } from '../support/chromium.ts'
import { changes, ownEntries } from './generated-pages/changes.ts'
import * as chromium from './generated-pages/in-chromium.ts'
import { generatedPages } from './generated-pages/pages.ts'
import { rebuilt } from './older-bundles/rebuilt.ts'

const sources = generatedPages(400)
const address = 'http://app.example/dir/page?x=1'
const deadline = 120_000

let running: RunningBrowser
let tab: Page
beforeAll(async () => {
  running = await startBrowser()
  tab = await running.browser.newPage()
  await tab.route('**/*', (route) =>
    route.request().url() === address
      ? route.fulfill({ contentType: 'text/html; charset=utf-8', body: '<!doctype html><body>' })
      : route.abort(),
  )
  await tab.goto(address)
})
afterAll(() => running.close())

const inChromium = async <T>(source: string, given: unknown): Promise<T> =>
  tab.evaluate<T>(`(${source})(${JSON.stringify(given)})`)

/** What a connector reads: which elements there are, what they hold, where links lead, and which form owns which field. */
function read(tree: Document): readonly string[] {
  const all = [...tagsIn(tree)]
  const byId = elementsById(tree)
  const textOf = (at: Element): string =>
    at.children.map((child) => (isTag(child) ? textOf(child) : isText(child) ? child.data : '')).join('')
  return all.map((one) => {
    const form = /^(?:input|select|textarea|button)$/.test(one.name) ? formOwner(one, byId) : undefined
    const { href = '', value = '' } = one.attribs
    return [one.name, href, value, form === undefined ? '' : all.indexOf(form), textOf(one)].join('|')
  })
}

const selectors = [
  ...['*', 'p', 'DIV', 'div > p', 'p ~ *', 'td + td', 'ul li', 'svg *', ':root > *', 'body :first-child'],
  ...['li:not(:has(b))', 'div:has(> p)', 'p:has(+ *)', 'p:has(~ p a)', ':not(p, div, :has(*))', 'p:not(p + p)'],
  ...['p:nth-of-type(2n+1)', ':nth-last-of-type(2)', ':nth-child(2 of p)', ':nth-last-child(-n+2)', ':only-of-type'],
  ...['[HREF="/1"]', '[href^="/"]', '[href*=""]', 'a[href=""]', '[class~=X]', '[class~=x i]', '[name=N]', '[viewBox]'],
  ...['[lang|=en]', '[lang|=EN]', '[data-k=ab]', '[title="a b"]', 'input[type=radio]', '.X', '.x', '#P1', '#p1'],
  ...[':is(li, td) :is(b, i)', ':where(.row).open', 'a:not([href^="?"])', 'div :not(div) > b', ':empty', ':lang(en)'],
  ...[':checked', 'option:checked', ':disabled', ':enabled', ':required', ':optional', ':read-only', ':any-link'],
]

test(
  '400 pages of broken and minified markup are read as Chromium reads them, also by the kits of older bundles',
  async () => {
    const theirs = await inChromium<string[][]>(chromium.trees, sources)
    expect(sources.filter((source, at) => !same(read(htmlTree(source)), theirs[at]))).toEqual([])
    for (const source of sources) expect(read(rebuilt(htmlEvents(source)))).toEqual(read(htmlTree(source)))
  },
  deadline,
)

test(
  'selectors find in them what they find in Chromium, and the same texts',
  async () => {
    const theirs = await inChromium<{ at: number; text: string | null }[][][]>(chromium.selections, {
      sources,
      selectors,
    })
    let texts = 0
    const differ = sources.flatMap((source, page) => {
      const trees = [htmlTree(source), rebuilt(htmlEvents(source))].map((tree) => ({ tree, all: [...tagsIn(tree)] }))
      const at = select(source)
      return selectors
        .filter((css, number) => {
          const wanted = theirs[page]?.[number] ?? []
          const places = wanted.map((one) => one.at)
          const said = at.any(css).map((one) => one.text())
          const comparable = wanted.flatMap(({ text }, one) => (text === null ? [] : [[text, said[one]] as const]))
          texts += comparable.length
          const found = trees.map(({ tree, all }) => matching(css, tree).map((one) => all.indexOf(one)))
          return !found.every((one) => same(one, places)) || comparable.some(([text, own]) => text !== own)
        })
        .map((css) => [css, source])
    })
    expect(differ).toEqual([])
    expect(texts).toBeGreaterThan(5_000)
  },
  deadline,
)

test(
  'links lead from them to where they lead in Chromium',
  async () => {
    const theirs = await inChromium<string[][]>(chromium.addresses, sources)
    const ours = sources.map((source) => {
      const tree = pageTree(source)
      const base = baseUrl(questions.base(tree), address)
      const linking = tree.elements.filter((one) => /^(?:a|area|link)$/.test(one.name) && !isForeign(one))
      const hrefs = linking.flatMap(({ attribs: { href } }) => (href === undefined ? [] : [href]))
      return hrefs.map((href) => URL.parse(href, base)?.href ?? href)
    })
    expect(sources.filter((_source, at) => !same(ours[at], theirs[at]))).toEqual([])
    expect(theirs.flat().length).toBeGreaterThan(400)
  },
  deadline,
)

test(
  'their forms send what they send in Chromium, as they stand, with a field changed and with a button',
  async () => {
    const jobs = changes(sources, address)
    const theirs = await inChromium<{ action: string; entries: unknown }[]>(chromium.entries, jobs)
    const differ = jobs.flatMap((job, at) => {
      const own = ownEntries(job, address)
      return same(own, theirs[at]) ? [] : [{ ...job, own, theirs: theirs[at] }]
    })
    expect(differ).toEqual([])
    expect(jobs.length).toBeGreaterThan(1_000)
    expect(jobs.filter(({ button }, at) => button !== null && theirs[at]?.entries !== null).length).toBeGreaterThan(30)
  },
  deadline,
)

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
