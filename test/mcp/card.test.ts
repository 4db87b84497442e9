import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { Frame, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startStack } from '../harness.ts'
import type { Stack } from '../harness.ts'
import { openPage, phone, shoot, startBrowser } from '../support/chromium.ts'
import type { RunningBrowser } from '../support/chromium.ts'
import { listen } from '../support/listen.ts'
import type { TestUser } from '../support/user.ts'
import { app, followsTasks, replyOf } from './asking.ts'
import { send, send2025 } from './raw.ts'
import type { Wire } from './raw.ts'

const showsCards = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } }
const uri = 'ui://callgate/waiting'

let stack: Stack
let mcpUrl: string
beforeAll(async () => {
  stack = await startStack()
  mcpUrl = `${stack.publicUrl}/mcp`
})
afterAll(() => stack.stop())

const write = (user: TestUser, args: object, capabilities: object = showsCards) =>
  send(mcpUrl, user.key, { method: 'tools/call', params: { name: 'write_action', arguments: args }, capabilities })
const cardIn = ({ result }: Wire) =>
  (result['_meta'] as Record<string, unknown>)['callgate/card'] as { readonly html: string; readonly url: string }

it('tools that write name the card, and it is there to be read, with nothing of anybody in it', async () => {
  const user = await stack.user()
  for (const path of ['/mcp', `/mcp/${app}`]) {
    const { result } = await send(`${stack.publicUrl}${path}`, user.key, { method: 'tools/list' })
    const tools = result['tools'] as { annotations: { readOnlyHint: boolean }; name: string; _meta?: object }[]
    const named = tools.filter(({ _meta }) => _meta !== undefined)
    expect(named.length, path).toBeGreaterThan(0)
    for (const { _meta, annotations } of named)
      expect([_meta, annotations.readOnlyHint]).toEqual([{ ui: { resourceUri: uri } }, false])
  }
  for (const ask of [
    (method: string, params: Record<string, unknown> = {}) => send(mcpUrl, user.key, { method, params }),
    (method: string, params: Record<string, unknown> = {}) => send2025(mcpUrl, user.key, method, params),
  ]) {
    const listed = await ask('resources/list')
    expect(listed.result['resources']).toEqual([
      expect.objectContaining({ uri, mimeType: 'text/html;profile=mcp-app' }),
    ])
    const { result } = await ask('resources/read', { uri })
    const [content] = result['contents'] as { uri: string; mimeType: string; text: string; _meta: object }[]
    expect(content).toMatchObject({
      uri,
      mimeType: 'text/html;profile=mcp-app',
      _meta: { ui: { prefersBorder: true } },
    })
    expect(content?.text).toContain("default-src 'none'")
    expect(content?.text).not.toMatch(/https?:|unsafe/)
    const made = await ask('resources/read', { uri: 'ui://callgate/made-up' })
    expect(made.error.code).toBe(-32_602)
  }
})

it('what waits comes with the result for hosts that show cards, and for no others', async () => {
  const user = await stack.user()
  const args = await replyOf(user, 'For the card')
  const shown = await write(user, args)
  const callId = String((shown.result['structuredContent'] as Record<string, unknown>)['call_id'])
  expect(cardIn(shown)).toEqual({
    html: expect.stringContaining('For the card') as string,
    url: `${stack.publicUrl}/confirm/${callId}`,
  })
  expect(cardIn(await write(user, args, {}))).toBeUndefined()
  // A task has no result yet that could carry it.
  const task = await write(user, args, { extensions: { ...showsCards.extensions, ...followsTasks.extensions } })
  expect(task.result).toMatchObject({ resultType: 'task' })

  const hello = { protocolVersion: '2025-11-25', capabilities: showsCards, clientInfo: { name: 'host', version: '1' } }
  const session = (await send2025(mcpUrl, user.key, 'initialize', hello)).headers.get('Mcp-Session-Id') ?? ''
  const call = { name: 'write_action', arguments: args }
  const later = await send2025(mcpUrl, user.key, 'tools/call', call, { 'Mcp-Session-Id': session })
  expect(cardIn(later).url).toBe(`${stack.publicUrl}/confirm/${callId}`)
  expect(cardIn(await send2025(mcpUrl, user.key, 'tools/call', call))).toBeUndefined()
})

