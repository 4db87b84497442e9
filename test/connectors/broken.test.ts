import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadApps } from '../../connectors/registry.ts'

const root = path.join(import.meta.dirname, '../..')

/** One fault in each of some apps: the file, what is in it, what takes its place, and what operators are told. */
const damages: readonly (readonly [file: string, from: string | RegExp, to: string, at: string, problem: string])[] = [
  [
    'crm/clients.ts',
    /request: '(GET|POST) /,
    "request: 'HEAD ",
    'crm/clients.ts:',
    '" is not a request line: METHOD /path, with GET, POST, PUT, PATCH, DELETE',
  ],
  ['pet-salon/desk.ts', "selector: 'form[", "selector: 'form[=[", 'pet-salon/', 'which is no selector'],
  [
    'teacher-marketplace/index.ts',
    'export const',
    "throw new Error('on its way in')\nexport const",
    'teacher-marketplace/index.ts:',
    'on its way in',
  ],
  ['travel-log/trips.ts', 'export const', 'export const const', 'travel-log/trips.ts:', ''],
  ['salon/index.ts', /^/, "import './nowhere.ts'\n", 'salon/', "Cannot find module 'connectors/salon/nowhere.ts'"],
  [
    'photo-gallery/index.ts',
    /endpoints: \[(\w+),/,
    'endpoints: [$1, $1,',
    'photo-gallery/',
    'photo-gallery has two endpoints named ',
  ],
  ['invitations/index.ts', /origin: '[^']*'/, "origin: 'nowhere'", 'invitations/', '"nowhere" is no address of an app'],
  ['camping-host/index.ts', /failure: firstOf\(/, 'failure: [].concat(', 'camping-host/', 'failure is not a function'],
  [
    'fitness-studio/index.ts',
    /endpoints: \[/,
    "endpoints: [{ help: 'me' }, ",
    'fitness-studio/',
    'help is exported beside the endpoints',
  ],
  [
    'property-advertising/inbox.ts',
    "'POST /inbox/{contact_id}",
    "'POST /inbox/{thread_id}",
    'property-advertising/',
    'names {thread_id} in /inbox/{thread_id}',
  ],
  [
    'question-answer/questions.ts',
    'Type.String({',
    "Type.String({ pattern: '[', ",
    'question-answer/',
    'has a pattern that is no regular expression',
  ],
  [
    'digital-products/products.ts',
    'Type.String({',
    'Type.String({ minLength: 9, maxLength: 3, ',
    'digital-products/',
    'has bounds that nothing meets: minLength, maxLength',
  ],
  [
    'course-school/index.ts',
    '  things,\n',
    "  things: { course: 'a course' } as never,\n",
    'course-school/',
    'things.course is not { label, toldBy: [{ read, id }], title: [], facts: [] }',
  ],
  ['field-jobs/index.ts', '  things,\n', '', 'field-jobs/', 'things says nothing of its ids'],
  ['tour-supplier/availability.ts', /  label: '.*',\n/, '', 'tour-supplier/', ' has no label'],
  [
    'salon-booking/things.ts',
    "label: 'appointment'",
    String.raw`label: 'appointment\nof 9:00'`,
    'salon-booking/',
    'things.appointment is not { label',
  ],
  [
    'video-streaming/analytics.ts',
    "'The title that it has now.'",
    String.raw`'The title \u202ethat it has now.'`,
    'video-streaming/',
    '.description has control characters, or signs that turn the order of others around',
  ],
  ['travel-booking/bookings.ts', /  effect: '.*',\n/, '', 'travel-booking/', ' has no effect'],
]

let copy: string
beforeAll(async () => {
  copy = await mkdtemp(path.join(tmpdir(), 'callgate-broken-'))
  for (const folder of ['connectors', 'schemas'])
    await cp(path.join(root, folder), path.join(copy, folder), { recursive: true })
  await symlink(path.join(root, 'node_modules'), path.join(copy, 'node_modules'))
  await writeFile(path.join(copy, 'package.json'), '{ "type": "module" }')
  for (const [name, from, to] of damages) {
    const file = path.join(copy, 'connectors', name)
    const text = await readFile(file, 'utf8')
    expect(text.replace(from, to) !== text, name).toBe(true)
    await writeFile(file, text.replace(from, to))
  }
})
afterAll(() => rm(copy, { recursive: true }))

test('a connector that is broken is off by itself, and says where and what is wrong; all others are there', async () => {
  const script = `
    const { loadApps } = await import('./connectors/registry.ts')
    const { all, broken } = loadApps({ sandboxUrl: 'http://localhost:8090' })
    console.log(JSON.stringify({ all: all.map(({ slug, endpoints }) => [slug, endpoints.size]), broken: [...broken.values()] }))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { cwd: copy })
  const { all, broken } = JSON.parse(stdout) as {
    all: [string, number][]
    broken: { slug: string; file: string; problem: string }[]
  }
  const told = damages
  for (const [name, , , at, problem] of told) {
    const slug = name.split('/', 1)[0]
    const found = broken.find((one) => one.slug === slug)
    expect([found?.file, found?.problem], name).toEqual([
      expect.stringContaining(`connectors/${at}`),
      expect.stringContaining(problem),
    ])
    expect(found?.problem).not.toContain(copy)
  }
  const off = new Set(broken.map(({ slug }) => slug))
  const whole = loadApps({ sandboxUrl: 'http://localhost:8090' }).all.filter(({ slug }) => !off.has(slug))
  expect([off.size, all]).toEqual([told.length, whole.map(({ slug, endpoints }) => [slug, endpoints.size])])
})
