import type { Page } from 'playwright-core'

/** What a browser asked its phone to show or to open, in order. */
export type Asked =
  | string
  | { readonly title: string; readonly body: string; readonly path: string; readonly tag: string }

/** The service worker of a page, with what this Chromium lacks: a push service, a screen for notices, and a finger to tap them. */
export interface ToldPhone {
  /** Brings the worker what a push service would. */
  push(data: string): Promise<void>
  asked(): Promise<readonly Asked[]>
  /** Taps a notice that leads to `path`. */
  tap(path: string | undefined): Promise<void>
}

/** Before the page is opened: what the browser's own push service, which is far away, would say of a subscription. */
export async function subscribesAs(page: Page, { endpoint, json }: { endpoint: string; json: string }): Promise<void> {
  await page.addInitScript(
    `PushManager.prototype.subscribe = async () => {
       sessionStorage.setItem('subscribed', 'yes')
       return { endpoint: '${endpoint}', toJSON: () => ({ ...${json}, endpoint: '${endpoint}' }) }
     }
     PushManager.prototype.getSubscription = async () => (sessionStorage.getItem('subscribed') === null ? null : { endpoint: '${endpoint}' })`,
  )
}

/** Once the page has its worker. `origin`: that of the page. */
export async function toldPhone(page: Page, origin: string): Promise<ToldPhone> {
  const devtools = await page.context().newCDPSession(page)
  const registered = new Promise<string>((resolve) =>
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      if (registrations[0]) resolve(registrations[0].registrationId)
    }),
  )
  await devtools.send('ServiceWorker.enable')
  const [worker] = page.context().serviceWorkers()
  if (worker === undefined) throw new Error('there is no worker')
  // What the worker asks the browser for is kept instead.
  await worker.evaluate(`
    self.asked = []
    registration.showNotification = async (title, { body, tag, data }) => void asked.push({ title, body, tag, path: data.path })
    clients.openWindow = async (address) => void asked.push(address)
    self.tap = (path) => dispatchEvent(Object.assign(new ExtendableEvent('notificationclick'), {
      notification: { close() {}, data: { path } }, waitUntil() {},
    }))
  `)
  return {
    async push(data) {
      const registrationId = await registered
      await devtools.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data })
    },
    asked: () => worker.evaluate<readonly Asked[]>('asked'),
    async tap(path) {
      await worker.evaluate(`void tap(${JSON.stringify(path) ?? 'undefined'})`)
    },
  }
}
