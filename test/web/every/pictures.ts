import type { Page } from 'playwright-core'

/** So much of a page is kept: two screens of a phone, one and a half of a desk; of what is prose the first. */
const tallest = { 390: 1688, 1280: 1350 } as const
const screen = { 390: 844, 1280: 900 } as const

export type Width = keyof typeof screen
export type Theme = 'light' | 'dark'

export async function showAs(page: Page, width: Width, theme: Theme): Promise<void> {
  await page.setViewportSize({ width, height: screen[width] })
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
}

/** What is drawn otherwise each time: a secret as a QR code, the moving picture of a remote browser. */
const volatile = 'img.qr, .glass'

export async function steady(page: Page): Promise<void> {
  await page.evaluate(steadied)
}

export async function pictureOf(page: Page, width: Width, isProse: boolean): Promise<Buffer> {
  await steady(page)
  const whole = await page.evaluate<number>('document.documentElement.scrollHeight')
  const height = Math.min(isProse ? screen[width] : tallest[width], Math.max(whole, screen[width]))
  return page.screenshot({
    fullPage: true,
    clip: { x: 0, y: 0, width, height },
    animations: 'disabled',
    caret: 'hide',
    mask: [page.locator(volatile)],
    maskColor: '#888888',
  })
}

/**
 * What is made by chance, and the port, are written as if they were always the same; nothing has the focus; buttons that wait until all is
 * read look as when it is.
 */
const steadied = `(() => {
  document.activeElement?.blur()
  scrollTo(0, 0)
  for (const form of document.querySelectorAll('form[data-guard]')) {
    form.removeAttribute('data-guard')
    form.querySelector('[value=approve], [value=allow]')?.setAttribute('aria-disabled', 'false')
    const hint = form.querySelector('.decide .hint')
    if (hint?.dataset.usual !== undefined) hint.textContent = hint.dataset.usual
    form.querySelector('.decide')?.removeAttribute('data-more')
  }
  const same = (text) => text
    .replace(/\\b([a-z]+_)[0-9A-HJKMNP-TV-Z]{26}\\b/g, '$101JD0000000000000000000000')
    .replace(/\\b(cg_live_)[0-9a-z]+/gi, '$1abcd')
    .replace(/127\\.0\\.0\\.1:\\d+/g, 'callgate.example')
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const to = same(text.data)
    if (to !== text.data) text.data = to
  }
  for (const field of document.querySelectorAll('input:not([type=hidden]), textarea')) {
    const to = same(field.value)
    if (to !== field.value) field.value = to
  }
})()`
