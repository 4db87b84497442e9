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
const plain = new Set([
  'Enter',
  'Tab',
  'Escape',
  'Backspace',
  'Delete',
  'Home',
  'End',
  'PageUp',
  'PageDown',
  'ArrowUp',
  'ArrowDown',
  'ArrowLeft',
  'ArrowRight',
])

for (const live of document.querySelectorAll('[data-live]')) {
  const screen = live.querySelector('.screen')
  const canvas = live.querySelector('canvas')
  const keys = live.querySelector('textarea')
  const said = live.querySelector('[data-said]')
  const open = live.querySelector('[data-open]')
  const at = live.querySelector('[data-at]')
  /** Where the app is, if the person has to say. */
  const typed = live.querySelector('[data-address]')
  /** @type {WebSocket | undefined} */
  let socket
  let size = { width: 800, height: 640 }

  const send = (message) => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message))
  }
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

  typed?.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && !open.hidden) open.click()
  })
  typed?.addEventListener('input', () => typed.removeAttribute('aria-invalid'))
  open.addEventListener('click', () => {
    live.querySelector('.told')?.remove()
    open.hidden = true
    screen.hidden = false
    const width = Math.round(Math.min(Math.max(screen.clientWidth, 320), 1000))
    size = { width, height: Math.round(Math.min(Math.max(innerHeight * 0.7, 480), 720)) }
    canvas.width = size.width
    canvas.height = size.height
    said.textContent = 'Opening …'
    const address = new URL(`/connect/${live.dataset.live}/live`, location.href)
    address.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:'
    address.search = new URLSearchParams({
      width: String(size.width),
      height: String(size.height),
      ...(live.dataset.account && { account: live.dataset.account }),
      ...(typed && { address: typed.value }),
      ...(live.dataset.record && { record: live.dataset.record }),
    }).toString()
    const current = new WebSocket(address)
    socket = current
    current.binaryType = 'blob'
    let [ended, drawn] = [false, false]
    const draw = async (data) => {
      const picture = await createImageBitmap(data)
      canvas.width = picture.width
      canvas.height = picture.height
      canvas.getContext('2d').drawImage(picture, 0, 0)
      picture.close()
      if (drawn) return
      drawn = true
      said.textContent = 'Sign in here. It closes by itself when you are in.'
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
        at.textContent = `At ${message.address}`
        at.hidden = false
        return
      }
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

  const place = (event) => {
    const box = canvas.getBoundingClientRect()
    const at = (from, start, length, all) => Math.min(Math.max(((from - start) / length) * all, 0), all)
    return {
      x: at(event.clientX, box.left, box.width, size.width),
      y: at(event.clientY, box.top, box.height, size.height),
    }
  }
  let moved = 0
  keys.addEventListener('pointermove', (event) => {
    if (event.pointerType === 'touch' || Date.now() - moved < 40) return
    moved = Date.now()
    send({ type: 'move', ...place(event) })
  })
  // A finger that stays where it is clicks, one that moves scrolls.
  let finger
  keys.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return
    if (event.pointerType === 'touch') finger = { ...place(event), scrolled: false }
    else send({ type: 'down', ...place(event) })
  })
  keys.addEventListener(
    'touchmove',
    (event) => {
      const [touch] = event.touches
      if (!finger || !touch) return
      event.preventDefault()
      const now = place(touch)
      if (!finger.scrolled && Math.hypot(now.x - finger.x, now.y - finger.y) < 8) return
      send({ type: 'wheel', ...now, dx: finger.x - now.x, dy: finger.y - now.y })
      finger = { ...now, scrolled: true }
    },
    { passive: false },
  )
  keys.addEventListener('pointerup', (event) => {
    if (event.button !== 0) return
    if (event.pointerType !== 'touch') return send({ type: 'up', ...place(event) })
    if (finger && !finger.scrolled) {
      send({ type: 'down', ...place(event) })
      send({ type: 'up', ...place(event) })
    }
    finger = undefined
  })
  keys.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault()
      const step = (delta) => Math.min(Math.max(delta, -2000), 2000)
      send({ type: 'wheel', ...place(event), dx: step(event.deltaX), dy: step(event.deltaY) })
    },
    { passive: false },
  )
  keys.addEventListener('contextmenu', (event) => event.preventDefault())

  keys.addEventListener('keydown', (event) => {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey || !plain.has(event.key)) return
    // The way out for those who have no mouse: Escape first, then Tab.
    if (event.key === 'Escape') return live.querySelector('[data-do=close]').focus()
    event.preventDefault()
    send({ type: 'key', key: event.key, shift: event.shiftKey })
  })
  keys.addEventListener('beforeinput', (event) => {
    if (event.inputType === 'deleteContentBackward') send({ type: 'key', key: 'Backspace' })
    else if (event.inputType === 'insertLineBreak') send({ type: 'key', key: 'Enter' })
    else if (event.data && !event.isComposing) send({ type: 'text', text: event.data.slice(0, 2000) })
    if (!event.isComposing) event.preventDefault()
  })
  keys.addEventListener('compositionend', (event) => {
    if (event.data) send({ type: 'text', text: event.data.slice(0, 2000) })
    keys.value = ''
  })
  keys.addEventListener('paste', (event) => {
    event.preventDefault()
    const text = event.clipboardData?.getData('text/plain') ?? ''
    if (text !== '') send({ type: 'text', text: text.slice(0, 2000) })
  })
}