it('is short where what would be sent is long: its page has all of it', async () => {
  const user = await stack.user()
  const { html } = cardIn(await write(user, await replyOf(user, `Read${'\u200b\u200c'.repeat(900)}`)))
  expect(html).toContain('It is too long for this card: its page has all of it.')
  expect(html).toContain('Decide by')
  expect(html.length).toBeLessThan(16_000)
})

describe('in a host', () => {
  let running: RunningBrowser
  let server: Server
  let origin: string
  let html = ''
  beforeAll(async () => {
    running = await startBrowser()
    // The card is of another origin than the host, under the policy that the specification has for one that declares nothing.
    server = createServer((request, response) => {
      response.setHeader('Content-Type', 'text/html; charset=utf-8')
      if (request.url === '/host') return void response.end(hostPage)
      response.setHeader(
        'Content-Security-Policy',
        "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; media-src 'self' data:; connect-src 'none'",
      )
      response.end(html)
    })
    const port = await listen(server)
    origin = `http://localhost:${port}`
    const user = await stack.user({ accounts: [] })
    const { result } = await send2025(mcpUrl, user.key, 'resources/read', { uri })
    html = (result['contents'] as { text: string }[])[0]?.text ?? ''
  })
  afterAll(async () => {
    await running.close()
    server.closeAllConnections()
    server.close()
  })

  /** A host that shows the card of a result, and what the card asked of it. */
  async function shown(result: object, host: { theme?: string; openLinks?: object | undefined } = {}, where = phone) {
    const { page, problems } = await openPage(running.browser, where)
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    const { theme = 'light', openLinks = {} } = host
    await page.addInitScript(
      `window.play = ${JSON.stringify({ result, theme, openLinks: 'openLinks' in host ? host.openLinks : openLinks, card: `${origin.replace('localhost', '127.0.0.1')}/card` })}`,
    )
    await page.goto(`${origin}/host`)
    await page.waitForFunction('window.heard.some(({ method }) => method === "ui/notifications/size-changed")')
    const card = page.frames().find((frame) => frame.url().endsWith('/card'))
    if (card === undefined) throw new Error('there is no card')
    return { page, card, problems, requests }
  }

  const heard = (page: Page) => page.evaluate<{ method: string; params: Record<string, unknown> }[]>('window.heard')
  const textOf = (card: Frame) => card.locator('main').innerText()

  it('shows what waits as the confirm page does, asks the host to open that page, and decides nothing', async () => {
    const user = await stack.user()
    const hostile =
      '<img src="http://127.0.0.1:9/x" onerror="alert(1)"><script>parent.postMessage(1, "*")</script> \u202eevil'
    const written = await write(user, await replyOf(user, hostile))
    const { call_id: callId, confirm_url: url } = written.result['structuredContent'] as Record<string, string>
    const { page, card, problems, requests } = await shown(written.result)
    await card.waitForSelector('button')
    const text = await textOf(card)
    expect(text).toContain(`Waiting for your approval · ${stack.ctx.apps.get(app)?.name}`)
    expect(text).toContain(
      '<img src="http://127.0.0.1:9/x" onerror="alert(1)"><script>parent.postMessage(1, "*")</script>',
    )
    // What nobody sees is shown, as there.
    expect(text).toContain('U+202E')
    expect(await card.locator('img, script:not(body > script), a').count()).toBe(0)
    const there = await (await (await user.person()).get(`/confirm/${callId}`)).text()
    const sentence = /<h1[^>]*>([\s\S]*?)<\/h1>/
    expect(sentence.exec(cardIn(written).html)?.[1]).toBe(sentence.exec(there)?.[1])
    const fields = /<dl class="fields">[\s\S]*?<\/dl>/
    expect(fields.exec(cardIn(written).html)?.[0]).toBe(fields.exec(there)?.[0])

    await card.getByRole('button', { name: 'Open its page' }).click()
    await page.waitForFunction('window.heard.some(({ method }) => method === "ui/open-link")')
    const asked = await heard(page)
    expect(asked.filter(({ method }) => method === 'ui/open-link').map(({ params }) => params)).toEqual([{ url }])
    // Nothing else was asked of the host, and nothing at all of anybody else.
    expect(new Set(asked.map(({ method }) => method))).toEqual(
      new Set(['ui/initialize', 'ui/notifications/initialized', 'ui/notifications/size-changed', 'ui/open-link']),
    )
    expect(requests.map((one) => new URL(one).pathname)).toEqual(['/host', '/card'])
    expect(problems).toEqual([])
    expect(await user.record(callId)).toMatchObject({ status: 'awaiting_confirmation' })
    await shoot(page, 'card-390-light')
    await page.context().close()
  })

  it('takes the colours of its host, says the address where the host opens nothing, and what became of a call', async () => {
    const user = await stack.user()
    const written = await write(user, await replyOf(user, 'In the dark'))
    const { card, page, problems } = await shown(
      written.result,
      { theme: 'dark', openLinks: undefined },
      { viewport: { width: 1280, height: 844 } },
    )
    await card.waitForSelector('.address')
    expect(await card.locator('.address').innerText()).toBe(cardIn(written).url)
    expect(await card.locator('button').count()).toBe(0)
    expect(await card.evaluate<string>('getComputedStyle(document.body).backgroundColor')).toBe('rgb(24, 31, 28)')
    await shoot(page, 'card-1280-dark')
    for (const [structuredContent, words] of [
      [{ status: 'rejected' }, 'It was rejected. Nothing was sent.'],
      [{ status: 'unknown' }, 'It may or may not have happened.'],
      [{ message_id: 'm' }, 'Nothing waits for you here.'],
    ] as const) {
      await page.evaluate(`window.tell(${JSON.stringify({ content: [], structuredContent })})`)
      await card.getByText(words).waitFor()
    }
    expect(problems).toEqual([])
    await page.context().close()
  })
})

