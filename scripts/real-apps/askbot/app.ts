import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { cp, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { editing, rowsOf, runPython, webService } from '../django.ts'
import { pythonOf } from '../python.ts'
import type { RealApp, RunningApp } from '../real-app.ts'
import { withLock } from '../../../local-services/lock.ts'
import { launch } from '../../../local-services/service.ts'
import { recordings } from './recordings.ts'
import { story } from './story.ts'

const here = import.meta.dirname
const person = { name: 'ada', password: 'correct horse battery staple' }

/** askbot, questions and answers: its development server, with our settings and test content. */
export const askbot: RealApp = {
  name: 'askbot',
  person,
  signInForm: { page: 'account/signin/', name: '#id_username', button: '[name=login_with_password]' },
  async install(cache, log) {
    const python = await pythonOf(here)
    const folder = folderOf(cache, python)
    await mkdir(cache, { recursive: true })
    const waiting = () => log('askbot: another process is making the same; waiting for it')
    await withLock(`${folder}.lock`, waiting, async () => {
      // Its settings contain the folder's name, so it is built in place; `whole` marks it complete.
      if (existsSync(join(folder, 'whole'))) return
      log('askbot: making its tables, its test content and its files')
      await rm(folder, { recursive: true, force: true })
      await mkdir(folder)
      await make(python, folder)
      await writeFile(join(folder, 'whole'), '')
    })
  },
  async start({ cache, folder, port }): Promise<RunningApp> {
    const python = await pythonOf(here)
    const site = siteIn(folderOf(cache, python))
    for (const name of ['askbot.sqlite', 'templates'])
      await cp(join(site, name), join(folder, name), { recursive: true })
    const origin = `http://127.0.0.1:${port}`
    const running = await launch(
      webService({
        name: 'askbot',
        python,
        args: [join(here, 'serve.py'), String(port)],
        cwd: site,
        env: { ASKBOT_DATA: folder },
        logFile: join(folder, 'askbot.log'),
        page: `${origin}/account/signin/`,
      }),
    )
    return {
      origin,
      rows: rowsOf(join(folder, 'askbot.sqlite')),
      changeTemplate: editing(join(folder, 'templates')),
      stop: () => running.stop(),
    }
  },
  recordings,
  story,
}

async function make(python: string, folder: string): Promise<void> {
  const site = siteIn(folder)
  const setup = [
    ...['--root-directory', site, '--proj-name', 'askbot_site', '--noinput', '--domain-name', 'askbot.example.org'],
    ...['--admin-name', 'admin', '--admin-email', 'admin@example.org', '--db-engine', 'sqlite'],
    ...['--db-name', join(site, 'unused.sqlite'), '--append-settings', readFileSync(join(here, 'settings.py'), 'utf8')],
  ]
  const env = { ASKBOT_DATA: site, PERSON: person.name, PASSWORD: person.password }
  const run = ['-c', 'from askbot.deployment import askbot_setup; askbot_setup()', ...setup]
  await runPython(python, run, { cwd: folder, env })
  const manage = (...args: readonly string[]) => runPython(python, ['manage.py', ...args], { cwd: site, env })
  await manage('migrate', '--verbosity', '0')
  await manage('askbot_add_test_content', '--noinput', '--verbosity', '0')
  await manage('shell', '-c', readFileSync(join(here, 'seed.py'), 'utf8'))
  await manage('collectstatic', '--noinput', '--verbosity', '0')
  const packages = await runPython(python, ['-c', 'import askbot; print(askbot.__path__[0])'], { cwd: site, env })
  await cp(join(packages.trim(), 'jinja2'), join(site, 'templates'), { recursive: true })
}

/** Changes with packages, settings or data. */
function folderOf(cache: string, python: string): string {
  const hash = createHash('sha256').update(python)
  for (const name of ['app.ts', 'settings.py', 'seed.py']) hash.update(readFileSync(join(here, name)))
  return join(cache, `askbot-${hash.digest('hex').slice(0, 12)}`)
}

const siteIn = (folder: string): string => join(folder, 'askbot_root')
