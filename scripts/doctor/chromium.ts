import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startChromium } from '../../web/connect/browser/chromium.ts'
import { placeFor } from '../../web/connect/browser/isolation.ts'
import type { Finding } from '../../client/finding.ts'
import { messageOf } from '../../local-services/setup-error.ts'

const what = 'Chromium'
const open = 'without its own sandbox, which needs user namespaces that this system refuses'
const allow =
  'Allow them: sysctl -w kernel.apparmor_restrict_unprivileged_userns=0 (or kernel.unprivileged_userns_clone=1); in a container, deploy/chromium-seccomp.json.'

/** What it shows needs no network: nothing answers there. */
const nowhere = { server: 'http://127.0.0.1:9', username: 'nobody', password: 'none' }

/** Whether the browser of the connect page starts and can show a text, in so many seconds. */
export async function findChromium(dir: string, seconds: number): Promise<Finding> {
  // Before the first start there is no folder, and npm start makes it with rights of its own.
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
    // Where it cannot tell, the error is about that very folder.
    return diagnose(messageOf(error), await placeFor(folder).catch(() => folder))
  } finally {
    if (own !== undefined) await rm(own, { recursive: true, force: true })
  }
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

/** What a person can do about it, from what the system, the package or the browser said. */
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
  if (message.includes('Cannot find')) return bad('its package is not installed', 'npm ci')
  if (message.includes('has been closed')) return bad('it ends as soon as it starts', again)
  return bad(firstLines(message), again)
}

function bad(found: string, mend: string): Finding {
  return { what, ok: false, found, mend }
}

function firstLines(message: string): string {
  return message.split('\n').slice(0, 2).join(' ').slice(0, 300)
}
