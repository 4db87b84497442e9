import { Parser } from 'htmlparser2'

/** No page that people look at is nested deeper; the parser's time grows with the square of the depth. */
export const deepest = 500

export interface HtmlHandlers {
  onopentag(name: string, attributes: Readonly<Record<string, string>>): void
  ontext(text: string): void
  onclosetag(name: string): void
}

/** What a parser comes upon: a tag that opens, text, a tag that closes. */
type HtmlEvent =
  | readonly [name: string, attributes: Readonly<Record<string, string>>]
  | string
  | readonly [name: string]

/** In an isolate the thread around it parses, many times faster. */
const { callgateHtml } = globalThis as { callgateHtml?: (source: string) => readonly HtmlEvent[] }

/** Tells the handlers what a parser comes upon. Lines end as they do in a browser, whatever the app ends them with. */
export function parse(page: string, handlers: HtmlHandlers): void {
  const source = page.replaceAll(/\r\n?/g, '\n')
  if (callgateHtml === undefined) {
    new Parser(handlers).end(source)
    return
  }
  for (const event of callgateHtml(source))
    if (typeof event === 'string') handlers.ontext(event)
    else if (event[1] === undefined) handlers.onclosetag(event[0])
    else handlers.onopentag(event[0], event[1])
}

/** All that a parser comes upon, until something is nested too deeply. */
export function htmlEvents(source: string): readonly HtmlEvent[] {
  const events: HtmlEvent[] = []
  let depth = 0
  const parser = new Parser({
    onopentag(name, attributes) {
      events.push([name, attributes])
      if (++depth > deepest) parser.pause()
    },
    ontext(text) {
      const last = events.at(-1)
      if (typeof last === 'string') events[events.length - 1] = last + text
      else events.push(text)
    },
    onclosetag(name) {
      depth--
      events.push([name])
    },
  })
  parser.end(source)
  return events
}
