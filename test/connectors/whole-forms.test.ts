import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pageForm } from '../../connectors/runtime/forms/page-form.ts'
import { formBody } from '../../connectors/runtime/forms/form-body.ts'
import { multipartBody } from '../../connectors/runtime/multipart.ts'
import { filledForm, settings } from '../../connectors/runtime/forms/filled-form.ts'
import type { SetValue } from '../../connectors/kit/whole-form.ts'
import { UnknownShape } from '../../connectors/kit/wire.ts'
import { listen } from '../support/listen.ts'
import { startBrowser } from '../support/chromium.ts'
import type { RunningBrowser } from '../support/chromium.ts'

const type = 'text/html; charset=utf-8'
const nothingFresh = { filled: new Set<string>(), suggested: new Set<string>() }
let running: RunningBrowser
let server: Server
let origin: string
let page = ''
let posted: ((body: string) => void) | undefined

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === 'POST') posted?.(`${request.url} ${await text(request)}`)
  response.setHeader('content-type', type).end(request.url === '/page?x=1' ? page : '')
}

beforeAll(async () => {
  server = createServer((request, response) => void answer(request, response))
  origin = `http://127.0.0.1:${await listen(server)}`
  running = await startBrowser()
})
afterAll(async () => {
  await running.close()
  server.closeAllConnections()
  server.close()
})

const form = (fields: string, attributes = ''): string =>
  `<!doctype html><title>T</title><form id="f" method="post" action="/to" ${attributes}>${fields}</form>`

interface Case {
  readonly html: string
  readonly submit?: { readonly name: string; readonly value?: string }
}

