import { afterAll, beforeAll, expect, it } from 'vitest'
import { startGateway } from '../api/http/gateway.ts'
import type { Gateway } from '../api/http/gateway.ts'
import { readOn, startBrowser } from '../support/chromium.ts'
import type { RunningBrowser } from '../support/chromium.ts'
import { pkce, Program } from './flow.ts'

let gateway: Gateway
let running: RunningBrowser
beforeAll(async () => {
  gateway = await startGateway()
  running = await startBrowser()
})
afterAll(async () => {
  await running.close()
  await gateway.stop()
})

it.each([390, 1280])('a press within the first second allows nothing, by hand or by key (%i px)', async (width) => {
  const program = await Program.register(gateway.publicUrl)
  const page = await running.browser.newPage({ viewport: { width, height: 844 } })
  try {
    await page.goto(`${gateway.publicUrl}/login`)
    await page.getByLabel('Email').fill('owner@example.com')
    await page.getByLabel('Password').fill('a long password')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    const codes = async () => (await gateway.ctx.db.query('SELECT FROM oauth_codes')).rowCount
    const before = await codes()
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 1_000)
    await page.goto(gateway.publicUrl + program.asks(pkce().challenge))
    const allow = page.getByRole('button', { name: 'Allow', exact: true })
    for (let n = 0; n < 5; n++) {
      const { x, y } = (await allow.boundingBox())!
      await page.mouse.click(x + 10, y + 10)
      await page.clock.runFor(300)
    }
    await allow.focus()
    await page.keyboard.press('Enter')
    const hint = page.locator('#what-is-left')
    expect(await hint.textContent()).toMatch(/^Hold on[.:]/)
    const folder = process.env['PICTURES']
    if (folder !== undefined) await page.screenshot({ path: `${folder}/consent-${width}-early.png` })
    expect(await codes()).toBe(before)
    await page.clock.resume()
    await readOn(page, page.getByRole('button', { name: /^Allow$/ }))
    expect(await hint.textContent(), 'gone once the button is ready').toMatch(/^It gets no password/)
    if (folder !== undefined) await page.screenshot({ path: `${folder}/consent-${width}.png` })
    await allow.click()
    await page.getByText('Tick the apps that it may use, or all.').waitFor()
    await page.check('[name=all]')
    await readOn(page, page.getByRole('button', { name: /^Allow$/ }))
    await allow.focus()
    await page.keyboard.press('Enter')
    await expect.poll(codes).toBe((before ?? 0) + 1)
    const { rows } = await gateway.ctx.db.query('SELECT bool_and(read_only) AS reads FROM oauth_codes')
    expect(rows).toEqual([{ reads: true }])
  } finally {
    await page.close()
  }
})
