import type { Document, Element } from 'domhandler'
import { isTag } from 'domhandler'
import { matching } from '../../kit/css.ts'
import { having } from '../../kit/select.ts'
import { around } from '../../runtime/forms/tree.ts'

/** Classes of state or layout, which do not identify an element. */
const states =
  /^(?:is-|has-)|^(?:active|selected|current|open|opened|closed|hidden|visible|disabled|first|last|odd|even|new|unread|read|clearfix|container(?:-fluid)?|form(?:-.+)?|item|row|wrapper|content|inner|outer|left|right|btn.*|col(?:-.+)?|[mp][trblxy]?-\d|text-.+|d-.+|float-.+|pull-.+|w-\d+|h-\d+|js-disabled)$/
/** Prefixes of generated names. */
const madeUp = /^(?:css|sc|jss|emotion|styled|svelte|astro|tw|ember|react|ng|v|data-v)[-_]?/i

/** Whether a class or an id is a meaningful word, not generated or specific to one entity. */
export function isWord(name: string): boolean {
  if (!/^[a-z][\w-]*$/i.test(name) || name.length > 50 || states.test(name)) return false
  const parts = name.split(/[-_]+/).filter((part) => part !== '')
  const words = parts.flatMap((part) => part.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g) ?? [])
  if (madeUp.test(name) && parts.length <= 2 && !words.every((word) => /[aeiouy]/i.test(word))) return false
  const letters = words.filter((word) => !/\d/.test(word))
  if (words.some((word) => /^\d{3,}$/.test(word)) || parts.some((part) => /[a-z]\d+[a-z]/i.test(part))) return false
  const mean = letters.join('').length / Math.max(letters.length, 1)
  return letters.some((word) => word.length >= 2 && /[aeiouy]/i.test(word)) && mean >= 2.5
}

export const classesOf = (element: Element): readonly string[] =>
  [...new Set((element.attribs['class'] ?? '').split(/\s+/))].filter(isWord)

export function find(css: string, at: Document | Element): readonly Element[] {
  return matching(css, at).filter((one) => one !== at)
}

/** Selectors for an element by itself, the most reliable first. */
export function ownWays(element: Element): readonly string[] {
  const { name, attribs } = element
  const { id = '', itemprop = '', name: called = '', rel = '' } = attribs
  return [
    ...(isWord(id) ? [`#${id}`] : []),
    ...(/^[\w-]+$/.test(itemprop) ? [having('itemprop', itemprop)] : []),
    ...classesOf(element).map((one) => `.${one}`),
    ...classesOf(element).map((one) => `${name}.${one}`),
    ...(called !== '' && /^[\w.[\]-]{1,60}$/.test(called) ? [`${name}${having('name', called)}`] : []),
    ...(rel !== '' && /^[\w -]+$/.test(rel) ? [`${name}${having('rel', rel)}`] : []),
  ]
}

/** Selectors that include ancestors, up to `top`. */
export function waysTo(element: Element, top: Element | null = null): readonly string[] {
  const own = ownWays(element)
  const bare = [element.name, ...(isColumn(element) ? [column(element)] : [])]
  const outer = around(element)
  const within = outer
    .slice(0, top === null ? 8 : outer.indexOf(top))
    .filter((one) => one.name !== 'html' && one.name !== 'body')
  const nested = within.flatMap((one) => {
    const tags = ['main', 'article', 'h1', 'h2', 'h3', 'h4', 'address'].includes(one.name) ? [one.name] : []
    const column_ = isColumn(one) ? [column(one)] : []
    return [...ownWays(one).slice(0, 4), ...tags, ...column_].flatMap((way) =>
      [...own.slice(0, 2), ...bare].map((inner) => `${way}${one === element.parent ? ' > ' : ' '}${inner}`),
    )
  })
  return [...own, ...(/^(?:a|body|div|li|p|span|td|tr)$/.test(element.name) ? [] : [element.name]), ...nested, ...bare]
}

const isColumn = ({ name, parent }: Element): boolean =>
  (name === 'td' || name === 'th') && parent !== null && isTag(parent) && parent.name === 'tr'

/** Cells have no names: their column identifies them. */
function column(cell: Element): string {
  const cells = cell.parent?.children.filter(isTag).filter(({ name }) => name === cell.name) ?? []
  return `${cell.name}:nth-of-type(${cells.indexOf(cell) + 1})`
}

/** The first of these selectors that matches exactly these elements. */
export function exactly(
  ways: readonly string[],
  at: Document | Element,
  wanted: readonly Element[],
): string | undefined {
  return ways.find((css) => {
    const found = find(css, at)
    return found.length === wanted.length && found.every((one, index) => one === wanted[index])
  })
}
