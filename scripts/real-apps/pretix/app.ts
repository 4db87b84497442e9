import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { withLock } from '../../../local-services/lock.ts'
import { launch } from '../../../local-services/service.ts'
import { rowsOf, runPython, webService } from '../django.ts'
import { pythonOf } from '../python.ts'
import type { RealApp, RunningApp } from '../real-app.ts'
import { recordings } from './recordings.ts'
import { story } from './story.ts'

const here = import.meta.dirname
const server = join(here, 'server')
const person = { name: 'mara@linden.example', password: 'lantern-orchard-seven' }

/** pretix, ticket sales: gunicorn, SQLite, one venue with two events. Emails go into a folder. */
export const pretix: RealApp = {
  name: 'pretix',
  person,
  signInForm: { page: 'control/login', name: '#id_email', button: 'form.form-signin button[type=submit]' },
  async install(cache, log) {
    const python = await pythonHere()
    const data = dataIn(cache, python)
    await mkdir(cache, { recursive: true })
    const waiting = () => log('pretix: another process is making the same; waiting for it')
    await withLock(`${data}.lock`, waiting, async () => {
      if (existsSync(data)) return
      log('pretix: making its tables and its events')
      const draft = await mkdtemp(`${data}-`)
      try {
        await runPython(python, [join(server, 'seed.py')], {
          cwd: draft,
          env: { ...envOf(draft), SEED_PASSWORD: person.password },
        })
        await rename(draft, data)
      } finally {
        await rm(draft, { recursive: true, force: true })
      }
    })
  },
  async start({ cache, folder, port }): Promise<RunningApp> {
    const python = await pythonHere()
    await cp(dataIn(cache, python), folder, { recursive: true })
    const origin = `http://127.0.0.1:${port}`
    const where = { cwd: folder, env: { ...envOf(folder), PRETIX_PRETIX_URL: origin } }
    const packages = await runPython(python, ['-c', 'import pretix; print(pretix.__path__[0])'], where)
    const running = await launch(
      webService({
        name: 'pretix',
        python,
        args: ['-m', 'gunicorn', 'wsgi', '--bind', `127.0.0.1:${port}`, '--threads', '4', '--no-control-socket'],
        ...where,
        logFile: join(folder, 'pretix.log'),
        page: `${origin}/control/login`,
      }),
    )
    return {
      origin,
      rows: rowsOf(join(folder, 'db.sqlite3')),
      changeTemplate: overriding(join(packages.trim(), 'control/templates'), join(folder, 'templates')),
      stop: () => running.stop(),
    }
  },
  recordings,
  story,
}

const pythonHere = (): Promise<string> => pythonOf(here, 11)

function envOf(data: string): Readonly<Record<string, string>> {
  return {
    DATA_DIR: data,
    DJANGO_SETTINGS_MODULE: 'house',
    PYTHONPATH: server,
    // Keep the project's folder unchanged.
    PYTHONDONTWRITEBYTECODE: '1',
  }
}

/** Overrides templates by copies in a folder that pretix searches first. */
function overriding(own: string, first: string): RunningApp['changeTemplate'] {
  return async (name, text, other) => {
    const before = await readFile(join(own, name), 'utf8')
    if (!before.includes(text)) throw new Error(`the template ${name} has no ${text}`)
    const file = join(first, name)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, before.replaceAll(text, other))
    return () => rm(file)
  }
}

/** Changes with packages, settings or data. */
function dataIn(cache: string, python: string): string {
  const hash = createHash('sha256').update(python).update(person.password)
  for (const name of ['house.py', 'seed.py']) hash.update(readFileSync(join(server, name)))
  return join(cache, `pretix-${hash.digest('hex').slice(0, 12)}`)
}
