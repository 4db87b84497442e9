// Within a host of MCP Apps: shows what waits and what became of it, and asks the host to open the page where the person decides. It
// can do nothing else: of the tools it asks for get_call alone, where the host lets it.
const host = window.parent
const main = document.querySelector('main')
const asked = new Map()
let last = 0
let opensLinks = false
let looksUp = false
/** How the host writes times. */
let written = {}

const send = (message) => host.postMessage({ jsonrpc: '2.0', ...message }, '*')

function ask(method, params) {
  const id = ++last
  return new Promise((resolve, reject) => {
    asked.set(id, { resolve, reject })
    send({ id, method, params })
  })
}

const hears = {
  'ui/notifications/tool-result': (result) => begin(result),
  'ui/notifications/tool-cancelled': () => say('It was cancelled before it was answered.'),
  'ui/notifications/host-context-changed': (context) => dress(context),
}

addEventListener('message', ({ source, data }) => {
  if (source !== host || data?.jsonrpc !== '2.0') return
  const { id, method, params, result, error } = data
  if (method === undefined) {
    if (error === undefined) asked.get(id)?.resolve(result)
    else asked.get(id)?.reject(new Error(String(error.message)))
    asked.delete(id)
  } else if (id === undefined) hears[method]?.(params)
  else if (method === 'ping') send({ id, result: {} })
  else if (method === 'ui/resource-teardown') {
    leave()
    send({ id, result: {} })
  } else send({ id, error: { code: -32601, message: 'This card has no such method.' } })
})

/** The call that may change yet; and when it is looked up next. */
let open
let timer

function begin(result) {
  leave()
  const card = result?._meta?.['callgate/card']
  const { status, call_id: id, confirm_url: url } = bodyOf(result)
  if (card !== undefined) show(card)
  else if (status === 'awaiting_confirmation' && typeof url === 'string') show({ html: '', url, call_id: id })
  else say(saidOf(result))
  const callId = card?.call_id ?? id
  const mayChange = card !== undefined || status === 'awaiting_confirmation' || status === 'running'
  if (!mayChange || typeof callId !== 'string' || !looksUp) return
  open = { callId, pause: 3 }
  void look(open)
}

/** A result that is shown again later, with the conversation, may long be untrue. */
async function look(call) {
  clearTimeout(timer)
  if (call.looking || document.visibilityState === 'hidden') return
  call.looking = true
  try {
    const result = await ask('tools/call', { name: 'get_call', arguments: { call_id: call.callId, wait: 0 } })
    if (open !== call) return
    if (result?.isError) return
    tell(result, call)
  } catch {
    // The host does not let it: what stands here says when it was true.
  } finally {
    call.looking = false
  }
}

function tell(result, call) {
  const { status, decision } = bodyOf(result)
  const card = result._meta?.['callgate/card']
  if (card !== undefined) show(card)
  else if (status === 'awaiting_confirmation') asOf(new Date())
  else {
    // What it was about, unless the person made something else of it since.
    const title = decision?.changed === undefined ? main.querySelector('h1') : null
    say(words[status] ?? 'What became of it is told on its page.')
    if (title !== null) main.prepend(title)
    main.append(line(`Looked up on ${timeOf(new Date())}.`))
  }
  if (status !== 'awaiting_confirmation' && status !== 'running') return leave()
  timer = setTimeout(() => void look(call), call.pause * 1000)
  call.pause = Math.min(60, call.pause * 1.5)
}

function lookSoon() {
  if (open === undefined) return
  open.pause = 3
  void look(open)
}
addEventListener('visibilitychange', lookSoon)
addEventListener('focus', lookSoon)

function leave() {
  clearTimeout(timer)
  open = undefined
}

/** What the gateway rendered: text and structure alone. Whatever else were in it, the policy of this page would run and load nothing. */
function show({ html, url, at }) {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  const before = main.querySelector('button') === document.activeElement
  main.replaceChildren(...body.childNodes, doorTo(url))
  for (const time of main.querySelectorAll('time[datetime]')) time.textContent = timeOf(new Date(time.dateTime))
  if (at !== undefined) asOf(new Date(at))
  if (before) main.querySelector('button')?.focus()
}

const words = {
  executed: 'It is done.',
  running: 'It is being sent.',
  failed: 'It could not be done.',
  rejected: 'It was rejected. Nothing was sent.',
  expired: 'Nobody decided in time. Nothing was sent.',
  cancelled: 'It was taken back. Nothing was sent.',
  unknown: 'It may or may not have happened.',
}

/** What a tool answered, as structure or as text. */
function bodyOf(result) {
  if (result?.structuredContent !== undefined) return result.structuredContent
  try {
    return Object(JSON.parse(result?.content?.[0]?.text ?? '{}'))
  } catch {
    return {}
  }
}

/** How a call stands, told by a body with its id; an app's own output may well have a status, too. */
function saidOf(result) {
  if (result?.isError) return words.failed
  if (result?._meta?.['callgate/content'] !== undefined) return words.executed
  const { status, call_id: id } = bodyOf(result)
  return (typeof id === 'string' && words[status]) || 'Nothing waits for you here.'
}

function say(text) {
  main.replaceChildren(line(text, 'state'))
}

function line(text, name = 'hint') {
  const paragraph = document.createElement('p')
  paragraph.className = name
  paragraph.textContent = text
  return paragraph
}

function timeOf(at) {
  const day = { day: 'numeric', month: 'short', year: 'numeric' }
  const form = { ...day, hour: '2-digit', minute: '2-digit', timeZoneName: 'short' }
  try {
    return at.toLocaleString(written.locale ?? 'en-GB', { ...form, timeZone: written.timeZone })
  } catch {
    // A host's own language or zone that this browser does not know.
    return at.toLocaleString('en-GB', form)
  }
}

function asOf(at) {
  const hint = main.querySelector('#as-of')
  if (hint !== null) hint.textContent = `Nothing had been sent on ${timeOf(at)}. ${decides}`
}

const decides = 'You approve or reject it on its page; nothing here decides.'

function doorTo(url) {
  const door = document.createElement('footer')
  const hint = line(decides)
  hint.id = 'as-of'
  if (!opensLinks) {
    door.append(line(url, 'address'), hint)
    return door
  }
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = 'Open its page'
  button.addEventListener('click', () => {
    ask('ui/open-link', { url })
      .then((opened) => {
        if (opened?.isError) throw new Error('the host opened nothing')
        lookSoon()
      })
      .catch(() => button.replaceWith(line(url, 'address')))
  })
  door.append(button, hint)
  return door
}

function dress({ theme, styles, locale, timeZone, safeAreaInsets } = {}) {
  const root = document.documentElement.style
  written = { locale: locale ?? written.locale, timeZone: timeZone ?? written.timeZone }
  if (theme === 'light' || theme === 'dark') root.colorScheme = theme
  for (const [side, pixels] of Object.entries(safeAreaInsets ?? {}))
    if (/^(top|right|bottom|left)$/.test(side) && Number.isFinite(pixels))
      root.setProperty(`--inset-${side}`, `${pixels}px`)
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
    looksUp = hostCapabilities?.serverTools !== undefined
    dress(hostContext)
    send({ method: 'ui/notifications/initialized', params: {} })
    new ResizeObserver(() => {
      const { width, height } = document.documentElement.getBoundingClientRect()
      send({ method: 'ui/notifications/size-changed', params: { width: Math.ceil(width), height: Math.ceil(height) } })
    }).observe(document.documentElement)
  },
  () => say('This host cannot show what waits. Open its page to read it.'),
)
