import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it, test } from 'vitest'
import { testConnector } from '../../scripts/connector/test.ts'
import { examplesMatch } from '../../scripts/real-apps/examples.ts'

const examples = path.join(import.meta.dirname, '../../examples/connectors')
const home = await mkdtemp(path.join(tmpdir(), 'examples-'))
afterAll(() => rm(home, { recursive: true }))

test.each(['askbot', 'pretix'])('the connector of %s is proven by its offline examples', async (name) => {
  const said: string[] = []
  expect(await testConnector(path.join(examples, name), undefined, (line) => said.push(line)), said.join('\n')).toBe(
    true,
  )
})

/** As if the app had shown something else than the example of this file. */
async function changed(file: string, text: string, other: string): Promise<string> {
  const folder = path.join(home, 'askbot')
  await cp(path.join(examples, 'askbot'), folder, { recursive: true })
  const whole = path.join(folder, 'recordings', file)
  const before = await readFile(whole, 'utf8')
  expect(before).toContain(text)
  await writeFile(whole, before.replaceAll(text, other))
  return folder
}

it.each([
  ['an output of another type', 'list_tags/success.http', '"questions": 1', '"questions": null'],
  ['another refusal', 'post_answer/refused.http', '"already_answered"', '"question_closed"'],
  ['a form with another field', 'ask_question/success.http', '&group_id=', '&group='],
  ['another address', 'get_user/success.http', '/users/2/joe/', '/members/2/joe/'],
])('examples have to show what the app shows: %s', async (_what, file, text, other) => {
  const real = await changed(file, text, other)
  expect(() => examplesMatch(path.join(examples, 'askbot'), real)).toThrow(file.replace('.http', '\n'))
  expect(() => examplesMatch(real, real)).not.toThrow()
})

it('a case that only one of them has is told', async () => {
  const real = await changed('get_user/success.http', '200', '200')
  await rm(path.join(real, 'recordings/get_user/not-found.http'))
  expect(() => examplesMatch(path.join(examples, 'askbot'), real)).toThrow('get_user/not-found')
})