/** What a browser sends of a form that nobody has touched is what Callgate sends of it. */
test.each<[string, Case]>([
  [
    'text, textarea and hidden fields, in order',
    {
      html: form(
        `<input name=a value=" x ">&amp;<textarea name=t>\n\nline &lt;b&gt;\r\nnext</textarea><input type=hidden name=h value="1&#10;2"><input name=b>`,
      ),
    },
  ],
  [
    'fields without a name or value',
    { html: form('<input value=1><input name="" value=2><input name=c><textarea name=d></textarea>') },
  ],
  ['types that nobody knows', { html: form('<input type=lemon name=a value="1">') }],
  [
    'checkboxes',
    {
      html: form(
        '<input type=checkbox name=a value=1 checked><input type=checkbox name=a value=2><input type=checkbox name=b checked><input type=checkbox name=c>',
      ),
    },
  ],
  [
    'a hidden field beside a checkbox',
    {
      html: form(
        '<input type=hidden name=a value=0><input type=checkbox name=a value=1 checked><input type=hidden name=b value=0><input type=checkbox name=b value=1>',
      ),
    },
  ],
  [
    'radio buttons, of which the last counts',
    {
      html: form(
        '<input type=radio name=a value=1 checked><input type=radio name=a value=2 checked><input type=radio name=b value=1>',
      ),
    },
  ],
  [
    'a radio button that is taken and disabled',
    { html: form('<input type=radio name=a value=1 checked><input type=radio name=a value=2 checked disabled>') },
  ],
  [
    'lists',
    {
      html: form(
        `<select name=a><option>One  two<option value=2 selected>Two</select><select name=b><option value=x>X<option>Y</select>
         <select name=c><option disabled>No<option>Yes</select><select name=d><option disabled selected value="">Choose<option>Yes</select>
         <select name=e><optgroup label=G disabled><option>No</optgroup><optgroup label=H><option>Yes</optgroup></select>
         <select name=f></select><select name=g><option selected>1<option selected>2</select>`,
      ),
    },
  ],
  [
    'lists that take several, or show several',
    {
      html: form(
        `<select name=a multiple><option selected>1<option>2<option selected>3</select><select name=b multiple><option>1</select>
         <select name=c size=3><option>1<option>2</select><select name=d size=3><option>1<option selected>2</select>
         <select name=e multiple><option selected disabled>1<option selected>2</select>`,
      ),
    },
  ],
  [
    'disabled fields',
    {
      html: form(
        `<input name=a disabled value=1><select name=b disabled><option>1</select>
         <fieldset disabled><legend><input name=c value=1></legend><legend><input name=d value=1></legend><input name=e value=1>
         <fieldset><input name=f value=1></fieldset></fieldset><fieldset><input name=g value=1 readonly></fieldset>`,
      ),
    },
  ],
  [
    'fields elsewhere that name the form, and fields within that name another',
    {
      html: `<input form=f name=before value=1>${form('<input name=in value=1><input form=other name=no value=1><input form="" name=none value=1>')}<form id=other></form><textarea form=f name=after>x</textarea>`,
    },
  ],
  [
    'what a template or a list of suggestions holds',
    {
      html: form(
        '<template><input name=a></template><datalist><select name=b><option>1</select></datalist><input name=c>',
      ),
    },
  ],
  [
    '_charset_',
    {
      html: form(
        '<input type=hidden name=_charset_><input type=hidden name=_CHARSET_ value=x><input name=_charset_ value=x>',
      ),
    },
  ],
  [
    'a form that is cut by an outer end tag',
    {
      html: `<div class=head><form id=f method=post action=/to><input name=title></div><div class=rest><input type=hidden name=id value=7>
        <textarea name=note>keep</textarea><input type=checkbox name=public checked><select name=s><option>1</select></form></div><input name=out>`,
    },
  ],
  [
    'a form that a row or a table cuts',
    {
      html: `<table><tr><form id=f method=post action=/to><td><input name=a><td><input type=hidden name=b><tr><td><input name=c><input name=d form=g></form></table><input name=e>`,
    },
  ],
  [
    'a form around and within misnested tags',
    {
      html: `<b><p><form id=f method=post action=/to><i><input name=a></b><div><input name=b></i></div></form><input name=c>`,
    },
  ],
  [
    'a form that begins in another',
    {
      html: `<form id=g><input name=a><form id=h><input name=b></form><form id=f method=post action=/to><input name=c></form><input name=d>`,
    },
  ],
  [
    'a form within another, behind its end tag',
    {
      html: `<form id=g><div></form><input name=a><form id=f method=post action=/to><input name=b></div><input name=c></form><input name=d>`,
    },
  ],
  ['files', { html: form('<input type=file name=a><input name=b value=1>') }],
  [
    'a form for files',
    {
      html: form(
        `<input type=file name=a><input name='b "c"&#10;' value='x "y"%22'><textarea name=ä>1\n2\r\n</textarea><input type=file name=d multiple><select name=e><option>€</select>`,
        'enctype="Multipart/Form-Data"',
      ),
    },
  ],
  [
    'no button',
    {
      html: form(
        '<button name=a value=1>A</button><input type=submit name=b value=2><input type=button name=c value=3><button type=reset name=d>D</button><input name=x>',
      ),
    },
  ],
  [
    'the button that is pressed',
    {
      html: form('<input name=x><button name=a value=1>A</button><button name=a value=2>A</button><input name=y>'),
      submit: { name: 'a', value: '2' },
    },
  ],
  [
    'the address that the button names',
    {
      html: form('<input name=x><input type=submit name=go value="Go on" formaction="/there?y=2">'),
      submit: { name: 'go' },
    },
  ],
  ['an address with a query', { html: form('<input name=x>').replace('/to', 'to?next=%2Fa b#c') }],
  ['the address of the page', { html: form('<input name=x>').replace('action="/to"', 'action=""') }],
  ['a base', { html: `<base href="/below/">${form('<input name=x>').replace('/to', 'to')}` }],
  [
    'values that a browser corrects',
    {
      html: form(
        `<input type=number name=a value="1e3"><input type=number name=b value=abc><input type=number name=b2 value="+1"><input type=number name=b3 value="1.">
         <input type=email name=c value=" a@b.example "><input type=url name=d value=" http://a.example/ "><input type=text name=e value="a&#10;b">
         <input type=color name=f><input type=color name=g value="#ABCDEF"><input type=range name=h><input type=range name=i min=10 max=20 value=99>
         <input type=range name=j min=0 max=10 step=3 value=8><input type=date name=k value=2026-11-22><input type=date name=l value=22.11.2026>
         <input type=time name=m value=10:30><input type=datetime-local name=n value="2026-11-22 10:30:00"><input type=month name=o value=2026-11><input type=week name=p value=2026-W47>
         <input type=search name=q value=" x "><input type=password name=r value=secret><input type=tel name=s value="1 2">`,
      ),
    },
  ],
  [
    'characters of all kinds',
    { html: form('<input name="ä b" value="€ 😀 +&amp;=%"><textarea name=t>тест\n</textarea>') },
  ],
  [
    'a form within a table',
    {
      html: `<table>${form('<tr><td><input name=a value=1></td></tr>').replace('<!doctype html><title>T</title>', '')}</table>`,
    },
  ],
])('%s', async (_what, { html, submit }) => {
  page = html
  const own = pageForm(
    { url: new URL(`${origin}/page?x=1`), text: html, type },
    { selector: '#f', ...(submit && { submit }) },
  )
  const { entries } = filledForm(own.controls, new Map(), nothingFresh, () => null)
  const tab = await running.browser.newPage()
  try {
    await tab.goto(`${origin}/page?x=1`)
    const sent = new Promise<string>((resolve) => (posted = resolve))
    const button = submit && `[name=${submit.name}]${submit.value === undefined ? '' : `[value="${submit.value}"]`}`
    await tab.evaluate(
      button === undefined
        ? `document.getElementById('f').submit()`
        : `document.getElementById('f').requestSubmit(document.querySelector('${button}'))`,
    )
    const body = formBody(entries, own, [])
    const text =
      'multipart' in body
        ? multipartBody(body.multipart, { boundary: 'BOUNDARY' }, () => Buffer.alloc(0)).toString()
        : new URLSearchParams(entries.map(([name, value]) => [name, value])).toString()
    const arrived = (await sent).replaceAll(/----WebKitFormBoundary\w{16}/g, 'BOUNDARY')
    expect(`${own.action.pathname}${own.action.search} ${text}`).toBe(arrived)
  } finally {
    await tab.close()
  }
})

