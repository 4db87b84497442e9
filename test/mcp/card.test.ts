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
import { hostPage, proxyPage } from './card-host.ts'
import type { HostSettings } from './card-host.ts'
import { send, send2025 } from './raw.ts'
import type { Wire } from './raw.ts'

const showsCards = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } }
const uri = 'ui://callgate/waiting'
const noDomains = { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] }

let stack: Stack
let mcpUrl: string
beforeAll(async () => {
  stack = await startStack()
  mcpUrl = `${stack.publicUrl}/mcp`
})
afterAll(() => stack.stop())

const write = (user: TestUser, args: object, capabilities: object = showsCards) =>
  send(mcpUrl, user.key, { method: 'tools/call', params: { name: 'write_action', arguments: args }, capabilities })
interface Card {
  readonly html: string
  readonly url: string
  readonly call_id: string
  readonly at: string
}
const cardIn = ({ result }: Wire) => (result['_meta'] as Record<string, unknown> | undefined)?.['callgate/card'] as Card

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
      _meta: { ui: { prefersBorder: true, csp: noDomains } },
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
    call_id: callId,
    at: expect.stringMatching(/^\d{4}-.*Z$/) as string,
  })
  expect(cardIn(await write(user, args, {}))).toBeUndefined()
  // Looked up again it is as of now, while it waits.
  const look = (capabilities: object) => {
    const params = { name: 'get_call', arguments: { call_id: callId, wait: 0 } }
    return send(mcpUrl, user.key, { method: 'tools/call', params, capabilities })
  }
  const { html, url } = cardIn(await look(showsCards))
  expect([html.includes('For the card'), url]).toEqual([true, cardIn(shown).url])
  expect(cardIn(await look({}))).toBeUndefined()
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
  let resource: object
  beforeAll(async () => {
    running = await startBrowser()
    server = createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '', origin)
      const page = pathname === '/host' ? { html: hostPage, policy: undefined } : proxyPage(searchParams.get('csp'))
      response.setHeader('Content-Type', 'text/html; charset=utf-8')
      if (page.policy !== undefined) response.setHeader('Content-Security-Policy', page.policy)
      response.end(page.html)
    })
    origin = `http://localhost:${await listen(server)}`
    const user = await stack.user({ accounts: [] })
    const { result } = await send2025(mcpUrl, user.key, 'resources/read', { uri })
    const [content] = result['contents'] as { text: string; _meta: { ui: { csp: object } } }[]
    resource = { html: content?.text, csp: content?._meta.ui.csp }
  })
  afterAll(async () => {
    await running.close()
    server.closeAllConnections()
    server.close()
  })

  /** A host that shows the card of a result, and what the card asked of it. `tools`: whose tools it may call. */
  async function shown(result: object, { tools, ...host }: HostSettings & { tools?: TestUser } = {}, where = phone) {
    const { page, problems } = await openPage(running.browser, where)
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    await page.exposeFunction('callTool', async (params: Record<string, unknown>) => {
      const called =
        tools && (await send(mcpUrl, tools.key, { method: 'tools/call', params, capabilities: showsCards }))
      return called?.result
    })
    const settings = { theme: 'light', timeZone: 'UTC', openLinks: {}, ...(tools && { serverTools: {} }), ...host }
    const play = { result, resource, settings, proxy: `${origin.replace('localhost', '127.0.0.1')}/proxy` }
    await page.addInitScript(`window.play = ${JSON.stringify(play)}`)
    await page.goto(`${origin}/host`)
    await page.waitForFunction('window.heard.some(({ method }) => method === "ui/notifications/size-changed")')
    const card = page.mainFrame().childFrames()[0]?.childFrames()[0]
    if (card === undefined) throw new Error('there is no card')
    return { page, card, problems, requests }
  }

  const heard = (page: Page) => page.evaluate<{ method: string; params: Record<string, unknown> }[]>('window.heard')
  const textOf = (card: Frame) => card.locator('main').innerText()

  it('shows what waits as the confirm page does, asks the host to open that page, and decides nothing', async () => {
    const user = await stack.user()
    const hostile =
      '<img src="http://127.0.0.1:9/x" onerror="alert(1)"><script>parent.postMessage(1, "*")</script> \u202eevil'
    const args = await replyOf(user, hostile)
    const written = await write(user, args)
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
    // What is looked up for it may come later than the first card: the same write again has the card as it is by then.
    const person = await user.person()
    const bothSay = async (what: RegExp) => {
      const again = cardIn(await write(user, args))
      const there = await (await person.get(`/confirm/${callId}`)).text()
      const [here, said] = [what.exec(again.html)?.[0], what.exec(there)?.[0]]
      return again.call_id === callId && here !== undefined && here === said
    }
    for (const what of [/(?<=<h1[^>]*>)[\s\S]*?(?=<\/h1>)/, /<dl class="fields">[\s\S]*?<\/dl>/])
      await expect.poll(() => bothSay(what), { interval: 1_000 }).toBe(true)

    await card.getByRole('button', { name: 'Open its page' }).click()
    await page.waitForFunction('window.heard.some(({ method }) => method === "ui/open-link")')
    const asked = await heard(page)
    expect(asked.filter(({ method }) => method === 'ui/open-link').map(({ params }) => params)).toEqual([{ url }])
    // Nothing else was asked of the host, and nothing at all of anybody else.
    expect(new Set(asked.map(({ method }) => method))).toEqual(
      new Set(['ui/initialize', 'ui/notifications/initialized', 'ui/notifications/size-changed', 'ui/open-link']),
    )
    expect(requests.map((one) => new URL(one).pathname)).toEqual(['/host', '/proxy'])
    expect(problems).toEqual([])
    expect(await user.record(callId)).toMatchObject({ status: 'awaiting_confirmation' })
    // A host that calls no tools for it may show it again after days: it says when that was so.
    expect(text).toMatch(/Nothing had been sent on \d+ \w+ \d{4}, \d\d:\d\d UTC\. You approve or reject it on its page/)
    await user.approve(callId)
    await page.evaluate('window.tell(window.play.result)')
    expect(await textOf(card)).toContain('Nothing had been sent on')
    await shoot(page, 'card-390-light')
    await page.context().close()
  })

  it('tells what became of it since, also when it is shown again, where the host calls tools for it', async () => {
    const user = await stack.user()
    const args = await replyOf(user, 'As it stands')
    const written = await write(user, args)
    const { call_id: callId } = cardIn(written)
    const { page, card, problems } = await shown(written.result, { tools: user, timeZone: 'Asia/Tokyo' })
    await page.waitForFunction('window.heard.some(({ method }) => method === "tools/call")')
    const person = await user.person()
    const input = JSON.stringify({ ...(args['input'] as object), message: 'As the person wants it' })
    const form = { ...(await person.confirmForm(callId)), decision: 'change', input }
    expect((await person.post(`/confirm/${callId}`, form)).status).toBe(303)
    await card.getByText('As the person wants it').first().waitFor()
    // All times are of one zone.
    expect(await textOf(card)).toMatch(/Decide by \d+ \w+ \d{4}, \d\d:\d\d GMT\+9/)
    await shoot(page, 'card-390-changed')
    expect((await user.approve(callId)).status).toBe(303)
    await card.getByText('It is done.').waitFor()
    const told = await textOf(card)
    expect(told).toMatch(/^It is done\.\s+Looked up on \d+ \w+ \d{4}, \d\d:\d\d GMT\+9\.$/)
    await shoot(page, 'card-390-done')
    // Of the tools it asks for this one alone.
    const calls = (await heard(page)).filter(({ method }) => method === 'tools/call').map(({ params }) => params)
    const look = { name: 'get_call', arguments: { call_id: callId, wait: 0 } }
    expect(calls.length).toBeLessThan(20)
    expect(calls).toEqual(calls.map(() => look))
    await page.evaluate('window.tell(window.play.result)')
    await card.getByText('It is done.').waitFor()
    // A host that refuses after all: what stands there says when it was so.
    await page.evaluate('window.refuses = true')
    await page.evaluate('window.tell(window.play.result)')
    await card.getByText('Nothing had been sent on').waitFor()
    expect(await card.getByRole('button').count()).toBe(1)
    expect(problems).toEqual([])
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
    const colour = () => card.evaluate<string>('getComputedStyle(document.body).backgroundColor')
    expect(await colour()).toBe('rgb(24, 31, 28)')
    await shoot(page, 'card-1280-dark')
    await page.evaluate(
      `window.send({ method: 'ui/notifications/host-context-changed', params: { theme: 'light', safeAreaInsets: { top: 0, right: 0, bottom: 40, left: 0 } } })`,
    )
    await expect.poll(colour).toBe('rgb(255, 255, 255)')
    expect(await card.evaluate<string>('getComputedStyle(document.body).paddingBottom')).toBe('56px')
    await shoot(page, 'card-1280-light')
    const call_id = cardIn(written).call_id
    const output = { 'callgate/content': 'data from the app' }
    for (const [structuredContent, _meta, words] of [
      [{ call_id, status: 'rejected' }, {}, 'It was rejected. Nothing was sent.'],
      [{ call_id, status: 'unknown' }, {}, 'It may or may not have happened.'],
      [{ message_id: 'm' }, {}, 'Nothing waits for you here.'],
      // An output has whatever status the app gives it.
      [{ status: 'cancelled' }, output, 'It is done.'],
      [{ status: 'cancelled' }, {}, 'Nothing waits for you here.'],
      [{ call_id, status: 'awaiting_confirmation', confirm_url: 'https://x.example/confirm' }, {}, 'x.example/confirm'],
    ] as const) {
      await page.evaluate(`window.tell(${JSON.stringify({ content: [], structuredContent, _meta })})`)
      await card.getByText(words).waitFor()
    }
    await page.evaluate(`window.send({ id: 'end', method: 'ui/resource-teardown', params: {} })`)
    await page.waitForFunction('window.answered.some(({ id }) => id === "end")')
    expect(problems).toEqual([])
    await page.context().close()
  })
})
