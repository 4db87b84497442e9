import { htmlTree } from '../../kit/html-tree.ts'
import { jsonOf } from './bodies.ts'
import { detailsOf } from './details.ts'
import type { Decision, InputDraft, OutputDraft, Reading, Run } from './draft.ts'
import { kindOf, segmentsOf, wordOfNumbers } from './exchanges.ts'
import { isIdLike } from './inputs.ts'
import { fieldsOf } from './item-fields.ts'
import { jsonReading } from './json-output.ts'
import { emptySign, listIn, nextLink, withCells } from './lists.ts'
import { Names, inPattern, nameOf, plainly, quoted, singular } from './literal.ts'
import { find } from './selectors.ts'

/** How the answer of the runs is read. `kind`: the endpoint's kind of entity. */
export function readingOf(runs: readonly Run[], kind: string, isRead: boolean): Reading {
  const [first] = runs
  if (first === undefined) throw new Error('there is no run')
  const same = runs.filter(({ exchange }) => kindOf(exchange) === kindOf(first.exchange))
  const texts = same.map(({ exchange }) => exchange.answer.text)
  switch (kindOf(first.exchange)) {
    case 'redirect':
      return redirectReading(same, kind)
    case 'json': {
      const asked = new Set(runs.flatMap(({ exchange }) => [...new URL(exchange.request.url).searchParams.keys()]))
      return jsonReading(
        texts.map((text) => (text === null ? {} : jsonOf(text))),
        kind,
        asked,
      )
    }
    case 'page': {
      const pages = texts.filter((text) => text !== null)
      if (pages.length > 0) return isRead ? pageReading(first, pages, kind) : donePage(pages)
      return nothingRead('page', 'The page was too long to be kept: say what is read of it.')
    }
    case 'other':
      return nothingRead('json', 'The answer is neither a page nor JSON: say what it is, and what is read of it.')
  }
}

const nothingRead = (answer: Reading['answer'], question: string): Reading => ({
  answer,
  lines: [],
  outputs: [],
  decisions: [{ at: 'decode:', question }],
})

function pageReading({ exchange, trace }: Run, texts: readonly string[], kind: string): Reading {
  const pages = texts.map((text) => htmlTree(text))
  const full = pages.toSorted((a, b) => (listIn(b)?.items.length ?? 0) - (listIn(a)?.items.length ?? 0))
  const found = full[0] && listIn(full[0])
  // Items without differing text are buttons or the like.
  const list = found && fieldsOf(found.items, kind, found.items.length).fields.length > 0 ? found : undefined
  const details = detailsOf(pages)
  const last = (segmentsOf(exchange.request.url, trace.origin) ?? []).findLast((part) => part !== '') ?? ''
  const isOne =
    /^(?:get|show|read|view)_/.test(trace.name) || (isIdLike(last) && !/^(?:list|search|find)_/.test(trace.name))
  if (list === undefined || (isOne && details.length > 0)) return detailsReading(details)
  return listReading(list, full, kind)
}

function detailsReading(details: readonly OutputDraft[]): Reading {
  const question =
    details.length === 0
      ? 'Nothing on the page has a label that is known here: say what is read of it.'
      : 'These fields have a label or differ from run to run: is each what its name says?'
  return {
    answer: 'page',
    lines: details.length === 0 ? [] : ['const at = select(page)'],
    outputs: details,
    decisions: [{ at: 'decode:', question }],
  }
}

function listReading(
  { selector, items }: NonNullable<ReturnType<typeof listIn>>,
  pages: readonly ReturnType<typeof htmlTree>[],
  kind: string,
): Reading {
  const decisions: Decision[] = []
  const all = [...items, ...pages.slice(1).flatMap((page) => find(selector, page))]
  const { fields, named } = fieldsOf(all, kind, items.length)
  const isTable = fields.some(({ value }) => value.includes('td:nth-of-type('))
  const css = isTable && pages[0] ? withCells({ selector, items }, pages[0]) : selector
  const empty = pages.find((page) => find(selector, page).length === 0)
  const sign =
    empty &&
    emptySign(
      empty,
      pages.filter((page) => page !== empty),
    )
  const options = sign === undefined ? '' : `, { emptyWhen: ${quoted(sign)} }`
  if (sign === undefined)
    decisions.push({
      at: 'at.all(',
      question:
        'What does the page show when there is none? Say so with emptyWhen; as it is, a list without items is app_changed.',
    })
  if (!named) decisions.push({ at: 'at.all(', question: 'No id of an item was found: what would name one of them?' })
  decisions.push({
    at: 'output:',
    question: 'Is each field what its name says? What all items say alike was left out.',
  })
  const next = pages.map(nextLink).find((one) => one !== undefined)
  const own = fields.map(({ name, value }) => `${name}: ${value}`).join(', ')
  const outputs: OutputDraft[] = [
    {
      name: `${kind}s`,
      schema: `Type.Array(closed({ ${fields.map(({ name, schema }) => `${name}: ${schema}`).join(', ')} }))`,
      value: `at.all(${quoted(css)}${options}).map((one) => ({ ${own} }))`,
    },
  ]
  if (next) {
    const href = `at.optional(${quoted(next.css)})?.attribute('href') ?? ''`
    outputs.push({
      name: 'next_cursor',
      schema: 'nextCursor',
      value: `cursor(/[?&]${inPattern(next.query)}=([^&#]+)/.exec(${href})?.[1] ?? null)`,
    })
    decisions.push({
      at: 'next_cursor:',
      question: `The link to the next page is ${plainly(next.css)}: a page without it is the last one. Is that so?`,
    })
  } else if (items.length >= 10)
    decisions.push({
      at: 'at.all(',
      question: `${items.length} items, and no link to a next page that is known here: is that all there are?`,
    })
  return { answer: 'page', lines: ['const at = select(page)'], outputs, ...(next && { cursor: next.query }), decisions }
}