const read = (html: string, contentType = type) => ({
  url: new URL('http://app.example/page'),
  text: html,
  type: contentType,
})

const photo = { sha256: 'abc', name: 'a.png', type: 'image/png', size: 3 } as const

/** What a person would do to the form, and what it sends then. */
test.each<[string, Readonly<Record<string, SetValue>>, string]>([
  ['<textarea name=a>1</textarea><input name=b value=2>', { a: 'x\ny' }, 'a=x%0D%0Ay&b=2'],
  ['<input name=a value=1><input name=b value=2>', { a: null, b: undefined }, 'a=&b=2'],
  ['<input name=a value=1><input name=b><input name=a value=3>', { a: ['x', 'y'] }, 'a=x&b=&a=y'],
  ['<input name=a value=1><input name=a value=2>', { a: 7 }, 'a=7'],
  ['<input name=a value=1><input name=b>', { a: [1, 2] }, 'a=1&a=2&b='],
  ['<input type=checkbox name=a checked><input name=b>', { a: false }, 'b='],
  ['<input type=checkbox name=a value=1><input name=b>', { a: true }, 'a=1&b='],
  ['<input type=hidden name=a value=0><input type=checkbox name=a value=1>', { a: true }, 'a=0&a=1'],
  ['<input type=hidden name=a value=0><input type=checkbox name=a value=1 checked>', { a: false }, 'a=0'],
  [
    '<input type=checkbox name=a value=1 checked><input type=checkbox name=a value=2><input type=checkbox name=a value=3>',
    { a: [3, 2] },
    'a=2&a=3',
  ],
  ['<input type=radio name=a value=1 checked><input type=radio name=a value=2>', { a: 2 }, 'a=2'],
  ['<input type=radio name=a value=1 checked><input name=b>', { a: null }, 'b='],
  ['<select name=a><option>1<option>2</select>', { a: '2' }, 'a=2'],
  ['<select name=a><option>1</select>', { a: 'from a script' }, 'a=from+a+script'],
  ['<select name=a multiple><option selected>1<option>2<option>3</select>', { a: ['2', '3'] }, 'a=2&a=3'],
  ['<select name=a multiple><option selected>1</select><input name=b>', { a: [] }, 'b='],
  [
    '<select name=a><option>1<option>2</select><select name=a><option>1<option>2</select>',
    { a: ['2', '1'] },
    'a=2&a=1',
  ],
  ['<fieldset disabled><input name=a></fieldset>', { a: '1' }, 'no field "a" in the form'],
  ['<input type=file name=a>', { a: '1' }, 'the field "a" takes a file'],
  ['<input type=file name=a>', { a: true }, 'the field "a" takes a file'],
  ['<input type=file name=a><input name=b>', { a: [], b: 'x' }, 'a=&b=x'],
  ['<input type=file name=a multiple><input name=b>', { a: [photo, photo] }, 'a=abc&a=abc&b='],
  ['<input name=a>', { a: photo }, 'the field "a" takes no file'],
  ['<input name=a>', { a: true }, 'the field "a" is no checkbox'],
])('%s with %j', (fields, set, sent) => {
  const fill = (): string => {
    const { controls } = pageForm(read(form(fields)), { selector: 'form' })
    const { entries, lines } = filledForm(controls, settings(controls, set), nothingFresh, () => null)
    const after = lines.flatMap((line) =>
      line.after ? [[line.name, line.after.map(({ value }) => value)] as const] : [],
    )
    // What the person was shown, set once more, makes the same of it.
    expect(filledForm(controls, new Map(after), nothingFresh, () => null).entries).toEqual(entries)
    return new URLSearchParams(entries.map(([name, value]) => [name, value])).toString()
  }
  if (sent.includes(' ')) expect(fill).toThrow(new UnknownShape(sent))
  else expect(fill()).toBe(sent)
})

test.each<[string, string, string?]>([
  ['no form "form"', '<p>Nothing here'],
  ['more than one form "form"', form('') + form('')],
  ['the form is not posted', '<form action="/to"><input name=a></form>'],
  ['the form is sent as plain text', form('', 'enctype=text/plain')],
  ['a color field whose value is not hexadecimal', form('<input type=color name=a value=red>')],
  ['what is found as "form" is no form', '<svg><form method=post action="/to"></form></svg>'],
  ['the form is posted to no address', '<form method=post action="http://">'],
  ['the form has too many fields', form('<input>'.repeat(5_001))],
  ['nested too deeply', '<div>'.repeat(501)],
  ['a page of too many elements', '<p>'.repeat(300_001)],
  ['a page that is too long', ' '.repeat(2 ** 22 + 1)],
])('%s', (rule, html, contentType) => {
  expect(() => pageForm(read(html, contentType), { selector: 'form' })).toThrow(new UnknownShape(rule))
})
