import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startChromium } from '../../api/connect/chromium.ts'
import type { Finding } from '../../client/finding.ts'
import { messageOf } from '../../engine/setup-error.ts'

const what = 'Chromium'

/** Whether the browser of the connect page starts and can show a text, in so many seconds. */
export async function findChromium(dir: string, seconds: number): Promise<Finding> {
  // Before the first start there is no folder, and npm start makes it with rights of its own.
  const own = existsSync(dir) ? undefined : await mkdtemp(join(tmpdir(), 'callgate-doctor-'))
  const folder = own ?? dir
  try {
    const over = new AbortController()
    const late = pause(seconds * 1000, undefined, { signal: over.signal }).then(() => {
      throw new Error(`it took longer than ${seconds} s`)
    })
    const version = await Promise.race([show(folder), late]).finally(() => over.abort())
    return { what, ok: true, found: `${version} starts and shows text` }
  } catch (error) {
    return diagnose(messageOf(error), folder)
  } finally {
    if (own !== undefined) await rm(own, { recursive: true, force: true })
  }
}

async function show(dir: string): Promise<string> {
  const browser = await startChromium(dir, 'localhost')
  try {
    const page = await browser.newPage()
    await page.setContent('<p style="display: inline-block">Callgate</p>')
    const width = (await page.locator('p').boundingBox())?.width ?? 0
    if (width === 0) throw new Error('it shows no text: no fonts')
    return browser.version()
  } finally {
    await browser.close()
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
  if (/No usable sandbox|namespace/i.test(message))
    return bad(
      'this user may not start its sandbox',
      'Allow it: sysctl -w kernel.apparmor_restrict_unprivileged_userns=0 (or kernel.unprivileged_userns_clone=1).',
    )
  if (message.includes('ENOSPC')) return bad('no room to unpack it', `Make 300 MB of room in ${folder}.`)
  if (/EACCES|EPERM|EROFS/.test(message))
    return bad(`${folder} cannot be written or run`, `Give it to the user that runs Callgate: chown -R USER ${folder}`)
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
