import { expect, it } from 'vitest'
import { pageForm } from '../../connectors/runtime/forms/page-form.ts'
import type { PageForm } from '../../connectors/runtime/forms/page-form.ts'
import { UnknownShape } from '../../connectors/kit/wire.ts'

const url = new URL('https://app.example/page')
const type = 'text/html; charset=utf-8'
const read = (text: string): PageForm => pageForm({ url, text, type }, { selector: '#f' })
const form = (fields: string): string => `<form id=f method=post>${fields}</form>`
const size = 2_000_000
const filling = (piece: string): string => piece.repeat(size / piece.length)

it.each([
  ['is nested all through', form(filling('<div>'))],
  ['is nested around the form', `${filling('<i>')}${form('<input name=a>')}`],
  ['opens formatting elements again in each paragraph', form('<b><i><u><s><p>'.repeat(50) + filling('<p>a</p>'))],
  ['has more fields than anybody fills in', form(filling('<input name=a>'))],
])('a page of 2 MB that %s is not as the connector knows it', (_, page) => {
  expect(() => read(page)).toThrow(UnknownShape)
})

// What reads a form counts its steps, so that these end as the others do where it reads anything twice.
it.each([
  ['one label has all fields', form(`<label>${filling('word ')}${'<input name=a>'.repeat(4_900)}</label>`)],
  ['one label is named by all', form(`<label for=i>${filling('word ')}</label>${'<input id=i name=a>'.repeat(4_900)}`)],
  [
    'one legend has all fields',
    form(`<fieldset><legend>${filling('word ')}</legend>${'<input name=a>'.repeat(4_900)}</fieldset>`),
  ],
  ['most fields stand beside it', `${form('<input name=a>'.repeat(4_900))}${filling('<input name=b>')}`],
  [
    'all fields stand deep in it',
    `${'<div>'.repeat(400)}${form('<input name=a>'.repeat(4_900))}${'</div>'.repeat(400)}${filling('<p>a</p>')}`,
  ],
])('a page of 2 MB is read in one go where %s', (_, page) => {
  expect(read(page).controls).toHaveLength(4_900)
})
