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
  // The first is asked for anew while the page is open; the menu has it, too.
  const [told, ...others] = document.querySelectorAll('[data-waiting]')
  const waiting = Number(told?.textContent ?? 0)
  for (const other of others) [other.textContent, other.hidden] = [told.textContent, told.hidden]
  document.title = waiting === 0 ? title : `(${waiting}) ${title}`
}

// How long there is yet and how long ago it was, of now: a page may have been open for days. As `inWords` of the pages says it.
const units = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
]
const counted = (count, unit) => `${count} ${unit}${count === 1 ? '' : 's'}`
const inWords = (seconds) => {
  const at = units.findIndex(([size]) => seconds >= size)
  const [size, unit] = units[at]
  const count = Math.floor(seconds / size)
  const [smaller, rest] = units[at + 1] ?? units[at]
  const more = Math.floor((seconds % size) / smaller)
  return count < 3 && more > 0 ? `${counted(count, unit)} ${counted(more, rest)}` : counted(count, unit)
}
const put = (place, words) => {
  if (place.textContent !== words) place.textContent = words
}
const tellLeft = () => {
  for (const place of document.querySelectorAll('[data-until]')) {
    const seconds = Math.floor((Date.parse(place.dataset.until) - Date.now()) / 1000)
    put(place, seconds < 1 ? 'the time is over' : `${inWords(seconds)} left`)
  }
}
const tellSince = () => {
  for (const place of document.querySelectorAll('[data-since]')) {
    const at = Date.parse(place.dateTime)
    const seconds = Math.floor((Date.now() - at) / 1000)
    put(place, seconds < 10 ? 'just now' : `${inWords(seconds)} ago`)
    place.title = kinds.seconds.format(at)
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
