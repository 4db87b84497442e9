import { select } from './select.ts'
import { sawJson } from './watching.ts'
import { UnknownShape } from './wire.ts'

/** Parses the JSON in the only script that matches: `jsonScript(page, '#__NEXT_DATA__')`. */
export function jsonScript(page: string, css: string): unknown {
  const script = select(page, css)
  const type = script.attributeOrNull('type') ?? ''
  if (!/^application\/(?:[\w.-]+\+)?json\b/i.test(type)) throw new UnknownShape('a script that is not JSON')
  return json(script.content(), 'the script')
}

/**
 * Parses the JSON that a script assigns to a variable: `window.__STATE__ = {"user": …}`. Literal
 * JSON only, as no script runs. `name`: as written left of the `=`. No assignment, or more than
 * one, is an `UnknownShape`.
 */
export function assigned(page: string, name: string): unknown {
  const found = select(page)
    .any('script:not([type]), script[type=module], script[type="text/javascript"], script[type=""]')
    .flatMap((script) => assignments(script.content(), name))
  const [rest, ...others] = found
  if (rest === undefined) throw new UnknownShape(`no script assigns ${name}`)
  if (others.length > 0) throw new UnknownShape(`scripts assign ${name} more than once`)
  return json(literal(rest, name), name)
}

/** The source after each assignment to the variable. */
function assignments(script: string, name: string): string[] {
  const written = new RegExp(`${name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}\\s*=(?![=>])`, 'g')
  return [...script.matchAll(written)].flatMap(({ index, 0: { length } }) => {
    const before = script.slice(Math.max(0, index - 100), index)
    const begins = /(?:^|[;{}),\n]|\b(?:var|let|const)[ \t])[ \t]*$/.test(before)
    return begins ? [script.slice(index + length)] : []
  })
}

/** Cuts the text where its brackets close or the statement ends. */
function literal(text: string, name: string): string {
  const tokens = /\s+|"(?:[^"\\\n]|\\.)*"|[^"\s[\]{},;]+|[[\]{},;"]/gy
  tokens.lastIndex = text.length - text.trimStart().length
  let depth = 0
  for (let token = tokens.exec(text); token !== null; token = tokens.exec(text)) {
    const [said] = token
    if (depth === 0 && (/^[,;\]}]$/.test(said) || said.includes('\n'))) return text.slice(0, token.index)
    if (said === '[' || said === '{') depth++
    if (said === ']' || said === '}') depth--
  }
  if (depth > 0) throw new UnknownShape(`what is assigned to ${name} does not end`)
  return text
}

function json(text: string, what: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    sawJson(text)
    return value
  } catch {
    throw new UnknownShape(`${what} is not JSON`)
  }
}
