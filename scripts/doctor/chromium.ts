import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { BrowserService } from '../../config.ts'
import { NoBrowserFree, reachService } from '../../web/connect/browser/browser-service.ts'
import { startChromium } from '../../web/connect/browser/chromium.ts'
import { placeFor } from '../../web/connect/browser/isolation.ts'
import type { Finding } from '../../client/finding.ts'
import { messageOf } from '../../local-services/setup-error.ts'

const what = 'Chromium'
const open = 'without its own sandbox, which needs user namespaces that this system refuses'
const allow =
  'Allow them: sysctl -w kernel.apparmor_restrict_unprivileged_userns=0 (or kernel.unprivileged_userns_clone=1); in a container, deploy/chromium-seccomp.json.'

/** The test page needs no network: this proxy does not exist. */
const nowhere = { server: 'http://127.0.0.1:9', username: 'nobody', password: 'none' }

/** Checks that the browser of the connect page starts and renders text within `seconds`. */
export async function findChromium(dir: string, seconds: number): Promise<Finding> {
  // Do not create the folder before the first start: npm start sets its permissions.
  const own = existsSync(dir) ? undefined : await mkdtemp(join(tmpdir(), 'callgate-doctor-'))
  if (own !== undefined) await chmod(own, 0o711)
  const folder = own ?? dir
  try {
    const over = new AbortController()
    const late = pause(seconds * 1000, undefined, { signal: over.signal }).then(() => {
      throw new Error(`it took longer than ${seconds} s`)
    })
    const { version, sandboxed } = await Promise.race([show(folder), late]).finally(() => over.abort())
    const found = `${version} starts and shows text`
    return sandboxed ? { what, ok: true, found: `${found}, in its own sandbox` } : bad(`${found}, but ${open}`, allow)
  } catch (error) {
    // If placeFor fails, the error is about that folder.
    return diagnose(messageOf(error), await placeFor(folder).catch(() => folder))
  } finally {
    if (own !== undefined) await rm(own, { recursive: true, force: true })
  }
}

/** The same, where a service runs it. */
export async function findBrowserService(service: BrowserService): Promise<Finding> {
  try {
    await reachService(service)
  } catch (error) {
    if (!(error instanceof NoBrowserFree))
      return bad(messageOf(error), 'docs/deploying.md, "The connect page\'s browser".')
  }
  return { what, ok: true, found: `the browser service at ${new URL(service.url).host} is ready` }
}

async function show(dir: string): Promise<{ readonly version: string; readonly sandboxed: boolean }> {
  const started = await startChromium(dir, nowhere)
  try {
    const page = await started.browser.newPage()
    await page.setContent('<p style="display: inline-block">Callgate</p>')
    const width = (await page.locator('p').boundingBox())?.width ?? 0
    if (width === 0) throw new Error('it shows no text: no fonts')
    return { version: started.browser.version(), sandboxed: started.sandboxed }
  } finally {
    await started.close()
  }
}

const packageOf: Readonly<Record<string, string>> = {
  'libnss3.so': 'libnss3',
  'libnssutil3.so': 'libnss3',
  'libsmime3.so': 'libnss3',
  'libnspr4.so': 'libnspr4',
  'libexpat.so.1': 'libexpat1',
}

/** A suggested fix, derived from the message of the system, the package or the browser. */
function diagnose(message: string, dir: string): Finding {
  const folder = join(dir, 'chromium')
  const again = `Delete ${folder}: it is unpacked again at the next start.`
  const library = /error while loading shared libraries: ([\w.+-]+)/.exec(message)?.[1]
  if (library !== undefined) {
    const packages = packageOf[library] ?? 'libnss3 libnspr4 libexpat1'
    return bad(`${library} is missing`, `apt-get install ${packages}`)
  }
  if (/no fonts|crashed/.test(message))
    return bad('it shows no text', `apt-get install fonts-dejavu-core. If there are fonts: ${again}`)
  if (message.includes('ENOSPC')) return bad('no room to unpack it', `Make 300 MB of room in ${folder}.`)
  if (/EACCES|EPERM|EROFS|Permission denied/.test(message))
    return bad(`${folder} cannot be written or run`, `Give it to the user that runs Callgate: chown -R USER ${folder}`)
  if (message.includes('setpriv')) return bad('setpriv is missing', 'apt-get install util-linux')
  if (message.includes('there is no Chromium')) return bad('it is not installed', 'apt-get install chromium, or npm ci')
  if (message.includes('has been closed')) return bad('it ends as soon as it starts', again)
  return bad(firstLines(message), again)
}

function bad(found: string, mend: string): Finding {
  return { what, ok: false, found, mend }
}

function firstLines(message: string): string {
  return message.split('\n').slice(0, 2).join(' ').slice(0, 300)
}