/** As the specification has a host: https://github.com/modelcontextprotocol/ext-apps, 2026-01-26. */
const hostPage = `<!doctype html><meta charset="utf-8"><title>A host</title>
<style>body { margin: 0 } iframe { display: block; width: 100%; border: 0 }</style>
<iframe sandbox="allow-scripts allow-same-origin"></iframe>
<script>
  const frame = document.querySelector('iframe')
  const { result, theme, openLinks, card } = window.play
  window.heard = []
  const send = (message) => frame.contentWindow.postMessage({ jsonrpc: '2.0', ...message }, '*')
  window.tell = (params) => send({ method: 'ui/notifications/tool-result', params })
  addEventListener('message', ({ source, data }) => {
    if (source !== frame.contentWindow || data.method === undefined) return
    const { id, method, params } = data
    heard.push({ method, params })
    if (method === 'ui/initialize') {
      const hostCapabilities = openLinks === undefined ? {} : { openLinks }
      const hostInfo = { name: 'a host', version: '1' }
      send({ id, result: { protocolVersion: '2026-01-26', hostInfo, hostCapabilities, hostContext: { theme } } })
    } else if (method === 'ui/notifications/initialized') {
      send({ method: 'ui/notifications/tool-input', params: { arguments: {} } })
      window.tell(result)
    } else if (method === 'ui/notifications/size-changed') frame.style.height = params.height + 'px'
    else if (id !== undefined) send({ id, result: {} })
  })
  frame.src = card
</script>`
