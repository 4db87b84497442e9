import { cp, mkdir, readdir, readFile, rename, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { functionSet, hashOfFunctions } from '../../../core/database/functions.ts'
import { root } from '../../supervisor/settings.ts'

const code = [
  'activities',
  'api',
  'connectors',
  'core',
  'engine',
  'sandbox',
  'schemas',
  'scripts',
  'server',
  'web',
  'workflows',
  'config.ts',
  'package.json',
]
const patch = 'step-of-the-campaign'
/** Helpers that the next release edits. */
const edited = ['core/retry.ts', 'web/form.ts', 'connectors/kit/html.ts']
const moved = ['core/sleep.ts', 'core/falling-asleep.ts'] as const

/** Two releases of this code: the first can replay a new step, the second runs it and has edits. */
export async function makeReleases(dir: string): Promise<{ readonly first: string; readonly second: string }> {
  const [first, second] = await Promise.all(['first', 'second'].map((name) => copy(join(dir, name))))
  if (first === undefined || second === undefined) throw new Error('no releases')
  await Promise.all([first, second].map(addStep))
  const dormant = join(first, 'workflows/dormant-patches.ts')
  const patches = await readFile(dormant, 'utf8')
  await writeFile(
    dormant,
    patches.replace(/new Set<string>\(.*\)/, (others) => `${others}.union(new Set(['${patch}']))`),
  )

  const migrations = join(second, 'core/database/migrations')
  await writeFile(join(migrations, '0999_campaign.sql'), 'ALTER TABLE calls ADD COLUMN of_the_campaign text;\n')
  await writeFile(join(migrations, '0999_campaign.down.sql'), 'ALTER TABLE calls DROP COLUMN of_the_campaign;\n')
  await replaceFunction(join(second, 'core/database/functions'))
  for (const file of edited)
    await writeFile(join(second, file), `${await readFile(join(second, file), 'utf8')}\n// Edited.\n`)
  await moveFile(second)
  return { first, second }
}

async function copy(to: string): Promise<string> {
  await mkdir(to)
  for (const name of code) await cp(join(root, name), join(to, name), { recursive: true })
  await symlink(join(root, 'node_modules'), join(to, 'node_modules'))
  return to
}

async function replaceFunction(folder: string): Promise<void> {
  const file = join(folder, 'this_day.sql')
  const text = await readFile(file, 'utf8')
  await writeFile(
    file,
    text.replace('$function$\n', () => '$function$\n  -- Of the second release.\n'),
  )
  const { number } = await functionSet(folder)
  await writeFile(
    join(folder, 'set.json'),
    JSON.stringify({ number: number + 1, sha256: await hashOfFunctions(folder) }),
  )
}

/** Adds a timer at the beginning of each call. */
async function addStep(release: string): Promise<void> {
  const file = join(release, 'workflows/call.ts')
  const head = /export async function call\(.*\{\n/
  const text = await readFile(file, 'utf8')
  if (!head.test(text)) throw new Error('workflows/call.ts has no call() to add a step to')
  const step = `  if (newly('${patch}')) await pause(1)\n`
  await writeFile(
    file,
    `import { patched as newly, sleep as pause } from '@temporalio/workflow'\n${text.replace(head, (found) => found + step)}`,
  )
}

async function moveFile(release: string): Promise<void> {
  const [before, after] = moved
  await rename(join(release, before), join(release, after))
  const [from, to] = moved.map((path) => path.split('/').at(-1) ?? '')
  for (const folder of code.filter((name) => !name.includes('.')))
    for (const name of await readdir(join(release, folder), { recursive: true })) {
      if (!/\.tsx?$/.test(name)) continue
      const file = join(release, folder, name)
      const text = await readFile(file, 'utf8')
      if (text.includes(`/${from}'`)) await writeFile(file, text.replaceAll(`/${from}'`, `/${to}'`))
    }
}
