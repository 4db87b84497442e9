import { setTimeout as pause } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import type { Person } from './person.ts'
import type { RealApp, RunningApp } from './real-app.ts'

interface Place {
  readonly x: number
  readonly y: number
}

/**
 * Signs in to the app on Callgate's remote browser page as a user does: clicks where the fields
 * appear in the picture, and types. `frames`: a folder for screenshots. Returns the account's id.
 */
export async function signIn(options: {
  readonly person: Person
  readonly app: RealApp
  readonly running: RunningApp
  readonly account?: string | undefined
  readonly frames?: string | undefined
}): Promise<string> {
  const { person, app, running, account, frames } = options
  const page = await person.open(`/connect/${app.name}${account === undefined ? '' : `?account=${account}`}`)
  const address = page.locator('[data-address]')
  if ((await address.count()) > 0) await address.fill(running.origin)
  await page.locator('[data-open]').click()
  await page.getByText('Sign in here').waitFor({ timeout: 180_000 })
  const keep = async (name: string): Promise<void> => {
    if (frames !== undefined) await page.screenshot({ path: `${frames}/${app.name}-${name}.png`, fullPage: true })
  }
  try {
    await untilStill(page)
    await keep('opened')
    const { width, height } = await sizeOf(page)
    const form = await placesOf(page, { width, height }, `${running.origin}/${app.signInForm.page}`, app.signInForm)
    const glass = page.locator('.glass')
    await glass.scrollIntoViewIfNeeded()
    // Measured each time: text above the picture moves it.
    const at = async ({ x, y }: Place): Promise<[number, number]> => {
      const box = await glass.boundingBox()
      if (box === null) throw new Error('the picture is not there')
      return [box.x + (x / width) * box.width, box.y + ((y - form.scrolled) / height) * box.height]
    }
    if (form.scrolled > 0) {
      await page.mouse.move(...(await at({ x: width / 2, y: height / 2 + form.scrolled })))
      await page.mouse.wheel(0, form.scrolled)
      await untilStill(page)
    }
    await page.mouse.click(...(await at(form.name)))
    await page.keyboard.type(app.person.name)
    await page.keyboard.press('Tab')
    await page.keyboard.type(app.person.password)
    await untilStill(page)
    await keep('typed')
    await page.mouse.click(...(await at(form.button)))
    await page.getByText('Connected. The browser is gone').waitFor({ timeout: 180_000 })
  } catch (error) {
    await keep('failed')
    const said = await page.locator('main').innerText()
    throw new Error(`the sign-in did not end; the page said: ${said.replaceAll(/\s+/g, ' ')}`, { cause: error })
  }
  const id = new URL(page.url()).searchParams.get('account')
  if (id === null) throw new Error(`the page after signing in names no account: ${page.url()}`)
  return id
}

/** Waits until the picture is unchanged for 0.5 s and not one colour, as a loading page is. */
async function untilStill(page: Page): Promise<void> {
  const look = () =>
    page.evaluate<string>(`(() => {
      const canvas = document.querySelector('.glass canvas')
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
      const isBlank = new Uint32Array(data.buffer).every((pixel, _, [first]) => pixel === first)
      return isBlank ? '' : canvas.toDataURL('image/jpeg', 0.5)
    })()`)
  const until = Date.now() + 120_000
  let now = await look()
  for (let before = ''; (before !== now || now === '') && Date.now() < until; before = now, now = await look())
    await pause(500)
  if (now === '') throw new Error('the picture of the sign-in page stays blank')
}

function sizeOf(page: Page): Promise<{ width: number; height: number }> {
  return page.evaluate<{ width: number; height: number }>(
    `(({ width, height }) => ({ width, height }))(document.querySelector('.glass canvas'))`,
  )
}

/** Positions for this window size, measured on the app's own page: the picture has no fields. */
async function placesOf(
  page: Page,
  viewport: { readonly width: number; readonly height: number },
  address: string,
  form: RealApp['signInForm'],
): Promise<{ readonly name: Place; readonly button: Place; readonly scrolled: number }> {
  const browser = page.context().browser()
  if (browser === null) throw new Error('the browser is gone')
  const context = await browser.newContext({ viewport })
  try {
    const own = await context.newPage()
    await own.goto(address)
    const middle = async (css: string): Promise<Place> => {
      const box = await own.locator(css).boundingBox()
      if (box === null) throw new Error(`${address} shows no ${css}`)
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
    }
    const [name, button] = [await middle(form.name), await middle(form.button)]
    const most = (await own.evaluate<number>('document.documentElement.scrollHeight')) - viewport.height
    const wanted = button.y < viewport.height - 20 ? 0 : Math.round(name.y - viewport.height / 3)
    return { name, button, scrolled: Math.min(wanted, most) }
  } finally {
    await context.close()
  }
}
