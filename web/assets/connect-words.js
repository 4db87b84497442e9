// Part of connect.js: the page that the picture shows, as fields, buttons and links. What is typed here is kept nowhere.
/** What is said of what is new, at most. */
const mostSaid = 400

globalThis.readsInWords = (live, send) => {
  const region = live.querySelector('.words')
  const heading = region.querySelector('h2')
  const list = region.querySelector('[data-pieces]')
  const news = region.querySelector('[data-news]')
  const toggle = live.querySelector('[data-in-words]')
  /** By the name of each piece, what it is made of, and where it stands. */
  const shown = new Map()
  let said = new Set()
  let title = ''

  const listen = (on) => {
    region.hidden = !on
    toggle.setAttribute('aria-expanded', String(on))
    list.replaceChildren()
    shown.clear()
    said = new Set()
    title = ''
    news.textContent = ''
    send({ type: 'listen', on })
  }
  toggle.addEventListener('click', () => {
    listen(region.hidden)
    if (!region.hidden) heading.focus()
  })

  /** It goes there as soon as the person is through with it, and what hides its letters is empty then. */
  const fill = (field) => {
    if (field.value === field.defaultValue) return
    send({ type: 'fill', id: field.dataset.fill, text: field.value.slice(0, 2000) })
    if (field.type === 'password') field.value = ''
    else field.defaultValue = field.value
  }
  list.addEventListener('change', ({ target }) => {
    if (target.dataset.fill) fill(target)
    else if (target.dataset.choose) send({ type: 'choose', id: target.value })
  })
  list.addEventListener('keydown', (event) => {
    const { target } = event
    if (event.key !== 'Enter' || !target.dataset.fill || target.tagName === 'TEXTAREA') return
    event.preventDefault()
    fill(target)
    send({ type: 'key', key: 'Enter' })
  })
  list.addEventListener('click', ({ target }) => {
    const button = target.closest('[data-press]')
    if (button) send({ type: 'press', id: button.dataset.press })
  })

  const isTyping = (field) => field?.dataset.fill && field.value !== field.defaultValue
  /** What is new, for those who do not see that it is. */
  const tell = () => {
    const texts = [...list.querySelectorAll('[data-words]')].map(({ textContent }) => textContent)
    const fresh = texts.filter((text) => !said.has(text))
    const isOther = texts[0] !== title
    said = new Set(texts)
    title = texts[0]
    if (fresh.length > 0) news.textContent = (isOther ? fresh.slice(0, 2) : fresh).join('. ').slice(0, mostSaid)
  }

  return {
    close() {
      if (!region.hidden) listen(false)
    },
    /** The pieces come as HTML in which nothing of the page is markup. Those that stay as they are keep their place and the focus. */
    update(pieces) {
      const active = list.contains(document.activeElement) ? document.activeElement : undefined
      const chosen = active?.closest('[data-key]').dataset.key
      const kept = new Set(pieces.map(({ key }) => key))
      for (const [key, { element }] of shown) {
        if (kept.has(key)) continue
        element.remove()
        shown.delete(key)
      }
      let place = list.firstElementChild
      for (const { key, html } of pieces) {
        const known = shown.get(key)
        const element = known?.element ?? document.createElement('div')
        if (known?.html !== html && !(key === chosen && isTyping(active))) {
          element.dataset.key = key
          element.innerHTML = html
          shown.set(key, { html, element })
          if (key === chosen) element.querySelector('input, button, select, textarea')?.focus()
        }
        if (element === place) place = place.nextElementSibling
        else list.insertBefore(element, place)
      }
      // What had the focus is gone with its page.
      if (chosen !== undefined && !shown.has(chosen)) heading.focus()
      tell()
    },
  }
}
