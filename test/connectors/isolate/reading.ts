import type * as Kit from '../../../connectors/kit/index.ts'

const attributes = ['id', 'class', 'HREF', 'value', 'lang', 'title', 'data-k', 'viewBox']
const action = { page: new URL('http://app.example/dir/page'), action: new URL('http://app.example/dir/to%20') }

/** Of the kit. */
export const used = [
  ...(['assigned', 'elements', 'htmlText', 'inputOfAction', 'inputOfForm', 'metaContent', 'read'] as const),
  ...(['UnknownShape', 'refusedPage', 'select', 'signInForm'] as const),
]

/**
 * Everything that the kit reads of a page, errors included. `older-bundles/reading.2.js.br` is this
 * file as the last release with `specVersion` 2 bundled it: to change it, copy it first.
 */
export function reading(kit: Pick<typeof Kit, (typeof used)[number]>) {
  const said = (read: () => unknown): unknown => {
    try {
      return read() ?? null
    } catch (error) {
      return error instanceof kit.UnknownShape ? error.message : (error as Error).name
    }
  }
  const told = (node: Kit.Node): unknown => [
    node.text(),
    node.content(),
    attributes.map((name) => node.attributeOrNull(name)),
  ]
  const answer = (text: string): Kit.Answer => ({
    ...{ status: 200, headers: { 'content-type': 'text/html' }, text },
    ...{ json: undefined, location: null, elsewhere: null },
  })
  return {
    selections: (page: string, selectors: readonly string[]): unknown =>
      selectors.map((css) => [
        said(() => kit.select(page).any(css).map(told)),
        said(() => kit.select(page, css).attribute('class')),
        said(() => kit.select(page).optional(css)?.text()),
        said(() => kit.select(page).all(css, { emptyWhen: 'p', hiddenBy: '.x' }).length),
        said(() => kit.select(page).first('div').first(css).text()),
        said(() => kit.select(page).first('div').any(`+ ${css}, :scope > ${css}`).length),
      ]),
    others(page: string): unknown {
      const events: string[] = []
      kit.read(page, {
        onOpen: (name, given, count) => events.push(`<${name} ${JSON.stringify(given)} ${count}>`),
        onText: (text) => events.push(text),
        onClose: (name) => events.push(`</${name}>`),
      })
      return [
        events.join(''),
        kit.htmlText(page),
        ['p', 'a', 'input', 'li', 'script'].map((name) =>
          kit.elements(page, name).map((one) => [[...one.attributes], one.text]),
        ),
        said(() => kit.metaContent(page, 'csrf')),
        said(() => kit.inputOfForm(page, 'h', { id: 'f' })),
        said(() => kit.inputOfAction(page, 'h', action)),
        said(() => kit.refusedPage('p, .x')(answer(page))),
        said(() => kit.refusedPage('p', 'no', { hiddenBy: '.row, dl' })(answer(page))),
        said(() => kit.signInForm()(answer(`${page} <input type=password>`))),
        said(() => kit.signInForm('input[type=file]')(answer(page))),
        said(() => kit.assigned(page, 'x')),
      ]
    },
  }
}
