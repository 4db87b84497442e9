import { request } from 'node:http'
import { request as secureRequest } from 'node:https'
import type { IncomingMessage } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { Browser } from 'playwright-core'
import type { BrowserService } from '../../../config.ts'
import { codeOf } from '../../../core/error-labels.ts'
import { answers, encodeRequest, playwrightVersion, requestHeader } from '../browser-server/request.ts'
import type { Proxy, StartedChromium } from './chromium.ts'
import { Lost } from './lost.ts'

/** The service already runs its maximum number of browsers. */
export class NoBrowserFree extends Error {}

const answerWithin = 10_000
/** Longer than the service's own limit for Chromium's start. */
const startWithin = 200_000
const askEveryMs = 10_000

/**
 * Checks whether the service could start a browser now. Returns this machine's address on that
 * connection, where the browser can reach it. Throws NoBrowserFree, or a Lost that states what the
 * operator must do.
 */
export async function reachService(service: BrowserService): Promise<string> {
  const { host } = new URL(service.url)
  const { status, text, localAddress } = await ask(service).catch((error: unknown) => {
    const why = codeOf(error) ?? 'no answer'
    throw new Lost(
      `the browser service at ${host} cannot be reached (${why}): check CALLGATE_BROWSER_URL, and that it runs`,
    )
  })
  if (status === 200 && text === 'ready') return localAddress.replace(/^::ffff:/, '')
  if (status === 401)
    throw new Lost(`the browser service at ${host} refuses the secret: give both the same CALLGATE_BROWSER_SECRET`)
  if (status === answers.otherVersion)
    throw new Lost(
      `the browser service at ${host} is of another release (playwright-core ${text.slice(0, 20)} there, ${playwrightVersion()} here): run both from the same one`,
    )
  if (status === answers.full) throw new NoBrowserFree()
  throw new Lost(`what answers at ${host} is no browser service (status ${status}): check CALLGATE_BROWSER_URL`)
}

/** Starts a Chromium at the service; it ends with this connection. */
export async function startRemoteChromium(service: BrowserService, proxy: Proxy, scale = 1): Promise<StartedChromium> {
  const { chromium } = await import('playwright-core')
  const address = new URL('/', service.url.replace(/^http/, 'ws')).href
  let browser: Browser
  try {
    browser = await chromium.connect(address, { headers: headersFor(service, { proxy, scale }), timeout: startWithin })
  } catch (error) {
    // The service may have filled up or gone away since the last check: report that instead.
    await reachService(service)
    throw new Lost('the browser service could not start a browser: its log says why', { cause: error })
  }
  const watching = new AbortController()
  browser.on('disconnected', () => watching.abort())
  void endWhenSilent(browser, watching.signal)
  // The service's own log warns when there is no sandbox.
  return { browser, sandboxed: true, close: () => browser.close() }
}

/**
 * Ends the connection when the browser stops answering. Otherwise the user would wait for a hung
 * service, or a machine that vanished, until their time is over.
 */
async function endWhenSilent(browser: Browser, signal: AbortSignal): Promise<void> {
  try {
    const session = await inTime(browser.newBrowserCDPSession(), signal)
    for (;;) {
      await inTime(session.send('Browser.getVersion'), signal)
      await pause(askEveryMs, undefined, { signal })
    }
  } catch {
    // On a remote browser this closes only the connection.
    await browser.close()
  }
}

async function inTime<T>(asked: Promise<T>, signal: AbortSignal): Promise<T> {
  const late = pause(2 * askEveryMs, undefined, { signal }).then(() => {
    throw new Lost('the browser does not answer')
  })
  return Promise.race([asked, late])
}

function headersFor(
  { secret }: BrowserService,
  { proxy, scale }: { readonly proxy: Proxy | null; readonly scale: number },
): Record<string, string> {
  return {
    authorization: `Bearer ${secret()}`,
    [requestHeader]: encodeRequest({ playwright: playwrightVersion(), proxy, scale }),
  }
}

async function ask(service: BrowserService): Promise<{ status: number; text: string; localAddress: string }> {
  const url = new URL('/', service.url)
  const send = url.protocol === 'https:' ? secureRequest : request
  const headers = headersFor(service, { proxy: null, scale: 1 })
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const options = { headers, agent: false, signal: AbortSignal.timeout(answerWithin) }
    send(url, options, resolve).on('error', reject).end()
  })
  const localAddress = answer.socket.localAddress ?? ''
  let text = ''
  for await (const chunk of answer.setEncoding('utf8')) {
    text += String(chunk)
    if (text.length > 200) break
  }
  return { status: answer.statusCode ?? 0, text, localAddress }
}
