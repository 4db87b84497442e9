import type { Browser, Page } from 'playwright-core'
import type { TestUser } from '../../support/user.ts'

/** The owner's page for connecting to the sandbox's agency, in a browser of theirs. */
export async function openConnectPage(
  browser: Browser,
  of: {
    readonly publicUrl: string
    readonly user: TestUser
    readonly viewport: { readonly width: number; readonly height: number }
    readonly query?: string
  },
): Promise<Page> {
  const { publicUrl, user, viewport, query = '' } = of
  const context = await browser.newContext({ viewport })
  const page = await context.newPage()
  await page.goto(`${publicUrl}/connect/property-advertising${query}`)
  await page.getByLabel('Email').fill(user.email)
  await page.getByLabel('Password').fill(user.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}

export async function openPicture(page: Page, button: string): Promise<void> {
  await page.getByRole('button', { name: button }).click()
  await page.getByText('Sign in here').waitFor()
}

/** Types as a person does: a click into the first field, then keys only. */
export async function signInInPicture(page: Page, email: string, password: string): Promise<void> {
  await page.locator('.glass').click({ position: { x: 178, y: 170 } })
  await page.keyboard.type(email)
  await page.keyboard.press('Tab')
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
}
