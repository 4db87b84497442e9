// Times in the reader's own zone; without this they stand in UTC.
const zoned = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
})
for (const time of document.querySelectorAll('time[data-zoned]')) {
  const date = new Date(String(time.getAttribute('datetime')))
  if (Number.isNaN(date.getTime())) continue
  time.title = time.textContent
  time.textContent = zoned.format(date)
}

// A page that waits for something looks again by itself, but only while somebody looks at it.
const refresh = Number(document.body.dataset.refresh)
if (refresh > 0) {
  setInterval(() => {
    if (document.visibilityState === 'visible') location.reload()
  }, refresh * 1000)
}

// A second click on a form that is on its way does nothing.
for (const form of document.querySelectorAll('form')) {
  let sent = false
  form.addEventListener('submit', (event) => {
    if (sent) event.preventDefault()
    sent = true
  })
}
addEventListener('pageshow', (event) => {
  if (event.persisted) location.reload()
})

// What waits for the person is told on every open page, and in the name of its tab.
const badge = document.querySelector('[data-waiting]')
const title = document.title
const tell = (waiting) => {
  badge.textContent = String(waiting)
  badge.hidden = waiting === 0
  document.title = waiting === 0 ? title : `(${waiting}) ${title}`
}
if (badge) {
  tell(Number(badge.textContent))
  setInterval(async () => {
    const answer = await fetch('/waiting/count').catch(() => undefined)
    if (answer?.ok) tell((await answer.json()).waiting)
  }, 15_000)
}
