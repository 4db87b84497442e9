// Somebody with a browser and an agent's key, in the image of the connect page's browser:
//   person.mjs join <link> | connect <email> <password> | read | refused | ended <call id> | ask <text> | follow <call id> | approve <call id>
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const require = createRequire('/callgate/package.json')
const [what, first, second] = process.argv.slice(2)
const base = 'http://localhost:8080'
const file = '/person/state.json'
const app = 'property-advertising'
/** The cookies of the browser, and the key. */
const state = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}

async function api(method, path, body) {
  const headers = { Authorization: `Bearer ${state.key}`, 'Content-Type': 'application/json' }
  const answer = await fetch(`${base}/api/v1${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  return { status: answer.status, body: await answer.json() }
}

async function browse(act) {
  const { chromium } = require('playwright-core')
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium' })
  const context = await browser.newContext({ viewport: { width: 1000, height: 900 }, storageState: state.storage })
  try {
    await act(await context.newPage())
    state.storage = await context.storageState()
    writeFileSync(file, JSON.stringify(state))
  } finally {
    await browser.close()
  }
}

/** As a person reads: the page is there for a while, and all of it was in view. */
async function readThrough(page) {
  const approve = page.locator('button[value=approve]')
  await page.mouse.move(400, 400)
  for (let looks = 0; looks < 60; looks++) {
    await page.waitForTimeout(500)
    if ((await approve.getAttribute('aria-disabled')) !== 'true') return approve
    await page.mouse.wheel(0, 300)
  }
  throw new Error('the button to approve stays shut')
}

const acts = {
  join: () =>
    browse(async (page) => {
      await page.goto(base + new URL(first).pathname)
      for (const field of await page.locator('input[type=password]').all()) await field.fill('seven-brave-otters-paint')
      await page.getByRole('button', { name: 'Make the account' }).click()
      await page.waitForURL(`${base}/`)
      await page.goto(`${base}/keys`)
      await page.getByLabel('Name').fill('Proof')
      await page.getByRole('button', { name: 'Make the key' }).click()
      state.key = (await page.locator('#text-key code').textContent()).trim()
    }),
  connect: () =>
    browse(async (page) => {
      await page.goto(`${base}/connect/${app}`)
      await page.getByRole('button', { name: /Sign in to|Connect another/ }).click()
      await page.getByText('Sign in here').waitFor({ timeout: 180_000 })
      await page.locator('.glass').click({ position: { x: 178, y: 170 } })
      await page.keyboard.type(first)
      await page.keyboard.press('Tab')
      await page.keyboard.type(second)
      await page.keyboard.press('Enter')
      await page.getByText('Connected. The browser is gone').waitFor({ timeout: 180_000 })
    }),
  async read() {
    const { status, body } = await api('POST', `/${app}/list_contacts`, {})
    if (status !== 200) throw new Error(JSON.stringify(body))
    return body.contacts[0].contact_id
  },
  /** A call that is not taken, or nobody can tell of: how soon that is said, and what. */
  async refused() {
    const began = Date.now()
    const { status, body } = await api('POST', `/${app}/list_contacts`, {})
    if (status !== 503 && !(status === 500 && body.call_id)) throw new Error(`${status} ${JSON.stringify(body)}`)
    return `${status} ${body.error} after ${Date.now() - began} ms: ${body.message}`
  },
  async ended() {
    const { body } = await api('GET', `/calls/${first}?wait=50`)
    if (body.status !== 'executed') throw new Error(JSON.stringify(body))
    return `${first} is ${body.status}`
  },
  /** A page that is never loaded again, whatever happens to the process that it follows the call by. */
  follow: () =>
    browse(async (page) => {
      await page.goto(`${base}/calls/${first}`)
      await page.evaluate(() => (globalThis.stayed = true))
      console.log('follows')
      await page
        .getByText(/confirmed it/i)
        .first()
        .waitFor({ timeout: 300_000 })
      if (!(await page.evaluate(() => globalThis.stayed))) throw new Error('it was loaded again')
    }),
  async ask() {
    const contact = await acts.read()
    const { status, body } = await api('POST', `/${app}/reply_to_contact`, { contact_id: contact, message: first })
    if (status !== 202) throw new Error(JSON.stringify(body))
    return body.call_id
  },
  async approve() {
    await browse(async (page) => {
      await page.goto(`${base}/confirm/${first}`)
      await (await readThrough(page)).click()
      await page
        .getByText(/Approved|Sent|Done|on its way/i)
        .first()
        .waitFor()
    })
    const { body } = await api('GET', `/calls/${first}?wait=50`)
    if (body.status !== 'executed') throw new Error(`it is ${body.status}`)
  },
}
console.log((await acts[what]()) ?? `${what}: done`)