/** A write that answers with a page must show that it succeeded. */
function donePage(texts: readonly string[]): Reading {
  const pages = texts.map((text) => htmlTree(text))
  const signs = [
    '.alert-success',
    '.messagelist .success',
    '.messages .success',
    '.flash-success',
    '.flash.notice',
    '.flash-notice',
    '.notice-success',
    '.updated',
    '[role="status"]',
    '.success',
  ]
  const css = signs.find((one) => pages.every((page) => find(one, page).length === 1))
  if (css === undefined)
    return {
      answer: 'page',
      lines: [],
      outputs: [],
      decisions: [
        {
          at: 'decode:',
          question:
            'It answers with a page: what on it says that it was done, and not refused? Read that, or a refusal would look like a success.',
        },
      ],
    }
  return {
    answer: 'page',
    lines: [],
    outputs: [{ name: 'message', schema: 'Type.String()', value: `select(page, ${quoted(css)}).text()` }],
    decisions: [{ at: 'decode:', question: `${plainly(css)} is taken for the sign that it was done: is it?` }],
  }
}

function redirectReading(runs: readonly Run[], kind: string): Reading {
  const led = runs.map(({ exchange, trace }) => {
    const url = URL.parse(exchange.answer.headers['location'] ?? '', exchange.request.url)
    return url === null ? undefined : segmentsOf(url.href, trace.origin)
  })
  const [first] = led
  if (first === undefined || led.some((one) => one?.length !== first.length))
    return nothingRead(
      'redirect',
      'The runs were led to places of different shapes, or out of the app: which of them says that it was done?',
    )
  const names = new Names()
  const outputs: OutputDraft[] = []
  const parts: string[] = []
  for (const [at, raw] of first.entries()) {
    const values = led.map((one) => one?.[at] ?? '')
    const isFixed = values.every((one) => one === raw) && !isIdLike(raw)
    const glued = wordOfNumbers(values)
    if (glued !== undefined) {
      const base = nameOf(glued) ?? kind
      const name = names.take(`${base}_id`)
      parts.push(`${inPattern(glued)}(?<${name}>\\d+)`)
      outputs.push({ name, schema: `refTo(${quoted(base)})`, value: `part[${quoted(name)}]` })
    } else if (isFixed && !(runs.length === 1 && parts.at(-1)?.startsWith('(') === true && raw.includes('-')))
      parts.push(inPattern(raw))
    else if (values.every(isIdLike) || !parts.some((part) => part.startsWith('('))) {
      const word = first.slice(0, at).findLast((one) => one !== '' && !isIdLike(one)) ?? ''
      const base = nameOf(singular(word)) ?? kind
      const name = names.take(`${base}_id`)
      parts.push(`(?<${name}>[^/]+)`)
      outputs.push({ name, schema: `refTo(${quoted(base)})`, value: `part[${quoted(name)}]` })
    } else parts.push('[^/]*')
  }
  const taken = outputs.length > 0 ? 'const { part } = ' : ''
  return {
    answer: 'redirect',
    lines: [`${taken}ledTo(location, /^${parts.join(String.raw`\/`)}$/)`],
    outputs,
    decisions: [
      {
        at: 'ledTo(',
        question: 'It is taken to be done where it leads there: does the app lead there, too, when it refuses?',
      },
    ],
  }
}

/** Returns ids of the input in the output, so that an agent need not remember them. */
export function withInputs(reading: Reading, inputs: readonly InputDraft[]): Reading {
  const ids = inputs.filter(({ kind, name }) => kind !== undefined && !reading.outputs.some((one) => one.name === name))
  if (reading.outputs.some(({ schema }) => /^Type\.Array|^nextCursor/.test(schema))) return reading
  const own = ids.map(({ name, kind = '' }) => ({ name, schema: `refTo(${quoted(kind)})`, value: `input.${name}` }))
  return { ...reading, outputs: [...own, ...reading.outputs] }
}
