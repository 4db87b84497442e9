import { afterAll, beforeAll, expect, test } from 'vitest'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { desk, expectTidy, openPage, phone, shoot, startBrowser } from '../support/chromium.ts'
import type { RunningBrowser } from '../support/chromium.ts'
import { firstContact } from '../support/contacts.ts'

let stack: Stack
let running: RunningBrowser

beforeAll(async () => {
  stack = await startStack()
  running = await startBrowser()
})
afterAll(async () => {
  await running.close()
  await stack.stop()
})

test.for([
  ['phone', phone],
  ['desk', desk],
  ['phone-without-scripts', { ...phone, javaScriptEnabled: false }],
] as const)('a person has Callgate look, and sees what it finds when it comes (%s)', async ([name, where]) => {
  const user = await stack.user()
  const contact_id = await firstContact(user)
  await stack.sandbox.fault('drop_after')
  const note = 'Wants two rooms, a balcony, and Donaudampfschifffahrtsgesellschaftskapitänswitwen as neighbours.'
  const call = await user.call('add_contact_note', { contact_id, note }, { Prefer: 'wait=50' })
  // Callgate has looked by itself right after the write, and asks an app again after a minute only.
  await stack.ctx.db.query(
    `UPDATE findings SET asked_at = asked_at - interval '2 minutes', found_at = found_at - interval '2 minutes' WHERE call_id = $1`,
    [call.body['call_id']],
  )
  const { page, problems } = await openPage(running.browser, where)
  await page.goto(`${stack.publicUrl}/calls/${String(call.body['call_id'])}`)
  await page.getByLabel('Email').fill(user.email)
  await page.getByLabel('Password').fill(user.password)
  await page.getByRole('button', { name: 'Sign in' }).click()

  await stack.sandbox.fault('slow', { ms: 7_000 })
  await page.getByRole('button', { name: 'Look in the app' }).click()
  await page.getByText('Looking in').waitFor()
  await shoot(page, `look-${name}-1`)
  await expectTidy(page, name, where.viewport.width)
  await page.getByText('One like it is there').waitFor()
  await shoot(page, `look-${name}-2`)
  await expectTidy(page, name, where.viewport.width)
  expect(await page.locator('#look').count()).toBe(1)
  expect(await page.locator('#look[hx-get]').count()).toBe(0)
  await page.getByRole('button', { name: 'Yes, it happened' }).click()
  await page.getByText('Recorded later: it did happen').waitFor()
  expect(await page.getByRole('button', { name: 'Look in the app' }).count()).toBe(0)
  expect(problems).toEqual([])
})
