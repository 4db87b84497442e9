/**
 * A host of MCP Apps that is a page, as the specification has it: the card is in a frame of a frame, the outer of which is of another origin,
 * enforces what the card declared, and passes messages on. Source:
 * https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx, "Sandbox proxy".
 */
export interface HostSettings {
  readonly theme?: 'light' | 'dark'
  readonly timeZone?: string
  /** Undefined: it opens no links. */
  readonly openLinks?: object | undefined
}

/** Declared domains of a card, by kind. */
type Csp = Readonly<Record<string, readonly string[] | undefined>>

/** The outer frame, under the policy that the specification makes of what the card declared. */
export function proxyPage(declared: string | null): { readonly html: string; readonly policy: string } {
  const csp = JSON.parse(declared ?? '{}') as Csp
  const listed = (kind: string, none = ''): string => csp[kind]?.join(' ') || none
  const resources = listed('resourceDomains')
  const policy = [
    "default-src 'none'",
    `script-src 'self' 'unsafe-inline' ${resources}`,
    `style-src 'self' 'unsafe-inline' ${resources}`,
    `img-src 'self' data: ${resources}`,
    `font-src 'self' ${resources}`,
    `media-src 'self' data: ${resources}`,
    `connect-src ${listed('connectDomains', "'none'")}`,
    `frame-src ${listed('frameDomains', "'none'")}`,
    `base-uri ${csp['baseUriDomains'] === undefined ? "'self'" : listed('baseUriDomains', "'none'")}`,
    "object-src 'none'",
  ]
  return { html: proxy, policy: policy.map((line) => line.trim()).join('; ') }
}

const proxy = `<!doctype html><meta charset="utf-8"><title>A proxy</title>
<style>html, body { margin: 0; height: 100% } iframe { display: block; width: 100%; height: 100%; border: 0 }</style>
<body><script>
  const host = new URL(document.referrer).origin
  const inner = document.createElement('iframe')
  inner.setAttribute('sandbox', 'allow-scripts allow-same-origin')
  document.body.append(inner)
  addEventListener('message', ({ source, origin, data }) => {
    if (source === parent && origin === host) {
      if (data.method !== 'ui/notifications/sandbox-resource-ready') return inner.contentWindow.postMessage(data, '*')
      const { html } = data.params
      inner.contentDocument.open()
      inner.contentDocument.write(html)
      inner.contentDocument.close()
    } else if (source === inner.contentWindow && !data.method?.startsWith('ui/notifications/sandbox-')) parent.postMessage(data, host)
  })
  parent.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/sandbox-proxy-ready', params: {} }, host)
</script>`

/** Plays `window.play`, keeps in `heard` what the card asked for, and in `answered` what it answered. */
export const hostPage = `<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>A host</title>
<style>body { margin: 0 } iframe { display: block; width: 100%; border: 0 }</style>
<iframe sandbox="allow-scripts allow-same-origin"></iframe>
<script>
  const frame = document.querySelector('iframe')
  const { result, resource, settings, proxy } = window.play
  const { theme, timeZone, openLinks, serverTools } = settings
  window.heard = []
  window.answered = []
  window.send = (message) => frame.contentWindow.postMessage({ jsonrpc: '2.0', ...message }, new URL(proxy).origin)
  window.tell = (params) => send({ method: 'ui/notifications/tool-result', params })
  const answers = {
    'ui/initialize': () => ({
      protocolVersion: '2026-01-26',
      hostInfo: { name: 'a host', version: '1' },
      hostCapabilities: { ...(openLinks && { openLinks }), ...(serverTools && { serverTools }) },
      hostContext: { theme, timeZone, displayMode: 'inline', containerDimensions: { maxHeight: 2000 } },
    }),
    'ui/open-link': () => ({}),
    'tools/call': async (params) => {
      if (serverTools === undefined || window.refuses) throw new Error('The person does not want that.')
      return window.callTool(params)
    },
  }
  addEventListener('message', async ({ source, data }) => {
    if (source !== frame.contentWindow) return
    const { id, method, params } = data
    if (method === undefined) return answered.push(data)
    if (method === 'ui/notifications/sandbox-proxy-ready')
      return send({ method: 'ui/notifications/sandbox-resource-ready', params: resource })
    heard.push({ method, params })
    if (method === 'ui/notifications/initialized') {
      send({ method: 'ui/notifications/tool-input', params: { arguments: {} } })
      window.tell(result)
    } else if (method === 'ui/notifications/size-changed') frame.style.height = params.height + 'px'
    else if (id !== undefined)
      try {
        send({ id, result: await answers[method](params) })
      } catch (error) {
        send({ id, error: { code: -32000, message: error.message } })
      }
  })
  frame.src = proxy + '?csp=' + encodeURIComponent(JSON.stringify(resource.csp))
</script>`
