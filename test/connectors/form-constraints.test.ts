import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { filledForm, settings } from '../../connectors/runtime/forms/filled-form.ts'
import { unfit } from '../../connectors/runtime/forms/held.ts'
import type { Unfit } from '../../connectors/runtime/forms/held.ts'
import { pageForm } from '../../connectors/runtime/forms/page-form.ts'
import { UnknownShape } from '../../connectors/kit/wire.ts'
import { startBrowser } from '../support/chromium.ts'
import type { RunningBrowser } from '../support/chromium.ts'

let running: RunningBrowser
let tab: Page
beforeAll(async () => {
  running = await startBrowser()
  tab = await running.browser.newPage()
})
afterAll(() => running?.close())

const none: ReadonlySet<string> = new Set()
type Given = string | number | boolean | null | readonly string[]

const found = (fields: string, attributes = '') =>
  pageForm(
    {
      url: new URL('http://app.example/'),
      type: 'text/html; charset=utf-8',
      text: `<!doctype html><form id=f method=post ${attributes}>${fields}</form>`,
    },
    { selector: '#f' },
  )

/** What is sent, as Callgate has it; undefined: it refuses. */
function ours(fields: string, given: Given | undefined, attributes: string): { sent: unknown; wrong?: Unfit } {
  const form = found(fields, attributes)
  const set = given === undefined ? new Map<string, readonly string[]>() : settings(form.controls, { a: given })
  const wrong = unfit(form, set, none)
  const { entries } = filledForm(form.controls, set, { filled: none, suggested: none }, () => null)
  return wrong ? { sent: undefined, wrong } : { sent: entries }
}

/** What a person does to the fields `a` that they do not type into; says which those others are, and what they get. */
const doing = `(given) => {
  const form = document.getElementById('f')
  const all = [...form.querySelectorAll('[name=a]')]
  const fields = all.filter((one) => !one.matches(':disabled'))
  const left = given === null ? [] : [given].flat().map(String)
  const typed = []
  for (const one of fields) {
    const type = one.type
    if (one.readOnly && !['range', 'color', 'checkbox', 'radio', 'file'].includes(type)) continue
    if (type === 'checkbox') one.checked = given === true || left.includes(one.value)
    else if (type === 'radio') { if (left.includes(one.value)) one.click() }
    else if (type === 'select-multiple') for (const option of one.options) option.selected = !option.disabled && left.includes(option.value)
    else if (type === 'select-one') {
      const option = [...one.options].find((option) => !option.disabled && option.value === (left[0] ?? ''))
      if (option) option.selected = true
      if (fields.length > 1) left.shift()
    } else {
      const value = fields.length > 1 ? left.shift() : left[0]
      if (value === undefined && given !== null) continue
      if (['text', 'search', 'tel', 'url', 'email', 'password', 'textarea'].includes(type)) typed.push([all.indexOf(one), value ?? ''])
      else one.value = value ?? ''
    }
  }
  return typed
}`

const sending = `(() => {
  const form = document.getElementById('f')
  const sent = [...new FormData(form)].map(([name, value]) => [name, String(value).replaceAll(/\\r\\n?|\\n/g, '\\r\\n')])
  return { sent, isValid: form.noValidate || form.checkValidity() }
})()`

interface Theirs {
  readonly sent: readonly (readonly [string, string])[]
  readonly isValid: boolean
}

async function theirs(fields: string, given: Given | undefined, attributes: string): Promise<Theirs> {
  await tab.setContent(`<!doctype html><form id=f method=post ${attributes}>${fields}</form>`)
  if (given !== undefined)
    for (const [at, value] of await tab.evaluate<[number, string][]>(`(${doing})(${JSON.stringify(given)})`)) {
      await tab.evaluate(`{ const one = document.querySelectorAll('[name=a]')[${at}]; one.focus(); one.select() }`)
      // Only what is typed counts as too long, or too short.
      await (value === '' ? tab.keyboard.press('Delete') : tab.keyboard.insertText(value))
    }
  return tab.evaluate<Theirs>(sending)
}

const date = '<input type=date name=a min=2026-01-05 max=2026-12-31 step=7>'
const number = '<input type=number name=a min=1 max=10 step=0.5>'
const list = '<select name=a><option value=x>X<option>Y<option disabled>Z</select>'
const radios =
  '<input type=radio name=a value=1><input type=radio name=a value=2><input type=radio name=a value=3 disabled>'
const several = '<select name=a multiple><option>1<option>2<option disabled>3</select>'
const boxes = '<input type=checkbox name=a value=1><input type=checkbox name=a value=2>'

type Case = [string, Given | undefined, boolean, string?]

