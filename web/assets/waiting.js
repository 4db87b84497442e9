// Keys for going through calls that wait. None decides anything: approving and rejecting stay with the buttons, and with what
// approve.js asks of a press.
const help = document.querySelector('[data-keys]')
const place = 'callgate-keys'
const areOn = () => localStorage.getItem(place) !== 'off'

if (help) {
  const box = help.querySelector('input')
  box.checked = areOn()
  box.addEventListener('change', () => localStorage.setItem(place, box.checked ? 'on' : 'off'))
  help.hidden = false
}

const rows = () => [...document.querySelectorAll('.waits')]
const current = () => rows().find((row) => row.contains(document.activeElement))

const move = (step) => {
  const all = rows()
  const row = all[Math.min(all.length - 1, Math.max(0, all.indexOf(current()) + step))]
  row?.querySelector('summary, a')?.focus()
}

/** Its own page; `part`: where on it. */
const openOwn = (part) => {
  const link = current()?.querySelector('a[href^="/confirm/"]')
  if (link) location.assign(`${link.getAttribute('href')}${part}`)
}

const inList = {
  j: () => move(1),
  k: () => move(-1),
  a: () => openOwn(''),
  r: () => openOwn('#reason'),
  x: () => current()?.open && current().querySelector('[name="call"]')?.click(),
  '?': () => {
    help.open = !help.open
    help.querySelector('summary').focus()
  },
}

/** On the page of one call a key only leads to the button. */
const onItsPage = {
  j: () => document.querySelector('a[rel="next"]')?.click(),
  a: () => document.querySelector('#decide [value="approve"]')?.focus(),
  r: () => document.querySelector('#reason')?.focus(),
}

const isTypedIn = (element) => element.matches('textarea, select, input:not([type="checkbox"], [type="radio"])')
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.isComposing) return
  if (isTypedIn(event.target) || !areOn()) return
  const keys = help ? inList : onItsPage
  if (!Object.hasOwn(keys, event.key)) return
  event.preventDefault()
  keys[event.key]()
})
