// Runs beside the pages: shows what is pushed to this device, and opens the page that it is about. It answers no request and keeps nothing, so
// that pages always come from the gateway, and it decides nothing: that takes the page, and who is signed in there.
addEventListener('install', () => skipWaiting())
addEventListener('activate', (event) => event.waitUntil(clients.claim()))

const usual = { title: 'Callgate', body: 'Something waits for you.', path: '/waiting', tag: 'waiting' }
const told = (data) => {
  try {
    return { ...usual, ...data.json() }
  } catch {
    // A push that nobody can read is still one: browsers want to see a notice for each.
    return usual
  }
}

addEventListener('push', (event) => {
  const { title, body, path, tag } = told(event.data)
  const pictures = { icon: '/assets/icon-192.png', badge: '/assets/badge-96.png' }
  // What is told once more of the same call takes the place of the first.
  event.waitUntil(registration.showNotification(title, { body, tag, renotify: true, data: { path }, ...pictures }))
})

const openAt = async (path) => {
  const page = new URL(String(path), location.origin)
  const address = page.origin === location.origin ? page.href : `${location.origin}/waiting`
  const windows = await clients.matchAll({ type: 'window', includeUncontrolled: true })
  const open = windows.find(({ url }) => url === address)
  await (open ? open.focus() : clients.openWindow(address))
}
addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(openAt(event.notification.data?.path ?? '/waiting'))
})