/** Fields, what a person gives those called `a` (undefined: nobody touches them), whether that can be sent, and attributes of the form. */
const cases: Case[] = [
  // One line.
  ['<input name=a>', 'one line', true],
  ['<input name=a>', 'two\nlines', false],
  ['<input name=a>', 'two\r\nlines', false],
  ['<input name=a>', 'end\n', false],
  ['<input type=password name=a>', 'a\rb', false],
  ['<input type=lemon name=a>', 'a\nb', false],
  ['<textarea name=a></textarea>', 'two\nlines', true],
  ['<input type=hidden name=a>', 'two\nlines', true],
  // Length, in UTF-16 code units.
  ['<input name=a maxlength=3>', 'abc', true],
  ['<input name=a maxlength=3>', 'abcd', false],
  ['<input name=a maxlength=3>', '😀b', true],
  ['<input name=a maxlength=3>', '😀😀', false],
  ['<input name=a maxlength=0>', 'a', false],
  ['<input name=a maxlength=" +2x">', 'abc', false],
  ['<input name=a maxlength=-1>', 'abc', true],
  ['<input name=a maxlength=x>', 'abc', true],
  ['<input name=a maxlength=2 value=abcd>', undefined, true],
  ['<input name=a maxlength=2 value=abcd>', 'abce', false],
  ['<textarea name=a maxlength=3></textarea>', 'a\r\nb', true],
  ['<textarea name=a maxlength=3></textarea>', 'a\n\nb', false],
  ['<input type=number name=a maxlength=2>', '123', true],
  ['<input type=hidden name=a maxlength=2>', '123', true],
  ['<input name=a minlength=3>', 'ab', false],
  ['<input name=a minlength=3>', 'abc', true],
  ['<input name=a minlength=3 value=x>', null, true],
  ['<input name=a minlength=3 value=ab>', undefined, true],
  // Numbers.
  ...['1', '1.5', '10', '1e0', '.5e1'].map((value): Case => [number, value, true]),
  ...['0.5', '10.5', '1.25', '1,5', '+1', '1.', 'x', '0x1', ' 1', '1e999', 'NaN', '1\n'].map((value): Case => [
    number,
    value,
    false,
  ]),
  ['<input type=number name=a>', '1.5', false],
  ['<input type=number name=a>', 12, true],
  ['<input type=number name=a>', -0.5, false],
  ['<input type=number name=a value=2.5>', '3.5', true],
  ['<input type=number name=a value=2.5>', '3', false],
  ['<input type=number name=a step=any>', '1.0000000001', true],
  ['<input type=number name=a step=ANY>', '0.1', true],
  ['<input type=number name=a step=0.01>', '19.99', true],
  ['<input type=number name=a step=0.01>', '12345678901.23', true],
  ['<input type=number name=a step=0.01>', '12345678901.235', false],
  ['<input type=number name=a step=0.1>', '0.30000000000000004', true],
  ['<input type=number name=a step=x>', '0.1', false],
  ['<input type=number name=a step=0>', '0.1', false],
  ['<input type=number name=a min=x max=2>', '1', true],
  ['<input type=number name=a min=0.1 step=0.2>', '0.5', true],
  ['<input type=number name=a min=0.1 step=0.2>', '0.6', false],
  ['<input type=number name=a min=5 max=1>', '3', false],
  ['<input type=number name=a max=9007199254740992>', '9007199254740993', false],
  ['<input type=number name=a max=5 value=7>', undefined, false],
  ['<input type=number name=a max=5 value=7 readonly>', undefined, true],
  ['<input type=number name=a max=5 value=x>', undefined, true],
  ['<input type=number name=a min=1>', null, true],
  ['<input type=range name=a>', '7', true],
  ['<input type=range name=a>', '101', false],
  ['<input type=range name=a>', '7.5', false],
  ['<input type=range name=a>', null, false],
  // Dates and times.
  [date, '2026-01-12', true],
  [date, '2026-01-13', false],
  [date, '2025-12-29', false],
  [date, '2027-01-04', false],
  [date, '12.01.2026', false],
  [date, '2026-1-12', false],
  ['<input type=date name=a>', '2026-02-28', true],
  ['<input type=date name=a>', '2026-02-30', false],
  ['<input type=date name=a>', '2024-02-29', true],
  ['<input type=date name=a>', '2025-02-29', false],
  ['<input type=date name=a>', '0000-01-01', false],
  ['<input type=date name=a>', '0050-01-01', true],
  ['<input type=date name=a>', '2026-11-27T10:00', false],
  ['<input type=date name=a value=2026-02-30>', undefined, true],
  ['<input type=date name=a step=1.6>', '1970-01-02', false],
  ['<input type=month name=a min=2026-03 step=3>', '2026-09', true],
  ['<input type=month name=a min=2026-03 step=3>', '2026-10', false],
  ['<input type=month name=a>', '2026-13', false],
  ['<input type=month name=a max=2026-03>', '2026-04', false],
  ['<input type=week name=a>', '2026-W53', true],
  ['<input type=week name=a>', '2025-W53', false],
  ['<input type=week name=a>', '2026-W00', false],
  ['<input type=week name=a step=2>', '2026-W01', true],
  ['<input type=week name=a step=2>', '2026-W02', false],
  ['<input type=week name=a min=2026-W10>', '2026-W09', false],
  ['<input type=time name=a>', '10:30', true],
  ['<input type=time name=a>', '10:30:15', false],
  ['<input type=time name=a step=15>', '10:30:15', true],
  ['<input type=time name=a step=0.001>', '10:30:15.123', true],
  ['<input type=time name=a>', '24:00', false],
  ['<input type=time name=a>', '9:30', false],
  ['<input type=time name=a>', '9:30 pm', false],
  ['<input type=time name=a min=09:00 max=17:00>', '08:59', false],
  ['<input type=time name=a min=22:00 max=06:00>', '23:00', true],
  ['<input type=time name=a min=22:00 max=06:00>', '05:00', true],
  ['<input type=time name=a min=22:00 max=06:00>', '12:00', false],
  ['<input type=time name=a step=900>', '10:20', false],
  ['<input type=datetime-local name=a>', '2026-11-27T10:30', true],
  ['<input type=datetime-local name=a>', '2026-11-27 10:30', true],
  ['<input type=datetime-local name=a>', '2026-11-27T10:30:00', true],
  ['<input type=datetime-local name=a>', '2026-11-27T10:30:05', false],
  ['<input type=datetime-local name=a>', '2026-11-27T10:30Z', false],
  ['<input type=datetime-local name=a min=2026-11-27T11:00>', '2026-11-27T10:30', false],
  ['<input type=color name=a>', '#A0B1C2', true],
  ['<input type=color name=a>', '#abc', false],
  ['<input type=color name=a>', 'nothing', false],
  // Addresses.
  ['<input type=email name=a>', 'ann@example.com', true],
  ['<input type=email name=a>', "a.b+c'd@localhost", true],
  ['<input type=email name=a>', 'ann', false],
  ['<input type=email name=a>', 'ann@', false],
  ['<input type=email name=a>', 'ann@-a.example', false],
  ['<input type=email name=a>', 'ann@a..example', false],
  ['<input type=email name=a>', 'Ann <ann@example.com>', false],
  ['<input type=email name=a>', 'ann@example.com, bob@example.com', false],
  ['<input type=email name=a>', ' ann@example.com', false],
  ['<input type=email name=a>', 'ann@exämple.com', false],
  ['<input type=email name=a>', `ann@${'a.'.repeat(127)}example`, true],
  ['<input type=email name=a multiple>', 'ann@example.com,bob@example.com', true],
  ['<input type=email name=a multiple>', 'ann@example.com,bob', false],
  ['<input type=email name=a multiple>', 'ann@example.com,', false],
  ['<input type=email name=a value=nobody>', undefined, false],
  ['<input type=email name=a value=nobody>', undefined, true, 'novalidate'],
  ['<input type=email name=a>', 'ann', true, 'novalidate'],
  ['<input type=number name=a>', 'ann', false, 'novalidate'],
  ['<input type=url name=a>', 'https://example.com/ä', true],
  ['<input type=url name=a>', 'mailto:ann@example.com', true],
  ['<input type=url name=a>', 'example.com', false],
  ['<input type=url name=a>', '/path', false],
  ['<input type=url name=a>', 'http://', false],
  ['<input type=tel name=a>', 'whatever', true],
  // Patterns.
  ['<input name=a pattern="[0-9]{5}">', '12345', true],
  ['<input name=a pattern="[0-9]{5}">', '1234', false],
  ['<input name=a pattern="[0-9]{5}">', '123456', false],
  ['<input name=a pattern="[0-9]{5}">', '', true],
  ['<input name=a pattern="a|b">', 'ab', false],
  ['<input name=a pattern="a)(b">', 'x', true],
  ['<input name=a pattern="[(]">', 'x', true],
  ['<input name=a pattern="\\p{L}+">', 'Grüße', true],
  ['<input name=a pattern="">', 'x', false],
  ['<input name=a pattern=x value=y>', undefined, false],
  ['<input name=a pattern=x value=y readonly>', undefined, true],
  ['<input type=number name=a pattern=x>', '1', true],
  ['<textarea name=a pattern=x></textarea>', 'y', true],
  ['<input type=email name=a multiple pattern=".+@example\\.com">', 'a@example.com,b@example.org', false],
  // What must not stay empty.
  ['<input name=a required>', '', false],
  ['<input name=a required>', null, false],
  ['<input name=a required>', ' ', true],
  ['<input name=a required>', undefined, false],
  ['<input name=a required>', undefined, true, 'novalidate'],
  ['<input name=a required readonly>', undefined, true],
  ['<input name=a required disabled>', undefined, true],
  ['<input type=hidden name=a required>', undefined, true],
  ['<textarea name=a required>x</textarea>', '', false],
  ['<input type=checkbox name=a required>', false, false],
  ['<input type=checkbox name=a required>', true, true],
  ['<input type=checkbox name=a required readonly>', false, true],
  ['<input type=radio name=a value=1 required><input type=radio name=a value=2>', undefined, false],
  ['<input type=radio name=a value=1 required><input type=radio name=a value=2>', '2', true],
  ['<input type=file name=a required>', undefined, false],
  ['<select name=a required><option value="">Choose<option>1</select>', undefined, false],
  ['<select name=a required><option value="">Choose<option>1</select>', '1', true],
  ['<select name=a required><option>1<option value="">None</select>', '', true],
  ['<select name=a required><optgroup label=G><option value="">None</optgroup><option>1</select>', undefined, true],
  ['<select name=a required multiple><option>1</select>', undefined, false],
  ['<select name=a required size=3><option>1</select>', undefined, false],
  ['<select name=a required><option value="" disabled selected>Choose<option>1</select>', undefined, false],
  // What is offered.
  [list, 'x', true],
  [list, 'Y', true],
  [list, 'X', false],
  [list, 'Z', false],
  [list, null, false],
  ['<select name=a><option>1<option value="">None</select>', null, true],
  ['<select name=a></select>', 'x', false],
  ['<select name=a><optgroup disabled><option>1</optgroup><option>2</select>', '1', false],
  [several, ['1', '2'], true],
  [several, ['1', '3'], false],
  [several, [], true],
  [radios, '2', true],
  [radios, '3', false],
  [radios, '4', false],
  [radios, null, true],
  [radios.replace('value=1', 'value=1 checked'), null, false],
  [radios, ['1', '2'], false],
  [boxes, ['1', '2'], true],
  [boxes, ['1', '3'], false],
  // What cannot be changed.
  ['<input name=a value=x readonly>', 'y', false],
  ['<input name=a value=x readonly>', 'x', true],
  ['<textarea name=a readonly>x</textarea>', 'y', false],
  ['<input type=date name=a readonly>', '2026-11-27', false],
  ['<input type=checkbox name=a readonly>', true, true],
  ['<input type=range name=a readonly>', '7', true],
  // Fields of one name.
  ['<input name=a value=1><input name=a value=2>', 'x', false],
  ['<input name=a value=1><input name=a value=2>', ['x', 'y'], true],
  ['<input name=a>', ['x', 'y'], false],
  ['<select name=a><option>1<option>2</select><select name=a><option>1<option>2</select>', ['2', '1'], true],
]

