import dns from 'node:dns'
import { createServer } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import type { Context } from '../../../core/context.ts'
import { liveConnect } from '../../../web/connect/live.ts'
import { createApp } from '../../../server/server.ts'
import type { App } from '../../../connectors/registry.ts'
import { slugForm } from '../../../schemas/names.ts'
import { startStack } from '../../harness.ts'
import type { Stack } from '../../harness.ts'
import { desk, openPage, phone, shoot, startBrowser } from '../../support/chromium.ts'
import type { RunningBrowser } from '../../support/chromium.ts'
import { listen } from '../../support/listen.ts'
import { startNameServer } from '../../support/name-server.ts'

vi.setConfig({ testTimeout: 120_000 })

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

/** A gateway with an app beside the others, whose slug has digits, at a server of ours. */
async function gatewayOf(origin: string) {
  const known = stack.ctx.apps.all[0] as App
  const signIn = { page: 'sign-in', who: { page: 'me', account: () => null } }
  const app: App = { ...known, slug: 'shop-24-7', name: 'Shop 24/7', origin, signIn }
  const apps = {
    broken: stack.ctx.apps.broken,
    all: [...stack.ctx.apps.all, app],
    get: (slug: string) => (slug === app.slug ? app : stack.ctx.apps.get(slug)),
  }
  const ctx: Context = { ...stack.ctx, apps }
  const koa = createApp(ctx)
  const server = createServer((request, response) => void koa.callback()(request, response))
  // Our own sign-in service has no address on the internet: it stands for one that has.
  const live = liveConnect(ctx, koa, server, { browsers: 2, time: 90_000, look: 3_000 }, (at) => at === '127.0.0.1')
  const port = await listen(server)
  onTestFinished(() => {
    live.close()
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${port}`, slug: app.slug }
}

/** It is ready after a second, which may be over before anybody outside of the page can look. */
const noteAllow = (host: string) => `new MutationObserver((_, watch) => {
  const allow = document.querySelector('[aria-label="Allow ${host}"]')
  if (!allow) return
  window.allowAtFirst = allow.disabled ? 'disabled' : 'ready'
  watch.disconnect()
}).observe(document.body, { childList: true, subtree: true })`

async function signedIn(url: string, slug: string, where: typeof phone | typeof desk): Promise<Page> {
  const user = await stack.user({ accounts: [] })
  const { page } = await openPage(running.browser, where)
  onTestFinished(() => page.context().close())
  await page.goto(`${url}/connect/${slug}`)
  await page.getByLabel('Email').fill(user.email)
  await page.getByLabel('Password').fill(user.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Sign in to' }).click()
  await page.getByText('Sign in here').waitFor()
  return page
}

test.for([
  ['on a phone', phone],
  ['on a desk', desk],
] as const)('a person allows a host by its name, %s, and no other way leads there', async ([name, where]) => {
  const hellos: string[] = []
  const service = createTcpServer((socket) => {
    socket.on('error', () => socket.destroy())
    socket.once('data', (said) => {
      hellos.push(said.toString('latin1'))
      socket.destroy()
    })
  })
  const port = await listen(service)
  const names = await startNameServer({ 'xn--80ak6aa92e.com': ['127.0.0.1'], 'inside.example.com': ['10.0.0.1'] })
  const before = dns.getServers()
  dns.setServers([names.address])
  onTestFinished(() => {
    dns.setServers(before)
    names.close()
    service.close()
  })
  const away = `https://аррӏе.com:${port}/login?state=1`
  const app = createServer((request, response) => {
    response.setHeader('content-type', 'text/html')
    if (request.url === '/me') return void response.writeHead(401).end()
    if (request.url === '/away') return void response.writeHead(302, { location: encodeURI(away) }).end()
    const parts = ['one', 'two'].map((one) => `<script src="https://${one}.captcha.example.net/x.js"></script>`)
    return void response.end(
      `<meta name="viewport" content="width=device-width"><h1>Shop 24/7</h1><p><a href="/away" style="display:block;padding:20px;background:#eee">Sign in with Apple</a></p>
       <img src="https://inside.example.com/x.png">${parts.join('')}`,
    )
  })
  const origin = `http://localhost:${await listen(app)}/`
  onTestFinished(() => {
    app.closeAllConnections()
    app.close()
  })
  const { url, slug } = await gatewayOf(origin)
  const page = await signedIn(url, slug, where)
  const parts = page.getByText('This page wants to load parts from 3 other hosts')
  await parts.waitFor()

  const host = `xn--80ak6aa92e.com:${port}`
  expect(await page.getByText(host).count()).toBe(0)
  await page.evaluate(noteAllow(host))
  await page.locator('.glass').click({ position: { x: 60, y: 110 } })
  const allow = page.getByRole('button', { name: `Allow ${host}` })
  await allow.waitFor()
  // A click that was meant for the picture a moment ago allows nothing.
  expect(await page.evaluate('window.allowAtFirst')).toBe('disabled')
  expect(await page.locator('[data-wants]').textContent()).toContain(`Shop 24/7 wants to open ${host}.`)
  await expect.poll(() => allow.isDisabled()).toBe(false)
  await parts.click()
  await shoot(page, `connect host ${name}`)
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(where.viewport.width)
  expect(hellos).toEqual([])
  expect(names.asked).toEqual([])

  await allow.click()
  await expect.poll(() => hellos.length).toBeGreaterThan(0)
  expect(hellos[0]).toContain('xn--80ak6aa92e.com')
  expect(new Set(names.asked)).toEqual(new Set(['xn--80ak6aa92e.com']))
  await allow.waitFor({ state: 'detached' })

  await page.getByRole('button', { name: 'Allow inside.example.com' }).click()
  await page.getByText('inside.example.com cannot be reached').waitFor()
  await shoot(page, `connect host refused ${name}`)
})

test('every app has a slug that all addresses take', () => {
  for (const { slug } of stack.ctx.apps.all) expect(slug).toMatch(new RegExp(`^${slugForm}$`))
})
