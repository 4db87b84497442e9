// Part of connect.js: the picture, larger or smaller, and what hands and keys do in it.
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

const largest = 4

/** The picture of `live`, whose pixels are those of the page that it shows once they are set. */
globalThis.glassOf = (live, send) => {
  const glass = live.querySelector('.glass')
  const pane = live.querySelector('.pane')
  const canvas = live.querySelector('canvas')
  const keys = pane.querySelector('textarea')
  const zoomed = live.querySelector('[data-zoomed]')
  let size = { width: 800, height: 640 }
  let zoom = 1

  const place = (event) => {
    const box = canvas.getBoundingClientRect()
    const at = (from, start, length, all) => Math.min(Math.max(((from - start) / length) * all, 0), all)
    return {
      x: at(event.clientX, box.left, box.width, size.width),
      y: at(event.clientY, box.top, box.height, size.height),
    }
  }
  /** What is at a point of the screen stays there. */
  const zoomTo = (next, point) => {
    const box = glass.getBoundingClientRect()
    const [x, y] = point ? [point.clientX - box.left, point.clientY - box.top] : [box.width / 2, box.height / 2]
    if (zoom === 1) glass.style.height = `${box.height}px`
    const by = Math.min(Math.max(next, 1), largest) / zoom
    const [left, top] = [(glass.scrollLeft + x) * by - x, (glass.scrollTop + y) * by - y]
    zoom *= by
    if (zoom < 1.02) zoom = 1
    glass.classList.toggle('zoomed', zoom > 1)
    pane.style.width = zoom === 1 ? '' : `${zoom * 100}%`
    if (zoom === 1) glass.style.height = ''
    glass.scrollTo(left, top)
    zoomed.textContent = `${Math.round(zoom * 100)} %`
  }
  for (const button of live.querySelectorAll('[data-zoom]'))
    button.addEventListener('click', () => zoomTo(zoom * (button.dataset.zoom === 'in' ? 1.5 : 1 / 1.5)))
  /** Moves what is seen of the picture, and then, at its edge, the page. In pixels of the screen. */
  const scroll = (event, dx, dy) => {
    const before = [glass.scrollLeft, glass.scrollTop]
    glass.scrollBy(dx, dy)
    const ratio = size.width / canvas.getBoundingClientRect().width
    const left = (moved, at) => {
      const rest = (moved - (at === 0 ? glass.scrollLeft : glass.scrollTop) + before[at]) * ratio
      return Math.abs(rest) < 1 ? 0 : Math.min(Math.max(rest, -2000), 2000)
    }
    const step = { dx: left(dx, 0), dy: left(dy, 1) }
    if (step.dx !== 0 || step.dy !== 0) send({ type: 'wheel', ...place(event), ...step })
  }

  let moved = 0
  keys.addEventListener('pointermove', (event) => {
    if (event.pointerType === 'touch' || Date.now() - moved < 40) return
    moved = Date.now()
    send({ type: 'move', ...place(event) })
  })
  // A finger that stays where it is clicks, one that moves scrolls, two make the picture larger or smaller.
  let finger
  let fingers
  keys.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return
    if (event.pointerType !== 'touch') send({ type: 'down', ...place(event) })
    else if (event.isPrimary) finger = { clientX: event.clientX, clientY: event.clientY, scrolled: false }
  })
  keys.addEventListener(
    'touchmove',
    (event) => {
      event.preventDefault()
      const [one, two] = event.touches
      if (two) {
        finger = undefined
        const apart = Math.hypot(one.clientX - two.clientX, one.clientY - two.clientY)
        const middle = { clientX: (one.clientX + two.clientX) / 2, clientY: (one.clientY + two.clientY) / 2 }
        if (fingers) {
          zoomTo((zoom * apart) / fingers.apart, middle)
          glass.scrollBy(fingers.clientX - middle.clientX, fingers.clientY - middle.clientY)
        }
        fingers = { apart, ...middle }
        return
      }
      if (!finger || !one) return
      const [dx, dy] = [finger.clientX - one.clientX, finger.clientY - one.clientY]
      if (!finger.scrolled && Math.hypot(dx, dy) < 8) return
      scroll(one, dx, dy)
      finger = { clientX: one.clientX, clientY: one.clientY, scrolled: true }
    },
    { passive: false },
  )
  keys.addEventListener('touchend', () => (fingers = undefined))
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
      // So browsers tell of two fingers on a pad.
      if (event.ctrlKey) zoomTo(zoom * Math.exp(-event.deltaY / 100), event)
      else scroll(event, event.deltaX, event.deltaY)
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
  return {
    keys,
    /** In pixels of the page that it shows. */
    resize(to) {
      size = to
      if (zoom > 1) zoomTo(1)
      canvas.width = to.width
      canvas.height = to.height
    },
    async draw(data) {
      const picture = await createImageBitmap(data)
      canvas.width = picture.width
      canvas.height = picture.height
      canvas.getContext('2d').drawImage(picture, 0, 0)
      picture.close()
    },
  }
}