describe('a form', () => {
  test.each(cases)('%s with %j can be sent: %j', async (fields, given, isFit, attributes = '') => {
    const own = ours(fields, given, attributes)
    const { sent, isValid } = await theirs(fields, given, attributes)
    expect([own.wrong === undefined, own.wrong?.wants]).toEqual([isFit, isFit ? undefined : expect.anything()])
    // Where a person can do it, the same arrives; where not, Chromium either stops them or sends something else.
    const wanted =
      given === undefined || given === null || typeof given === 'boolean' ? undefined : [given].flat().map(String)
    if (isFit) expect([isValid, own.sent]).toEqual([true, sent])
    else if (isValid && wanted)
      expect(sent.filter(([name]) => name === 'a').map(([, value]) => value)).not.toEqual(wanted)
    else if (isValid) expect(sent).not.toEqual([])
  })

  test('is not read whose pattern takes for ever', () => {
    const wanted = new UnknownShape('a pattern of the form takes too long, or is too big')
    const tooLong = `<input name=a pattern="${'x'.repeat(10_001)}">`
    expect(() => ours('<input name=a pattern="(a+)+b">', 'a'.repeat(60), '')).toThrow(wanted)
    expect(() => ours(tooLong, 'a', '')).toThrow(new UnknownShape('a pattern of the form is too long'))
  })
})
