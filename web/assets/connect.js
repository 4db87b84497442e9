// A browser on the other side, drawn here: pictures come, what the person does goes. Nothing typed is kept or read here.
const ends = {
  time: 'The time for this is over. Open it again to go on.',
  busy: 'Too many people are in line for a sign-in at the moment. Please try again in a few minutes.',
  failed: 'The browser could not be opened or was lost. Please try again; if it happens again, tell the operator.',
  replaced: 'Closed: you opened it again somewhere else, or Callgate restarts.',
  too_often: 'That was too often. Please wait a quarter of an hour.',
  unkept: 'It could not be kept: its hour is over, or the account is gone. Begin a new recording.',
  signed_out: 'Closed: you are no longer signed in to Callgate here. Sign in, then open it again.',
}
const begin = 'Sign in here. It closes by itself when you are in.'

for (const live of document.querySelectorAll('[data-live]')) {
  const screen = live.querySelector('.screen')
  const said = live.querySelector('[data-said]')
  const open = live.querySelector('[data-open]')
  const at = live.querySelector('[data-at]')
  const paste = live.querySelector('[data-paste]')
  /** Where the app is, if the person has to say. */
  const typed = live.querySelector('[data-address]')
  /** @type {WebSocket | undefined} */
  let socket

  const send = (message) => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message))
  }
  const glass = globalThis.glassOf(live, send)
  const { keys } = glass
  const words = globalThis.readsInWords(live, send)
  const recorded = live.dataset.record && globalThis.recordsLive(live, send)
  const ask = globalThis.asksForHosts(live.querySelector('[data-wants]'), (host) => {
    send({ type: 'allow', host })
    keys.focus({ preventScroll: true })
  })
  const over = (text) => {
    socket = undefined
    screen.hidden = true
    for (const part of live.querySelectorAll('[data-recording], [data-review]')) part.hidden = true
    ask([])
    words.close()
    paste.value = ''
    open.hidden = false
    at.hidden = true
    open.insertAdjacentElement('afterend', note(text))
  }
  const note = (text) => {
    live.querySelector('.told')?.remove()
    const element = document.createElement('span')
    element.className = 'told hint'
    element.setAttribute('role', 'status')
    element.textContent = ` ${text}`
    return element
  }

  /** Where the page is that is shown. Its host is in ASCII, and what is written otherwise comes with its marks. */
  const shows = ({ host, encrypted, written, path }) => {
    at.hidden = host === ''
    at.classList.toggle('open', !encrypted)
    at.querySelector('[data-encrypted]').textContent = encrypted ? 'Encrypted' : 'Not encrypted'
    at.querySelector('strong').textContent = host
    at.querySelector('[data-path]').textContent = path
    const letters = at.querySelector('[data-written]')
    letters.hidden = written === ''
    letters.innerHTML = written
  }
  /** What was pasted goes to the field that is chosen there, and stays nowhere here. */
  const put = () => {
    if (paste.value !== '') send({ type: 'text', text: paste.value.slice(0, 2000) })
    paste.value = ''
  }
  paste.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    put()
  })
  live.querySelector('[data-put]').addEventListener('click', put)

  typed?.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && !open.hidden) open.click()
  })
  typed?.addEventListener('input', () => typed.removeAttribute('aria-invalid'))
  open.addEventListener('click', () => {
    live.querySelector('.told')?.remove()
    open.hidden = true
    screen.hidden = false
    const width = Math.round(Math.min(Math.max(screen.clientWidth, 320), 1000))
    // What stands above it stays in sight, the address too, which is not there yet.
    said.textContent = begin
    const above = live.querySelector('.glass').getBoundingClientRect().top - screen.getBoundingClientRect().top + 110
    const size = { width, height: Math.round(Math.min(Math.max(innerHeight - above, 400), 720)) }
    glass.resize(size)
    said.textContent = 'Opening …'
    const address = new URL(`/connect/${live.dataset.live}/live`, location.href)
    address.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:'
    address.search = new URLSearchParams({
      width: String(size.width),
      height: String(size.height),
      scale: String(Math.min(Math.max(devicePixelRatio, 1), 2)),
      ...(live.dataset.account && { account: live.dataset.account }),
      ...(typed && { address: typed.value }),
      ...(live.dataset.record && { record: live.dataset.record }),
    }).toString()
    const current = new WebSocket(address)
    socket = current
    current.binaryType = 'blob'
    let [ended, drawn] = [false, false]
    const draw = async (data) => {
      await glass.draw(data)
      if (drawn) return
      drawn = true
      said.textContent = begin
      // On a phone it would begin where the screen ends.
      screen.scrollIntoView({ block: 'start' })
      keys.focus({ preventScroll: true })
    }
    current.addEventListener('message', ({ data }) => {
      if (typeof data !== 'string') return void draw(data)
      const message = JSON.parse(data)
      if (message.type === 'wanted') return ask(message.hosts)
      if (message.type === 'line') {
        const before =
          message.place === 1 ? 'nobody' : message.place === 2 ? 'one person' : `${message.place - 1} people`
        const line = `All sign-in browsers are in use. You are in line, with ${before} before you; this page goes on by itself, so keep it open.`
        if (said.textContent !== line) said.textContent = line
        return
      }
      if (message.type === 'at') {
        shows(message)
        return
      }
      if (message.type === 'words') return words.update(message.pieces)
      if (message.type === 'unreadable') {
        said.textContent =
          'If you are signed in: Callgate could not read who you are. The connector of this app has a fault, which the log of this gateway tells its operator.'
        return
      }
      if (recorded?.(message)) return
      ended = true
      if (message.type === 'recorded') return location.reload()
      if (message.type === 'end') {
        over(message.text ?? ends[message.reason] ?? 'Closed.')
        if (message.reason !== 'address' || !typed) return
        typed.setAttribute('aria-invalid', 'true')
        typed.focus()
      }
      if (message.type === 'done') {
        // After another account, the page still is about the one that has to be renewed.
        const query = message.same
          ? { account: message.account, done: 'same' }
          : { account: live.dataset.account, done: 'other' }
        const call = live.dataset.call && { call: live.dataset.call }
        location.assign(`/connect/${live.dataset.live}?${new URLSearchParams({ ...query, ...call })}`)
      }
    })
    current.addEventListener('close', () => {
      if (!ended && socket === current) over('The connection was lost. Open it again to go on.')
    })
  })

  for (const button of live.querySelectorAll('[data-do]'))
    button.addEventListener('click', () => {
      if (button.dataset.do === 'close') {
        const closing = socket
        over('Closed.')
        closing?.close()
      } else send({ type: button.dataset.do })
      keys.focus({ preventScroll: true })
    })
}
