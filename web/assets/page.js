// Times in the reader's own zone; without this they stand in UTC.
const shape = {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
}
const zoned = new Intl.DateTimeFormat('en-GB', shape)
const kinds = {
  true: zoned,
  seconds: new Intl.DateTimeFormat('en-GB', { ...shape, second: '2-digit' }),
  short: new Intl.DateTimeFormat('en-GB', { ...shape, year: undefined, timeZoneName: undefined }),
  day: new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' }),
}
const putInZone = () => {
  for (const time of document.querySelectorAll('time[data-zoned]')) {
    const date = new Date(String(time.getAttribute('datetime')))
    if (Number.isNaN(date.getTime())) continue
    // What clocks show where it is stands there already.
    const unless = time.closest('[data-unless-offset]')
    if (unless && Number(unless.dataset.unlessOffset) === -date.getTimezoneOffset()) unless.hidden = true
    const isWhole = time.dataset.zoned === 'true' || time.dataset.zoned === 'seconds'
    time.title = isWhole ? time.textContent : kinds.seconds.format(date)
    time.textContent = (kinds[time.dataset.zoned] ?? zoned).format(date)
    delete time.dataset.zoned
  }
}

// What waits for the person is told in the name of the tab, too.
const loadedTitle = document.title
const nameTab = () => {
  const now = document.querySelector('[data-title]')
  const title = now ? `${now.dataset.title} · Callgate` : loadedTitle
  const waiting = Number(document.querySelector('[data-waiting]')?.textContent ?? 0)
  document.title = waiting === 0 ? title : `(${waiting}) ${title}`
}

// How long there is yet, of now: a page may have been open for days.
const units = [
  [259_200, 86_400, 'day'],
  [7_200, 3_600, 'hour'],
  [120, 60, 'minute'],
  [0, 1, 'second'],
]
const tellLeft = () => {
  for (const place of document.querySelectorAll('[data-until]')) {
    const seconds = Math.floor((Date.parse(place.dataset.until) - Date.now()) / 1000)
    const [, size, unit] = units.find(([least]) => seconds >= least) ?? []
    const count = Math.floor(seconds / size)
    const words = unit ? `${count} ${unit}${count === 1 ? '' : 's'} left` : 'the time is over'
    if (place.textContent !== words) place.textContent = words
  }
}
const tellSince = () => {
  for (const place of document.querySelectorAll('[data-since]')) {
    const seconds = Math.floor((Date.now() - Date.parse(place.dataset.since)) / 1000)
    const [, size, unit] = units.find(([least]) => seconds >= least) ?? []
    const count = Math.floor(seconds / size)
    const words = !unit || seconds < 10 ? 'just now' : `${count} ${unit}${count === 1 ? '' : 's'} ago`
    if (place.textContent !== words) place.textContent = words
  }
}
setInterval(tellLeft, 5_000)
setInterval(tellSince, 30_000)
document.addEventListener('visibilitychange', tellLeft)

const freshen = () => {
  putInZone()
  tellLeft()
  tellSince()
  nameTab()
}
freshen()
document.addEventListener('htmx:after:swap', freshen)

// What is new about a call is shown at once; where somebody has typed, or writes just now, they are only told.
const isTouched = (field) =>
  field === document.activeElement ||
  (field.type === 'checkbox' || field.type === 'radio'
    ? field.checked !== field.defaultChecked
    : field.type !== 'hidden' && field.defaultValue !== undefined && field.value !== field.defaultValue) ||
  (field.options && [...field.options].some(({ selected, defaultSelected }) => selected !== defaultSelected))
document.addEventListener('htmx:after:swap', () => {
  const isNew = document.querySelector('[data-anew]') !== null
  if (isNew && ![...document.querySelectorAll('main :is(input, textarea, select)')].some(isTouched)) location.reload()
})

// Long lists of boxes are narrowed to those that some words fit; what is ticked stays ticked, in sight or not.
for (const label of document.querySelectorAll('label[data-narrows]')) {
  const field = label.querySelector('input')
  const groups = [...label.parentElement.querySelectorAll('details.choice')]
  const opened = new Map(groups.map((group) => [group, group.open]))
  const narrow = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean)
    for (const group of groups) {
      const name = group.querySelector('summary').textContent
      const ticks = [...group.querySelectorAll('.ticks > label')]
      for (const tick of ticks) {
        const text = `${name} ${tick.textContent}`.toLowerCase()
        tick.hidden = !words.every((word) => text.includes(word))
      }
      group.hidden = ticks.every(({ hidden }) => hidden)
      group.open = words.length === 0 ? opened.get(group) : !group.hidden
    }
  }
  field.addEventListener('input', narrow)
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') event.preventDefault()
  })
  label.hidden = false
}

// A second click on a form that is on its way does nothing.
const sent = new WeakSet()
document.addEventListener('submit', (event) => {
  if (sent.has(event.target)) event.preventDefault()
  else if (!event.defaultPrevented) sent.add(event.target)
})
addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload()
})

// What shows notices on this device, and makes the pages installable. Where browsers have none, or keep it for safer addresses, nothing is lost.
if (navigator.serviceWorker && document.querySelector('link[rel=manifest]'))
  navigator.serviceWorker
    .register('/worker.js')
    .catch((error) => document.documentElement.setAttribute('data-no-worker', error.message))
