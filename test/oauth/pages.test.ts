import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startGateway } from '../api/http/gateway.ts'
import type { Gateway } from '../api/http/gateway.ts'
import { startBrowser } from '../support/chromium.ts'
import { listen } from '../support/listen.ts'
import { redirect } from './flow.ts'

/** Clients that are pages in a browser. */
let gateway: Gateway
let url: string
const site = createServer((_, response) => {
  response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html><title>A client</title>')
})
let siteUrl: string
const friend = 'https://chat.example.com'
beforeAll(async () => {
  gateway = await startGateway({ MCP_ORIGINS: friend })
  url = gateway.publicUrl
  // Another origin than the gateway's, which is at 127.0.0.1.
  siteUrl = `http://localhost:${await listen(site)}`
})
afterAll(async () => {
  site.closeAllConnections()
  site.close()
  await gateway.stop()
})

const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })

it('find their way in from a real browser, and talk to /mcp', async () => {
  const { key } = await gateway.newKey()
  const running = await startBrowser()
  try {
    const page = await running.browser.newPage()
    await page.goto(siteUrl)
    const found = await page.evaluate(
      async (given) => {
        const ask = (at: string, headers: Record<string, string>, body: string) =>
          fetch(at, { method: 'POST', headers, body })
        const json = { 'Content-Type': 'application/json', 'MCP-Protocol-Version': '2025-11-25' }
        const refused = await ask(`${given.url}/mcp`, json, given.message)
        const challenge = refused.headers.get('WWW-Authenticate') ?? ''
        const metadata = /resource_metadata="([^"]+)"/.exec(challenge)?.[1] ?? ''
        const { authorization_servers: servers } = (await (await fetch(metadata)).json()) as {
          authorization_servers: string[]
        }
        const server = (await (await fetch(`${servers[0]}/.well-known/oauth-authorization-server`)).json()) as Record<
          string,
          string
        >
        const client = { redirect_uris: [given.redirect], token_endpoint_auth_method: 'none' }
        const registered = await ask(server['registration_endpoint'] ?? '', json, JSON.stringify(client))
        const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
        const token = await ask(server['token_endpoint'] ?? '', form, 'grant_type=authorization_code&code=x')
        const accept = 'application/json, text/event-stream'
        const pinged = await ask(
          `${given.url}/mcp`,
          { ...json, Accept: accept, Authorization: `Bearer ${given.key}` },
          given.message,
        )
        const { error } = (await token.json()) as { error: string }
        const hello = {
          protocolVersion: '2025-11-25',
          capabilities: { elicitation: {} },
          clientInfo: { name: 'p', version: '1' },
        }
        const opened = await ask(
          `${given.url}/mcp`,
          { ...json, Accept: accept, Authorization: `Bearer ${given.key}` },
          JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'initialize', params: hello }),
        )
        return [
          opened.headers.get('Mcp-Session-Id') !== null,
          refused.status,
          registered.status,
          token.status,
          error,
          pinged.status,
          (await pinged.text()).includes('"result"'),
        ]
      },
      { url, key, message, redirect },
    )
    expect(found).toEqual([true, 401, 201, 400, 'invalid_request', 200, true])
  } finally {
    await running.close()
  }
})

describe('before a browser asks for a page, it', () => {
  const preflight = (path: string, origin: string) =>
    fetch(`${url}${path}`, {
      method: 'OPTIONS',
      headers: {
        Origin: origin,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'authorization',
      },
    })

  it.each([
    ['/mcp', friend, friend],
    ['/mcp/crm', 'http://localhost:6274', 'http://localhost:6274'],
    ['/mcp?apps=crm', friend, friend],
    ['/oauth/token', 'https://any.example', '*'],
    ['/oauth/register', 'https://any.example', '*'],
    ['/oauth/revoke', 'null', '*'],
    ['/.well-known/oauth-protected-resource/mcp', 'https://any.example', '*'],
    ['/.well-known/oauth-authorization-server', 'https://any.example', '*'],
  ])('may reach %s from %s', async (path, origin, allowed) => {
    const { status, headers } = await preflight(path, origin)
    expect([status, headers.get('Access-Control-Allow-Origin')]).toEqual([204, allowed])
    expect(headers.get('Access-Control-Allow-Headers')).toContain('Authorization')
    expect(headers.get('Access-Control-Allow-Credentials')).toBeNull()
    if (allowed !== '*') expect(headers.get('Vary')).toContain('Origin')
  })

  it.each([
    ['/mcp', 'https://any.example'],
    ['/mcp', `${friend}:8443`],
    ['/mcp', `${friend}.evil.example`],
    ['/mcp', 'null'],
    ['/api/v1/calls', friend],
    ['/oauth/authorize', friend],
    ['/keys', friend],
  ])('may not reach %s from %s', async (path, origin) => {
    const { status, headers } = await preflight(path, origin)
    expect(status).toBeGreaterThanOrEqual(300)
    expect(headers.get('Access-Control-Allow-Origin')).toBeNull()
  })
})
