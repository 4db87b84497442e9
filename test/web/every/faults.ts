import type { CDPSession, Page } from 'playwright-core'

/** More than this is not sent for a page, its styles and its scripts together, headers too, to who has nothing of it yet. */
const mostBytes = 42 * 1024

/** Opens a page as who has never been there. */
export async function weightOf(page: Page, wire: CDPSession, address: string): Promise<readonly string[]> {
  await wire.send('Network.enable')
  await wire.send('Network.setCacheDisabled', { cacheDisabled: true })
  let bytes = 0
  wire.on('Network.loadingFinished', ({ encodedDataLength }) => void (bytes += encodedDataLength))
  await page.goto(address)
  await wire.send('Network.disable')
  if (bytes < 5_000) throw new Error(`no page is as small as ${bytes} bytes`)
  return bytes > mostBytes ? [`${bytes} bytes were sent`] : []
}

/** The page does not go beyond its screen to the side. */
export async function overflowOf(page: Page): Promise<readonly string[]> {
  return page.evaluate<string[]>(`(() => {
    const wide = document.documentElement.scrollWidth
    if (wide <= innerWidth) return []
    const beyond = [...document.querySelectorAll('body *')].filter((one) =>
      one.getBoundingClientRect().right > innerWidth + 1 && getComputedStyle(one).position !== 'absolute')
    const named = beyond.slice(0, 3).map((one) => one.tagName + '.' + one.className + ' ' + Math.round(one.getBoundingClientRect().right))
    return [wide + ' px wide at ' + innerWidth + ': ' + named.join(', ')]
  })()`)
}

/** Tab leads to the main button of the page, and what has the focus shows that it has. */
export async function reachOf(page: Page): Promise<readonly string[]> {
  const main = page.locator('main button.primary:visible').first()
  if ((await main.count()) === 0 || (await main.isDisabled())) return []
  await page.evaluate('document.activeElement?.blur(); window.scrollTo(0, 0)')
  for (let step = 0; step < 200; step++) {
    await page.keyboard.press('Tab')
    const [isThere, isSeen] = await main.evaluate((one) => [
      one === document.activeElement,
      getComputedStyle(one).outlineStyle !== 'none',
    ])
    if (isThere) return isSeen ? [] : ['the main button does not show that it has the focus']
  }
  return [`no Tab leads to ${String(await main.textContent())}`]
}

/** Sets the size of letters as a person's browser settings do, in per cent, and asks what no longer fits. */
export async function faultsWithLetters(page: Page, devtools: CDPSession, percent: number): Promise<readonly string[]> {
  const sized = async (per: number): Promise<void> => {
    const [standard, fixed] = [(16 * per) / 100, (13 * per) / 100]
    await devtools.send('Page.setFontSizes', { fontSizes: { standard, fixed } })
  }
  await sized(percent)
  try {
    return [...(await overflowOf(page)), ...(await squeezedIn(page)), ...(await coveredIn(page))]
  } finally {
    await sized(100)
  }
}

/** Short words that go on in the next line, and text that its box cuts off. */
async function squeezedIn(page: Page): Promise<readonly string[]> {
  return page.evaluate<string[]>(`(() => {
    const found = new Map()
    const add = (what, one) => found.set(what + ' in ' + one.tagName + '.' + one.className, true)
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const range = document.createRange()
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      const holder = text.parentElement
      if (holder.closest('script, style, pre, code, svg, [aria-hidden=true]')) continue
      for (const { 0: word, index } of text.data.matchAll(/\\S+/g)) {
        if (!/^[A-Za-z.,:’']{2,12}$/.test(word)) continue
        range.setStart(text, index)
        range.setEnd(text, index + word.length)
        if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) add('"' + word + '" is broken', holder)
      }
    }
    for (const one of document.querySelectorAll('main *, header *')) {
      if (one.clientWidth <= 1 || one.scrollWidth <= one.clientWidth + 1) continue
      if (/hidden|clip/.test(getComputedStyle(one).overflowX)) add(one.scrollWidth + ' px are cut at ' + one.clientWidth, one)
    }
    return [...found.keys()].slice(0, 5)
  })()`)
}

/** What stays in place while the page is scrolled leaves half of the screen to the page. */
async function coveredIn(page: Page): Promise<readonly string[]> {
  return page.evaluate<string[]>(`(() => {
    scrollTo(0, (document.documentElement.scrollHeight - innerHeight) / 2)
    const bars = [...document.querySelectorAll('body *')].filter((one) => /fixed|sticky/.test(getComputedStyle(one).position))
    const seen = bars.map((one) => {
      const { top, bottom, width } = one.getBoundingClientRect()
      return width < innerWidth / 2 ? 0 : Math.max(0, Math.min(bottom, innerHeight) - Math.max(top, 0))
    })
    scrollTo(0, 0)
    const covered = Math.round(seen.reduce((sum, one) => sum + one, 0))
    return covered > innerHeight / 2 ? ['bars cover ' + covered + ' of ' + innerHeight + ' px'] : []
  })()`)
}
