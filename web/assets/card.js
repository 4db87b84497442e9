// Within a host of MCP Apps: shows what waits, and asks the host to open the page where the person decides. It can do nothing else.
const host = window.parent
const main = document.querySelector('main')
const asked = new Map()
let opensLinks = false

const send = (message) => host.postMessage({ jsonrpc: '2.0', ...message }, '*')

function ask(method, params) {
  const id = asked.size + 1
  return new Promise((resolve, reject) => {
    asked.set(id, { resolve, reject })
    send({ id, method, params })
  })
}

const hears = {
  'ui/notifications/tool-result': (result) => show(result),
  'ui/notifications/tool-cancelled': () => say('It was cancelled before it was answered.'),
  'ui/notifications/host-context-changed': (context) => dress(context),
}

addEventListener('message', ({ source, data }) => {
  if (source !== host || data?.jsonrpc !== '2.0') return
  const { id, method, params, result, error } = data
  if (method === undefined) {
    if (error === undefined) asked.get(id)?.resolve(result)
    else asked.get(id)?.reject(new Error(String(error.message)))
  } else if (id === undefined) hears[method]?.(params)
  else if (method === 'ping' || method === 'ui/resource-teardown') send({ id, result: {} })
  else send({ id, error: { code: -32601, message: 'This card has no such method.' } })
})

/** What the gateway rendered: text and structure alone. Whatever else were in it, the policy of this page would run and load nothing. */
function show(result) {
  const card = result?._meta?.['callgate/card']
  if (card === undefined) return say(saidOf(result))
  const { body } = new DOMParser().parseFromString(card.html, 'text/html')
  main.replaceChildren(...body.childNodes, doorTo(card.url))
}

const words = {
  executed: 'It is done.',
  running: 'It runs.',
  rejected: 'It was rejected. Nothing was sent.',
  expired: 'Nobody decided in time. Nothing was sent.',
  cancelled: 'It was taken back. Nothing was sent.',
  unknown: 'It may or may not have happened.',
}

function saidOf({ isError, structuredContent } = {}) {
  if (isError) return 'It could not be done.'
  return words[structuredContent?.status] ?? 'Nothing waits for you here.'
}

function say(text) {
  const line = document.createElement('p')
  line.className = 'hint'
  line.textContent = text
  main.replaceChildren(line)
}

function doorTo(url) {
  const door = document.createElement('footer')
  const hint = document.createElement('p')
  hint.className = 'hint'
  hint.textContent = 'Nothing has been sent yet. You approve or reject it on its page; nothing here decides.'
  if (!opensLinks) return addressOf(url, door, hint)
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = 'Open its page'
  button.addEventListener('click', () => {
    ask('ui/open-link', { url }).catch(() => door.replaceWith(addressOf(url, document.createElement('footer'), hint)))
  })
  door.append(button, hint)
  return door
}

/** For hosts that open nothing. */
function addressOf(url, door, hint) {
  const address = document.createElement('p')
  address.className = 'address'
  address.textContent = url
  door.append(address, hint)
  return door
}

function dress({ theme, styles } = {}) {
  const root = document.documentElement.style
  if (theme === 'light' || theme === 'dark') root.colorScheme = theme
  for (const [name, value] of Object.entries(styles?.variables ?? {}))
    if (/^--(color|font)-[a-z-]+$/.test(name) && typeof value === 'string') root.setProperty(name, value)
}

ask('ui/initialize', {
  protocolVersion: '2026-01-26',
  appInfo: { name: 'callgate', title: 'Callgate', version: '1' },
  appCapabilities: { availableDisplayModes: ['inline'] },
}).then(
  ({ hostCapabilities, hostContext }) => {
    opensLinks = hostCapabilities?.openLinks !== undefined
    dress(hostContext)
    send({ method: 'ui/notifications/initialized', params: {} })
    new ResizeObserver(() => {
      const { width, height } = document.documentElement.getBoundingClientRect()
      send({ method: 'ui/notifications/size-changed', params: { width: Math.ceil(width), height: Math.ceil(height) } })
    }).observe(document.documentElement)
  },
  () => say('This host cannot show what waits. Open its page to read it.'),
)
