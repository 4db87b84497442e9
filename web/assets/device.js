// Asks the browser to be pushed to on this device, and says which of the listed devices this one is.
const place = document.querySelector('[data-device]')
const able = Boolean(navigator.serviceWorker && window.PushManager && window.Notification)

const bytesOf = (text) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0))
const hex = (bytes) => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('')

class Told extends Error {}

const subscribe = async () => {
  if ((await Notification.requestPermission()) !== 'granted')
    throw new Told('The browser does not let this page show notices. Its settings of this site have a switch for that.')
  // It was registered before, or says now why it cannot be.
  await navigator.serviceWorker.register('/worker.js')
  const { pushManager } = await navigator.serviceWorker.ready
  const options = { userVisibleOnly: true, applicationServerKey: bytesOf(place.dataset.device) }
  try {
    return await pushManager.subscribe(options)
  } catch (error) {
    // It is subscribed with a key that this gateway had before.
    if (error.name !== 'InvalidStateError') throw error
    await (await pushManager.getSubscription())?.unsubscribe()
    return pushManager.subscribe(options)
  }
}

const markOwn = async () => {
  const subscription = await (await navigator.serviceWorker.getRegistration('/'))?.pushManager.getSubscription()
  if (!subscription) return
  const own = hex(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(subscription.endpoint)))
  const tag = document.querySelector(`[data-place="${own}"] [data-here]`)
  if (tag === null) return
  tag.hidden = false
  place.querySelector('form').hidden = true
}

if (able) {
  const form = place.querySelector('form')
  const problem = place.querySelector('[data-problem]')
  const button = form.querySelector('button')
  place.querySelector('[data-unable]').hidden = true
  form.hidden = false
  const add = async () => {
    button.disabled = true
    problem.hidden = true
    try {
      form.elements.namedItem('subscription').value = JSON.stringify(await subscribe())
      form.submit()
    } catch (error) {
      problem.textContent =
        error instanceof Told
          ? error.message
          : `The browser could not be asked to show notices (${error.name}). Is it online?`
      problem.hidden = false
      button.disabled = false
    }
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (!button.disabled) void add()
  })
  void markOwn()
}

// Where the zone of the clocks was not chosen yet, it is that of this device.
const zone = document.querySelector('[data-zone]')
if (zone && zone.value === '') zone.value = Intl.DateTimeFormat().resolvedOptions().timeZone
